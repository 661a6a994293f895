/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spreads histogram bins over functions: a bin is credited to every function it overlaps, in
 * proportion to what they share.  gprof's way to do that, in units of two bytes and with an inexact
 * width of bins, and an exact one stand side by side.
 */
#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "graph/bins.h"
#include "graph/graph.h"
#include "graph/never-ran.h"
#include "graph/samples.h"
#include "graph/shares.h"
#include "profile/kept-rows.h"
#include "scan/begins.h"
#include "select/filters.h"

/* A position from a product that can be anything: profiles state bin widths freely. */
static uint64_t
whole_units(double value)
{
	if (value < 18446744073709551616.0)
		return value > 0 ? (uint64_t)value : 0;
	return (uint64_t)1 << 63;
}

/* The loop over bins is compiled for each way of crediting them. */

struct crediting {
	struct run *run;
	const struct sample_rules *rules;
	struct sample_credits *to;
	struct symbol_spaces spaces;
	bool traces;
	double scale;
	double weight; /* samples of the report's rate that a sample counts as */
	uint32_t next; /* first space that can overlap what is still to come */
	/* For exact credits. */
	const struct profile *profile;
	struct bin_edges edges;
	uint64_t start, end; /* of the next space; what is below the histogram is at its start */
	/* For those by likelihood. */
	struct share_rules shares;
	struct bin_counts counts;
	uint32_t function; /* first one that can overlap what is still to come */
	uint32_t bin;      /* under way, and its samples */
	uint64_t samples;
	uint32_t divided; /* bins so far */
};

/* The addresses are those of the bin. */
static void
trace_credit(const struct crediting *at, uint32_t symbol, double credit, uint64_t count,
             uint64_t first, uint64_t past)
{
	run_trace(at->run, "%s gets %f of %llu samples of 0x%llx-0x%llx",
	          at->rules->symbols->name[symbol], credit, (unsigned long long)count,
	          (unsigned long long)first, (unsigned long long)past);
}

static inline void
add_credit(const struct crediting *at, uint32_t symbol, double credit)
{
	samples_give(at->rules, symbol, credit * at->weight, at->to);
}

/*
 * Gives "count" samples of the units [first, past) to functions.  plain: each symbol has one space,
 * and samples outside are not shown.
 */
static ALWAYS_INLINE void
credit_units(struct crediting *at, uint64_t first, uint64_t past, uint64_t count, bool plain)
{
	const struct symbol_spaces *spaces = &at->spaces;
	uint64_t outside = past - first;

	while (at->next < spaces->count && spaces->start[at->next + 1] / 2 <= first)
		at->next++;
	for (uint32_t space = at->next; space < spaces->count; space++) {
		uint64_t start = spaces->start[space] / 2, end = spaces->start[space + 1] / 2;
		uint64_t low = first > start ? first : start, high = past < end ? past : end;
		uint32_t symbol = plain ? space : spaces->owner[space];
		double credit;

		if (start >= past)
			break;
		if (low >= high || (!plain && symbol == NO_SYMBOL))
			continue;
		outside -= high - low;
		if (!plain && symbol == LOST_SYMBOL)
			continue;
		credit = (double)(high - low) * (double)count / at->scale;
		if (at->traces)
			trace_credit(at, symbol, credit, count, first * 2, past * 2);
		add_credit(at, symbol, credit);
	}
	if (!plain && spaces->shows_outside && outside > 0) {
		double credit = (double)outside * (double)count / at->scale;
		uint32_t symbol = at->rules->symbols->count;

		if (at->traces)
			trace_credit(at, symbol, credit, count, first * 2, past * 2);
		add_credit(at, symbol, credit);
	}
}

/* In which part of the account a share is. */
static enum account_kind
kind_of_share(const struct crediting *at, uint32_t symbol, uint32_t bin)
{
	const struct symbols *symbols = at->rules->symbols;
	uint64_t first, past;

	if (symbol < symbols->count)
		return samples_kind(at->rules, symbol);
	first = symbols_past(at->edges.low, bin_edge(&at->edges, bin).byte);
	past = symbols_past(at->edges.low, bin_edge(&at->edges, (uint64_t)bin + 1).byte);
	return symbols_overlap_code(symbols, first, past > first ? past : symbols_past(first, 1))
	               ? ACCOUNT_OUTSIDE
	               : ACCOUNT_BEYOND;
}

/* Adds a share of a bin with "count" samples to its part of the account. */
static inline void
account_share(struct sample_account *account, enum account_kind kind, uint64_t share,
              uint64_t count)
{
	uint32_t bits = bin_share_bits(count);
	uint64_t parts = account->parts[kind] + (share & (((uint64_t)1 << bits) - 1));

	account->whole[kind] += (share >> bits) + (parts >> BIN_SHARE_BITS);
	account->parts[kind] = parts & (((uint64_t)1 << BIN_SHARE_BITS) - 1);
}

/*
 * Notes that a part of a bin could be more of it, or nothing.  A symbol that others belong to can
 * have several parts of a bin.
 */
static void
add_doubt(const struct crediting *at, uint32_t symbol, uint64_t share, uint64_t count)
{
	struct gprofx_doubt *doubt = &at->to->doubt[symbol];
	double samples = bin_samples(share, count) * at->weight;
	uint32_t *last = at->to->doubted ? &at->to->doubted[symbol] : NULL;

	if (share == 0 || !filter_selects(at->rules->filters, ENGINE_FILTER_FLAT, symbol))
		return;
	doubt->less += samples;
	doubt->more += last && *last == at->divided ? -samples
	                                            : (double)count * at->weight - samples;
	if (last)
		*last = at->divided;
}

/* In whole numbers.  Shares are multiples of what bin_samples() says. */
static inline void
credit_share(struct crediting *at, uint32_t space, uint64_t share, uint32_t bin, uint64_t count)
{
	double samples = bin_samples(share, count);
	const struct symbol_spaces *spaces = &at->spaces;
	uint32_t symbol = NO_SYMBOL;

	if (space < spaces->count)
		symbol = spaces->owner ? spaces->owner[space] : space;
	if (at->to->account)
		account_share(at->to->account, kind_of_share(at, symbol, bin), share, count);
	if (symbol == NO_SYMBOL)
		symbol = spaces->shows_outside ? at->rules->symbols->count : LOST_SYMBOL;
	if (symbol == LOST_SYMBOL)
		return;
	if (at->traces)
		trace_credit(at, symbol, samples, count,
		             at->edges.low + bin_edge(&at->edges, bin).byte,
		             at->edges.low + bin_edge(&at->edges, (uint64_t)bin + 1).byte);
	if (at->to->doubt && share < bin_all(count))
		add_doubt(at, symbol, share, count);
	add_credit(at, symbol, samples);
}

static void
take_share(void *taker, uint32_t space, uint64_t share)
{
	struct crediting *at = taker;

	credit_share(at, space, share, at->bin, at->samples);
}

/* Has a bin wait, and notes who may get some of it. */
static void
put_off(const struct crediting *at, uint32_t bin, struct bin_place past, uint64_t count)
{
	const struct symbol_spaces *spaces = &at->spaces;
	struct late_samples *late = at->to->late;
	const struct shared_bin row = {at->to->file,
	                               (uint32_t)(at->counts.histogram - at->profile->histograms),
	                               bin, count};

	loose_add(&late->bins, &row, sizeof row, 1);
	loose_add(&late->sharers, &at->rules->symbols->count, sizeof(uint32_t), 1);
	for (uint32_t space = at->next; space < spaces->count; space++) {
		uint32_t symbol = spaces->owner ? spaces->owner[space] : space;

		if (!bin_place_passes(past, bin_place_of(&at->edges, spaces->start[space])))
			break;
		if (symbol < at->rules->symbols->count)
			loose_add(&late->sharers, &symbol, sizeof symbol, 1);
	}
}

static void
divide_likely(struct crediting *at, uint32_t bin, struct bin_place first, uint64_t count)
{
	const struct share_spaces *functions = &at->shares.functions;

	while (at->function < functions->count &&
	       bin_place_reaches(first,
	                         bin_place_of(&at->edges, functions->start[at->function + 1])))
		at->function++;
	/* Most profiles of programs whose functions are aligned can do without. */
	symbols_open_fills(at->run, at->rules->fills);
	scan_begins_open(at->run, at->rules->begins);
	at->bin = bin;
	at->samples = count;
	at->divided++;
	if (at->rules->scan)
		at->shares.never_ran = never_ran_of(at->run, at->rules->scan, at->profile);
	shares_divide(&at->shares, &at->counts, bin, count, at->function, at->next, take_share, at);
}

/* Divides a bin among several spaces, and what is before the first and behind the last. */
static void
divide_bin(struct crediting *at, uint32_t bin, struct bin_place first, struct bin_place past,
           uint64_t count)
{
	const struct symbol_spaces *spaces = &at->spaces;
	const struct bin_edges *edges = &at->edges;
	uint64_t outside = bin_all(count);

	at->divided++;
	for (uint32_t space = at->next; space < spaces->count; space++) {
		uint64_t start = bin_place_of(edges, spaces->start[space]);
		uint64_t end = bin_place_of(edges, spaces->start[space + 1]), share;

		if (!bin_place_passes(past, start))
			break;
		if (start >= end || bin_place_reaches(first, end))
			continue;
		/* Differences of running shares: together they are all that the bin has. */
		share = bin_share(edges, first, past, count, end) -
		        bin_share(edges, first, past, count, start);
		outside -= share;
		credit_share(at, space, share, bin, count);
	}
	if (outside > 0)
		credit_share(at, spaces->count, outside, bin, count);
}

static void
find_place(struct crediting *at)
{
	const uint64_t *start = at->spaces.start;

	if (at->next >= at->spaces.count)
		return;
	at->start = bin_place_of(&at->edges, start[at->next]);
	at->end = bin_place_of(&at->edges, start[at->next + 1]);
}

static void
credit_bin_exactly(struct crediting *at, uint32_t bin, uint64_t count)
{
	struct bin_place first = bin_edge(&at->edges, bin);
	struct bin_place past = bin_end(&at->edges, bin, first);

	while (at->next < at->spaces.count && bin_place_reaches(first, at->end)) {
		at->next++;
		find_place(at);
	}
	/* Most bins lie in one space.  Those behind the last one pass its end. */
	if (bin_place_reaches(first, at->start) && !bin_place_passes(past, at->end))
		credit_share(at, at->next, bin_all(count), bin, count);
	else if (at->rules->by_likelihood && at->to->late)
		put_off(at, bin, past, count);
	else if (at->rules->by_likelihood)
		divide_likely(at, bin, first, count);
	else
		divide_bin(at, bin, first, past, count);
}

/*
 * Whether a histogram is credited exactly.  In gprof's way a bin that is narrower than a unit
 * covers nothing, or twice as much as it should.
 */
static bool
is_exact(const struct run *run, const struct histogram *histogram)
{
	return run_corrects(run, GPROFX_CORRECT_EXACT_BINS) ||
	       (histogram->scale < 1 && run_corrects(run, GPROFX_CORRECT_NARROW_BINS));
}

/*
 * The space to begin with: the last one that starts at or below a unit.  Looked up, since a profile
 * can have as many histograms as there are functions.
 */
static uint32_t
first_space(const struct share_spaces *spaces, uint64_t unit)
{
	uint32_t low = 0, high = spaces->count;

	while (low < high) {
		uint32_t middle = low + (high - low + 1) / 2;

		if (spaces->start[middle] / 2 <= unit)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

enum way { WAY_PLAIN, WAY_CUT, WAY_EXACT };

/* Whether these bytes of a record's counters, whole words, from a bin on are all 0. */
static ALWAYS_INLINE bool
are_zero(const struct gprofx_histogram *record, uint32_t bin, size_t count)
{
	const uint8_t *bytes = record->bins + (size_t)bin * record->bin_bytes;
	uint64_t word, any = 0;

	for (size_t i = 0; i < count; i += sizeof word) {
		memcpy(&word, bytes + i, sizeof word);
		any |= word;
	}
	return any == 0;
}

/* The first bin at or after i that has samples, or bin_count; as histogram_next() for a record. */
static inline uint32_t
record_next(const struct gprofx_histogram *record, uint32_t i)
{
	const uint32_t of_word = 8 / record->bin_bytes, count = record->bin_count;

	while (i < count) {
		if (i % HISTOGRAM_BLOCK == 0 && count - i >= HISTOGRAM_BLOCK &&
		    are_zero(record, i, (size_t)HISTOGRAM_BLOCK * record->bin_bytes))
			i += HISTOGRAM_BLOCK;
		else if (i % of_word == 0 && count - i >= of_word && are_zero(record, i, 8))
			i += of_word;
		else if (record_counter(record, i) == 0)
			i++;
		else
			break;
	}
	return i;
}

/* record: the one whose bins are meant; NULL: those of the histogram. */
static ALWAYS_INLINE uint32_t
next_bin(const struct histogram *histogram, const struct gprofx_histogram *record, uint32_t i)
{
	return record ? record_next(record, i) : histogram_next(histogram, i);
}

/*
 * Prepares for exact credits from a unit on.  Where the next space begins at its second byte, the
 * first one is still of the space before.
 */
static void
begin_exactly(struct crediting *at, const struct histogram *histogram,
              const struct gprofx_histogram *record, uint64_t unit)
{
	const struct share_spaces spaces = {at->spaces.start, at->spaces.count};
	uint64_t before = unit > 0 ? unit - 1 : 0;

	at->edges = bin_edges_of(histogram, at->rules->symbols->table.target.pointer_bytes);
	at->next = first_space(&spaces, before);
	find_place(at);
	at->counts = (struct bin_counts){histogram, record, at->edges};
	at->shares = (struct share_rules){spaces, at->rules->functions, at->rules->fills,
	                                  at->rules->begins, NULL};
	at->function = first_space(&at->rules->functions, before);
}

static ALWAYS_INLINE void
credit_bins(struct crediting *at, const struct histogram *histogram,
            const struct gprofx_histogram *record, enum way way)
{
	uint64_t base = histogram->low / 2;
	double scale = at->scale;

	const struct share_spaces spaces = {at->spaces.start, at->spaces.count};

	if (way == WAY_EXACT)
		begin_exactly(at, histogram, record, base);
	else
		at->next = first_space(&spaces, base);
	for (uint32_t i = next_bin(histogram, record, 0); i < histogram->bin_count;
	     i = next_bin(histogram, record, i + 1)) {
		uint64_t count = record ? record_counter(record, i) : histogram_bin(histogram, i);

		at->to->total += (double)count * at->weight;
		at->to->all += (double)count * at->weight;
		if (way == WAY_EXACT)
			credit_bin_exactly(at, i, count);
		else
			credit_units(at, base + whole_units(scale * i),
			             base + whole_units(scale * ((double)i + 1)), count,
			             way == WAY_PLAIN);
	}
}

/*
 * Functions as wholes, where the spaces of the symbols are lines of them: a space that is no line,
 * or one of another function, begins the next.
 */
static struct share_spaces
function_spaces(struct run *run, const struct symbols *symbols, const struct symbol_spaces *spaces)
{
	uint32_t symbol = 0, before = NO_SYMBOL, begin = 0;
	struct share_spaces functions = {0};
	uint64_t *start;

	memory_array(run, start, (size_t)spaces->count + 1);
	for (uint32_t i = 0; i < spaces->count; i++) {
		bool is_gap = spaces->owner && spaces->owner[i] == NO_SYMBOL;
		uint32_t function;

		while (symbol + 1 < symbols->count &&
		       symbols->address[symbol + 1] <= spaces->start[i])
			symbol++;
		if (!(symbols->flags[symbol] & SYMBOL_LINE))
			begin = symbol;
		function = is_gap ? NO_SYMBOL : symbols->whole ? symbols->whole[symbol] : begin;
		if (function == NO_SYMBOL || function != before ||
		    symbols->address[begin] == spaces->start[i])
			start[functions.count++] = spaces->start[i];
		before = function;
	}
	start[functions.count] = spaces->start[spaces->count];
	functions.start = start;
	return functions;
}

void
samples_prepare(struct run *run, struct sample_rules *rules)
{
	struct symbol_spaces spaces = symbols_spaces(run, rules->symbols);
	struct share_spaces functions;

	rules->by_likelihood = run_corrects(run, GPROFX_CORRECT_SHARED_BINS);
	if (rules->by_likelihood) {
		rules->fills = memory_alloc(run, sizeof *rules->fills);
		rules->fills->symbols = rules->symbols;
		rules->begins = memory_alloc(run, sizeof *rules->begins);
		rules->begins->scan = rules->scan;
		functions = function_spaces(run, rules->symbols, &spaces);
		if (rules->spaces.start || functions.count < spaces.count)
			rules->functions = functions;
		else
			memory_release(run, (void *)functions.start);
	}
	if (!rules->spaces.start)
		rules->spaces = spaces;
}

void
samples_finish(struct run *run, const struct sample_rules *rules)
{
	if (rules->begins)
		scan_begins_close(run, rules->begins);
}

double
samples_weight(const struct run *run, const struct profile *profile,
               const struct histogram *histogram)
{
	if (!run_corrects(run, GPROFX_CORRECT_RATES) || histogram->rate == profile->rate ||
	    histogram->rate == 0 || profile->rate == 0)
		return 1;
	return (double)profile->rate / histogram->rate;
}

/* Of the record, or, if there is none, of the histogram. */
static ALWAYS_INLINE void
credit_record(struct crediting *at, const struct profile *profile,
              const struct histogram *histogram, const struct gprofx_histogram *record)
{
	at->profile = profile;
	at->scale = histogram->scale;
	at->weight = samples_weight(at->run, profile, histogram);
	at->spaces = at->rules->spaces;
	if (is_exact(at->run, histogram))
		credit_bins(at, histogram, record, WAY_EXACT);
	else if (at->spaces.owner)
		credit_bins(at, histogram, record, WAY_CUT);
	else
		credit_bins(at, histogram, record, WAY_PLAIN);
}

void
samples_credit(struct run *run, const struct sample_rules *rules, const struct profile *profile,
               const struct histogram *histogram, const struct gprofx_histogram *record,
               struct sample_credits *to)
{
	struct crediting at = {.run = run, .rules = rules, .to = to};

	credit_record(&at, profile, histogram, record);
}

void
samples_credit_late(struct run *run, const struct sample_rules *rules,
                    const struct profile *profile, const struct shared_bin *shared,
                    struct sample_credits *to)
{
	const struct histogram *histogram = &profile->histograms[shared->histogram];
	uint64_t all = histogram_bin(histogram, shared->bin);
	/* What the children of a fork had of their parent may be taken out of the sum. */
	uint64_t samples = all > 0 ? all : shared->samples;
	struct crediting at = {.run = run,
	                       .rules = rules,
	                       .to = to,
	                       .profile = profile,
	                       .weight = samples_weight(run, profile, histogram) / (double)samples,
	                       .spaces = rules->spaces};
	struct bin_edges edges = bin_edges_of(histogram,
	                                      rules->symbols->table.target.pointer_bytes);
	uint64_t unit = symbols_past(edges.low, bin_edge(&edges, shared->bin).byte) / 2;

	begin_exactly(&at, histogram, NULL, unit);
	credit_bin_exactly(&at, shared->bin, samples);
}

/* Adds the account of one histogram to that of all. */
static void
add_account(struct graph *graph, const struct sample_account *account, double weight)
{
	for (int kind = 0; kind < ACCOUNT_KINDS; kind++) {
		double samples = (double)account->whole[kind] +
		                 (double)account->parts[kind] / (double)(1 << BIN_SHARE_BITS);

		graph->account[kind].samples += samples;
		graph->account[kind].ticks += samples * weight;
	}
}

void
samples_credit_metric(struct run *run, struct graph *graph, const struct profile *profile)
{
	struct sample_rules rules = {.symbols = graph->symbols,
	                             .filters = graph->filters,
	                             .scan = graph->scan};
	struct sample_account account = {0};
	struct sample_credits to = {.self = graph->self,
	                            .total = graph->flat_total,
	                            .account = profile->whole ? NULL : &account};
	bool is_open = false;
	struct crediting at = {.run = run,
	                       .rules = &rules,
	                       .to = &to,
	                       .traces = run_traces(run, GPROFX_TRACE_SAMPLES)};

	if (profile->histogram_count > 0 || profile->sparse.count > 0)
		samples_prepare(run, &rules);
	memory_array(run, to.doubt, (size_t)graph->symbols->count + SYMBOL_MORE_ROWS);
	if (graph->symbols->owner)
		memory_array(run, to.doubted, (size_t)graph->symbols->count + SYMBOL_MORE_ROWS);
	for (uint32_t r = 0; r < profile->histogram_count; r++) {
		account = (struct sample_account){0};
		credit_record(&at, profile, &profile->histograms[r], NULL);
		if (to.account)
			add_account(graph, &account,
			            samples_weight(run, profile, &profile->histograms[r]));
	}
	if (profile->sparse.count > 0)
		samples_credit_sparse(run, &rules, profile, sparse_rows(&profile->sparse),
		                      profile->sparse.count, profile->whole ? NULL : graph->account,
		                      &to);
	samples_finish(run, &rules);
	for (uint32_t i = 0; i <= graph->symbols->count && !is_open; i++)
		is_open = to.doubt[i].more > 0;
	if (is_open)
		graph->self_doubt = to.doubt;
	else
		memory_release(run, to.doubt);
	memory_release(run, to.doubted);
	graph->flat_total = to.total;
	graph->has_outside = graph->has_outside || graph->self[graph->symbols->count] != 0;
}
