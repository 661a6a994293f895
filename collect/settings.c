/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads the environment: GPROFX_COLLECT="key=value,...". */
#include "collect.h"

#include <stdlib.h>
#include <string.h>

#include "values.h"

/* One "key=value"; what is wrong with it is said, and it is left out. */
static void
read_one(struct settings *settings, const char *text, size_t length)
{
	const char *equals = memchr(text, '=', length), *values;
	size_t key = equals ? (size_t)(equals - text) : length;
	char shown[128], name[16] = "";
	size_t kept = length < sizeof shown ? length : sizeof shown - 1;

	if (equals && values_set(settings, text, key, equals + 1, length - key - 1))
		return;
	memcpy(shown, text, kept);
	shown[kept] = '\0';
	values = values_of(text, key);
	if (!values) {
		SAY("GPROFX_COLLECT: ", shown, " is unknown and ignored");
		return;
	}
	memcpy(name, text, key < sizeof name ? key : sizeof name - 1);
	SAY("GPROFX_COLLECT: ", shown, ": expected ", name, "= with ", values, "; it is ignored");
}

/* Where there is room for both. */
static void
join(char *to, const char *first, const char *second)
{
	(void)stpcpy(stpcpy(to, first), second);
}

void
settings_read(struct settings *settings)
{
	static const char *const ranks[] = {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID",
	                                    NULL};
	const char *text = getenv("GPROFX_COLLECT"), *prefix = getenv("GMON_OUT_PREFIX");
	bool has_out = false;

	values_set_defaults(settings);
	for (int i = 0; ranks[i]; i++)
		if (getenv(ranks[i])) {
			names_set_rank(getenv(ranks[i]));
			break;
		}
	while (text && *text) {
		size_t length = strcspn(text, ",");

		has_out = has_out || strncmp(text, "out=", 4) == 0;
		if (length > 0)
			read_one(settings, text, length);
		text += length + (text[length] == ',');
	}
	if (values_share_signal(settings)) {
		settings->control = 0;
		SAY("GPROFX_COLLECT: signal= and control= are the same signal; control= is ignored");
	}
	/* The C library's variable; it appends the number of the process. */
	if (!has_out && prefix && *prefix && strlen(prefix) < COLLECT_PATH - 4)
		join(settings->out, prefix, ".%p");
	if (settings->live[0] == '\0' && strlen(settings->out) < COLLECT_PATH - 16)
		join(settings->live, settings->out, ".%e.%p.%n.gxc");
}
