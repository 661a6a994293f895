/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "records.h"
#include "reading.h"

size_t
perfdata_text(const struct perfdata_record *record, size_t offset, const char **text)
{
	size_t room = record->bytes > offset ? record->bytes - offset : 0;
	const char *end;

	*text = (const char *)record->at + (room > 0 ? offset : 0);
	end = memchr(*text, '\0', room);
	return end ? (size_t)(end - *text) : room;
}

uint64_t
perfdata_behind(const struct perfdata *p, const struct perfdata_record *record, const uint8_t *end)
{
	uint64_t left = (uint64_t)(end - record->at) - record->bytes, bytes = 0;

	if (record->type == RECORD_TRACING_DATA && record->bytes >= RECORD_BYTES + 4)
		bytes = perfdata_u32(p, record->at + RECORD_BYTES);
	if (record->type == RECORD_AUXTRACE && record->bytes >= RECORD_BYTES + 8)
		bytes = perfdata_u64(p, record->at + RECORD_BYTES);
	return bytes < left ? bytes : left;
}

enum gprofx_result
perfdata_leave_block(struct perfdata *p, struct perfdata_block *block)
{
	if (--block->users == 0 && block->owned) {
		p->gx->host->release(p->gx, block->owned);
		p->gx->host->release(p->gx, block);
	}
	return GPROFX_OK;
}

/* The file ends in the midst of a record, or has none where one should be. */
static void
note_end(struct perfdata *p, const uint8_t *at, const uint8_t *end)
{
	struct gprofx_diagnostic diagnostic = perfdata_at(
		p, at, "perfdata.incomplete",
		"record the program again; if the file was copied, copy it again");

	diagnostic.number[0] = (uint64_t)(end - at);
	if (!p->said_end)
		gprofx_warn(p->gx, &diagnostic,
		            "expected a whole record, found none: %llu bytes are not used",
		            (unsigned long long)(end - at) + p->rest_bytes);
	p->said_end = true;
}

/*
 * A compressed record; false: it is none, or not in the file.  The length of those of the second
 * type can be more than their headers can say: perf then wrote anything, and no padding.
 */
static bool
compressed_at(const struct perfdata *p, const uint8_t *at, const uint8_t *end, uint64_t *first,
              uint64_t *bytes, uint64_t *whole)
{
	enum { AT_BYTES = 8, FIRST = 16, MOST_STATED = UINT16_MAX, MOST = MOST_STATED - FIRST };
	uint64_t left = (uint64_t)(end - at);
	uint32_t type;

	if (left < RECORD_BYTES)
		return false;
	type = perfdata_u32(p, at);
	*whole = perfdata_u16(p, at + 6);
	*first = RECORD_BYTES;
	if (type == RECORD_COMPRESSED) {
		*bytes = *whole - RECORD_BYTES;
		return *whole >= RECORD_BYTES && *whole <= left;
	}
	if (type != RECORD_COMPRESSED2 || left < FIRST)
		return false;
	*first = FIRST;
	*bytes = perfdata_u64(p, at + AT_BYTES);
	if (*bytes > MOST || *bytes > left - FIRST)
		return false;
	if (((FIRST + *bytes + 7) & ~UINT64_C(7)) > MOST_STATED)
		*whole = FIRST + *bytes;
	return *whole >= FIRST + *bytes && *whole <= left;
}

struct gprofx_diagnostic
perfdata_at(const struct perfdata *p, const uint8_t *at, const char *id, const char *hint)
{
	struct gprofx_diagnostic diagnostic = gprofx_at(p->file, (uint64_t)(at - p->current.bytes),
	                                                id, hint);

	diagnostic.file = p->current.name;
	return diagnostic;
}

/* Visits the records of a file, from one place to another. */
static enum gprofx_result
walk_part(struct perfdata *p, const struct gprofx_file_part *part, uint64_t from, uint64_t length,
          struct perfdata_block *block, perfdata_visit *visit)
{
	const uint8_t *at = part->bytes + from, *end = at + length;
	enum gprofx_result result = GPROFX_OK;

	p->current = *part;
	while (result == GPROFX_OK) {
		struct perfdata_record record;
		uint64_t first, bytes, whole;

		if (compressed_at(p, at, end, &first, &bytes, &whole)) {
			result = perfdata_unpack(p, at + first, (size_t)bytes, visit);
			at += whole;
			continue;
		}
		if (!perfdata_record_at(p, at, end, &record) || record.type == RECORD_COMPRESSED2)
			break;
		result = visit(p, block, &record);
		at += record.bytes;
		at += perfdata_behind(p, &record, end);
	}
	if (result == GPROFX_OK && (at < end || p->rest_bytes > 0))
		note_end(p, at, end);
	perfdata_end_unpacking(p);
	return result;
}

uint32_t
perfdata_parts(const struct perfdata *p)
{
	return p->file->size > offsetof(struct gprofx_file, part_count) ? p->file->part_count : 0;
}

enum gprofx_result
perfdata_walk(struct perfdata *p, perfdata_visit *visit)
{
	const struct gprofx_file_part whole = {p->file->name, p->file->bytes, p->file->length};
	enum gprofx_result result = walk_part(p, &whole, p->data.offset, p->data.bytes, &p->whole,
	                                      visit);
	uint32_t parts = perfdata_parts(p);

	/* Each has a stream of its own. */
	if (parts > 0 && !p->part_blocks) {
		p->part_blocks = gprofx_alloc(p->gx, parts * sizeof *p->part_blocks);
		for (uint32_t i = 0; i < parts; i++)
			p->part_blocks[i] = (struct perfdata_block){.users = 1};
	}
	for (uint32_t i = 0; i < parts && result == GPROFX_OK; i++) {
		const struct gprofx_file_part *part = &p->file->parts[i];

		if (part->length > 0)
			result = walk_part(p, part, 0, part->length, &p->part_blocks[i], visit);
	}
	return result;
}
