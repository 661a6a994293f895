/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For plugins that ask libbfd about a file in memory: which symbols are functions, and handlers.
 * What libbfd has to say besides is about details that do not matter here.
 */
#ifndef PLUGINS_SHARED_FROM_BFD_H
#define PLUGINS_SHARED_FROM_BFD_H

#include <string.h>
#include <sys/stat.h>

#include <gprofx/symbols.h>

/*
 * Which flags (enum gprofx_symbol_flag) a symbol of a class of bfd_decode_symclass() has; is_typed:
 * as a function.  False: as for GNU gprof, it is no function.
 */
static inline bool
bfd_symbol_flags(int class, bool is_typed, uint8_t *flags)
{
	*flags = is_typed ? GPROFX_SYMBOL_FUNCTION : 0;
	*flags |= class == 't' ? GPROFX_SYMBOL_LOCAL : 0;
	return class == 't' || class == 'T' || class == 'W';
}

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
