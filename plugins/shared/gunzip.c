/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decompresses with zlib.  How large a file becomes is no number that it states, so what it may
 * become is limited by its size.
 */
#include "gunzip.h"

#include <zlib.h>

enum {
	GZIP_WINDOW = 15 + 16 /* zlib's way to say: a gzip header, the largest window */
};

bool
gunzip_is_packed(const uint8_t *bytes, uint64_t length)
{
	return length >= 3 && bytes[0] == 0x1f && bytes[1] == 0x8b && bytes[2] == Z_DEFLATED;
}

size_t
gunzip_head(const uint8_t *bytes, size_t length, uint8_t *head, size_t room)
{
	z_stream stream = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)length};

	if (inflateInit2(&stream, GZIP_WINDOW) != Z_OK)
		return 0;
	stream.next_out = head;
	stream.avail_out = (uInt)room;
	inflate(&stream, Z_SYNC_FLUSH);
	inflateEnd(&stream);
	return room - stream.avail_out;
}

/* zlib's memory is the run's, so that nothing is left behind when the run ends early. */
static void *
take_memory(void *opaque, uInt count, uInt bytes)
{
	return gprofx_alloc((struct gprofx *)opaque, (size_t)count * bytes);
}

static void
give_memory(void *opaque, void *block)
{
	struct gprofx *gx = opaque;

	gx->host->release(gx, block);
}

/* Decompression under way. */
struct unpacking {
	struct gprofx *gx;
	const struct gprofx_file *file;
	const struct gunzip_rules *rules;
	z_stream stream;
	uint8_t *bytes;
	size_t length, room;
	uint64_t most;
};

static enum gprofx_result
fail_damaged(struct unpacking *u, const char *found)
{
	const uint64_t at = u->file->length - u->stream.avail_in;
	const struct gprofx_diagnostic diagnostic = gprofx_at(u->file, at, u->rules->damaged_id,
	                                                      u->rules->damaged_hint);

	return gprofx_fail(u->gx, &diagnostic, "expected compressed data, found %s", found);
}

static enum gprofx_result
fail_too_large(struct unpacking *u)
{
	const struct gprofx_diagnostic diagnostic = gprofx_at(
		u->file, u->file->length - u->stream.avail_in, u->rules->large_id,
		u->rules->large_hint);

	return gprofx_fail(u->gx, &diagnostic,
	                   "expected at most %llu bytes in %llu compressed ones, found more",
	                   (unsigned long long)u->most, (unsigned long long)u->file->length);
}

/* Makes room for more; false: there may not be more. */
static bool
make_room(struct unpacking *u)
{
	uint64_t grown = 4 * (uint64_t)u->file->length + 4096;

	if (u->room > 0)
		grown = 2 * (uint64_t)u->room;
	grown = grown < u->most ? grown : u->most;
	if (grown == u->room)
		return false;
	u->bytes = u->gx->host->grow(u->gx, u->bytes, u->room, (size_t)grown);
	u->room = (size_t)grown;
	return true;
}

/* Goes on as far as room and input allow.  Sets *is_done at the end of the file. */
static enum gprofx_result
step(struct unpacking *u, bool *is_done)
{
	z_stream *stream = &u->stream;
	size_t left = u->room - u->length;
	int result;

	if (left == 0 && !make_room(u))
		return fail_too_large(u);
	left = u->room - u->length;
	stream->next_out = u->bytes + u->length;
	stream->avail_out = left < UINT32_MAX ? (uInt)left : UINT32_MAX;
	left = stream->avail_out;
	result = inflate(stream, Z_NO_FLUSH);
	u->length += left - stream->avail_out;
	if (result == Z_STREAM_END) {
		*is_done = stream->avail_in == 0;
		if (*is_done)
			return GPROFX_OK;
		/* gzip takes several compressed texts in a row for one. */
		if (!gunzip_is_packed(stream->next_in, stream->avail_in) ||
		    inflateReset(stream) != Z_OK)
			return fail_damaged(u, "other data after it");
		return GPROFX_OK;
	}
	if (result == Z_BUF_ERROR ||
	    (result == Z_OK && stream->avail_in == 0 && stream->avail_out > 0))
		return fail_damaged(u, "the end of the file");
	return result == Z_OK ? GPROFX_OK : fail_damaged(u, "damaged data");
}

enum gprofx_result
gunzip_file(struct gprofx *gx, const struct gprofx_file *file, const struct gunzip_rules *rules,
            uint8_t **bytes, size_t *length)
{
	struct unpacking u = {
		.gx = gx,
		.file = file,
		.rules = rules,
		.stream = {.next_in = (Bytef *)(uintptr_t)file->bytes,
	                   .zalloc = take_memory,
	                   .zfree = give_memory,
	                   .opaque = gx},
		.most = rules->most_times * file->length + rules->most_besides,
	};
	enum gprofx_result result = GPROFX_OK;
	bool is_done = false;

	/* zlib counts in 32 bits; what is cut off here is missed as the end. */
	u.stream.avail_in = file->length < UINT32_MAX ? (uInt)file->length : UINT32_MAX;
	if (inflateInit2(&u.stream, GZIP_WINDOW) != Z_OK)
		return fail_damaged(&u, "not enough memory");
	while (!is_done && result == GPROFX_OK)
		result = step(&u, &is_done);
	inflateEnd(&u.stream);
	if (result != GPROFX_OK) {
		gx->host->release(gx, u.bytes);
		return result;
	}
	*bytes = u.bytes;
	*length = u.length;
	return GPROFX_OK;
}
