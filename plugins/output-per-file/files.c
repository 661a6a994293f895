/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

#include <stdio.h>
#include <string.h>

#include "../shared/options.h"
#include "../shared/width.h"
#include "../shared/wrap.h"

static bool
is_control(const char *at)
{
	return (unsigned char)*at < 0x20 || *at == 0x7f;
}

/* The name of a file can have any bytes: those that a terminal obeys become \xNN. */
static struct gprofx_text
harmless(struct gprofx *gx, const char *text)
{
	size_t length = strlen(text), controls = 0;
	char *copy, *to;

	for (size_t i = 0; i < length; i++)
		controls += is_control(text + i);
	if (controls == 0)
		return (struct gprofx_text){text, length};
	copy = to = gprofx_alloc(gx, length + 3 * controls + 1);
	for (size_t i = 0; i < length; i++) {
		if (is_control(text + i))
			to += sprintf(to, "\\x%02x", (unsigned)(unsigned char)text[i]);
		else
			*to++ = text[i];
	}
	return (struct gprofx_text){copy, (size_t)(to - copy)};
}

struct gprofx_text
per_file_label(struct gprofx *gx, const struct gprofx_report *report, uint32_t file)
{
	return harmless(gx, gprofx_labelled_at(report, file)->label);
}

static const char explanation[] =
	"\n"
	"How to read this table. Each row is a profile, in the order of the command line.\n"
	"\n"
	" % time   share of the samples of all profiles, by time\n"
	" samples  as counted, at any sampling rate, including those in no function\n";

void
per_file_put_files(struct gprofx *gx, const struct gprofx_report *report, struct gprofx_writer *w,
                   bool explain, size_t text_width)
{
	const struct gprofx_writer_services *s = w->services;
	bool color = writer_takes_color(w), has_labels = false;
	size_t widest = 5;
	struct wrap wrap;
	double total = 0;

	for (uint32_t i = 0; i < report->files->labelled_count; i++) {
		const struct gprofx_labelled_file *file = gprofx_labelled_at(report, i);
		size_t width = width_of(per_file_label(gx, report, i));

		total += file->ticks;
		has_labels |= strcmp(file->label, file->name) != 0;
		widest = width > widest ? width : widest;
	}
	gprofx_puts(w, "Files:\n\n");
	gprofx_puts(w, color ? COLOR_HEADING : "");
	gprofx_out(w, "%6s %9.9s %10s  ", "% time", report->origin->metrics->unit, "samples");
	if (has_labels)
		gprofx_out(w, "%-*s  ", (int)widest, "label");
	gprofx_puts(w, "file");
	gprofx_puts(w, color ? COLOR_END "\n" : "\n");
	for (uint32_t i = 0; i < report->files->labelled_count; i++) {
		const struct gprofx_labelled_file *file = gprofx_labelled_at(report, i);
		struct gprofx_text name = harmless(gx, file->name);

		s->fixed(w, total > 0 ? 100.0 * file->ticks / total : 0, 6, 2);
		gprofx_putc(w, ' ');
		s->fixed(w, file->ticks / report->origin->metrics->ticks_per_unit, 9, 3);
		gprofx_putc(w, ' ');
		s->number(w, file->samples, 10);
		gprofx_puts(w, "  ");
		if (has_labels) {
			struct gprofx_text label = per_file_label(gx, report, i);

			gprofx_put(w, label.bytes, label.length);
			gprofx_blanks(w, widest - width_of(label) + 2);
		}
		gprofx_put(w, name.bytes, name.length);
		gprofx_putc(w, '\n');
	}
	if (!explain)
		return;
	gprofx_puts(wrap_begin(&wrap, gx, w, text_width), explanation);
	wrap_end(&wrap);
}
