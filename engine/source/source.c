/* SPDX-License-Identifier: Apache-2.0 */
/* Puts functions, counts and samples together by lines of source. */
#include "source/source.h"

#include "base/memory.h"
#include "base/sort.h"

/* What comes together in lines. */
struct sources {
	const struct source_pieces *pieces;
	const struct source_executed *executed;
};

/*
 * Something that is known about a line: a function that begins on it, a piece of code, or a
 * compiler's count.
 */
struct facts {
	uint64_t *key; /* place of the file in the listing, and line */
	/* A function; from "functions" on, a piece of code; from "counts" on, a compiler's count.
	 */
	uint32_t *item;
	uint32_t count;
	uint32_t functions, counts;
};

/* Puts files that have not been seen at the end of the order. */
static uint32_t
order_others(uint32_t *order, uint32_t count, uint8_t *seen, const uint64_t *key, uint32_t rows)
{
	for (uint32_t i = 0; i < rows; i++) {
		uint32_t file = (uint32_t)(key[i] >> 32);

		if (!seen[file])
			order[count++] = file;
		seen[file] = 1;
	}
	return count;
}

/* Gives a file one place under all its names: that of the first name which has one. */
static void
join_spellings(const struct source_executed *executed, uint32_t *place, uint8_t *seen)
{
	for (uint32_t i = 1; i < executed->known_files; i++) {
		uint32_t same = executed->same_file[i];

		if (!seen[i])
			continue;
		if (!seen[same])
			place[same] = place[i];
		seen[same] = 1;
		place[i] = place[same];
	}
}

/*
 * Places of files in the listing, by their numbers; those that only pieces of code or counters know
 * appear last and so come first.
 */
static uint32_t *
place_files(struct run *run, struct symbols *symbols, const struct sources *sources,
            struct gprofx_report_source *part)
{
	uint32_t *order, count, *place;
	const char **names;
	uint8_t *seen;

	memory_array(run, order, (size_t)symbols->file_count + 1);
	memory_array(run, seen, (size_t)symbols->file_count + 1);
	count = symbols_order_files(run, symbols, order);
	for (uint32_t i = 0; i < count; i++)
		seen[order[i]] = 1;
	count = order_others(order, count, seen, sources->pieces->key, sources->pieces->count);
	count = order_others(order, count, seen, sources->executed->key, sources->executed->rows);
	memory_array(run, place, (size_t)symbols->file_count + 1);
	names = memory_alloc_array(run, sizeof(const char *), count);
	for (uint32_t i = 0; i < count; i++) {
		place[order[i]] = count - 1 - i;
		names[count - 1 - i] = symbols->files[order[i]].path;
	}
	join_spellings(sources->executed, place, seen);
	part->file = names;
	part->file_count = count;
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

/* By file and line; of one line functions come first, by address, then code, then its count. */
static struct facts
gather(struct run *run, const struct symbols *symbols, const struct filters *filters,
       const struct sources *sources, const uint32_t *place)
{
	const struct source_pieces *pieces = sources->pieces;
	const struct source_executed *executed = sources->executed;
	struct facts facts = {.functions = symbols->count,
	                      .counts = symbols->count + pieces->count};

	memory_array(run, facts.key, (size_t)facts.counts + executed->rows);
	memory_array(run, facts.item, (size_t)facts.counts + executed->rows);
	for (uint32_t i = 0; symbols->file && i < symbols->count; i++)
		if (symbols->file[i] != 0 && symbols->line[i] != 0 &&
		    filter_selects(filters, ENGINE_FILTER_ANNOTATE, i))
			add_fact(&facts, source_key(place[symbols->file[i]], symbols->line[i]), i);
	for (uint32_t i = 0; i < pieces->count; i++)
		add_fact(&facts, source_key(place[pieces->key[i] >> 32], (uint32_t)pieces->key[i]),
		         facts.functions + i);
	for (uint32_t i = 0; i < executed->rows; i++)
		add_fact(&facts,
		         source_key(place[executed->key[i] >> 32], (uint32_t)executed->key[i]),
		         facts.counts + i);
	sort_ascending(run, facts.key, facts.item, facts.count);
	return facts;
}

static bool
is_called(const struct gprofx_report *report, uint32_t function)
{
	return (report->graph->flags[function] & GPROFX_NODE_FUNCTION) ||
	       gprofx_known_calls_of(report, function) != 0;
}

/* What the functions of a line say about its count. */
struct line_counting {
	uint64_t calls;    /* of all of them */
	uint64_t blocks;   /* of those before the one at hand, that of each that ran most often */
	uint64_t most;     /* of the one at hand */
	uint32_t function; /* that one; NO_SYMBOL: none yet */
};

/* Where it is known how far blocks go: the code that begins in a block is of it. */
static void
count_begun(struct gprofx_source_line *line, const struct gprofx_report *report, uint32_t function,
            uint32_t whole, struct line_counting *counting)
{
	const uint32_t *first = report->source->block_first;
	uint64_t begins_with = report->source->begins_with[function];

	if (counting->function != whole) {
		counting->blocks += counting->most;
		counting->most = 0;
		counting->function = whole;
	}
	if (begins_with != GPROFX_CALLS_UNKNOWN) {
		line->is_counted = true;
		counting->most = begins_with > counting->most ? begins_with : counting->most;
	}
	for (uint32_t i = first[function]; i < first[function + 1]; i++) {
		line->is_counted = true;
		if (report->source->block[i].count > counting->most)
			counting->most = report->source->block[i].count;
	}
	if (counting->blocks + counting->most > line->count)
		line->count = counting->blocks + counting->most;
}

/* Adds what a function, or a line symbol, says about the count of its line. */
static void
count_function(struct gprofx_source_line *line, const struct gprofx_report *report,
               uint32_t function, uint32_t whole, struct line_counting *counting)
{
	const uint32_t *first = report->source->block_first;
	uint64_t *calls = &counting->calls;

	if (is_called(report, function) &&
	    (gprofx_known_calls_of(report, function) != 0 || !report->source->is_uncounted ||
	     !report->source->is_uncounted[function])) {
		*calls += gprofx_known_calls_of(report, function);
		line->is_counted = true;
		line->count = *calls > line->count ? *calls : line->count;
	}
	if (report->source->begins_with) {
		count_begun(line, report, function, whole, counting);
		return;
	}
	for (uint32_t i = first ? first[function] : 0; first && i < first[function + 1]; i++) {
		line->is_counted = true;
		line->count = report->source->block[i].count > line->count
		                      ? report->source->block[i].count
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

/* Lines without counts of files that were counted have no code, whatever begins on them. */
static void
settle_counted_files(struct gprofx_source_line *lines, uint32_t count)
{
	for (uint32_t first = 0, end; first < count; first = end) {
		bool is_counted = false;

		for (end = first; end < count && lines[end].file == lines[first].file; end++)
			is_counted = is_counted || lines[end].is_exact;
		for (uint32_t i = first; is_counted && i < end; i++) {
			if (lines[i].is_exact)
				continue;
			lines[i].is_exact = true;
			lines[i].is_counted = false;
			lines[i].count = 0;
		}
	}
}

static void
make_lines(struct run *run, const struct facts *facts, const struct sources *sources,
           struct report_model *model)
{
	uint32_t count = count_lines(facts), *first, *functions, used = 0, row = 0;
	struct gprofx_source_line *lines;

	memory_array(run, lines, count);
	memory_array(run, first, (size_t)count + 1);
	memory_array(run, functions, facts->count);
	for (uint32_t i = 0; i < facts->count; row++) {
		struct gprofx_source_line *line = &lines[row];
		struct line_counting counting = {.function = NO_SYMBOL};
		uint64_t key = facts->key[i];

		line->size = sizeof *line;
		line->file = (uint32_t)(key >> 32);
		line->line = (uint32_t)key;
		for (; i < facts->count && facts->key[i] == key; i++) {
			uint32_t item = facts->item[i];

			if (item < facts->functions) {
				functions[used++] = item;
				count_function(line, &model->public, item,
				               symbols_function(model->symbols, item), &counting);
			} else if (item >= facts->counts) {
				line->is_counted = line->is_exact = true;
				line->count = sources->executed->count[item - facts->counts];
			} else if (sources->pieces->ticks) {
				line->ticks += sources->pieces->ticks[item - facts->functions];
				line->total += sources->pieces->in_all
				                       ? sources->pieces
				                                 ->in_all[item - facts->functions]
				                       : 0;
			}
		}
		first[row + 1] = used;
	}
	settle_counted_files(lines, count);
	model->parts.source.line = lines;
	model->parts.source.line_count = count;
	model->parts.source.functions = (struct gprofx_lists){first, functions};
}

void
source_report(struct run *run, struct symbols *symbols, const struct filters *filters,
              struct scan *scan, const struct profile *profile, bool times,
              struct report_model *model)
{
	struct gprofx_report_source *part = &model->parts.source;
	const struct gprofx_account *account = model->parts.findings.account;
	struct source_pieces pieces = {0};
	struct source_executed executed;
	const struct sources sources = {&pieces, &executed};
	struct facts facts;
	uint32_t *place;

	if (times && profile->stacks.is_there)
		pieces = source_credit_stacks(run, symbols, filters, profile);
	else if (times)
		pieces = source_credit_samples(run, symbols, filters, scan, profile);
	symbols_locate(run, symbols, NULL, 0);
	part->total = pieces.total;
	part->has_line_totals = pieces.in_all && pieces.total > 0;
	part->is_of_functions = filters_name_functions(run->settings, filters,
	                                               ENGINE_FILTER_ANNOTATE);
	/* Shares are of the program's own time, as they are in the flat profile. */
	if (times && account)
		part->total -= account->profiling.ticks;
	executed = source_select_executed(run, symbols, filters, profile, &model->public);
	if (run_corrects(run, GPROFX_CORRECT_UNKNOWN_COUNTS))
		part->is_uncounted = source_find_uncounted(run, symbols, filters, scan,
		                                           &model->public);
	place = place_files(run, symbols, &sources, part);
	facts = gather(run, symbols, filters, &sources, place);
	memory_release(run, place);
	make_lines(run, &facts, &sources, model);
	memory_release(run, facts.key);
	memory_release(run, facts.item);
	memory_release(run, pieces.key);
	memory_release(run, pieces.ticks);
	memory_release(run, pieces.in_all);
	memory_release(run, executed.key);
	memory_release(run, executed.count);
	memory_release(run, executed.same_file);
}
