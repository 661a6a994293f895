/* SPDX-License-Identifier: Apache-2.0 */
/* What stands before the records, and the features behind them. */
#include <string.h>

#include "../shared/grown.h"
#include "records.h"
#include "../shared/text-table.h"
#include "numbers.h"
#include "reading.h"

enum {
	AT_SIZE = 8,
	AT_ATTRIBUTE_BYTES = 16,
	AT_ATTRIBUTES = 24,
	AT_DATA = 40,
	AT_FEATURES = 72,
	PIPE_BYTES = 16,
	LEAST_BYTES = 72,
	WHOLE_BYTES = 104,
	SECTION_BYTES = 16
};

static enum gprofx_result
fail(const struct perfdata *p, uint64_t offset, const char *what, uint64_t number)
{
	struct gprofx_diagnostic diagnostic = gprofx_at(
		p->file, offset, "perfdata.bad-header",
		"record the program again with perf record");

	diagnostic.number[0] = number;
	return gprofx_fail(p->gx, &diagnostic, "expected %s, found %llu", what,
	                   (unsigned long long)number);
}

static bool
is_in_file(const struct perfdata *p, const struct perfdata_section *section)
{
	return section->offset <= p->file->length &&
	       section->bytes <= p->file->length - section->offset;
}

static struct perfdata_section
section_at(const struct perfdata *p, uint64_t offset)
{
	const uint8_t *at = p->file->bytes + offset;

	return (struct perfdata_section){perfdata_u64(p, at), perfdata_u64(p, at + 8)};
}

static enum gprofx_result
read_attributes(struct perfdata *p)
{
	uint64_t entry = perfdata_u64(p, p->file->bytes + AT_ATTRIBUTE_BYTES);
	struct perfdata_section all = section_at(p, AT_ATTRIBUTES);

	if (entry < LEAST_ATTRIBUTE_BYTES + SECTION_BYTES || entry > UINT16_MAX)
		return fail(p, AT_ATTRIBUTE_BYTES, "descriptions of events of 80 bytes or more",
		            entry);
	if (!is_in_file(p, &all))
		return fail(p, AT_ATTRIBUTES, "descriptions of events in the file, up to a byte",
		            all.offset + all.bytes);
	for (uint64_t i = 0; i + entry <= all.bytes; i += entry) {
		struct perfdata_section ids = section_at(p, all.offset + i + entry - SECTION_BYTES);

		perfdata_add_attribute(p, p->file->bytes + all.offset + i, entry - SECTION_BYTES);
		if (is_in_file(p, &ids))
			perfdata_add_ids(p, p->file->bytes + ids.offset, ids.bytes);
	}
	return GPROFX_OK;
}

/* Features are listed behind the records, if the file is complete. */
static void
read_features(struct perfdata *p)
{
	uint64_t at = p->data.offset + p->data.bytes;

	for (uint32_t i = 0; i < FEATURE_COUNT; i++) {
		uint64_t word = perfdata_u64(p,
		                             p->file->bytes + AT_FEATURES + (size_t)(i / 64 * 8));
		struct perfdata_section section;

		if ((word >> i % 64 & 1) == 0)
			continue;
		if (at > p->file->length || p->file->length - at < SECTION_BYTES)
			return;
		section = section_at(p, at);
		at += SECTION_BYTES;
		if (is_in_file(p, &section))
			perfdata_read_feature(p, i, p->file->bytes + section.offset, section.bytes);
	}
}

/* What perf was ended in the midst of has no length. */
static void
set_data(struct perfdata *p)
{
	const struct gprofx_diagnostic diagnostic = gprofx_at(
		p->file, AT_DATA, "perfdata.not-finished",
		"end perf record by an interrupt (Ctrl-C), so that it completes the file");

	p->data = section_at(p, AT_DATA);
	if (p->data.offset > p->file->length)
		p->data = (struct perfdata_section){p->file->length, 0};
	p->is_cut = p->data.bytes == 0 || p->data.bytes > p->file->length - p->data.offset;
	if (!p->is_cut)
		return;
	p->data.bytes = p->file->length - p->data.offset;
	gprofx_warn(p->gx, &diagnostic,
	            "the recording is incomplete: what comes after the last whole record is "
	            "missing, and the names of events and build IDs of files, too");
}

enum gprofx_result
perfdata_read_header(struct perfdata *p)
{
	const struct gprofx_diagnostic magic = gprofx_at(p->file, 0, "perfdata.bad-magic",
	                                                 "name a file that perf record wrote");
	uint64_t bytes;

	if (p->file->length < PIPE_BYTES)
		return fail(p, 0, "a header of 16 bytes or more", p->file->length);
	if (memcmp(p->file->bytes, "PERFILE2", 8) != 0 &&
	    memcmp(p->file->bytes, "2ELIFREP", 8) != 0)
		return gprofx_fail(p->gx, &magic,
		                   "expected the bytes \"PERFILE2\" or \"2ELIFREP\", found others");
	p->is_big = p->file->bytes[0] == '2';
	bytes = perfdata_u64(p, p->file->bytes + AT_SIZE);
	if (bytes == PIPE_BYTES) {
		p->is_pipe = true;
		p->data = (struct perfdata_section){PIPE_BYTES, p->file->length - PIPE_BYTES};
		return GPROFX_OK;
	}
	if (bytes != LEAST_BYTES && bytes != WHOLE_BYTES)
		return fail(p, AT_SIZE, "a header of 104, 72 or 16 bytes", bytes);
	if (p->file->length < bytes)
		return fail(p, 0, "the whole header in the file, which has more bytes than",
		            p->file->length);
	if (read_attributes(p) != GPROFX_OK)
		return GPROFX_FAILED;
	set_data(p);
	if (bytes == WHOLE_BYTES && !p->is_cut)
		read_features(p);
	return GPROFX_OK;
}

void
perfdata_add_build_id(struct perfdata *p, const struct perfdata_record *record)
{
	enum { AT_ID = 12, AT_COUNT = 32, AT_NAME = 36, HAS_COUNT = 1 << 15 };
	uint32_t count = BUILD_ID_BYTES, *number;
	const char *path;
	size_t length;
	bool is_new;
	char *copy;

	if (record->bytes <= AT_NAME)
		return;
	if (record->misc & HAS_COUNT)
		count = record->at[AT_COUNT];
	length = perfdata_text(record, AT_NAME, &path);
	if (count == 0 || count > BUILD_ID_BYTES || length == 0)
		return;
	/* What was decompressed does not last. */
	copy = gprofx_alloc(p->gx, length);
	memcpy(copy, path, length);
	number = text_table_find(&p->build_ids, copy, length, &is_new);
	if (!is_new) {
		p->gx->host->release(p->gx, copy);
		return;
	}
	p->build_id = grown(p->gx, p->build_id, sizeof *p->build_id, &p->build_id_room,
	                    p->build_id_count + 1, 64);
	memcpy(p->build_id[p->build_id_count], record->at + AT_ID, BUILD_ID_BYTES);
	p->build_id[p->build_id_count][BUILD_ID_BYTES] = (uint8_t)count;
	*number = ++p->build_id_count;
}

const uint8_t *
perfdata_build_id(struct perfdata *p, const char *path, size_t length, uint32_t *bytes)
{
	uint32_t number = 0;
	bool is_new;

	*bytes = 0;
	if (p->build_id_count > 0)
		number = *text_table_find(&p->build_ids, path, length, &is_new);
	if (number == 0)
		return NULL;
	*bytes = p->build_id[number - 1][BUILD_ID_BYTES];
	return p->build_id[number - 1];
}

static void
read_build_ids(struct perfdata *p, const uint8_t *at, const uint8_t *end)
{
	struct perfdata_record record;

	while (perfdata_record_at(p, at, end, &record)) {
		perfdata_add_build_id(p, &record);
		at += record.bytes;
	}
}

/* A text with its length before it; NULL: it is cut off. */
static const char *
take_text(struct gprofx_cursor *cursor)
{
	uint64_t bytes = gprofx_number(cursor, 4);
	const char *text = (const char *)gprofx_take(cursor, bytes);

	return text && memchr(text, '\0', (size_t)bytes) ? text : NULL;
}

static void
name_attribute(struct perfdata_attribute *attribute, const char *name, size_t length)
{
	length = length < sizeof attribute->name ? length : sizeof attribute->name - 1;
	memcpy(attribute->name, name, length);
	attribute->name[length] = '\0';
}

/* The names of events, in the order of their descriptions. */
static void
read_events(struct perfdata *p, struct gprofx_cursor cursor)
{
	uint64_t count = gprofx_number(&cursor, 4), bytes = gprofx_number(&cursor, 4);

	for (uint64_t i = 0; i < count && i < p->attribute_count; i++) {
		const uint8_t *at = gprofx_take(&cursor, bytes);
		uint64_t ids = gprofx_number(&cursor, 4);
		const char *name = take_text(&cursor);

		if (!at || !name || !gprofx_take(&cursor, ids * 8))
			return;
		name_attribute(&p->attributes[i], name, strlen(name));
	}
}

void
perfdata_read_feature(struct perfdata *p, uint64_t feature, const uint8_t *at, uint64_t bytes)
{
	struct gprofx_cursor cursor = {at, bytes, 0, 0, p->is_big};
	const char *text;

	switch (feature) {
	case FEATURE_BUILD_IDS:
		read_build_ids(p, at, at + bytes);
		break;
	case FEATURE_RELEASE:
		text = take_text(&cursor);
		if (text && strlen(text) < sizeof p->release)
			memcpy(p->release, text, strlen(text) + 1);
		break;
	case FEATURE_EVENTS:
		read_events(p, cursor);
		break;
	case FEATURE_DIRECTORY:
		p->is_directory = true;
		break;
	default:
		break;
	}
}

void
perfdata_name_event(struct perfdata *p, const struct perfdata_record *record)
{
	enum { AT_KIND = 8, AT_ID = 16, AT_NAME = 24, KIND_NAME = 2 };
	uint32_t number;
	const char *name;
	size_t length;

	if (record->bytes <= AT_NAME || perfdata_u64(p, record->at + AT_KIND) != KIND_NAME)
		return;
	number = perfdata_number(&p->of_id, perfdata_u64(p, record->at + AT_ID));
	length = perfdata_text(record, AT_NAME, &name);
	if (number > 0 && length > 0)
		name_attribute(&p->attributes[number - 1], name, length);
}
