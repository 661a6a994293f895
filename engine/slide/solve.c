/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the slide of a file's arcs.  Programs are loaded at whole pages, so a few callees, each
 * taken for the call of every function whose place in its page is right, name all slides that are
 * possible; some producers count from a place that is known.  All callees then decide.
 */
#include "base/run.h"
#include "slide/slide.h"
#include "symbols/symbols.h"

#include "base/memory.h"
#include "slide/evidence.h"

enum {
	PAGE = 4096,
	MOST_CALLEES = 8192, /* looked at, of a file */
	QUICK_CALLEES = 64,  /* looked at for each slide that is possible */
	FIRST_CALLEES = 8,   /* looked at before these */
	FINALISTS = 8,
	MOST_SLIDES = 20000,     /* tried for one callee; enough for a million functions */
	FEWEST = 2,              /* callees; fewer say nothing that others do not say */
	FEWEST_BY_CODE = 8,      /* alone, where the code shows the calls of the hook */
	FEWEST_BY_DISTANCE = 12, /* where it does not */
	FEWEST_BY_EXTENT = 6,    /* where it does not, but the extent of the histogram fits */
	NEARBY = 512,            /* bytes, within which no other slide may fit well */
	ALIGNMENT = 16,
	/* What speaks for a slide, in bits, each less than it is worth in most programs. */
	BITS_PER_CALLEE = 2, /* behind the first one, which the slide was made for, by the code */
	BITS_PER_SITE = 3,
	BITS_OF_EXTENT = 6,
	FEWEST_BITS = 11, /* that decide */
	AHEAD_BITS = 6    /* of any other slide */
};

struct solving {
	struct slide_entries *entries;
	uint64_t *callees; /* ascending, unique */
	uint32_t count;
	uint64_t finalist[FINALISTS];
	uint32_t order[FINALISTS]; /* descending */
	uint32_t finalist_count;
	/* Of finalists, once all that can be one were considered. */
	struct slide_score score[FINALISTS];
	struct slide_sites sites[FINALISTS];
	enum slide_extent extent[FINALISTS];
};

/* What callees speak for a slide: those that the code confirms, or those at one distance. */
static uint32_t
rank_of(const struct slide_score *score)
{
	return score->calls > score->common ? score->calls : score->common;
}

static uint32_t
step_for(uint32_t count, uint32_t wanted)
{
	return count > wanted ? count / wanted : 1;
}

/* Enters a slide that is possible among the finalists, if it is one. */
static void
consider(struct solving *solving, uint64_t slide)
{
	struct slide_score score;
	uint32_t order, at;

	slide &= solving->entries->mask;
	for (uint32_t i = 0; i < solving->finalist_count; i++)
		if (solving->finalist[i] == slide)
			return;
	score = slide_rate(solving->entries, solving->callees, solving->count,
	                   step_for(solving->count, FIRST_CALLEES), slide);
	if (score.near < score.count * 3 / 4)
		return;
	score = slide_rate(solving->entries, solving->callees, solving->count,
	                   step_for(solving->count, QUICK_CALLEES), slide);
	order = 2 * rank_of(&score) + score.near;
	for (at = solving->finalist_count; at > 0 && solving->order[at - 1] < order; at--)
		;
	if (at == FINALISTS)
		return;
	if (solving->finalist_count < FINALISTS)
		solving->finalist_count++;
	for (uint32_t i = solving->finalist_count - 1; i > at; i--) {
		solving->finalist[i] = solving->finalist[i - 1];
		solving->order[i] = solving->order[i - 1];
	}
	solving->finalist[at] = slide;
	solving->order[at] = order;
}

/* All whole pages that would put a callee just after an entry; not more than the most. */
static void
consider_pages(struct solving *solving, uint64_t callee)
{
	const struct slide_entries *entries = solving->entries;
	uint32_t left = MOST_SLIDES;

	for (uint32_t i = 0; i < entries->count && left > 0; i++) {
		uint64_t past = (callee - entries->address[i]) & (PAGE - 1);

		/* Of several entries before the place, the last one names the slide. */
		if (past > SLIDE_FARTHEST ||
		    (i + 1 < entries->count &&
		     entries->address[i + 1] - entries->address[i] <= past))
			continue;
		consider(solving, callee - entries->address[i] - past);
		left--;
	}
}

/*
 * Places that producers let their histogram begin at; and arcs that count from where the histogram
 * or the code begins.
 */
static void
consider_anchors(struct solving *solving, const struct gprofx_histogram *range)
{
	const struct slide_entries *entries = solving->entries;
	const struct gprofx_symtab *table = &entries->symbols->table;

	consider(solving, -table->text_start);
	consider(solving, -entries->code_start);
	if (!range)
		return;
	consider(solving, slide_by_extent(entries, range));
	consider(solving, -range->low);
	consider(solving, range->low - table->text_start);
	consider(solving, range->low - entries->code_start);
	for (uint32_t i = 0; i < entries->start_count; i++)
		consider(solving, range->low - entries->starts[i]);
}

/* Distinct callees of a file, or of arcs spread over it. */
static void
collect_callees(struct run *run, struct solving *solving, const struct gprofx_raw_arc *arcs,
                uint32_t count)
{
	uint32_t step = step_for(count, MOST_CALLEES);

	memory_array(run, solving->callees, count / step + 1);
	for (uint32_t i = 0; i < count; i += step)
		solving->callees[solving->count++] = arcs[i].self & solving->entries->mask;
	solving->count = slide_sort_unique(run, solving->callees, solving->count);
}

/* Whether nearly all call sites are in code; 0 stands for an unknown one. */
static bool
attribution_fit(const struct slide_entries *entries, const struct gprofx_raw_arc *arcs,
                uint32_t count, uint64_t slide)
{
	uint32_t step = step_for(count, MOST_CALLEES), known = 0, inside = 0;

	for (uint32_t i = 0; i < count; i += step) {
		uint64_t from = (arcs[i].from - slide) & entries->mask;

		known += arcs[i].from != 0;
		inside += arcs[i].from != 0 && from >= entries->code_start &&
		          from < entries->code_end;
	}
	return known - inside <= known / 10;
}

/*
 * Whether shifts by less than a page do as well, as they do if all functions have one size. Smaller
 * ones only change the distances.
 */
static bool
is_regular(const struct solving *solving, uint64_t slide, uint32_t best)
{
	for (uint64_t shift = SLIDE_FARTHEST + ALIGNMENT; shift <= NEARBY; shift += ALIGNMENT)
		for (uint32_t up = 0; up < 2; up++) {
			struct slide_score score = slide_rate(solving->entries, solving->callees,
			                                      solving->count, 1,
			                                      up ? slide + shift : slide - shift);

			if ((uint64_t)score.common * 4 > (uint64_t)best * 3)
				return true;
		}
	return false;
}

/* Whether two slides only disagree about the distance from entries. */
static bool
is_beside(const struct solving *solving, uint64_t one, uint64_t other)
{
	return ((one - other) & solving->entries->mask) <= SLIDE_FARTHEST ||
	       ((other - one) & solving->entries->mask) <= SLIDE_FARTHEST;
}

/*
 * Functions of shared libraries can be among the callees, but what lies in the code has to fit
 * almost to the last: in another version of a program, many functions stand where they stood.
 */
static bool
is_sure_by_many(const struct solving *solving, uint32_t best)
{
	const struct slide_score *score = &solving->score[best];
	const struct slide_sites *sites = &solving->sites[best];
	uint32_t rank = rank_of(score), second = 0;

	for (uint32_t i = 0; i < solving->finalist_count; i++)
		if (!is_beside(solving, solving->finalist[i], solving->finalist[best]) &&
		    rank_of(&solving->score[i]) > second)
			second = rank_of(&solving->score[i]);
	if ((uint64_t)second * 4 > (uint64_t)rank * 3 ||
	    score->count - score->inside > score->count / 8 ||
	    solving->extent[best] == SLIDE_EXTENT_CONTRADICTS ||
	    sites->impossible > (sites->proven + sites->possible) / 16)
		return false;
	if (score->inside >= FEWEST_BY_CODE &&
	    score->inside - score->calls <= score->inside / 256 &&
	    score->same >= score->inside / 2 && score->inside - score->near <= score->inside / 16)
		return true;
	return score->inside >= FEWEST_BY_DISTANCE &&
	       score->inside - score->common <= score->inside / 64 &&
	       !is_regular(solving, solving->finalist[best], rank);
}

/*
 * What speaks for a slide where there are few callees, in bits; 0: something speaks against it.
 * Each callee has to lie just behind the call that counted it, and each call site behind a call
 * that can lead to its callee.
 */
static uint32_t
bits_for(const struct solving *solving, uint32_t finalist)
{
	const struct slide_score *score = &solving->score[finalist];
	const struct slide_sites *sites = &solving->sites[finalist];
	uint32_t extent = solving->extent[finalist] == SLIDE_EXTENT_MATCHES ? BITS_OF_EXTENT : 0;

	if (score->near < score->count || solving->extent[finalist] == SLIDE_EXTENT_CONTRADICTS)
		return 0;
	if (sites->is_known)
		return sites->impossible > 0 || sites->hooks < sites->callees
		               ? 0
		               : BITS_PER_CALLEE * (score->count - 1) +
		                         BITS_PER_SITE * sites->proven + extent + 1;
	/* The code is not there, or nothing here can read it. */
	if (score->calls > 0 && (score->calls < score->count || score->same < score->count))
		return 0;
	return score->common + extent;
}

static bool
is_sure_by_bits(const struct solving *solving, uint32_t best)
{
	const struct slide_score *score = &solving->score[best];
	uint32_t bits = bits_for(solving, best);

	if (bits < FEWEST_BITS)
		return false;
	if (!solving->sites[best].is_known &&
	    (score->count < FEWEST_BY_EXTENT || score->common < score->count ||
	     solving->extent[best] != SLIDE_EXTENT_MATCHES))
		return false;
	for (uint32_t i = 0; i < solving->finalist_count; i++)
		if (i != best && bits_for(solving, i) + AHEAD_BITS > bits)
			return false;
	return true;
}

/* Whether a finalist has more that speaks for it than another; the first wins ties. */
static bool
is_better(const struct solving *solving, uint32_t one, uint32_t other)
{
	uint32_t bits = bits_for(solving, one), other_bits = bits_for(solving, other);
	uint32_t rank = rank_of(&solving->score[one]);
	uint32_t other_rank = rank_of(&solving->score[other]);

	return rank != other_rank ? rank > other_rank : bits > other_bits;
}

/* Lets all callees and call sites choose among the finalists. */
static void
decide(struct solving *solving, struct run *run, const struct gprofx_raw_arc *arcs, uint32_t count,
       const struct gprofx_histogram *range, struct slide_verdict *verdict)
{
	uint32_t best = 0;

	verdict->outcome = SLIDE_NOWHERE;
	if (solving->finalist_count == 0)
		return;
	slide_check_sites(run, solving->entries, arcs, count, solving->finalist,
	                  solving->finalist_count, solving->sites);
	for (uint32_t i = 0; i < solving->finalist_count; i++) {
		solving->score[i] = slide_rate(solving->entries, solving->callees, solving->count,
		                               1, solving->finalist[i]);
		if (range)
			solving->extent[i] = slide_extent(solving->entries, range,
			                                  solving->finalist[i]);
		if (is_better(solving, i, best))
			best = i;
	}
	verdict->slide = solving->finalist[best];
	verdict->fitting = rank_of(&solving->score[best]);
	if (solving->sites[best].hooks > verdict->fitting)
		verdict->fitting = solving->sites[best].hooks;
	verdict->callees = solving->score[best].count;
	if (verdict->slide == 0 || !attribution_fit(solving->entries, arcs, count, verdict->slide))
		return;
	if (is_sure_by_many(solving, best) || is_sure_by_bits(solving, best))
		verdict->outcome = SLIDE_FOUND;
	else if (bits_for(solving, best) > 0)
		verdict->outcome = SLIDE_UNSURE;
}

/* Of too few callees, the extent of the histogram is all that can tell, which is not enough. */
static void
decide_by_extent(const struct solving *solving, const struct gprofx_histogram *range,
                 struct slide_verdict *verdict)
{
	verdict->slide = range ? slide_by_extent(solving->entries, range) : 0;
	if (verdict->slide != 0)
		verdict->outcome = SLIDE_UNSURE;
}

/*
 * Whether most callees fit as they are: then nothing is moved, whatever would fit better.  Of few,
 * one can be behind some call by chance.
 */
static bool
fits_unmoved(const struct solving *solving)
{
	struct slide_score score = slide_rate(solving->entries, solving->callees, solving->count, 1,
	                                      0);
	uint32_t calls = score.calls < score.near ? score.calls : score.near;

	return calls > score.count / 2 || ((uint64_t)score.near * 4 >= (uint64_t)score.count * 3 &&
	                                   (uint64_t)score.common * 2 >= score.count);
}

bool
slide_solve(struct slide *slide, const struct gprofx_raw_arc *arcs, uint32_t count,
            const struct gprofx_histogram *ranges, uint32_t range_count,
            struct slide_verdict *verdict)
{
	struct run *run = slide->run;
	struct solving solving = {0};
	const struct gprofx_histogram *range = range_count > 0 ? ranges : NULL;

	*verdict = (struct slide_verdict){.outcome = SLIDE_TOO_FEW};
	if (!slide->entries)
		slide->entries = slide_entries_make(run, slide->scan);
	solving.entries = slide->entries;
	collect_callees(run, &solving, arcs, count);
	if (solving.count < FEWEST) {
		decide_by_extent(&solving, range, verdict);
	} else if (fits_unmoved(&solving)) {
		verdict->outcome = SLIDE_UNMOVED;
	} else {
		consider_anchors(&solving, range);
		for (uint32_t quarter = 1; quarter < 4; quarter++)
			consider_pages(&solving,
			               solving.callees[(uint64_t)solving.count * quarter / 4]);
		decide(&solving, run, arcs, count, range, verdict);
	}
	memory_release(run, solving.callees);
	return verdict->outcome == SLIDE_FOUND;
}
