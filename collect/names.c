/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names of files from patterns. */
#include "collect.h"

#include <sys/utsname.h>

#include "sys.h"

static char rank[32]; /* of an MPI program; "": none */

struct name {
	char *to;
	size_t room, length;
};

static void
add(struct name *name, const char *text)
{
	for (; *text && name->length < name->room; text++)
		name->to[name->length++] = *text;
}

static void
add_number(struct name *name, uint64_t number)
{
	char digits[24];

	add(name, say_number(digits, number));
}

/* The last part of a path; what could be taken for folders is not there. */
static const char *
last_part(const char *path)
{
	const char *last = path;

	for (; *path; path++)
		if (*path == '/')
			last = path + 1;
	return last;
}

static void
add_host(struct name *name)
{
	struct utsname system;

	if (SYS1(uname, &system) == 0)
		add(name, system.nodename);
}

void
names_set_rank(const char *text)
{
	size_t i = 0;

	for (; text[i] >= '0' && text[i] <= '9' && i + 1 < sizeof rank; i++)
		rank[i] = text[i];
	rank[i] = '\0';
}

bool
names_fill(char *to, size_t room, const char *pattern, uint32_t sequence)
{
	struct name name = {to, room - 1, 0};

	if (pattern[0] != '/') {
		add(&name, collect.folder);
		add(&name, "/");
	}
	for (; *pattern; pattern++) {
		if (*pattern != '%' || pattern[1] == '\0') {
			add(&name, (const char[]){*pattern, '\0'});
			continue;
		}
		switch (*++pattern) {
		case 'p':
			add_number(&name, collect.pid);
			break;
		case 'h':
			add_host(&name);
			break;
		case 'e':
			add(&name, last_part(collect.program));
			break;
		case 'r':
			add(&name, rank);
			break;
		case 'n':
			add_number(&name, sequence);
			break;
		default: /* "%%", and what is no pattern */
			if (*pattern != '%')
				add(&name, "%");
			add(&name, (const char[]){*pattern, '\0'});
		}
	}
	to[name.length] = '\0';
	return name.length < name.room;
}
