/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compilers take parts of a function out, for OpenMP and as the body of a coroutine, and make
 * versions of it for several processors.  They say so behind a dot of the name, each in its own
 * way.
 */
#include "symbols/readable.h"

#include <stdlib.h>
#include <string.h>

#include "shared/fortran.h"

enum {
	SHORT_NAME = 256,
	/*
	 * Bytes of all names that are made, with those of attempts that failed: so many in any run,
	 * and for each byte of its files.  A few bytes of a file can stand for 1 MB of name, and a
	 * long name can be that of many lines.  All 150,120 functions of LLVM take 0.18 for each
	 * byte, those of ceph-osd 0.05.
	 */
	TEXT_BYTES_FREE = 1 << 25,
	TEXT_BYTES_PER_BYTE = 32
};

/* What a group of a suffix is, from a dot to below the next one that begins no number. */
enum group {
	GROUP_OTHER, /* a clone, or nothing that is known */
	GROUP_OMP,
	GROUP_COROUTINE,
	GROUP_VERSION
};

static bool
begins_with(const char *text, size_t length, const char *start)
{
	size_t start_length = strlen(start);

	return length >= start_length && memcmp(text, start, start_length) == 0;
}

static bool
is_word(const char *text, size_t length, const char *word)
{
	return length == strlen(word) && memcmp(text, word, length) == 0;
}

/* How long the word behind a dot is, with no number. */
static size_t
word_length(const char *dot)
{
	return strcspn(dot + 1, ".");
}

/* Where a group ends: behind the numbers that follow its word. */
static const char *
group_end(const char *dot)
{
	const char *end = dot + 1 + word_length(dot);

	while (*end == '.' && end[1] >= '0' && end[1] <= '9') {
		size_t digits = strspn(end + 1, "0123456789");

		if (end[1 + digits] != '.' && end[1 + digits] != '\0')
			break;
		end += 1 + digits;
	}
	return end;
}

/* The words of attributes that make versions: names of processors and of what they can do. */
static bool
is_version(const char *word, size_t length)
{
	static const char *const words[] = {"default", "resolver", "ifunc", "popcnt", "lzcnt",
	                                    "fma",     "fma4",     "bmi",   "bmi2",   "mmx",
	                                    "aes",     "gfni",     "adx"};
	static const char *const starts[] = {"arch_", "arch=",  "cpu_",    "cpu=", "sse", "ssse",
	                                     "avx",   "pclmul", "vpclmul", "vaes", "_M"};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (is_word(word, length, words[i]))
			return true;
	for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
		if (begins_with(word, length, starts[i]))
			return true;
	return false;
}

/* What names of the GNU C library say of processors. */
static bool
is_processor_word(const char *word, size_t length)
{
	static const char *const words[] = {
		"sse2",  "sse3",   "ssse3",    "sse4",      "sse41",   "sse42", "avx",
		"avx2",  "avx512", "avx512vl", "evex",      "evex512", "fma",   "fma4",
		"movbe", "rtm",    "erms",     "unaligned", "aligned", "no",    "vzeroupper"};

	/* Nearly all words are others. */
	if (length < 2 || !strchr("sfaemrunv", word[0]))
		return false;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (word[0] == words[i][0] && is_word(word, length, words[i]))
			return true;
	return false;
}

/* Whether a word is the end of sse4_1 or sse4_2. */
static bool
is_end_of_sse4(const char *name, const char *word, size_t length)
{
	static const char before[] = "_sse4_";
	size_t bytes = sizeof before - 1;

	return length == 1 && (word[0] == '1' || word[0] == '2') && (size_t)(word - name) > bytes &&
	       memcmp(word - bytes, before, bytes) == 0;
}

struct processor_name
processor_name(const char *name)
{
	struct processor_name parts = {.base = name};
	const char *end, *at;

	if (name[0] != '_' || name[1] != '_' || name[2] == '_')
		return parts;
	parts.base += 2;
	end = name + strlen(name);
	/* From the last word on, as long as they are of processors. */
	while ((at = memrchr(parts.base, '_', (size_t)(end - parts.base))) != NULL) {
		const char *word = at + 1;
		size_t length = (size_t)(end - word);

		if (!is_processor_word(word, length) && !is_end_of_sse4(name, word, length))
			break;
		end = at;
		parts.words = word;
		parts.base_length = (size_t)(end - parts.base);
	}
	if (parts.base_length == 0)
		parts.words = NULL;
	return parts;
}

static bool
is_coroutine(const char *word, size_t length)
{
	return is_word(word, length, "actor") || is_word(word, length, "resume") ||
	       is_word(word, length, "destroy") || is_word(word, length, "cleanup");
}

/* is_mangled: the name is of C++, where all coroutines are. */
static enum group
group_of(const char *dot, bool is_mangled)
{
	const char *word = dot + 1;
	size_t length = word_length(dot);

	if (is_word(word, length, "_omp_fn") || is_word(word, length, "_omp_cpyfn") ||
	    begins_with(word, length, "omp_outlined"))
		return GROUP_OMP;
	if (is_mangled && is_coroutine(word, length))
		return GROUP_COROUTINE;
	return is_version(word, length) ? GROUP_VERSION : GROUP_OTHER;
}

/*
 * gcc calls the body of the coroutine _Z1fi "_Z1fPZ1fiE10_Z1fi.Frame.actor": the name of the
 * function itself stands behind its length, in that of a type.
 */
static void
find_coroutine(struct derived_name *derived)
{
	static const char frame[] = ".Frame";
	const char *name = derived->base, *end = name + derived->base_length;

	if (derived->base_length < sizeof frame || !begins_with(end - 6, 6, frame))
		return;
	for (const char *at = name + 1; at + 1 < end; at++) {
		const char *digits = at;
		size_t stated = 0, unit = 1;

		if (at[0] != '_' || at[1] != 'Z')
			continue;
		for (; digits > name && digits[-1] >= '0' && digits[-1] <= '9' && unit < 1000000;
		     unit *= 10)
			stated += unit * (size_t)(*--digits - '0');
		if (stated != (size_t)(end - at))
			continue;
		derived->base = at;
		derived->base_length = (size_t)(end - at) - (sizeof frame - 1);
		return;
	}
}

struct derived_name
derived_name(const char *name)
{
	struct derived_name derived = {.base = name};
	bool is_mangled = strncmp(name, "_Z", 2) == 0;
	const char *dot;

	if (name[0] == '\0')
		return derived;
	for (dot = strchr(name + 1, '.'); dot; dot = strchr(dot + 1, '.')) {
		enum group group = group_of(dot, is_mangled);

		if (group == GROUP_OTHER)
			continue;
		derived.suffix = dot;
		derived.base_length = (size_t)(dot - name);
		derived.is_part = group != GROUP_VERSION;
		if (group == GROUP_COROUTINE)
			find_coroutine(&derived);
		break;
	}
	return derived;
}

static void
add_text(struct demangle_text *text, const char *words)
{
	demangle_add(text, words, strlen(words));
}

/* The number that a group ends with, behind a blank. */
static void
add_number(struct demangle_text *text, const char *dot, const char *end)
{
	const char *at = end;

	while (at > dot && at[-1] >= '0' && at[-1] <= '9')
		at--;
	if (at == end || at[-1] != '.')
		return;
	add_text(text, " ");
	demangle_add(text, at, (size_t)(end - at));
}

/* Appends what the groups of a suffix say. */
static void
add_groups(struct demangle_text *text, const char *suffix, bool is_mangled)
{
	const char *end;

	for (const char *dot = suffix; *dot != '\0'; dot = end) {
		enum group group = group_of(dot, is_mangled);

		end = group_end(dot);
		switch (group) {
		case GROUP_OMP:
			add_text(text, begins_with(dot, (size_t)(end - dot), "._omp_cpyfn")
			                       ? " [omp copy"
			                       : " [omp");
			add_number(text, dot, end);
			break;
		case GROUP_COROUTINE:
			add_text(text, " [coroutine ");
			demangle_add(text, dot + 1, (size_t)(end - dot - 1));
			break;
		case GROUP_VERSION:
			add_text(text, " [");
			demangle_add(text, dot + 1, (size_t)(end - dot - 1));
			break;
		case GROUP_OTHER:
			add_text(text, " [clone ");
			demangle_add(text, dot, (size_t)(end - dot));
			break;
		}
		add_text(text, "]");
	}
}

/*
 * clang gives OpenMP regions names without that of their function: ".omp_outlined..3" and
 * ".omp_task_entry.", or ".omp.reduction.reduction_func.1".
 */
static void
add_omp(struct demangle_text *text, const char *name)
{
	const char *word = name + strlen(".omp_"), *end = name + strlen(name);
	size_t length = strcspn(word, ".");

	add_text(text, "[omp");
	if (begins_with(word, length, "task_entry"))
		add_text(text, " task");
	else if (strstr(word, "_debug__"))
		add_text(text, " debug");
	else if (!is_word(word, length, "outlined"))
		for (size_t i = 0; i < length; i++) {
			if (i == 0)
				add_text(text, " ");
			demangle_add(text, word[i] == '_' ? " " : &word[i], 1);
		}
	add_number(text, name, end);
	add_text(text, "]");
}

bool
readable_fortran(const struct run *run)
{
	return run->settings->demangling == ENGINE_DEMANGLE_AUTO &&
	       run_corrects(run, GPROFX_CORRECT_FORTRAN_NAMES);
}

bool
readable_add_fortran(struct demangle_text *text, const char *raw, size_t length)
{
	struct fortran_name name = fortran_name(raw, length);
	size_t clone = 0;

	if (!name.module)
		return false;
	while (clone < name.procedure_length && name.procedure[clone] != '.')
		clone++;
	demangle_add(text, name.module, name.module_length);
	add_text(text, "::");
	demangle_add(text, name.procedure, clone);
	if (clone < name.procedure_length) {
		add_text(text, " [clone ");
		demangle_add(text, name.procedure + clone, name.procedure_length - clone);
		add_text(text, "]");
	}
	return true;
}

/* Appends a name of a given length, demangled if it is mangled. */
static void
add_base(struct demangle_text *text, const struct run *run, const char *name, size_t length)
{
	char small[SHORT_NAME], *copy;

	if (readable_fortran(run) && readable_add_fortran(text, name, length))
		return;
	copy = length < sizeof small ? small : malloc(length + 1);
	if (!copy) {
		text->failed = true;
		return;
	}
	memcpy(copy, name, length);
	copy[length] = '\0';
	if (!demangle(run->settings->demangling, copy, text))
		demangle_add(text, copy, length);
	if (copy != small)
		free(copy);
}

/* As readable_symbol(), for a part or version of a function.  False: the name is none. */
static bool
add_derived(struct demangle_text *text, const struct run *run, const char *name, const char *own)
{
	struct derived_name derived;

	if (!run_corrects(run, GPROFX_CORRECT_LOCAL_NAMES))
		return false;
	if (strncmp(name, ".omp", 4) == 0 && (name[4] == '_' || name[4] == '.') &&
	    name[5] != '\0') {
		add_omp(text, name);
		return true;
	}
	derived = derived_name(own);
	if (!derived.suffix)
		return false;
	add_base(text, run, derived.base, derived.base_length);
	add_groups(text, derived.suffix, derived.base[0] == '_' && derived.base[1] == 'Z');
	return true;
}

/* "strcmp [evex]" for __strcmp_evex. */
static bool
add_variant(struct demangle_text *text, const struct symbols *symbols, const char *name)
{
	struct processor_name parts = {0};

	if (symbols_is_variant(symbols, name))
		parts = processor_name(name);
	if (!parts.words)
		return false;
	demangle_add(text, parts.base, parts.base_length);
	add_text(text, " [");
	add_text(text, parts.words);
	add_text(text, "]");
	return true;
}

bool
readable_symbol(const struct run *run, const struct symbols *symbols, const char *name,
                struct demangle_text *text)
{
	const struct engine_settings *settings = run->settings;
	const struct gprofx_symtab *table = &symbols->table;
	const char *own = name;

	if (table->leading_underscore && name[0] == '_' && !settings->raw_names)
		own++;
	return (settings->demangling != ENGINE_DEMANGLE_NONE &&
	        (add_variant(text, symbols, name) || add_derived(text, run, name, own))) ||
	       (readable_fortran(run) && readable_add_fortran(text, own, strlen(own))) ||
	       demangle_symbol(settings, table, name, text);
}

uint64_t
readable_most_text(const struct symbols *symbols)
{
	uint64_t bytes = symbols_file_bytes(symbols);

	return bytes < UINT64_MAX / TEXT_BYTES_PER_BYTE - TEXT_BYTES_FREE
	               ? TEXT_BYTES_FREE + TEXT_BYTES_PER_BYTE * bytes
	               : UINT64_MAX;
}
