/* SPDX-License-Identifier: Apache-2.0 */
/* Takes what readers pass, and ends the run where that cannot be. */
#include <stdio.h>

#include "base/run.h"
#include "base/sized.h"
#include "profile/maps.h"
#include "profile/parts.h"
#include "profile/profile.h"

static const char bad_record[] = "reader.bad-record";
static const char reader_defect[] =
	"this is a bug in the reader: report it to its author, or choose another with -O";

void
profile_take(struct run *run, const char *what, void *to, size_t to_bytes, const void *from)
{
	const struct sized_source source = {.what = what,
	                                    .id = bad_record,
	                                    .hint = reader_defect,
	                                    .ends_run = true};

	sized_copy(run, &source, to, to_bytes, from);
}

void
profile_give_up(struct run *run, const char *format, ...)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = bad_record,
		.hint = reader_defect,
	};
	char text[160];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	run_give_up(run, &diagnostic, "%s", text);
}

struct gprofx_from
profile_take_from(struct run *run, const struct profile *profile, const struct gprofx_from *given,
                  bool has_metric)
{
	struct gprofx_from from = {.size = sizeof from};

	from.slice = slices_resolve(run, profile, 0);
	if (!given)
		return from;
	profile_take(run, "what the rows have in common", &from, sizeof from, given);
	if (!has_metric && from.metric != 0)
		profile_give_up(run, "expected rows of no metric, found metric %u", from.metric);
	if (from.metric > profile->declared_count)
		profile_give_up(run,
		                "expected rows in one of the %u metrics of the file, found metric "
		                "%u",
		                profile->declared_count, from.metric);
	if (from.process != 0)
		maps_expect_process(run, profile, from.process);
	from.slice = slices_resolve(run, profile, from.slice);
	return from;
}

void
profile_spend(struct run *run, struct profile *profile, uint32_t count, uint64_t bytes,
              const char *what)
{
	if (count > profile->bytes_left / bytes)
		profile_give_up(run, "expected no more %s than the file has bytes for", what);
	profile->bytes_left -= count * bytes;
}

void
profile_expect_rows(struct run *run, const void *rows, uint32_t count, const char *what)
{
	if (count > 0 && !rows)
		profile_give_up(run, "expected %u %s, found none", count, what);
}
