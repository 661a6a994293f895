/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads what gcov --json-format writes: how often each line and each function of the source files
 * of one object file ran.
 *
 * Format: gcov(1), and what gcov 12 writes.
 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include <gprofx/reader.h>

#include "../shared/gunzip.h"
#include "document.h"

enum {
	HEAD_BYTES = 512,
	/*
	 * Of a compressed file: a line takes three bytes of it at least, a file with its name more.
	 * What is repeated without an end takes less, and takes long.
	 */
	FILE_BYTES = 8,
	TEXT_BYTES = 32, /* of names, and of large values, for one of the file */
	FREE_BYTES = 64 << 10
};

/* Rows of one kind. */
struct rows {
	void *items;
	uint32_t count, room;
};

/* A source file of the document: its rows stand behind those of the files before it. */
struct found_file {
	char *path;
	uint32_t first_line, first_function;
};

struct reading {
	struct document document; /* first */
	struct gprofx_profile *profile;
	struct rows files, lines, functions;
	char *folder;
	bool has_files, has_version;
	uint32_t version;
	uint64_t kept; /* bytes of texts */
};

/* Fails if there is more than gcov could have put into so small a file. */
static enum gprofx_result
check_rows(const struct reading *r)
{
	const struct document *d = &r->document;
	uint64_t bytes = (uint64_t)FILE_BYTES * r->files.count + r->lines.count +
	                 r->functions.count + (r->kept + d->large) / TEXT_BYTES;

	if (!d->is_unpacked || bytes <= d->file->length + FREE_BYTES)
		return GPROFX_OK;
	return gcov_fail(d, d->at, "gcov.too-large",
	                 "no more rows than so few compressed bytes hold", "another one");
}

/* Makes room for one more row; returns it. */
static void *
add_row(struct gprofx *gx, struct rows *rows, size_t row_bytes)
{
	if (rows->count == rows->room) {
		uint32_t room = rows->room > 0 ? 2 * rows->room : 16;

		rows->items = gx->host->grow(gx, rows->items, rows->room * row_bytes,
		                             room * row_bytes);
		rows->room = room;
	}
	return (char *)rows->items + row_bytes * rows->count++;
}

static char *
keep_text(struct reading *r, const char *text)
{
	struct gprofx *gx = r->document.gx;
	size_t bytes = strlen(text) + 1;
	char *copy = gprofx_alloc(gx, bytes);

	r->kept += bytes;
	memcpy(copy, text, bytes);
	return copy;
}

/* A member of a row that is a whole number, not below "least". */
static enum gprofx_result
take_number(struct reading *r, const json_t *row, const char *key, uint64_t least, uint64_t most,
            uint64_t *value)
{
	const json_t *member = json_object_get(row, key);
	json_int_t number = json_integer_value(member);
	char expected[64];

	snprintf(expected, sizeof expected, "a whole number as %s", key);
	if (!member)
		return gcov_fail(&r->document, r->document.value_at, "gcov.bad-value", expected,
		                 "none");
	if (!json_is_integer(member))
		return gcov_fail(&r->document, r->document.value_at, "gcov.bad-value", expected,
		                 "something else");
	if (number < 0 || (uint64_t)number < least || (uint64_t)number > most)
		return gcov_fail(&r->document, r->document.value_at, "gcov.bad-value", expected,
		                 "an impossible one");
	*value = (uint64_t)number;
	return GPROFX_OK;
}

static enum gprofx_result
take_line(struct reading *r, const json_t *row)
{
	uint64_t line = 0, count = 0;
	enum gprofx_result result = take_number(r, row, "line_number", 1, UINT32_MAX - 1, &line);
	struct gprofx_raw_line *to;

	if (result == GPROFX_OK)
		result = take_number(r, row, "count", 0, INT64_MAX, &count);
	if (result != GPROFX_OK)
		return result;
	to = add_row(r->document.gx, &r->lines, sizeof *to);
	*to = (struct gprofx_raw_line){(uint32_t)line, count};
	return GPROFX_OK;
}

static enum gprofx_result
take_function(struct reading *r, const json_t *row)
{
	const char *name = json_string_value(json_object_get(row, "name"));
	uint64_t first = 0, last = 0, count = 0;
	enum gprofx_result result;
	struct gprofx_raw_function *to;

	if (!name)
		return gcov_fail(&r->document, r->document.value_at, "gcov.bad-value",
		                 "a text as the name", "none");
	result = take_number(r, row, "start_line", 0, UINT32_MAX - 1, &first);
	if (result == GPROFX_OK)
		result = take_number(r, row, "end_line", 0, UINT32_MAX - 1, &last);
	if (result == GPROFX_OK)
		result = take_number(r, row, "execution_count", 0, INT64_MAX, &count);
	if (result != GPROFX_OK)
		return result;
	to = add_row(r->document.gx, &r->functions, sizeof *to);
	*to = (struct gprofx_raw_function){
		.name = keep_text(r, name),
		.first_line = (uint32_t)first,
		.last_line = (uint32_t)last,
		.count = count,
	};
	return GPROFX_OK;
}

/* A list of objects, one after the other. */
static enum gprofx_result
take_rows(struct reading *r, enum gprofx_result (*take_row)(struct reading *, const json_t *))
{
	struct document *d = &r->document;
	enum gprofx_result result = gcov_open(d, '[', "a list");
	bool more = true;

	for (bool is_first = true; result == GPROFX_OK; is_first = false) {
		json_t *row;

		result = gcov_next(d, ']', is_first, &more);
		if (result != GPROFX_OK || !more)
			break;
		result = check_rows(r);
		if (result == GPROFX_OK)
			result = gcov_value(d, &row);
		if (result != GPROFX_OK)
			break;
		result = json_is_object(row) ? take_row(r, row)
		                             : gcov_fail(d, d->value_at, "gcov.bad-value",
		                                         "an object", "something else");
		json_decref(row);
	}
	return result;
}

/* A text that is the value of a member. */
static enum gprofx_result
take_text(struct reading *r, char **text)
{
	struct document *d = &r->document;
	json_t *value;
	enum gprofx_result result = gcov_value(d, &value);

	if (result != GPROFX_OK)
		return result;
	if (json_is_string(value) && json_string_length(value) > 0) {
		d->gx->host->release(d->gx, *text);
		*text = keep_text(r, json_string_value(value));
	} else {
		result = gcov_fail(d, d->value_at, "gcov.bad-value", "a text", "something else");
	}
	json_decref(value);
	return result;
}

static enum gprofx_result
skip_value(struct reading *r)
{
	json_t *value;
	enum gprofx_result result = gcov_value(&r->document, &value);

	if (result != GPROFX_OK)
		return result;
	json_decref(value);
	return check_rows(r);
}

static enum gprofx_result
take_version(struct reading *r)
{
	struct document *d = &r->document;
	json_t *value;
	enum gprofx_result result = gcov_value(d, &value);
	const char *text;

	if (result != GPROFX_OK)
		return result;
	text = json_is_string(value) ? json_string_value(value) : "";
	/* The second one has more about conditions; lines and functions are the same. */
	if (strcmp(text, "1") == 0 || strcmp(text, "2") == 0) {
		r->has_version = true;
		r->version = (uint32_t)(text[0] - '0');
	} else {
		result = gcov_fail(d, d->value_at, "gcov.bad-version",
		                   "version \"1\" or \"2\" of the format", "another one");
	}
	json_decref(value);
	return result;
}

/* Members of an object: each value is taken by what knows its key. */
static enum gprofx_result
take_members(struct reading *r,
             enum gprofx_result (*take_member)(struct reading *, const char *key))
{
	struct document *d = &r->document;
	enum gprofx_result result = gcov_open(d, '{', "an object");
	bool more = true;

	for (bool is_first = true; result == GPROFX_OK; is_first = false) {
		char word[32];
		json_t *key;

		result = gcov_next(d, '}', is_first, &more);
		if (result != GPROFX_OK || !more)
			break;
		result = gcov_key(d, &key);
		if (result != GPROFX_OK)
			break;
		/* No key that is known is as long. */
		strncpy(word, json_string_value(key), sizeof word - 1);
		word[sizeof word - 1] = '\0';
		json_decref(key);
		result = take_member(r, word);
	}
	return result;
}

static enum gprofx_result
take_file_member(struct reading *r, const char *key)
{
	if (strcmp(key, "lines") == 0)
		return take_rows(r, take_line);
	if (strcmp(key, "functions") == 0)
		return take_rows(r, take_function);
	if (strcmp(key, "file") == 0)
		return take_text(r,
		                 &((struct found_file *)r->files.items)[r->files.count - 1].path);
	return skip_value(r);
}

static enum gprofx_result
take_files(struct reading *r)
{
	struct document *d = &r->document;
	enum gprofx_result result = gcov_open(d, '[', "a list");
	bool more = true;

	r->has_files = true;
	for (bool is_first = true; result == GPROFX_OK; is_first = false) {
		struct found_file *file;
		size_t at;

		result = gcov_next(d, ']', is_first, &more);
		if (result != GPROFX_OK || !more)
			break;
		at = d->at;
		result = check_rows(r);
		if (result != GPROFX_OK)
			break;
		file = add_row(d->gx, &r->files, sizeof *file);
		*file = (struct found_file){NULL, r->lines.count, r->functions.count};
		result = take_members(r, take_file_member);
		if (result != GPROFX_OK)
			break;
		file = (struct found_file *)r->files.items + r->files.count - 1;
		if (!file->path)
			result = gcov_fail(d, at, "gcov.bad-value", "a file with its name",
			                   "one without a name");
	}
	return result;
}

static enum gprofx_result
take_document_member(struct reading *r, const char *key)
{
	if (strcmp(key, "files") == 0)
		return take_files(r);
	if (strcmp(key, "current_working_directory") == 0)
		return take_text(r, &r->folder);
	if (strcmp(key, "format_version") == 0)
		return take_version(r);
	return skip_value(r);
}

/* The folder that paths begin in is known only when everything was read. */
static void
hand_over(struct reading *r)
{
	struct gprofx *gx = r->document.gx;
	const struct found_file *files = r->files.items;
	const struct gprofx_raw_line *lines = r->lines.items;
	const struct gprofx_raw_function *functions = r->functions.items;

	for (uint32_t i = 0; i < r->files.count; i++) {
		bool is_last = i + 1 == r->files.count;
		uint32_t past_line = is_last ? r->lines.count : files[i + 1].first_line;
		uint32_t past_function = is_last ? r->functions.count : files[i + 1].first_function;
		const struct gprofx_raw_source source = {
			.size = sizeof source,
			.path = files[i].path,
			.folder = r->folder,
			.lines = lines ? lines + files[i].first_line : NULL,
			.line_count = past_line - files[i].first_line,
			.functions = functions ? functions + files[i].first_function : NULL,
			.function_count = past_function - files[i].first_function,
		};

		r->profile->builder->source(gx, r->profile, &source);
	}
}

static void
release_rows(struct reading *r)
{
	struct gprofx *gx = r->document.gx;
	const struct found_file *files = r->files.items;
	const struct gprofx_raw_function *functions = r->functions.items;

	for (uint32_t i = 0; i < r->files.count; i++)
		gx->host->release(gx, files[i].path);
	for (uint32_t i = 0; i < r->functions.count; i++)
		gx->host->release(gx, (void *)(uintptr_t)functions[i].name);
	gx->host->release(gx, r->files.items);
	gx->host->release(gx, r->lines.items);
	gx->host->release(gx, r->functions.items);
	gx->host->release(gx, r->folder);
}

static enum gprofx_result
read_document(struct reading *r)
{
	struct document *d = &r->document;
	struct gprofx_layout layout = {.size = sizeof layout};
	enum gprofx_result result = take_members(r, take_document_member);

	if (result == GPROFX_OK)
		result = gcov_end(d);
	if (result == GPROFX_OK && (!r->has_files || !r->has_version))
		result = gcov_fail(d, d->length, "gcov.bad-value",
		                   r->has_files ? "a member \"format_version\""
		                                : "a member \"files\"",
		                   "none");
	if (result != GPROFX_OK)
		return result;
	hand_over(r);
	layout.has_version = true;
	layout.version = r->version;
	layout.variant = d->is_unpacked ? "compressed" : NULL;
	r->profile->builder->describe(d->gx, r->profile, &layout);
	return GPROFX_OK;
}

static enum gprofx_result
read_file(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
          struct gprofx_profile *profile, const void *options)
{
	struct reading reading = {
		.document = {.gx = gx,
	                     .file = file,
	                     .text = (const char *)file->bytes,
	                     .length = (size_t)file->length},
		.profile = profile,
	};
	static const struct gunzip_rules rules = {
		/*
	         * Names of C++ functions that are repeated in every line are compressed to a
	         * hundredth at most; nothing but repetition comes to a thousandth.
	         */
		.most_times = 108,
		.most_besides = 64 << 10,
		.damaged_id = "gcov.bad-gzip",
		.damaged_hint = "the file is damaged or incomplete; run gcov again",
		.large_id = "gcov.too-large",
		.large_hint = "if gcov wrote the file, decompress it with gunzip and name the "
			      "result",
	};
	uint8_t *bytes = NULL;
	enum gprofx_result result;

	(void)target;
	(void)options;
	if (gunzip_is_packed(file->bytes, file->length)) {
		result = gunzip_file(gx, file, &rules, &bytes, &reading.document.length);
		if (result != GPROFX_OK)
			return result;
		reading.document.is_unpacked = true;
		reading.document.text = (const char *)bytes;
	}
	result = read_document(&reading);
	release_rows(&reading);
	gx->host->release(gx, bytes);
	return result;
}

/* gcov begins with its version or that of the format, or, as members have no order, with files. */
static int
probe(const uint8_t *head, size_t bytes)
{
	static const char *const first[] = {"gcc_version", "format_version", "files",
	                                    "current_working_directory", "data_file"};
	uint8_t unpacked[HEAD_BYTES];
	size_t at = 0;

	if (gunzip_is_packed(head, bytes)) {
		bytes = gunzip_head(head, bytes, unpacked, sizeof unpacked);
		head = unpacked;
	}
	while (at < bytes && (head[at] == ' ' || head[at] == '\n' || head[at] == '\t' ||
	                      head[at] == '\r' || head[at] == '{'))
		at++;
	if (bytes == 0 || memchr(head, '{', at) == NULL || at == bytes || head[at++] != '"')
		return 0;
	for (size_t i = 0; i < sizeof first / sizeof first[0]; i++) {
		size_t length = strlen(first[i]);

		if (bytes - at > length && memcmp(head + at, first[i], length) == 0 &&
		    head[at + length] == '"')
			return i == 0 ? 100 : 80;
	}
	return 0;
}

static const struct gprofx_reader reader = {
	.size = sizeof reader,
	.format = "gcov",
	.probe = probe,
	.read = read_file,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "input-gcov",
	.version = "1.0",
	.summary = "Counts of source lines and functions, written by gcov as JSON",
	.reader = &reader,
};
