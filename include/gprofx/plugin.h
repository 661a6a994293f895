/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plugin contract: what a gprofx module exports and what the host offers it.
 *
 * A module exports one constant struct gprofx_plugin under the name gprofx_plugin_1 (the digit is
 * the major number of this interface).  The struct names the module and points to one or more
 * typed interfaces: a reader (reader.h), a symbol provider (symbols.h), a call scanner
 * (findcall.h), an emitter (emitter.h), a document parser (document.h), a maker of labels
 * (labels.h).  A module resolves no symbol in the host; everything it needs arrives through struct
 * gprofx.
 *
 * Growth.  Every struct that crosses the interface starts with its size and only grows at the end,
 * except rows of bulk arrays and values inside other structs: these never change, and
 * gprofx-plugin(3) lists them.  Each side reads no more than the size the other side stated and
 * takes the rest as zero.  Anything in a plugin's struct beyond the size that the host knows has to
 * be zero: the host refuses a plugin that asks for what the host does not have.  A plugin states
 * the minor number it needs; a host that is older refuses it and names both.
 *
 * Lifetimes.  "static": as long as the process; modules are never unloaded.  "run": until the run
 * ends; memory from gprofx_alloc() is of this kind and is never freed by the plugin.  "call":
 * borrowed until the callback returns.
 *
 * Threads.  A plugin keeps no writable globals.  The host may run one callback on several inputs
 * at once, each with a struct gprofx of its own; options are read-only.
 *
 * Headers.  Each header exports the headers of gprofx that it includes, and this one the four C
 * headers below.
 *
 * State.  This is interface 1.0.  It is provisional: it may still change in any way until the
 * release 1.0.0 of gprofx, and from then on only grows as described above.
 */
#ifndef GPROFX_PLUGIN_H
#define GPROFX_PLUGIN_H

/* IWYU pragma: begin_exports */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
/* IWYU pragma: end_exports */

#ifdef __cplusplus
extern "C" {
#endif

/* The interface described by this header.  Major: incompatible; minor: additions. */
#define GPROFX_ABI_MAJOR 1
#define GPROFX_ABI_MINOR 0

#if defined(__GNUC__)
#define GPROFX_PRINTF(format_at, first_at) __attribute__((format(printf, format_at, first_at)))
#else
#define GPROFX_PRINTF(format_at, first_at)
#endif

/* The result of a callback. */
enum gprofx_result {
	GPROFX_OK = 0,       /* done */
	GPROFX_DECLINED = 1, /* not mine: the host may ask another plugin; nothing was reported */
	GPROFX_FAILED = -1   /* failed; the cause went through gprofx_fail() */
};

/* What a diagnostic points to. */
enum gprofx_place {
	GPROFX_NOWHERE = 0, /* no file, or the file as a whole */
	GPROFX_AT_OFFSET,   /* offset: bytes from the start of a binary file */
	GPROFX_AT_LINE      /* line and column, both counted from 1; column 0: the whole line */
};

/*
 * A message for the user.  Strings are borrowed for the call.  Unset members are zero.
 */
struct gprofx_diagnostic {
	uint32_t size;    /* 0: that of interface 1.0 */
	const char *id;   /* permanent, "area.word-word"; listed in the manual */
	const char *file; /* name as the user gave it, or NULL */
	enum gprofx_place place;
	uint64_t offset;       /* with GPROFX_AT_OFFSET */
	uint32_t line, column; /* with GPROFX_AT_LINE */
	int system_error;      /* an errno value, or 0 */
	const char *hint;      /* what to do about it; a sentence without a full stop */
	uint64_t number[3];    /* numbers of the message, for programs; meaning depends on the id */
	const char *text[2];   /* words of the message, for programs; the same */
};

/*
 * Points a diagnostic to a line of a text, or to all of it: line 0.  A text without a name, file
 * NULL, is no place.
 */
static inline void
gprofx_set_place(struct gprofx_diagnostic *diagnostic, const char *file, uint32_t line,
                 uint32_t column)
{
	diagnostic->file = file;
	diagnostic->place = file && line > 0 ? GPROFX_AT_LINE : GPROFX_NOWHERE;
	diagnostic->line = line;
	diagnostic->column = column;
}

struct gprofx_host;

/*
 * The handle given to every callback: made for one run, one plugin and one thread.  Valid for the
 * call.  Members after the first belong to the host.
 */
struct gprofx {
	const struct gprofx_host *host; /* never NULL */
	uint32_t trace_topics;          /* bits of enum gprofx_trace that are traced */
};

/* Topics of the trace that -d switches on; the numbers are those of the command line. */
enum gprofx_trace {
	GPROFX_TRACE_DEPTH_FIRST = 2,    /* numbering of the call graph */
	GPROFX_TRACE_CYCLES = 4,         /* cycles found */
	GPROFX_TRACE_ARCS = 16,          /* arcs as they are added */
	GPROFX_TRACE_ARC_ORDER = 32,     /* order of the rows of an entry */
	GPROFX_TRACE_SAMPLES = 64,       /* records read, samples assigned to symbols */
	GPROFX_TRACE_SYMBOLS = 128,      /* symbol table, source positions */
	GPROFX_TRACE_STATIC_CALLS = 256, /* calls found in code */
	GPROFX_TRACE_LOOKUPS = 512,      /* addresses looked up */
	GPROFX_TRACE_PROPAGATION = 1024, /* times propagated to callers */
	GPROFX_TRACE_BLOCKS = 2048,      /* basic-block counts */
	GPROFX_TRACE_SYMSPECS = 4096,    /* symbol specifications and what they matched */
	GPROFX_TRACE_SOURCE_FILES = 8192 /* search for source files */
};

/* Services of the host. */
struct gprofx_host {
	uint32_t size;
	uint16_t abi_major, abi_minor; /* of the host */

	/*
	 * Memory with "run" lifetime, zeroed, aligned for any type.  Never returns NULL: when
	 * memory is exhausted the run ends with a message and the call does not return.
	 */
	void *(*alloc)(struct gprofx *gx, size_t bytes);
	/*
	 * Enlarges a block from alloc, or NULL, and returns its new address.  Old bytes are kept,
	 * new bytes are zero.  Never returns NULL.
	 */
	void *(*grow)(struct gprofx *gx, void *block, size_t old_bytes, size_t new_bytes);
	/* Frees a block from alloc or grow early.  NULL is allowed. */
	void (*release)(struct gprofx *gx, void *block);

	/*
	 * Reports an error: the format says what was expected and what was found, in words, without
	 * a final newline or full stop.  Returns GPROFX_FAILED, so that a callback can end in
	 * "return gx->host->fail(…)".
	 */
	enum gprofx_result (*fail)(struct gprofx *gx, const struct gprofx_diagnostic *diagnostic,
	                           const char *format, ...) GPROFX_PRINTF(3, 4);
	/* Reports a warning; work continues. */
	void (*warn)(struct gprofx *gx, const struct gprofx_diagnostic *diagnostic,
	             const char *format, ...) GPROFX_PRINTF(3, 4);
	/*
	 * Prints one line of trace; call it only if gx->trace_topics has one of the topic's bits.
	 */
	void (*trace)(struct gprofx *gx, const char *format, ...) GPROFX_PRINTF(2, 3);
	/*
	 * Registers a file that the plugin itself opened for reading: no output will replace it.
	 */
	void (*note_input)(struct gprofx *gx, int descriptor);
	/*
	 * Opens a regular file and registers it in the same way.  Returns its bytes, which are
	 * private to the process and may be written, and sets *length; NULL, and nothing is
	 * reported: it is empty, cannot be read, or consists almost entirely of holes.  Run
	 * lifetime, unless it is given back.  Only symbol providers can call this.
	 */
	uint8_t *(*map_file)(struct gprofx *gx, const char *path, uint64_t *length);
	/* Gives a file from map_file back early. */
	void (*unmap_file)(struct gprofx *gx, uint8_t *bytes);
};

/* Short forms of the services used most. */
#define gprofx_alloc(gx, bytes) ((gx)->host->alloc((gx), (bytes)))
#define gprofx_fail(gx, ...) ((gx)->host->fail((gx), __VA_ARGS__))
#define gprofx_warn(gx, ...) ((gx)->host->warn((gx), __VA_ARGS__))
#define gprofx_note_input(gx, descriptor) ((gx)->host->note_input((gx), (descriptor)))
#define gprofx_tracing(gx, topic) (((gx)->trace_topics & (uint32_t)(topic)) != 0)

/* Type of an option, and of the member of the options struct that holds it. */
enum gprofx_option_type {
	GPROFX_BOOL = 1,   /* bool; "true" or "false" */
	GPROFX_INT = 2,    /* int64_t, between minimum and maximum */
	GPROFX_STRING = 3, /* const char *, run lifetime */
	GPROFX_CHOICE = 4, /* uint32_t, index into choices */
	GPROFX_REAL = 5,   /* double, between minimum and maximum; text: "12" or "0.25" */
	GPROFX_CHOICES = 6 /* struct gprofx_choices; text: words with commas between them */
};

/* The value of an option of type GPROFX_CHOICES. */
struct gprofx_choices {
	uint32_t count;
	const uint32_t
		*items; /* indexes into choices, in the order given, none twice; run lifetime */
};

/*
 * One option of a plugin.  The host fills the plugin's options struct from this table: initial
 * values first, then what the user set.  All pointers are static.
 */
struct gprofx_option {
	const char *key; /* lower-case words joined by '-'; unique in the table */
	enum gprofx_option_type type;
	uint32_t offset;            /* of the member in the options struct, in bytes */
	const char *initial;        /* value as text; never NULL */
	int64_t minimum, maximum;   /* GPROFX_INT and GPROFX_REAL only, both inclusive */
	const char *const *choices; /* GPROFX_CHOICE and GPROFX_CHOICES only; ends with NULL */
	const char *help;           /* what it does, in one sentence */
};

/* What a tick of a metric is. */
enum gprofx_metric_kind {
	GPROFX_SAMPLED = 1, /* a sample: it differs from run to run */
	GPROFX_COUNTED = 2, /* an event that was counted */
	GPROFX_CLOCKED = 3  /* time by a clock that was read when it began and when it ended */
};

/* What an image of code is. */
enum gprofx_image_kind {
	GPROFX_IMAGE_PROGRAM = 1, /* the file that the process was started with */
	GPROFX_IMAGE_LIBRARY = 2, /* another mapped file */
	GPROFX_IMAGE_VDSO = 3, /* code that the kernel maps, without a file, like all that follow */
	GPROFX_IMAGE_KERNEL = 4,    /* the kernel, or a module of it; can be in a file */
	GPROFX_IMAGE_GENERATED = 5, /* generated while the process ran */
	GPROFX_IMAGE_NAMES = 6      /* anything that the profile has names for */
};

struct gprofx_reader;
struct gprofx_symbols;
struct gprofx_findcall;
struct gprofx_emitter;
struct gprofx_document_parser;
struct gprofx_labels;

/* What a module exports.  All pointers are static. */
struct gprofx_plugin {
	uint32_t size;                 /* sizeof (struct gprofx_plugin) as the plugin knows it */
	uint16_t abi_major, abi_minor; /* the interface the plugin needs */
	const char *name;              /* KIND-WORD, for example "input-gmon-magic" */
	const char *version;           /* of the plugin, any form */
	const char *summary;           /* one line */
	const struct gprofx_option *options; /* option_count rows, or NULL */
	uint32_t option_count;
	uint32_t option_size;  /* sizeof (struct gprofx_option) as the plugin knows it */
	uint32_t options_size; /* sizeof the plugin's options struct */
	/* The interfaces; at least one is set. */
	const struct gprofx_reader *reader;
	const struct gprofx_symbols *symbols;
	const struct gprofx_findcall *findcall;
	const struct gprofx_emitter *emitter;
	const struct gprofx_document_parser *document;
	const struct gprofx_labels *labels;
};

/* The name under which the descriptor is exported.  Static builds give each plugin its own. */
#ifndef GPROFX_PLUGIN_SYMBOL
#define GPROFX_PLUGIN_SYMBOL gprofx_plugin_1
#endif

#if defined(__GNUC__)
#define GPROFX_EXPORT __attribute__((visibility("default")))
#else
#define GPROFX_EXPORT
#endif

/* GPROFX_PLUGIN = { GPROFX_ABI, .name = "…", … }; */
#define GPROFX_PLUGIN                                                         \
	extern GPROFX_EXPORT const struct gprofx_plugin GPROFX_PLUGIN_SYMBOL; \
	const struct gprofx_plugin GPROFX_PLUGIN_SYMBOL
#define GPROFX_ABI                                                           \
	.size = sizeof(struct gprofx_plugin), .abi_major = GPROFX_ABI_MAJOR, \
	.abi_minor = GPROFX_ABI_MINOR
/* GPROFX_OPTIONS(struct my_options, table) inside the descriptor. */
#define GPROFX_OPTIONS(type, table)                                                         \
	.options = (table), .option_count = (uint32_t)(sizeof(table) / sizeof((table)[0])), \
	.option_size = sizeof(struct gprofx_option), .options_size = sizeof(type)

#ifdef __cplusplus
}
#endif

#endif
