/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Labels of profile files by what the named groups of a regular expression find in their names.
 * Neither the expression nor a name is to be trusted: both the size of the one and the work on the
 * other are limited.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <string.h>

#include <gprofx/labels.h>

enum {
	MOST_PATTERN = 4096,    /* bytes */
	MOST_MATCHING = 100000, /* steps: a few milliseconds */
	MOST_DEPTH = 10000,
	MOST_KIBIBYTES = 4096,
	MOST_QUOTED = 60 /* bytes in a message */
};

/* A piece of a label: words of the user's, then what a group found. */
struct piece {
	const char *words;
	size_t length;
	uint32_t group; /* 0: none */
};

struct labeller {
	struct gprofx *gx; /* of the call under way: whom the library has its memory from */
	struct gprofx_setting_text pattern;
	pcre2_code *code;
	pcre2_match_context *limits;
	pcre2_match_data *match;
	struct piece *pieces;
	uint32_t piece_count;
	bool lists; /* pieces are the names of all groups */
};

static void *
take_memory(PCRE2_SIZE bytes, void *opaque)
{
	struct labeller *labeller = opaque;

	return gprofx_alloc(labeller->gx, bytes);
}

static void
give_memory(void *bytes, void *opaque)
{
	struct labeller *labeller = opaque;

	labeller->gx->host->release(labeller->gx, bytes);
}

static struct gprofx_diagnostic
at_setting(const struct gprofx_setting_text *setting, const char *id, const char *hint)
{
	struct gprofx_diagnostic diagnostic = {.id = id, .hint = hint, .text = {setting->text}};

	gprofx_set_place(&diagnostic, setting->file, setting->line, setting->column);
	return diagnostic;
}

static enum gprofx_result
fail_no_memory(struct gprofx *gx)
{
	static const struct gprofx_diagnostic no_memory = {
		.id = "memory.exhausted",
		.hint = "allow the process more memory",
	};

	return gprofx_fail(gx, &no_memory, "cannot allocate memory for a pattern");
}

static enum gprofx_result
compile(struct labeller *labeller)
{
	const struct gprofx_setting_text *pattern = &labeller->pattern;
	struct gprofx_diagnostic diagnostic = at_setting(
		pattern, "labels.bad-pattern",
		"write a pattern of PCRE2, such as gmon.out.(?<pid>\\d+)");
	struct gprofx *gx = labeller->gx;
	pcre2_general_context *memory = pcre2_general_context_create(take_memory, give_memory,
	                                                             labeller);
	pcre2_compile_context *context = memory ? pcre2_compile_context_create(memory) : NULL;
	PCRE2_UCHAR problem[256];
	PCRE2_SIZE place = 0;
	int error;

	labeller->limits = memory ? pcre2_match_context_create(memory) : NULL;
	if (!context || !labeller->limits)
		return fail_no_memory(gx);
	pcre2_set_max_pattern_length(context, MOST_PATTERN);
	pcre2_set_match_limit(labeller->limits, MOST_MATCHING);
	pcre2_set_depth_limit(labeller->limits, MOST_DEPTH);
	pcre2_set_heap_limit(labeller->limits, MOST_KIBIBYTES);
	labeller->code = pcre2_compile((PCRE2_SPTR)pattern->text, strlen(pattern->text), 0, &error,
	                               &place, context);
	if (!labeller->code) {
		pcre2_get_error_message(error, problem, sizeof problem);
		diagnostic.number[0] = place;
		return gprofx_fail(gx, &diagnostic,
		                   "expected a regular expression, but at byte %zu of \"%.*s\": %s",
		                   (size_t)place, MOST_QUOTED, pattern->text,
		                   (const char *)problem);
	}
	labeller->match = pcre2_match_data_create_from_pattern(labeller->code, memory);
	return labeller->match ? GPROFX_OK : fail_no_memory(gx);
}

/* Pieces for all named groups: "NAME=" and what the group found.  The table of names is sorted. */
static enum gprofx_result
list_groups(struct labeller *labeller)
{
	const struct gprofx_diagnostic diagnostic = at_setting(
		&labeller->pattern, "labels.bad-pattern",
		"name what distinguishes the files: gmon.out.(?<pid>\\d+)");
	uint32_t count = 0, size = 0;
	PCRE2_SPTR table = NULL;

	pcre2_pattern_info(labeller->code, PCRE2_INFO_NAMECOUNT, &count);
	pcre2_pattern_info(labeller->code, PCRE2_INFO_NAMEENTRYSIZE, &size);
	pcre2_pattern_info(labeller->code, PCRE2_INFO_NAMETABLE, &table);
	if (count == 0)
		return gprofx_fail(labeller->gx, &diagnostic,
		                   "expected a group with a name, found none in \"%.*s\"",
		                   MOST_QUOTED, labeller->pattern.text);
	labeller->lists = true;
	labeller->pieces = gprofx_alloc(labeller->gx, count * sizeof *labeller->pieces);
	for (uint32_t i = 0; i < count; i++) {
		PCRE2_SPTR entry = table + (size_t)i * size;
		struct piece piece = {
			.words = (const char *)entry + 2,
			.length = strlen((const char *)entry + 2),
			.group = (uint32_t)entry[0] << 8 | entry[1],
		};
		uint32_t k = labeller->piece_count++;

		for (; k > 0 && labeller->pieces[k - 1].group > piece.group; k--)
			labeller->pieces[k] = labeller->pieces[k - 1];
		labeller->pieces[k] = piece;
	}
	return GPROFX_OK;
}

/* The number of the group that {NAME} means, whose length is known; 0: there is none. */
static uint32_t
group_of(const struct labeller *labeller, const char *name, size_t length)
{
	char word[128];
	int number;

	if (length == 0 || length >= sizeof word)
		return 0;
	memcpy(word, name, length);
	word[length] = '\0';
	number = pcre2_substring_number_from_name(labeller->code, (PCRE2_SPTR)word);
	return number > 0 ? (uint32_t)number : 0;
}

static enum gprofx_result
read_text(struct labeller *labeller, const struct gprofx_setting_text *text)
{
	struct gprofx_diagnostic diagnostic = at_setting(
		text, "labels.bad-text",
		"{NAME} stands for the group (?<NAME>...) of the pattern, {{ for a brace");
	const char *at = text->text;

	/* No piece is shorter than a byte. */
	labeller->pieces = gprofx_alloc(labeller->gx, (strlen(at) + 1) * sizeof *labeller->pieces);
	while (*at != '\0') {
		struct piece *piece = &labeller->pieces[labeller->piece_count++];
		size_t length;

		*piece = (struct piece){.words = at, .length = strcspn(at, "{")};
		at += piece->length;
		if (*at == '\0')
			break;
		if (at[1] == '{') {
			piece->length++;
			at += 2;
			continue;
		}
		length = strcspn(at + 1, "}");
		piece->group = at[1 + length] == '}' ? group_of(labeller, at + 1, length) : 0;
		if (piece->group == 0) {
			diagnostic.number[0] = (uint64_t)(at - text->text);
			return gprofx_fail(labeller->gx, &diagnostic,
			                   "expected the name of a group of the pattern in braces, "
			                   "found \"%.*s\" at byte %zu",
			                   (int)(length < MOST_QUOTED ? length + 2 : MOST_QUOTED),
			                   at, (size_t)(at - text->text));
		}
		at += length + 2;
	}
	return GPROFX_OK;
}

static enum gprofx_result
prepare(struct gprofx *gx, const struct gprofx_label_rule *rule, void **state)
{
	struct labeller *labeller = gprofx_alloc(gx, sizeof *labeller);
	enum gprofx_result result;

	labeller->gx = gx;
	labeller->pattern = rule->pattern;
	*state = labeller;
	result = compile(labeller);
	if (result != GPROFX_OK)
		return result;
	return rule->text.text ? read_text(labeller, &rule->text) : list_groups(labeller);
}

static enum gprofx_result
fail_match(const struct labeller *labeller, const char *name, int error)
{
	struct gprofx_diagnostic diagnostic = at_setting(
		&labeller->pattern, "labels.too-costly",
		"make the pattern more specific: without repetitions inside repetitions");
	PCRE2_UCHAR problem[256];

	diagnostic.text[1] = name;
	pcre2_get_error_message(error, problem, sizeof problem);
	return gprofx_fail(labeller->gx, &diagnostic, "matching \"%s\" takes too long: %s", name,
	                   (const char *)problem);
}

/* What a group found, or nothing.  It can end before it starts, where \K is misused. */
static struct gprofx_text
found_by(const struct labeller *labeller, uint32_t group, const char *name)
{
	const PCRE2_SIZE *places = pcre2_get_ovector_pointer(labeller->match);
	PCRE2_SIZE begin = places[2 * (size_t)group], end = places[2 * (size_t)group + 1];

	if (group == 0 || begin == PCRE2_UNSET || end < begin)
		return (struct gprofx_text){NULL, 0};
	return (struct gprofx_text){name + begin, end - begin};
}

static char *
append(char *to, const char *bytes, size_t length)
{
	if (length > 0)
		memcpy(to, bytes, length);
	return to + length;
}

static enum gprofx_result
make(struct gprofx *gx, void *state, const char *name, struct gprofx_text *label)
{
	struct labeller *labeller = state;
	size_t room = 1;
	char *text, *to;
	int count;

	labeller->gx = gx;
	count = pcre2_match(labeller->code, (PCRE2_SPTR)name, strlen(name), 0, 0, labeller->match,
	                    labeller->limits);
	if (count == PCRE2_ERROR_NOMATCH)
		return GPROFX_DECLINED;
	if (count < 0)
		return fail_match(labeller, name, count);
	for (uint32_t i = 0; i < labeller->piece_count; i++)
		room += labeller->pieces[i].length +
		        found_by(labeller, labeller->pieces[i].group, name).length + 2;
	text = to = gprofx_alloc(gx, room);
	for (uint32_t i = 0; i < labeller->piece_count; i++) {
		const struct piece *piece = &labeller->pieces[i];
		struct gprofx_text found = found_by(labeller, piece->group, name);

		/* A group that took no part says nothing about the file. */
		if (labeller->lists && !found.bytes)
			continue;
		if (labeller->lists && to != text)
			*to++ = ' ';
		to = append(to, piece->words, piece->length);
		if (labeller->lists)
			*to++ = '=';
		to = append(to, found.bytes, found.length);
	}
	*label = (struct gprofx_text){text, (size_t)(to - text)};
	return to > text ? GPROFX_OK : GPROFX_DECLINED;
}

static const struct gprofx_labels labels = {
	.size = sizeof labels,
	.syntax = "pcre2",
	.prepare = prepare,
	.make = make,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "labels-pcre2",
	.version = "1.0",
	.summary = "Labels for profile files, by a regular expression that matches their names",
	.labels = &labels,
};
