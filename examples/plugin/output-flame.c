/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calling contexts as a drawing, by --output=flame: an SVG file in which each context is a box
 * below that of its caller, as wide as its share of the time.
 */
#include <stdio.h>

#include <gprofx/emitter.h>
#include <gprofx/text.h>

enum { WIDTH = 1200, ROW = 16 };

/* Names can be any bytes: what XML acts upon is escaped, and what it cannot hold is replaced. */
static void
put_name(struct gprofx_writer *writer, struct gprofx_text name)
{
	uint32_t code;

	for (size_t length, at = 0; at < name.length; at += length) {
		length = gprofx_utf8(name.bytes + at, name.length - at, &code);
		if (length == 0 || code < ' ' || (code & 0xfffe) == 0xfffe) {
			gprofx_puts(writer, "\xef\xbf\xbd");
			length = length == 0 ? 1 : length;
		} else if (code < 0x80 && strchr("&<>", (int)code)) {
			gprofx_out(writer, "&#%u;", (unsigned)code);
		} else {
			gprofx_put(writer, name.bytes + at, length);
		}
	}
}

/* A box with its name, cut where the box ends; the shares are shown where the mouse is. */
static void
put_box(struct gprofx_writer *writer, struct gprofx_text name, const double place[3], uint32_t hue,
        const double percent[2])
{
	gprofx_out(writer, "<svg x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\">", place[0],
	           place[1] * ROW, place[2], ROW);
	gprofx_out(writer, "<rect width=\"100%%\" height=\"%d\" fill=\"hsl(%u,70%%,75%%)\"/>",
	           ROW - 1, (unsigned)hue);
	gprofx_puts(writer, "<text x=\"2\" y=\"12\">");
	put_name(writer, name);
	gprofx_puts(writer, "</text><title>");
	put_name(writer, name);
	gprofx_out(writer, ": %.2f %%, itself %.2f %%</title></svg>\n", percent[0], percent[1]);
}

/* Where a context is, in ticks from the left, and where its next child will be. */
struct box {
	double left, next;
	uint32_t depth;
};

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options)
{
	const struct gprofx_report *report = emission->report;
	const struct gprofx_report_contexts *contexts = report->contexts;
	const struct gprofx_column *time = contexts->columns;
	double whole = time->graph_total > 0 ? time->graph_total : 1, all[] = {0, 0, WIDTH};
	struct box *boxes = gprofx_alloc(gx, ((size_t)contexts->count + 1) * sizeof *boxes);
	uint32_t deepest = 0;
	char root[80];
	int length;

	(void)options;
	/* A parent has a lower number than its children; the root of all stands before the first.
	 */
	for (uint32_t i = 0; i < contexts->count; i++) {
		struct box *own = &boxes[i + 1];
		struct box *above = &boxes[contexts->parent[i] == GPROFX_NO_CONTEXT
		                                   ? 0
		                                   : contexts->parent[i] + 1];

		own->left = own->next = above->next;
		own->depth = above->depth + 1;
		above->next += gprofx_real(&time->self, i) + gprofx_real(&time->below, i);
		deepest = own->depth > deepest ? own->depth : deepest;
	}
	gprofx_out(emission->writer,
	           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
	           "font-family=\"monospace\" font-size=\"11\">\n",
	           WIDTH, (deepest + 1.0) * ROW);
	length = snprintf(root, sizeof root, "all (%s; %.2f %% too small to show)",
	                  contexts->is_estimated ? "gprof estimate, paths not measured"
	                                         : "measured",
	                  100 * contexts->cut[0] / whole);
	put_box(emission->writer, (struct gprofx_text){root, (size_t)length}, all, 0,
	        (double[]){100, 0});
	for (uint32_t i = 0; i < contexts->count; i++) {
		double self = gprofx_real(&time->self, i);
		double total = self + gprofx_real(&time->below, i);
		double place[] = {boxes[i + 1].left / whole * WIDTH, boxes[i + 1].depth,
		                  total / whole * WIDTH};

		put_box(emission->writer, gprofx_context_name(report, i), place,
		        contexts->node[i] * 7 % 60,
		        (double[]){100 * total / whole, 100 * self / whole});
	}
	gprofx_puts(emission->writer, "</svg>\n");
	return GPROFX_OK;
}

static const struct gprofx_needs needs = {.size = sizeof needs,
                                          .traits = GPROFX_EMITTER_ALONE,
                                          .contexts = GPROFX_CONTEXTS_INLINED};

static const struct gprofx_emitter emitter = {.size = sizeof emitter,
                                              .format = "flame",
                                              .extension = "svg",
                                              .emit = emit,
                                              .needs = &needs};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "output-flame", .version = "1.0",
                 .summary = "Calling contexts as boxes in an SVG file", .emitter = &emitter};
