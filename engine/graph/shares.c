/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bin of several functions does not show whose its samples are.  Code beside it that is of one of
 * them alone does: where its neighbors have a hundred samples in a bin and none, hardly any of the
 * samples between them are of the latter.  So each function counts with its instructions times the
 * density of samples that is most likely there: that of its own bins beside the shared one, with
 * half a sample more, at the density of the shared bin, so that few samples prove little and a
 * function without bins of its own is taken for an average one.
 *
 * A sampled program counter is where an instruction starts, so the tail of one counts nothing.
 * Where it is not known where they start, bytes have to do.
 */
#include "graph/shares.h"

#include <math.h>

#include "graph/never-ran.h"
#include "profile/profile.h"
#include "scan/begins.h"
#include "symbols/symbols.h"

/*
 * Bins beside a shared one that are looked at; bytes of bins for which code is decoded: wider ones
 * hold that many functions that it matters little.  Samples that stand for what is not known.
 */
enum { BINS_BESIDE = 16, WIDE_BIN = 1024 };
static const double DOUBT = 0.5;

/* What one of the functions, or spaces, has of a part. */
struct piece {
	uint64_t start, past; /* addresses of its whole space */
	double low, high;     /* of the part */
	double live_end;
};

/* A walk over the pieces of a part, by address; those outside of all spaces are pieces as well. */
struct walk {
	const struct share_rules *rules;
	const struct share_spaces *spaces;
	const struct bin_counts *counts;
	const struct shared_part *part;
	bool is_of_functions;
	bool by_begins;  /* code counts by instructions, not by bytes */
	bool skips_idle; /* functions that never ran get nothing */
	uint32_t next;   /* space */
	double reached;
};

/* Distances are those from the first byte of the bin, where doubles are exact. */
static double
distance_of(const struct shared_part *part, uint64_t byte)
{
	return byte >= part->origin ? (double)(byte - part->origin)
	                            : -(double)(part->origin - byte);
}

static double
offset_of(const struct walk *walk, uint64_t address)
{
	return distance_of(walk->part, bin_place_of(&walk->counts->edges, address));
}

static double
place_offset(const struct bin_edges *edges, const struct shared_part *part, struct bin_place place)
{
	return distance_of(part, place.byte) +
	       (edges->parts > 0 ? (double)place.part / edges->parts : 0);
}

static uint64_t
count_of(const struct bin_counts *counts, uint32_t bin)
{
	return counts->record ? record_counter(counts->record, bin)
	                      : histogram_bin(counts->histogram, bin);
}

/* Where the code of what has these addresses ends. */
static double
code_end(const struct walk *walk, uint64_t start, uint64_t past)
{
	if (past == UINT64_MAX || past <= start)
		return INFINITY;
	return offset_of(walk, past - symbols_fill_before(walk->rules->fills, start, past));
}

/* The first address at or behind an offset. */
static uint64_t
address_of(const struct walk *walk, double offset)
{
	uint64_t origin = walk->counts->edges.low + walk->part->origin;
	uint64_t whole = (uint64_t)fabs(offset);

	/* Conversion cuts off what is behind the point. */
	if (offset < 0)
		return origin - whole;
	return origin + whole + ((double)whole < offset);
}

/* How much code there is from one offset to another; negative: that is not known. */
static double
code_between(const struct walk *walk, double low, double high, double live_end)
{
	uint64_t begins;

	high = high < live_end ? high : live_end;
	if (!(high > low))
		return 0;
	if (!walk->by_begins)
		return high - low;
	return scan_begins_count(walk->rules->begins, address_of(walk, low), address_of(walk, high),
	                         &begins)
	               ? (double)begins
	               : -1;
}

/* Whether samples say that a function ran, in bins that it has to itself beside the divided one. */
static bool
has_samples_beside(const struct walk *walk, const struct piece *piece)
{
	const struct bin_edges *edges = &walk->counts->edges;
	uint32_t bin = walk->part->bin, bins = walk->counts->histogram->bin_count;
	double start = offset_of(walk, piece->start);
	double past = piece->past == UINT64_MAX ? INFINITY : offset_of(walk, piece->past);

	for (uint32_t other = bin > BINS_BESIDE ? bin - BINS_BESIDE : 0;
	     other < bins && other <= bin + BINS_BESIDE; other++) {
		struct bin_place place = bin_edge(edges, other);

		if (other != bin && place_offset(edges, walk->part, place) >= start &&
		    place_offset(edges, walk->part, bin_end(edges, other, place)) <= past &&
		    count_of(walk->counts, other) > 0)
			return true;
	}
	return false;
}

static double
code_of(const struct walk *walk, const struct piece *piece)
{
	if (walk->skips_idle && never_ran_at(walk->rules->never_ran, piece->start) &&
	    !has_samples_beside(walk, piece))
		return 0;
	return code_between(walk, piece->low, piece->high, piece->live_end);
}

/* The next piece; *space: its number.  False: there is none. */
static bool
next_piece(struct walk *walk, struct piece *piece, uint32_t *space)
{
	const struct share_spaces *spaces = walk->spaces;
	const struct shared_part *part = walk->part;

	while (walk->reached < part->high) {
		/* No other space has anything before it. */
		bool is_before = walk->next == 0 && spaces->count > 0 &&
		                 offset_of(walk, spaces->start[0]) > walk->reached;
		bool is_behind = walk->next >= spaces->count;

		*space = is_before || is_behind ? spaces->count : walk->next;
		piece->low = walk->reached;
		if (is_before) {
			piece->start = 0;
			piece->past = spaces->start[0];
		} else if (is_behind) {
			piece->start = spaces->start[spaces->count];
			piece->past = UINT64_MAX;
		} else {
			piece->start = spaces->start[walk->next];
			piece->past = spaces->start[walk->next + 1];
			walk->next++;
		}
		piece->start = piece->start > part->first ? piece->start : part->first;
		piece->past = piece->past < part->past ? piece->past : part->past;
		piece->high = is_behind ? part->high : offset_of(walk, piece->past);
		piece->high = piece->high < part->high ? piece->high : part->high;
		if (piece->high <= piece->low)
			continue;
		walk->reached = piece->high;
		piece->live_end = part->live_end;
		if (walk->is_of_functions && *space < spaces->count)
			piece->live_end = code_end(walk, piece->start, piece->past);
		return true;
	}
	return false;
}

/* Samples for so much code of a piece, by the bins that its space has to itself beside the bin. */
static double
density(const struct walk *walk, const struct piece *piece, bool is_behind, double average)
{
	const struct bin_counts *counts = walk->counts;
	const struct bin_edges *edges = &counts->edges;
	double start = offset_of(walk, piece->start), live_end = piece->live_end;
	double past = piece->past == UINT64_MAX ? INFINITY : offset_of(walk, piece->past);
	double samples = DOUBT, code = DOUBT / average;
	uint32_t bin = walk->part->bin, bins = counts->histogram->bin_count;

	for (uint32_t i = 1; i <= BINS_BESIDE; i++) {
		struct bin_place place;
		double low, high, more;
		uint32_t other;

		if (is_behind ? bins - bin <= i : bin < i)
			break;
		other = is_behind ? bin + i : bin - i;
		place = bin_edge(edges, other);
		low = place_offset(edges, walk->part, place);
		high = place_offset(edges, walk->part, bin_end(edges, other, place));
		if (low < start || high > past)
			break;
		more = code_between(walk, low, high, live_end);
		if (more < 0)
			break;
		samples += (double)count_of(counts, other);
		code += more;
	}
	return samples / code;
}

static struct walk
walk_of(const struct share_rules *rules, const struct bin_counts *counts,
        const struct shared_part *part, bool is_of_functions)
{
	const struct share_spaces *spaces = is_of_functions && rules->functions.start
	                                            ? &rules->functions
	                                            : &rules->spaces;
	uint32_t next = spaces == &rules->functions ? part->function : part->space;

	return (struct walk){.rules = rules,
	                     .spaces = spaces,
	                     .counts = counts,
	                     .part = part,
	                     .is_of_functions = is_of_functions,
	                     .by_begins = part->by_begins,
	                     .next = next,
	                     .reached = part->low};
}

/* What the pieces of a part are weighed by. */
struct weights {
	uint32_t count; /* pieces */
	struct piece first, last;
	double live, first_live, last_live; /* code */
	double first_density, last_density, average, total;
};

static struct weights
weigh(const struct walk *start)
{
	struct walk walk = *start;
	struct weights weights = {0};
	struct piece piece;
	uint32_t space;

	while (next_piece(&walk, &piece, &space)) {
		double live = code_of(&walk, &piece);

		if (weights.count++ == 0) {
			weights.first = piece;
			weights.first_live = live;
		}
		weights.last = piece;
		weights.last_live = live;
		weights.live += live;
	}
	if (weights.count < 2 || weights.live <= 0)
		return weights;
	weights.average = (double)walk.part->samples / walk.part->unit / weights.live;
	weights.first_density = density(&walk, &weights.first, false, weights.average);
	weights.last_density = density(&walk, &weights.last, true, weights.average);
	weights.total = weights.first_live * weights.first_density +
	                (weights.live - weights.first_live - weights.last_live) * weights.average +
	                weights.last_live * weights.last_density;
	return weights;
}

/* Of a piece that is not the last one, which has what is left over. */
static double
weight_of(const struct walk *walk, const struct weights *weights, const struct piece *piece)
{
	double live = code_of(walk, piece);

	/* Where nothing is code, bytes have to do. */
	if (!(weights->total > 0))
		return piece->high - piece->low;
	if (piece->low <= weights->first.low)
		return live * weights->first_density;
	return live * weights->average;
}

/* Shares of the pieces of a part, one after the other. */
struct division {
	struct walk walk;
	struct weights weights;
	double total, running;
	uint64_t given;
	uint32_t pieces; /* so far */
};

static struct division
division_of(const struct share_rules *rules, const struct bin_counts *counts,
            const struct shared_part *part, bool is_of_functions)
{
	struct division division = {.walk = walk_of(rules, counts, part, is_of_functions)};

	division.walk.skips_idle = is_of_functions && rules->never_ran;
	division.weights = weigh(&division.walk);
	/* Of one that is alone with padding, a call was lost. */
	if (division.walk.skips_idle && !(division.weights.live > 0)) {
		division.walk.skips_idle = false;
		division.weights = weigh(&division.walk);
	}
	/* No instruction starts in code of this part: what was sampled knows better. */
	if (division.walk.by_begins && !(division.weights.live > 0)) {
		division.walk.by_begins = false;
		division.weights = weigh(&division.walk);
	}
	division.total = division.weights.total > 0 ? division.weights.total
	                                            : part->high - part->low;
	return division;
}

/* The next piece, its space and its share, which can be none.  False: all is divided. */
static bool
next_share(struct division *division, struct piece *piece, uint32_t *space, uint64_t *share)
{
	uint64_t samples = division->walk.part->samples, upto = samples;

	if (!next_piece(&division->walk, piece, space))
		return false;
	division->running += weight_of(&division->walk, &division->weights, piece);
	if (++division->pieces < division->weights.count && division->running < division->total)
		upto = (uint64_t)((double)samples * (division->running / division->total));
	/* What all have together is never more than there is. */
	upto = upto < samples ? upto : samples;
	upto = upto > division->given ? upto : division->given;
	*share = upto - division->given;
	division->given = upto;
	return true;
}

/* Divides what a function has of a bin among its parts; returns the space to go on with. */
static uint32_t
divide_function(const struct share_rules *rules, const struct bin_counts *counts,
                const struct shared_part *part, share_taker *take, void *taker)
{
	struct division division = division_of(rules, counts, part, false);
	struct piece piece;
	uint32_t space;
	uint64_t share;

	while (next_share(&division, &piece, &space, &share))
		if (share > 0)
			take(taker, space, share);
	/* The next function can begin in the last space. */
	return division.walk.next > 0 ? division.walk.next - 1 : 0;
}

/* Whether it is known where all instructions of a bin start. */
static bool
knows_begins(const struct share_rules *rules, const struct bin_edges *edges,
             const struct shared_part *part)
{
	const struct bin_counts counts = {.edges = *edges};
	const struct walk walk = {.rules = rules,
	                          .counts = &counts,
	                          .part = part,
	                          .by_begins = true};

	return part->high - part->low <= WIDE_BIN &&
	       code_between(&walk, part->low, part->high, INFINITY) >= 0;
}

void
shares_divide(const struct share_rules *rules, const struct bin_counts *counts, uint32_t bin,
              uint64_t samples, uint32_t function, uint32_t space, share_taker *take, void *taker)
{
	const struct bin_edges *edges = &counts->edges;
	struct bin_place low = bin_edge(edges, bin);
	struct shared_part part = {.bin = bin,
	                           .origin = low.byte,
	                           .samples = bin_all(samples),
	                           .unit = (double)((uint64_t)1 << bin_share_bits(samples)),
	                           .past = UINT64_MAX,
	                           .live_end = INFINITY,
	                           .function = function,
	                           .space = space};
	struct division division;
	struct piece piece;
	uint64_t share;

	part.low = place_offset(edges, &part, low);
	part.high = place_offset(edges, &part, bin_end(edges, bin, low));
	part.by_begins = knows_begins(rules, edges, &part);
	division = division_of(rules, counts, &part, true);
	while (next_share(&division, &piece, &space, &share)) {
		struct shared_part inner = part;

		if (share > 0 && !rules->functions.start)
			take(taker, space, share);
		if (share == 0 || !rules->functions.start)
			continue;
		inner.low = piece.low;
		inner.high = piece.high;
		inner.samples = share;
		inner.first = piece.start;
		inner.past = piece.past;
		inner.live_end = piece.live_end;
		part.space = divide_function(rules, counts, &inner, take, taker);
	}
}
