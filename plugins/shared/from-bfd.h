/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handlers for libbfd, and facts about a file in memory.  What libbfd has to say besides is about
 * details that do not matter here.
 */
#ifndef PLUGINS_SHARED_BFD_QUIET_H
#define PLUGINS_SHARED_BFD_QUIET_H

#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

static inline void
bfd_no_message(const char *format, va_list values)
{
	(void)format;
	(void)values;
}

static inline void
bfd_no_assertion(const char *format, const char *version, const char *file, int line)
{
	(void)format;
	(void)version;
	(void)file;
	(void)line;
}

/* A regular file of a length; returns 0, as stat() does. */
static inline int
bfd_file_facts(uint64_t length, struct stat *facts)
{
	memset(facts, 0, sizeof *facts);
	facts->st_mode = S_IFREG;
	facts->st_size = (off_t)length;
	return 0;
}

#endif
