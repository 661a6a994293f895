/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <gprofx/emitter.h>

#include "../shared/formatted.h"
#include "../shared/head-texts.h"
#include "../shared/shell-words.h"
#include "nodes.h"
#include "prose.h"
#include "text.h"

static void
put_element(struct prose *p, const char *begin, const char *text, const char *end)
{
	gprofx_puts(p->w, begin);
	text_puts_html(p->w, text);
	gprofx_puts(p->w, end);
}

void
intro_put_head(struct prose *p)
{
	put_element(p, "\n<h1>", head_name(p->report), "</h1>\n");
	put_element(p, "<p class=\"measured\">", head_measured(p->gx, p->report), "</p>\n");
	put_element(p, "<p class=\"profiles\">", head_profiles(p->gx, p->report), "</p>\n");
}

/* A line of the account without an amount, if there is one. */
static void
put_note(struct prose *p, const char *text)
{
	if (text)
		put_element(p, "<li class=\"note\">", text, "</li>\n");
}

/* The program as a word of a command, or what stands for it. */
static const char *
program_of(struct prose *p)
{
	enum { LONGEST = 40 };
	const char *image = p->report->origin->image;

	if (!image || !shell_takes(image) || strlen(image) > LONGEST)
		return "PROGRAM";
	/* A name without a folder would be looked for in others. */
	return strchr(image, '/') ? image : formatted(p->gx, "./%s", image);
}

/*
 * Time that no sample covers: not less to see than what was sampled, with what to do about it, and
 * a part of the bar if it is known how much that is.
 */
static void
put_unsampled(struct prose *p)
{
	static const char lead[] = "not sampled";
	const struct gprofx_account *account = p->report->findings->account;
	const char *text = head_unsampled(p->gx, p->report);
	double sampled = account ? account->cpu_time - account->unsampled : 0;

	if (!account || !text)
		return;
	gprofx_puts(p->w, "<li class=\"part note unsampled");
	if (account->cpu_time > 0 && account->unsampled > 0 && sampled > 0) {
		gprofx_puts(p->w, "\" data-share=\"");
		p->w->services->fixed(p->w, 100 * account->unsampled / sampled, 0, 3);
	} else {
		gprofx_puts(p->w, " open");
	}
	gprofx_puts(p->w, "\">");
	if (strncmp(text, lead, sizeof lead - 1) == 0) {
		put_element(p, "<span class=\"amount\">", lead, "</span>");
		text += sizeof lead - 1;
	}
	text_puts_html(p->w, text);
	if (account->is_recordable)
		put_element(p, "; <code>gprofx record ", program_of(p), "</code> samples it, too");
	gprofx_puts(p->w, "</li>\n");
}

void
intro_put_account(struct prose *p)
{
	struct head_part parts[HEAD_MOST_PARTS];
	uint32_t count = head_parts(p->gx, p->report, parts);

	gprofx_putc(p->w, '\n');
	for (uint32_t i = 0; i < count; i++) {
		/* For a script: a point, whatever the locale. */
		gprofx_out(p->w, "<li class=\"part %s\" data-share=\"", parts[i].word);
		p->w->services->fixed(p->w, parts[i].percent, 0, 3);
		put_element(p, "\"><span class=\"amount\">", parts[i].amount, "</span> ");
		gprofx_puts(p->w, "<span class=\"share\">");
		p->w->services->fixed(p->w, parts[i].percent, 0, 1);
		gprofx_puts(p->w, " %</span> ");
		put_element(p, "<span class=\"where\">", parts[i].where, "</span></li>\n");
	}
	put_note(p, head_copied(p->gx, p->report));
	put_unsampled(p);
	put_note(p, head_delayed(p->gx, p->report));
	if (p->has_times && p->nodes->row_count > 0)
		put_note(p, head_few_samples(p->gx, p->report, p->nodes->row[0], p->total));
	if (p->has_total && p->is_estimated)
		gprofx_puts(p->w, "<li class=\"note estimate\"><span class=\"est\">~</span> "
		                  "estimated: the profile does not say how long each call took "
		                  "(<a href=\"#method-total\">why</a>)</li>\n");
}

void
intro_put_findings(struct prose *p)
{
	enum { OPEN = 3 };
	const struct gprofx_report_findings *findings = p->report->findings;

	gprofx_putc(p->w, '\n');
	for (uint32_t i = 0; i < findings->count; i++) {
		const struct gprofx_finding *finding = gprofx_finding_at(p->report, i);

		put_element(p, "<li data-id=\"", finding->id,
		            i < OPEN ? "\"><details open><summary>" : "\"><details><summary>");
		if (finding->file && p->report->files->count > 1)
			put_element(p, "<span class=\"file\">",
			            head_file_name(p->gx, p->report, finding->file), ":</span> ");
		text_puts_html(p->w, finding->summary);
		put_element(p, " <code>", finding->id, "</code></summary>\n");
		put_element(p, "<p class=\"evidence\">", finding->evidence, "</p>\n");
		put_element(p, "<p class=\"advice\">", finding->advice, "</p></details></li>\n");
	}
}
