/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records that perf compressed: one stream of Zstandard runs through all of them, and what comes
 * out can end in the midst of a record, which goes on in the next.
 */
#include <string.h>

#include "reading.h"
#include "records.h"

#ifdef GPROFX_ZSTD
/* For memory that is the run's, so that nothing is left behind when the run ends early. */
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

enum {
	FIRST_ROOM = 1 << 16,
	/* What one byte can become, and what is always allowed. */
	MOST_TIMES = 1000,
	MOST_BESIDES = 1 << 20,
	LEAST_WINDOW = 17, /* of what earlier bytes can be referred to, a power of 2 */
	MOST_WINDOW = 27
};

static void *
take_memory(void *gx, size_t bytes)
{
	return gprofx_alloc((struct gprofx *)gx, bytes);
}

static void
give_memory(void *gx, void *block)
{
	((struct gprofx *)gx)->host->release(gx, block);
}

static ZSTD_DCtx *
new_stream(struct perfdata *p)
{
	const ZSTD_customMem memory = {take_memory, give_memory, p->gx};
	ZSTD_DCtx *stream = ZSTD_createDCtx_advanced(memory);
	int window = LEAST_WINDOW;

	while (window < MOST_WINDOW && p->current.length >> (window - LEAST_WINDOW) > 0)
		window++;
	if (stream)
		ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, window);
	p->left_to_unpack = p->current.length > UINT64_MAX / MOST_TIMES - MOST_BESIDES
	                            ? UINT64_MAX
	                            : p->current.length * MOST_TIMES + MOST_BESIDES;
	return stream;
}

static enum gprofx_result
fail_packed(const struct perfdata *p, const uint8_t *at, const char *what)
{
	const struct gprofx_diagnostic diagnostic = perfdata_at(
		p, at, "perfdata.bad-compression", "record the program again, without -z");

	return gprofx_fail(p->gx, &diagnostic, "expected compressed records, found %s", what);
}

/* Puts what bytes become behind what is left of the records before, in memory of its own. */
static enum gprofx_result
unpack(struct perfdata *p, const uint8_t *at, size_t bytes, uint8_t **to, size_t *length)
{
	ZSTD_inBuffer in = {at, bytes, 0};
	ZSTD_outBuffer out = {NULL, FIRST_ROOM + p->rest_bytes, p->rest_bytes};
	size_t result;

	out.dst = gprofx_alloc(p->gx, out.size);
	if (p->rest_bytes > 0)
		memcpy(out.dst, p->rest, p->rest_bytes);
	*to = out.dst;
	do {
		size_t before = out.pos;

		if (out.pos == out.size) {
			out.dst = p->gx->host->grow(p->gx, out.dst, out.size, 2 * out.size);
			out.size *= 2;
			*to = out.dst;
		}
		result = ZSTD_decompressStream(p->stream, &out, &in);
		if (ZSTD_isError(result))
			return fail_packed(p, at, ZSTD_getErrorName(result));
		if (out.pos - before > p->left_to_unpack)
			return fail_packed(p, at, "more than 1000 times the size of the file");
		p->left_to_unpack -= out.pos - before;
		/* Without progress, a damaged stream would go on for ever. */
		if (out.pos == before && in.pos == in.size)
			break;
	} while (in.pos < in.size || out.pos == out.size);
	*length = out.pos;
	return GPROFX_OK;
}

static enum gprofx_result
visit_unpacked(struct perfdata *p, struct perfdata_block *block, size_t length,
               perfdata_visit *visit)
{
	const uint8_t *at = block->owned, *end = at + length;
	struct perfdata_record record;

	while (perfdata_record_at(p, at, end, &record)) {
		/* Only the file itself has such. */
		if (record.type != RECORD_COMPRESSED && record.type != RECORD_COMPRESSED2) {
			enum gprofx_result result = visit(p, block, &record);

			if (result != GPROFX_OK)
				return result;
		}
		at += record.bytes;
		at += perfdata_behind(p, &record, end);
	}
	if (end - at >= RECORD_BYTES && perfdata_u16(p, at + 6) < RECORD_BYTES)
		return fail_packed(p, p->current.bytes, "none in what was decompressed");
	p->gx->host->release(p->gx, p->rest);
	p->rest_bytes = (size_t)(end - at);
	p->rest = gprofx_alloc(p->gx, p->rest_bytes + 1);
	memcpy(p->rest, at, p->rest_bytes);
	return GPROFX_OK;
}

enum gprofx_result
perfdata_unpack(struct perfdata *p, const uint8_t *at, size_t bytes, perfdata_visit *visit)
{
	struct perfdata_block *block = gprofx_alloc(p->gx, sizeof *block);
	enum gprofx_result result;
	size_t length = 0;

	block->users = 1;
	if (!p->stream)
		p->stream = new_stream(p);
	result = p->stream ? unpack(p, at, bytes, &block->owned, &length)
	                   : fail_packed(p, at, "no memory for them");
	if (result == GPROFX_OK)
		result = visit_unpacked(p, block, length, visit);
	perfdata_leave_block(p, block);
	return result;
}

void
perfdata_end_unpacking(struct perfdata *p)
{
	ZSTD_freeDCtx(p->stream);
	p->stream = NULL;
	p->gx->host->release(p->gx, p->rest);
	p->rest = NULL;
	p->rest_bytes = 0;
}

#else

enum gprofx_result
perfdata_unpack(struct perfdata *p, const uint8_t *at, size_t bytes, perfdata_visit *visit)
{
	const struct gprofx_diagnostic diagnostic = perfdata_at(
		p, at, "perfdata.no-zstd",
		"record without -z, or let perf decompress them: perf script | gprofx -");

	(void)bytes;
	(void)visit;
	return gprofx_fail(p->gx, &diagnostic,
	                   "expected plain records, found compressed ones: this gprofx was built "
	                   "without Zstandard");
}

void
perfdata_end_unpacking(struct perfdata *p)
{
	p->rest_bytes = 0;
}

#endif
