/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the slide of a file's arcs.  Programs are loaded at whole pages, so a few callees, each
 * taken for the call of every function whose place in its page is right, name all slides that are
 * possible; some producers count from a place that is known.  All callees then decide.
 */
#include "base/run.h"
#include "slide/slide.h"
#include "symbols/symbols.h"

#include <string.h>

#include "base/memory.h"
#include "slide/evidence.h"

enum {
	PAGE = 4096,
	MOST_CALLEES = 8192, /* looked at, of a file */
	QUICK_CALLEES = 64,  /* looked at for each slide that is possible */
	FIRST_CALLEES = 8,   /* looked at before these */
	FINALISTS = 8,
	MOST_SLIDES = 20000,     /* tried for one callee; enough for a million functions */
	MOST_ANCHORS = 16,       /* symbols with names of such; a sound image has one each */
	FEWEST_BY_CODE = 8,      /* callees, where the code shows the calls of the hook */
	FEWEST_BY_DISTANCE = 12, /* where it does not */
	NEARBY = 512,            /* bytes, within which no other slide may fit well */
	ALIGNMENT = 16
};

struct solving {
	const struct slide_entries *entries;
	uint64_t *callees; /* ascending, unique */
	uint32_t count;
	uint64_t finalist[FINALISTS];
	uint32_t rank[FINALISTS]; /* descending */
	uint32_t finalist_count;
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
	uint32_t rank, at;

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
	rank = rank_of(&score);
	for (at = solving->finalist_count; at > 0 && solving->rank[at - 1] < rank; at--)
		;
	if (at == FINALISTS)
		return;
	if (solving->finalist_count < FINALISTS)
		solving->finalist_count++;
	for (uint32_t i = solving->finalist_count - 1; i > at; i--) {
		solving->finalist[i] = solving->finalist[i - 1];
		solving->rank[i] = solving->rank[i - 1];
	}
	solving->finalist[at] = slide;
	solving->rank[at] = rank;
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
	static const char *const names[] = {"__executable_start", "__eprol", "_start", "_stext"};
	const struct gprofx_symtab *table = &solving->entries->symbols->table;
	uint32_t left = MOST_ANCHORS;

	consider(solving, -table->text_start);
	consider(solving, -solving->entries->code_start);
	if (!range)
		return;
	consider(solving, -range->low);
	consider(solving, range->low - table->text_start);
	consider(solving, range->low - solving->entries->code_start);
	for (uint32_t i = 0; i < table->count && left > 0; i++) {
		const char *name = table->rows.name[i];

		for (size_t n = 0; name[0] == '_' && n < sizeof names / sizeof names[0]; n++)
			if (strcmp(name, names[n]) == 0) {
				consider(solving, range->low - table->rows.address[i]);
				left--;
				break;
			}
	}
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
callers_fit(const struct slide_entries *entries, const struct gprofx_raw_arc *arcs, uint32_t count,
            uint64_t slide)
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
 * A histogram that begins at the page where the GNU C library lets it begin also ends where the
 * code does, if it is of this program and not of another version of it.
 */
static bool
range_fits(const struct slide_entries *entries, const struct gprofx_histogram *range,
           uint64_t slide)
{
	enum { ROUNDED_UP = 8 };
	uint64_t by = slide_moves_range(entries, range, slide) ? slide : 0;
	uint64_t low = (range->low - by) & entries->mask;
	uint64_t end = low + slide_range_bytes(&entries->symbols->table.target, range);

	if (low % PAGE != 0 || low > entries->code_start || end <= entries->code_start)
		return true;
	return end - entries->code_end < ROUNDED_UP;
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

/*
 * Functions of shared libraries can be among the callees, but what lies in the code has to fit
 * almost to the last: in another version of a program, many functions stand where they stood.
 */
static bool
is_sure(const struct solving *solving, const struct slide_score *score, uint64_t slide,
        uint32_t second)
{
	uint32_t best = rank_of(score);

	if ((uint64_t)second * 4 > (uint64_t)best * 3 ||
	    score->count - score->inside > score->count / 8)
		return false;
	if (score->inside >= FEWEST_BY_CODE &&
	    score->inside - score->calls <= score->inside / 256 &&
	    score->same >= score->inside / 2 && score->inside - score->near <= score->inside / 16)
		return true;
	return score->inside >= FEWEST_BY_DISTANCE &&
	       score->inside - score->common <= score->inside / 64 &&
	       !is_regular(solving, slide, best);
}

/*
 * Lets all callees choose among the finalists; the first wins ties.  Slides that differ by less
 * than functions do only disagree about the distance.
 */
static bool
decide(const struct solving *solving, struct slide_verdict *verdict)
{
	struct slide_score score[FINALISTS];
	uint32_t best = 0, second = 0;

	for (uint32_t i = 0; i < solving->finalist_count; i++) {
		score[i] = slide_rate(solving->entries, solving->callees, solving->count, 1,
		                      solving->finalist[i]);
		if (rank_of(&score[i]) > rank_of(&score[best]))
			best = i;
	}
	if (solving->finalist_count == 0)
		return false;
	verdict->slide = solving->finalist[best];
	verdict->fitting = rank_of(&score[best]);
	verdict->callees = score[best].count;
	for (uint32_t i = 0; i < solving->finalist_count; i++) {
		uint64_t up = (solving->finalist[i] - verdict->slide) & solving->entries->mask;
		uint64_t down = (verdict->slide - solving->finalist[i]) & solving->entries->mask;

		if (up > SLIDE_FARTHEST && down > SLIDE_FARTHEST && rank_of(&score[i]) > second)
			second = rank_of(&score[i]);
	}
	return is_sure(solving, &score[best], verdict->slide, second);
}

/* Whether most callees fit as they are: then nothing is moved, whatever would fit better. */
static bool
fits_unmoved(const struct solving *solving)
{
	struct slide_score score = slide_rate(solving->entries, solving->callees, solving->count, 1,
	                                      0);

	return score.calls >= score.count / 2 ||
	       (score.near >= score.count / 4 * 3 && score.common >= score.count / 2);
}

bool
slide_solve(struct slide *slide, const struct gprofx_raw_arc *arcs, uint32_t count,
            const struct gprofx_histogram *ranges, uint32_t range_count,
            struct slide_verdict *verdict)
{
	struct run *run = slide->run;
	struct solving solving = {0};
	bool solved = false;

	if (count < FEWEST_BY_CODE)
		return false;
	if (!slide->entries)
		slide->entries = slide_entries_make(run, slide->symbols);
	solving.entries = slide->entries;
	collect_callees(run, &solving, arcs, count);
	if (solving.count >= FEWEST_BY_CODE && !fits_unmoved(&solving)) {
		for (uint32_t quarter = 1; quarter < 4; quarter++)
			consider_pages(&solving,
			               solving.callees[(uint64_t)solving.count * quarter / 4]);
		consider_anchors(&solving, range_count > 0 ? ranges : NULL);
		solved = decide(&solving, verdict) && verdict->slide != 0 &&
		         callers_fit(solving.entries, arcs, count, verdict->slide) &&
		         (range_count == 0 || range_fits(solving.entries, ranges, verdict->slide));
	}
	memory_release(run, solving.callees);
	return solved;
}
