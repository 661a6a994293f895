/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of source on both sides of a comparison. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gprofx/emitter.h>

#include "../shared/folded.h"
#include "../shared/kept.h"
#include "../shared/names.h"
#include "../shared/options.h"
#include "../shared/wrap.h"
#include "listing.h"
#include "tables.h"

/* Lines are not tested: the largest differences show where to look. */
enum { LINES_SHOWN = 20, NAME_COLUMN = DIFF_VALUES_WIDTH + 2 };

struct ranked {
	double distance;
	uint32_t line;
};

static int
compare_ranked(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->distance != b->distance)
		return a->distance > b->distance ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

/* "table.c:57", with the line of the base if that is another one, or the only one. */
static void
put_place(struct gprofx_writer *w, const struct gprofx_report *report,
          const struct gprofx_compared_line *line)
{
	const char *slash = strrchr(line->file, '/');

	gprofx_puts(w, slash && !report->origin->full_paths ? slash + 1 : line->file);
	if (line->new_line == 0)
		gprofx_out(w, ":%u of the base", line->base_line);
	else if (line->base_line != 0 && line->base_line != line->new_line)
		gprofx_out(w, ":%u (was %u)", line->new_line, line->base_line);
	else
		gprofx_out(w, ":%u", line->new_line);
}

static void
put_line(struct listing *l, const struct gprofx_compared_line *line)
{
	struct gprofx_text name = {0};
	struct kept kept;

	diff_put_values(l, line->base, line->now);
	gprofx_puts(l->w, "  ");
	put_place(kept_begin(&kept, l->gx), l->report, line);
	if (line->node != UINT32_MAX) {
		name = names_shorten(&l->names, l->report->services->name(l->report, line->node));
		gprofx_puts(&kept.writer, "  ");
		gprofx_put(&kept.writer, name.bytes, name.length);
	}
	name = (struct gprofx_text){kept.text, (size_t)(kept.writer.at - kept.text)};
	folded_put(l->w, name, NAME_COLUMN, (size_t)l->options->row_width);
	kept_release(&kept);
	gprofx_putc(l->w, '\n');
}

static void
put_title(const struct listing *l)
{
	const struct gprofx_metric *metric = l->report->origin->metrics;
	bool color = writer_takes_color(l->w);
	struct wrap wrap;
	struct gprofx_writer *w = wrap_begin(&wrap, l->gx, l->w, (size_t)l->options->text_width);

	gprofx_out(w, "\nLines of source, %s in %s. Differences of lines are not tested:\n\n",
	           metric->name, metric->unit);
	wrap_end(&wrap);
	gprofx_puts(l->w, color ? COLOR_HEADING : "");
	gprofx_out(l->w, "%9s %9s %10s  line  function", "base", "new", "difference");
	gprofx_puts(l->w, color ? COLOR_END "\n" : "\n");
}

void
diff_put_lines(struct listing *l)
{
	const struct gprofx_report_comparison *comparison = l->comparison;
	uint32_t count = comparison->line_count, most = count;
	struct ranked *ranked = gprofx_alloc(l->gx, ((size_t)count + 1) * sizeof *ranked);

	for (uint32_t i = 0; i < count; i++) {
		const struct gprofx_compared_line *line = gprofx_compared_line_at(l->report, i);

		ranked[i] = (struct ranked){fabs(line->now - line->base), i};
	}
	qsort(ranked, count, sizeof *ranked, compare_ranked);
	if (l->options->top > 0 && most > l->options->top)
		most = (uint32_t)l->options->top;
	else if (l->options->top == 0 && !l->options->all && most > LINES_SHOWN)
		most = LINES_SHOWN;
	if (count > 0)
		put_title(l);
	else
		gprofx_puts(l->w, "\nNo line of source has samples that debug information knows\n");
	for (uint32_t i = 0; i < most; i++)
		put_line(l, gprofx_compared_line_at(l->report, ranked[i].line));
	if (most < count)
		gprofx_out(l->w, "... and %u more\n", count - most);
	l->gx->host->release(l->gx, ranked);
}
