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
	uint64_t offset = (uint64_t)(at - p->file->bytes);
	struct gprofx_diagnostic diagnostic = gprofx_at(
		p->file, offset, "perfdata.incomplete",
		"record the program again; if the file was copied, copy it again");

	diagnostic.number[0] = (uint64_t)(end - at);
	if (!p->said_end)
		gprofx_warn(p->gx, &diagnostic,
		            "expected a record, found none: %llu bytes are not used",
		            (unsigned long long)(end - at));
	p->said_end = true;
}

enum gprofx_result
perfdata_walk(struct perfdata *p, perfdata_visit *visit)
{
	const uint8_t *at = p->file->bytes + p->data.offset, *end = at + p->data.bytes;
	struct perfdata_record record;

	while (perfdata_record_at(p, at, end, &record)) {
		enum gprofx_result result = visit(p, &p->whole, &record);

		if (result != GPROFX_OK)
			return result;
		at += record.bytes;
		at += perfdata_behind(p, &record, end);
	}
	if (at < end)
		note_end(p, at, end);
	return GPROFX_OK;
}
