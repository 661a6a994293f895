/* SPDX-License-Identifier: Apache-2.0 */
/* Puts functions, counts and samples together by lines of source. */
#include "source/source.h"

#include "base/memory.h"
#include "base/sort.h"

/* Something that is known about a line: a function that begins on it, or a piece of code. */
struct facts {
	uint64_t *key;  /* place of the file in the listing, and line */
	uint32_t *item; /* a function; from "functions" on, a piece of code */
	uint32_t count;
	uint32_t functions; /* all of the report */
};

/*
 * Places of files in the listing, by their numbers; those that only pieces of code know appear last
 * and so come first.
 */
static uint32_t *
place_files(struct run *run, struct symbols *symbols, const struct source_pieces *pieces,
            struct gprofx_report *report)
{
	uint32_t *order, count, *place;
	const char **names;
	uint8_t *seen;

	memory_array(run, order, (size_t)symbols->file_count + 1);
	memory_array(run, seen, (size_t)symbols->file_count + 1);
	count = symbols_order_files(run, symbols, order);
	for (uint32_t i = 0; i < count; i++)
		seen[order[i]] = 1;
	for (uint32_t i = 0; i < pieces->count; i++) {
		uint32_t file = (uint32_t)(pieces->key[i] >> 32);

		if (!seen[file])
			order[count++] = file;
		seen[file] = 1;
	}
	memory_array(run, place, (size_t)symbols->file_count + 1);
	names = memory_alloc_array(run, sizeof(const char *), count);
	for (uint32_t i = 0; i < count; i++) {
		place[order[i]] = count - 1 - i;
		names[count - 1 - i] = symbols->files[order[i]].path;
	}
	report->source_file = names;
	report->source_file_count = count;
	memory_release(run, order);
	memory_release(run, seen);
	return place;
}

static void
add_fact(struct facts *facts, uint64_t key, uint32_t item)
{
	facts->key[facts->count] = key;
	facts->item[facts->count++] = item;
}

/* By file and line; of one line functions come first, by address, then pieces of code. */
static struct facts
gather(struct run *run, const struct symbols *symbols, const struct filters *filters,
       const struct source_pieces *pieces, const uint32_t *place)
{
	struct facts facts = {.functions = symbols->count};

	memory_array(run, facts.key, (size_t)symbols->count + pieces->count);
	memory_array(run, facts.item, (size_t)symbols->count + pieces->count);
	for (uint32_t i = 0; symbols->file && i < symbols->count; i++)
		if (symbols->file[i] != 0 && symbols->line[i] != 0 &&
		    filter_selects(filters, ENGINE_FILTER_ANNOTATE, i))
			add_fact(&facts, source_key(place[symbols->file[i]], symbols->line[i]), i);
	for (uint32_t i = 0; i < pieces->count; i++)
		add_fact(&facts, source_key(place[pieces->key[i] >> 32], (uint32_t)pieces->key[i]),
		         facts.functions + i);
	sort_ascending(run, facts.key, facts.item, facts.count);
	return facts;
}

static bool
is_called(const struct gprofx_report *report, uint32_t function)
{
	return (report->flags[function] & GPROFX_NODE_FUNCTION) || report->calls[function] != 0;
}

/* Adds what a function, or a line symbol, says about the count of its line. */
static void
count_function(struct gprofx_source_line *line, const struct gprofx_report *report,
               uint32_t function, uint64_t *calls)
{
	const uint32_t *first = report->block_first;

	if (is_called(report, function)) {
		*calls += report->calls[function];
		line->is_counted = true;
		line->count = *calls > line->count ? *calls : line->count;
	}
	for (uint32_t i = first ? first[function] : 0; first && i < first[function + 1]; i++) {
		line->is_counted = true;
		line->count = report->block[i].count > line->count ? report->block[i].count
		                                                   : line->count;
	}
}

static uint32_t
count_lines(const struct facts *facts)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < facts->count; i++)
		count += i == 0 || facts->key[i] != facts->key[i - 1];
	return count;
}

static void
make_lines(struct run *run, const struct facts *facts, const struct source_pieces *pieces,
           struct gprofx_report *report)
{
	uint32_t count = count_lines(facts), *first, *functions, used = 0, row = 0;
	struct gprofx_source_line *lines;

	memory_array(run, lines, count);
	memory_array(run, first, (size_t)count + 1);
	memory_array(run, functions, facts->count);
	for (uint32_t i = 0; i < facts->count; row++) {
		struct gprofx_source_line *line = &lines[row];
		uint64_t key = facts->key[i], calls = 0;

		line->size = sizeof *line;
		line->file = (uint32_t)(key >> 32);
		line->line = (uint32_t)key;
		for (; i < facts->count && facts->key[i] == key; i++) {
			uint32_t item = facts->item[i];

			if (item >= facts->functions) {
				if (pieces->ticks)
					line->ticks += pieces->ticks[item - facts->functions];
				continue;
			}
			functions[used++] = item;
			count_function(line, report, item, &calls);
		}
		first[row + 1] = used;
	}
	report->source_line = lines;
	report->source_line_count = count;
	report->source_functions = (struct gprofx_lists){first, functions};
}

void
source_report(struct run *run, struct symbols *symbols, const struct filters *filters,
              const struct profile *profile, bool times, struct gprofx_report *report)
{
	struct source_pieces pieces = {0};
	struct facts facts;
	uint32_t *place;

	symbols_locate(run, symbols, NULL, 0);
	if (times)
		pieces = source_credit_samples(run, symbols, filters, profile);
	report->source_total = pieces.total;
	place = place_files(run, symbols, &pieces, report);
	facts = gather(run, symbols, filters, &pieces, place);
	memory_release(run, place);
	make_lines(run, &facts, &pieces, report);
	memory_release(run, facts.key);
	memory_release(run, facts.item);
	memory_release(run, pieces.key);
	memory_release(run, pieces.ticks);
}
