/* SPDX-License-Identifier: Apache-2.0 */
#include "account.h"

#include <string.h>

/* A line of the account: what of all samples is in one place. */
static void
put_part(const struct gprofx_report *r, struct gprofx_writer *w, const char *where,
         const struct gprofx_account_part *part)
{
	const struct gprofx_account *account = r->findings->account;
	const struct gprofx_writer_services *s = w->services;
	double share = account->ticks > 0 ? 100.0 * part->ticks / account->ticks : 0;
	enum { WHERE = 40, SAMPLES = 11, TIME = 11, SHARE = 7 };

	gprofx_out(w, "  %-*s", WHERE, where);
	s->fixed(w, part->samples, SAMPLES, 2);
	if (strcmp(r->origin->metrics->unit, "samples") != 0) {
		s->fixed(w, part->ticks / r->origin->metrics->ticks_per_unit, TIME, 2);
		gprofx_putc(w, ' ');
		gprofx_put(w, &r->origin->metrics->abbreviation,
		           r->origin->metrics->abbreviation != '\0');
	}
	s->fixed(w, share, SHARE, 2);
	gprofx_puts(w, " %\n");
}

/* Names come from the image, and may have been made to do something to a terminal. */
static void
put_name(struct gprofx_writer *w, const char *name)
{
	enum { MOST = 80 };

	for (size_t i = 0; i < MOST && name[i] != '\0'; i++)
		gprofx_puts(w,
		            name[i] > ' ' && name[i] < 0x7f ? (const char[]){name[i], '\0'} : "?");
	if (strlen(name) > MOST)
		gprofx_puts(w, "...");
}

/* "a, b and 5 more" */
static void
put_libraries(struct gprofx_writer *w, const struct gprofx_account *account)
{
	enum { MOST = 6 };
	uint32_t count = account->library_count, shown = count <= MOST ? count : MOST;

	gprofx_puts(w, count == 1 ? "the shared library " : "the shared libraries ");
	for (uint32_t i = 0; i < shown; i++) {
		if (i > 0)
			gprofx_puts(w, i + 1 == count ? " and " : ", ");
		put_name(w, account->libraries[i]);
	}
	if (count > shown)
		gprofx_out(w, " and %u more", count - shown);
	if (account->loads_libraries)
		gprofx_puts(w, " and libraries loaded at run time");
}

/* What the libraries do only because the program was compiled with -pg. */
static void
put_counting(struct gprofx_writer *w, const struct gprofx_account *account)
{
	enum { WORTH_A_WORD = 1000000 }; /* some hundredths of a second */

	if (account->counted_calls < WORTH_A_WORD)
		return;
	gprofx_puts(w, "Part of it was spent counting ");
	w->services->number(w, account->counted_calls, 0);
	gprofx_puts(w, " calls, which a run without -pg does not do.\n");
}

/* What is in no sample: by how much, if the user stated how long the program ran. */
static void
put_unsampled(struct gprofx_writer *w, const struct gprofx_account *account)
{
	double time = account->unsampled;

	if (time < 0) {
		/* The two clocks differ by some percent; where it is more, a finding says so. */
		gprofx_out(w,
		           "Not sampled: nothing; %.2f s more was sampled than the %.2f s of CPU "
		           "time given.\n",
		           -time, account->cpu_time);
	} else if (account->cpu_time > 0) {
		gprofx_out(w, "Not sampled: %.2f s of %.2f s of CPU time (%.2f %%)", time,
		           account->cpu_time, 100.0 * time / account->cpu_time);
		if (account->library_count > 0) {
			gprofx_puts(w, ", in ");
			put_libraries(w, account);
			gprofx_puts(w, ",\nor where sampling was off");
		} else {
			gprofx_puts(w, ", where sampling was off");
		}
		gprofx_puts(w, ".\n");
		put_counting(w, account);
	} else if (account->library_count > 0) {
		gprofx_puts(w, "Not sampled: time in ");
		put_libraries(w, account);
		gprofx_puts(w, ".\n"
		               "To see how much, add --cpu-time=SECONDS, the sum of user and sys "
		               "of the shell's time.\n");
		put_counting(w, account);
	}
}

/* Files that begin with a copy of another one's counters. */
static void
put_copies(struct gprofx_writer *w, const struct gprofx_account *account)
{
	if (account->copied_files == 0)
		return;
	gprofx_puts(w, "Left out: ");
	w->services->number(w, account->copied_samples, 0);
	gprofx_out(w,
	           account->copied_files == 1
	                   ? " that %u file of a forked child copied from its parent.\n"
	                   : " that %u files of forked children copied from their parents.\n",
	           account->copied_files);
}

void
put_account(const struct gprofx_report *r, struct gprofx_writer *w)
{
	const struct gprofx_account *account = r->findings->account;
	const struct {
		const char *where;
		const struct gprofx_account_part *part;
	} parts[] = {
		{"in profiling code (mcount), not shown", &account->profiling},
		{"in code outside of all functions", &account->outside},
		{"in functions that are not selected", &account->excluded},
		{"outside of the program's code", &account->beyond},
	};

	gprofx_puts(w, "\nWhere the ");
	w->services->number(w, account->samples, 0);
	if (account->is_of_stacks)
		gprofx_puts(w, account->samples == 1 ? " tick of the stacks is"
		                                     : " ticks of the stacks are");
	else
		gprofx_puts(w, account->samples == 1 ? " sample is" : " samples are");
	if (strcmp(r->origin->metrics->unit, "samples") != 0) {
		gprofx_puts(w, " (");
		w->services->fixed(w, account->ticks / r->origin->metrics->ticks_per_unit, 0, 2);
		gprofx_out(w, " %s)", r->origin->metrics->unit);
	}
	gprofx_puts(w, ":\n");
	put_part(r, w, "in the functions of this table", &account->shown);
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		if (parts[i].part->samples > 0)
			put_part(r, w, parts[i].where, parts[i].part);
	put_copies(w, account);
	put_unsampled(w, account);
}
