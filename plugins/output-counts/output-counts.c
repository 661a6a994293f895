/* SPDX-License-Identifier: Apache-2.0 */
/* Execution counts: one line per function with its source position and the number of its calls. */
#include <gprofx/emitter.h>

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_report *report, struct gprofx_writer *w,
     const void *options)
{
	(void)gx;
	(void)options;
	w->services->separator(w);
	for (uint32_t i = 0; i < report->counted_count; i++) {
		uint32_t function = report->counted[i], line;
		const char *file = report->services->source(report, function, &line);

		gprofx_puts(w, file ? file : "<unknown>");
		gprofx_putc(w, ':');
		w->services->number(w, line, 0);
		gprofx_puts(w, ": (");
		gprofx_puts(w, report->raw_name[function]);
		gprofx_out(w, ":0x%llx) ", (unsigned long long)report->address[function]);
		w->services->number(w, report->calls[function], 0);
		gprofx_puts(w, " executions\n");
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
	.version = "1.0",    .summary = "Execution counts of functions",
	.emitter = &emitter,
};
