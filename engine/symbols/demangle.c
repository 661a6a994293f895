/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Demangling by libiberty.  Names come from hostile files: a short one can stand for gigabytes of
 * text through back references, so output and memory have a limit, and what passes it is shown raw.
 * The schemes with a callback interface allocate nothing; the two others call xmalloc(), which is
 * defined here so that it cannot end the process.
 */
#include "symbols/demangle.h"

#include <demangle.h>
#include <libiberty.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum {
	LONGEST_NAME = 1 << 16, /* mangled */
	/* dlang_demangle() recurses without a limit, by some 300 bytes of stack for each letter. */
	LONGEST_D_NAME = 1 << 12,
	LONGEST_TEXT = 1 << 20, /* demangled */
	MOST_MEMORY = 1 << 24,  /* for one name, by xmalloc() */
	FLAGS = DMGL_PARAMS | DMGL_ANSI
};

const char *const engine_demangling_words[] = {
	[ENGINE_DEMANGLE_NONE] = "none",     [ENGINE_DEMANGLE_AUTO] = "auto",
	[ENGINE_DEMANGLE_GNU_V3] = "gnu-v3", [ENGINE_DEMANGLE_JAVA] = "java",
	[ENGINE_DEMANGLE_GNAT] = "gnat",     [ENGINE_DEMANGLE_DLANG] = "dlang",
	[ENGINE_DEMANGLE_RUST] = "rust",     [ENGINE_DEMANGLE_RUST + 1] = NULL,
};

/* State of one call, on the caller's stack. */
struct attempt {
	struct demangle_text *text;
	int flags;     /* of libiberty */
	size_t begin;  /* length of the text before the call */
	size_t memory; /* bytes asked for so far */
	jmp_buf give_up;
};

/*
 * libiberty gives its allocator no argument; this is how the allocator finds the call it works for.
 */
static _Thread_local struct attempt *current;

bool
demangle_reserve(struct demangle_text *text, size_t count)
{
	size_t room = text->room + text->room / 2 + count + 4096;
	char *larger;

	if (text->failed || text->room - text->length >= count)
		return !text->failed;
	larger = realloc(text->bytes, room);
	if (!larger) {
		text->failed = true;
		return false;
	}
	text->bytes = larger;
	text->room = room;
	return true;
}

static void
append(const char *bytes, size_t count, void *opaque)
{
	struct attempt *attempt = opaque;

	if (attempt->text->length - attempt->begin + count > LONGEST_TEXT ||
	    !demangle_add(attempt->text, bytes, count))
		longjmp(attempt->give_up, 1);
}

static void
charge(size_t bytes)
{
	if (!current)
		return;
	current->memory += bytes;
	if (bytes > MOST_MEMORY || current->memory > MOST_MEMORY)
		longjmp(current->give_up, 1);
}

static void *
checked(void *block)
{
	if (block)
		return block;
	if (!current)
		abort(); /* not reached from the engine */
	current->text->failed = true;
	longjmp(current->give_up, 1);
}

/*
 * libiberty's allocator, all of it, so that the linker has no use for the library's own: that one
 * ends the process when memory is short.
 */
void *
xmalloc(size_t bytes)
{
	charge(bytes);
	return checked(malloc(bytes > 0 ? bytes : 1));
}

void *
xrealloc(void *block, size_t bytes)
{
	charge(bytes);
	return checked(realloc(block, bytes > 0 ? bytes : 1));
}

void *
xcalloc(size_t count, size_t bytes)
{
	charge(bytes > 0 && count > SIZE_MAX / bytes ? SIZE_MAX : count * bytes);
	return checked(calloc(count > 0 ? count : 1, bytes > 0 ? bytes : 1));
}

void
xmalloc_failed(size_t bytes)
{
	(void)bytes;
	checked(NULL);
	abort(); /* not reached */
}

void
xmalloc_set_program_name(const char *name)
{
	(void)name;
}

static bool
take(char *demangled, struct attempt *attempt)
{
	if (!demangled)
		return false;
	append(demangled, strlen(demangled), attempt);
	free(demangled);
	return true;
}

static bool
decode(enum engine_demangling style, const char *name, struct attempt *attempt)
{
	switch (style) {
	case ENGINE_DEMANGLE_NONE:
		return false;
	case ENGINE_DEMANGLE_AUTO:
		return rust_demangle_callback(name, attempt->flags, append, attempt) ||
		       cplus_demangle_v3_callback(name, attempt->flags, append, attempt);
	case ENGINE_DEMANGLE_GNU_V3:
		return cplus_demangle_v3_callback(name, attempt->flags, append, attempt);
	case ENGINE_DEMANGLE_JAVA:
		return java_demangle_v3_callback(name, append, attempt);
	case ENGINE_DEMANGLE_GNAT:
		return take(ada_demangle(name, attempt->flags), attempt);
	case ENGINE_DEMANGLE_DLANG:
		return take(dlang_demangle(name, attempt->flags), attempt);
	case ENGINE_DEMANGLE_RUST:
		return rust_demangle_callback(name, attempt->flags, append, attempt);
	}
	return false;
}

/* Decodes and cleans up after failure; bytes of a failed attempt are taken back. */
static bool
attempt_name(enum engine_demangling style, int flags, const char *name, struct demangle_text *text)
{
	struct attempt attempt = {.text = text, .flags = flags, .begin = text->length};
	volatile bool ok = false;

	current = &attempt;
	if (setjmp(attempt.give_up) == 0)
		ok = decode(style, name, &attempt);
	current = NULL;
	if (!ok) {
		text->wasted += text->length - attempt.begin;
		text->length = attempt.begin;
	}
	text->wasted += attempt.memory;
	return ok;
}

/* As demangle(), by flags of libiberty. */
static bool
demangle_by(enum engine_demangling style, int flags, const char *name, struct demangle_text *text)
{
	size_t begin = text->length, length, lead = strspn(name, ".$");
	const char *core = name + lead, *version = strchr(core, '@');
	char small[256], *copy = NULL;
	bool ok = false;

	/* Almost all names that are not mangled end here. */
	if (style == ENGINE_DEMANGLE_NONE ||
	    (style == ENGINE_DEMANGLE_AUTO && core[0] != '_' && core[0] != 'R'))
		return false;
	length = version ? (size_t)(version - core) : strlen(core);
	if (length > (style == ENGINE_DEMANGLE_DLANG ? LONGEST_D_NAME : LONGEST_NAME))
		return false;
	/* Dots and dollars in front and a version behind are no part of the scheme. */
	if (version) {
		copy = length < sizeof small ? small : malloc(length + 1);
		if (!copy) {
			text->failed = true;
			return false;
		}
		memcpy(copy, core, length);
		copy[length] = '\0';
	}
	ok = demangle_add(text, name, lead) &&
	     attempt_name(style, flags, copy ? copy : core, text) &&
	     (!version || demangle_add(text, version, strlen(version)));
	if (copy && copy != small)
		free(copy);
	if (!ok)
		text->length = begin;
	return ok;
}

bool
demangle(enum engine_demangling style, const char *name, struct demangle_text *text)
{
	return demangle_by(style, FLAGS, name, text);
}

/* Whether the format of the table put an underscore in front of a name. */
static bool
is_longer(const struct engine_settings *settings, const struct gprofx_symtab *table,
          const char *name)
{
	return table->leading_underscore && name[0] == '_' && !settings->raw_names;
}

bool
demangle_symbol(const struct engine_settings *settings, const struct gprofx_symtab *table,
                const char *name, struct demangle_text *text)
{
	bool longer = is_longer(settings, table, name);

	return demangle(settings->demangling, name + longer, text) ||
	       (longer && demangle_add(text, name + 1, strlen(name + 1)));
}

bool
demangle_short(const struct engine_settings *settings, const struct gprofx_symtab *table,
               const char *name, struct demangle_text *text)
{
	return demangle_by(settings->demangling, FLAGS & ~DMGL_PARAMS,
	                   name + is_longer(settings, table, name), text);
}
