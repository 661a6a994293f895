/* SPDX-License-Identifier: Apache-2.0 */
#include "select/pasted.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "select/filters.h"
#include "select/shown.h"
#include "select/symspec.h"

/* What is left to be read of a text. */
struct reading {
	struct run *run;
	const char *text;
	size_t length;
};

static const char digits[] = "0123456789";

/* Whether bytes are digits, at least one. */
static bool
are_digits(const char *text, size_t length)
{
	return length > 0 && strspn(text, digits) >= length;
}

/*
 * Where the last part begins that stands behind a blank between these brackets, at the end; the
 * length if there is none.
 */
static size_t
find_part(const struct reading *reading, char opening, char closing)
{
	size_t at = reading->length;

	if (at == 0 || reading->text[at - 1] != closing)
		return reading->length;
	while (at > 0 && reading->text[at - 1] != opening)
		at--;
	if (at == 1 || (at > 1 && reading->text[at - 2] == ' '))
		return at;
	return reading->length;
}

/* Drops what stands from a bracket on, and the blank before it. */
static void
drop_from(struct reading *reading, size_t inside)
{
	reading->length = inside > 1 ? inside - 2 : 0;
}

/* The number of an entry. */
static void
drop_index(struct reading *reading, char opening, char closing)
{
	size_t at = find_part(reading, opening, closing);

	if (at < reading->length && are_digits(reading->text + at, reading->length - at - 1))
		drop_from(reading, at);
}

static void
drop_cycle(struct reading *reading)
{
	static const char word[] = "cycle ";
	size_t at = find_part(reading, '<', '>'), past = at + sizeof word - 1;

	if (past < reading->length && strncmp(reading->text + at, word, sizeof word - 1) == 0 &&
	    are_digits(reading->text + past, reading->length - past - 1))
		drop_from(reading, at);
}

/* What the row of a line says of the calls that it stands for. */
static void
drop_chain(struct reading *reading)
{
	static const char words[] = " inlined into ";
	const char *at = memmem(reading->text, reading->length, words, sizeof words - 1);

	if (at && at > reading->text)
		reading->length = (size_t)(at - reading->text);
}

/* The number behind "0x" that a text goes on in, up to "past"; false: it is none. */
static bool
take_address(struct reading *reading, size_t at, size_t past, struct pasted *pasted)
{
	char *end;

	if (past <= at + 2 || strncmp(reading->text + at, "0x", 2) != 0)
		return false;
	pasted->address = strtoull(reading->text + at, &end, 16);
	pasted->has_address = end == reading->text + past;
	return pasted->has_address;
}

/* What tells functions of one name apart in other formats, and in counts: "f [0x4f0]", "f:0x4f0".
 */
static void
drop_address(struct reading *reading, struct pasted *pasted)
{
	size_t at = find_part(reading, '[', ']');

	if (at < reading->length && take_address(reading, at, reading->length - 1, pasted)) {
		drop_from(reading, at);
		return;
	}
	for (at = reading->length; at > 0 && reading->text[at - 1] != ':'; at--)
		;
	if (at > 1 && take_address(reading, at, reading->length, pasted))
		reading->length = at - 1;
}

/*
 * "(file.c)", "(file.c:12)", "(file.c:12 @ 4f0)", "(libfoo.so)" or "[file.c]".  False: it is none
 * of these.
 */
static bool
take_place(struct reading *reading, char opening, char closing, struct pasted *pasted)
{
	size_t at = find_part(reading, opening, closing);
	const char *place, *address, *colon;

	if (at < 3 || at + 1 >= reading->length)
		return false;
	place = text_keep(reading->run, reading->text + at, reading->length - at - 1);
	if (opening == '[' && (!strchr(place, '.') || strchr(place, ' ')))
		return false;
	address = strstr(place, " @ ");
	if (address) {
		char *past;

		pasted->address = strtoull(address + 3, &past, 16);
		if (past == address + 3 || *past != '\0')
			return false;
		pasted->has_address = pasted->is_line = true;
		place = text_keep(reading->run, place, (size_t)(address - place));
	}
	colon = strrchr(place, ':');
	if (colon && are_digits(colon + 1, strlen(colon + 1))) {
		pasted->line = (uint32_t)strtoul(colon + 1, NULL, 10);
		place = text_keep(reading->run, place, (size_t)(colon - place));
	}
	pasted->object = pasted->place;
	pasted->place = place;
	drop_from(reading, at);
	return true;
}

bool
pasted_parse(struct run *run, const char *text, struct pasted *pasted)
{
	struct reading reading = {run, text, strlen(text)};

	*pasted = (struct pasted){.name = text};
	drop_index(&reading, '[', ']');
	drop_index(&reading, '(', ')');
	drop_cycle(&reading);
	drop_chain(&reading);
	drop_address(&reading, pasted);
	/* The object stands behind the place. */
	if (!take_place(&reading, '[', ']', pasted) && take_place(&reading, '(', ')', pasted) &&
	    pasted->line == 0)
		take_place(&reading, '(', ')', pasted);
	if (reading.length == strlen(text))
		return false;
	pasted->name = text_keep(run, text, reading.length);
	return true;
}

static bool
is_object(const struct symbols *symbols, uint32_t symbol, const char *name)
{
	const struct symbol_image *object = symbols_object_of(symbols, symbol);

	return object && strcmp(object->name, name) == 0;
}

/* Whether a symbol is where the row was. */
static bool
fits(const struct symbols *symbols, uint32_t symbol, const struct pasted *pasted)
{
	uint32_t file = symbols->is_located ? symbols->file[symbol] : 0;

	if (pasted->object && !is_object(symbols, symbol, pasted->object))
		return false;
	/* Addresses are those in the symbol's own image. */
	if (pasted->has_address &&
	    symbols->address[symbol] !=
	            symbols_location(symbols, symbols_object_of(symbols, symbol), pasted->address))
		return false;
	if (!pasted->place || is_object(symbols, symbol, pasted->place))
		return true;
	return file != 0 && match_is_path(symbols->files[file].path, pasted->place) &&
	       (pasted->line == 0 || symbols->line[symbol] == pasted->line);
}

/* Leaves the symbols of a half that are where the row was. */
static void
keep_fitting(struct run *run, struct symbols *symbols, struct match_half *half,
             const struct pasted *pasted)
{
	struct select_ranges found = half->ranges;
	/* Only reports by line have rows of lines. */
	bool has_rows = run->settings->by_line || !pasted->is_line;

	symbols_locate(run, symbols, NULL, 0);
	half->ranges = (struct select_ranges){.count = 0};
	for (uint32_t r = 0; has_rows && r < found.count; r++)
		for (uint32_t i = match_first_at(symbols, found.items[r].start);
		     i < symbols->count && symbols->address[i] <= found.items[r].end; i++)
			if (fits(symbols, i, pasted)) {
				match_add(run, symbols, half, i);
				/* A function's own end is that of its last line. */
				if (pasted->is_line && i + 1 < symbols->count)
					half->ranges.items[half->ranges.count - 1]
						.end = symbols->address[i + 1] - 1;
			}
}

/* Parses those that stand for nothing; returns how many there are. */
static uint32_t
take_unmatched(struct run *run, struct match_half *halves, uint32_t count, struct match_half *again,
               struct pasted *pasted, uint32_t *of)
{
	uint32_t taken = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (halves[i].ranges.count > 0 || halves[i].end_count > 0 ||
		    !pasted_parse(run, halves[i].spec.text, &pasted[taken]) ||
		    pasted[taken].name[0] == '\0')
			continue;
		again[taken] = (struct match_half){
			.spec = symspec_parse_one(run, pasted[taken].name),
			.is_line = pasted[taken].is_line,
		};
		again[taken].spec.text = halves[i].spec.text;
		of[taken++] = i;
	}
	return taken;
}

enum gprofx_result
pasted_match(struct run *run, struct symbols *symbols, struct match_half *halves, uint32_t count)
{
	enum gprofx_result result = GPROFX_OK;
	struct match_half *again;
	struct pasted *pasted;
	uint32_t *of, taken;

	memory_array(run, again, count);
	memory_array(run, pasted, count);
	memory_array(run, of, count);
	taken = take_unmatched(run, halves, count, again, pasted, of);
	if (taken > 0) {
		result = match_symbols(run, symbols, again, taken);
		shown_match(run, symbols, again, taken);
	}
	for (uint32_t i = 0; i < taken; i++) {
		if (pasted[i].place || pasted[i].has_address)
			keep_fitting(run, symbols, &again[i], &pasted[i]);
		halves[of[i]] = again[i];
	}
	memory_release(run, again);
	memory_release(run, pasted);
	memory_release(run, of);
	return result;
}
