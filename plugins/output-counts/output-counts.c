/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Execution counts: one line per function, or line of source, with its source position and the
 * number of its calls, and one for each of its basic blocks.
 */
#include <gprofx/emitter.h>

/* A line for a function, or for a basic block of it. */
static void
put_count(const struct gprofx_report *report, struct gprofx_writer *w, uint32_t function,
          struct gprofx_block block)
{
	uint32_t line;
	const char *file;

	if (block.count == 0 && !report->shows_unused)
		return;
	file = report->services->source(report, function, &line);
	gprofx_puts(w, file ? file : "<unknown>");
	gprofx_putc(w, ':');
	w->services->number(w, line, 0);
	gprofx_puts(w, ": (");
	gprofx_puts(w, report->raw_name[function]);
	gprofx_out(w, ":0x%llx) ", (unsigned long long)block.address);
	w->services->number(w, block.count, 0);
	gprofx_puts(w, " executions\n");
}

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_report *report, struct gprofx_writer *w,
     const void *options)
{
	const uint32_t *first = report->block_first;

	(void)gx;
	(void)options;
	w->services->separator(w);
	for (uint32_t i = 0; i < report->counted_count; i++) {
		uint32_t function = report->counted[i];

		put_count(
			report, w, function,
			(struct gprofx_block){report->address[function], report->calls[function]});
		for (uint32_t k = first ? first[function] : 0; first && k < first[function + 1];
		     k++)
			put_count(report, w, function, report->block[k]);
	}
	return GPROFX_OK;
}

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "counts",
	.extension = "txt",
	.parts = GPROFX_PART_COUNTS,
	.emit = emit,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,          .name = "output-counts",
	.version = "1.0",    .summary = "Execution counts of functions, lines and basic blocks",
	.emitter = &emitter,
};
