/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Standard output and standard error of the program: the engine's front end, and what the program
 * itself has to say.
 */
#ifndef CLI_CONSOLE_H
#define CLI_CONSOLE_H

#include "engine.h"
#include "pager.h"

struct console {
	const char *program;   /* how messages call the program */
	bool gnu_mode;         /* messages have gprof's words where it has some */
	int error;             /* first failure to write standard output: an errno value, or 0 */
	bool error_is_known;   /* it was diagnosed */
	int64_t progress_next; /* when the line about progress is due, in ms; 0: not begun */
	bool shows_progress;   /* the line stands on the terminal */
	const char *listed;    /* of a list of settings only what this topic is about; NULL: all */
	uint32_t listed_count;
	bool is_in_list;       /* a list in JSON has begun and has elements */
	bool drops_form_feeds; /* a terminal shows signs for them, or nothing */
	/* Standard output goes through other programs, whatever the system says about it. */
	bool has_no_terminal;
	bool only_errors;   /* another process has the same warnings */
	struct pager pager; /* it reads standard output, from the first byte on */
	char place[4096];   /* what the rows of a table stand below; "": nothing yet */
	size_t used;
	char bytes[8192]; /* text that is still to be written */
};

void console_open(struct console *console, const char *program);

/* Whether standard output is a terminal. */
bool console_is_terminal(const struct console *console);

/* struct engine_frontend.write: bytes behind all text so far.  Returns 0 or an errno value. */
int console_write(void *opaque, const void *bytes, size_t count);
/* struct engine_frontend.trace: one line. */
void console_trace(void *opaque, const char *line);
/* struct engine_frontend.diagnose: one message to standard error. */
void console_diagnose(void *opaque, enum engine_severity severity,
                      const struct gprofx_diagnostic *diagnostic, const char *message,
                      const char *doing);

/*
 * struct engine_frontend.find: what was found, to standard error: a screen of it at most, or, with
 * explanations, all.  These are long, so on a terminal the pager shows them, before the report.
 */
void console_find(void *opaque, const struct engine_findings *found);

/* Has the pager, if one was chosen, read both channels from here on. */
void console_page(struct console *console);

/* Whether standard error is a terminal, whose user might wait for reading to end. */
bool console_wants_progress(const struct console *console);
/* struct engine_frontend.progress: a line about it, once it takes some seconds. */
void console_progress(void *opaque, uint32_t done, uint32_t total);
/* Takes the line away, before something else is written. */
void console_clear_progress(struct console *console);

/* Writes the text that is still to be written. */
void console_flush(struct console *console);

/* Text for standard output; a failure is kept for console_close(). */
void console_put(struct console *console, const char *text);
void console_format(struct console *console, const char *format, ...) GPROFX_PRINTF(2, 3);
/* Likewise, with control characters made visible. */
void console_put_visible(struct console *console, const char *text);

/* Shows the message with a severity of error; the format says what was expected and found. */
void console_fail(struct console *console, const struct gprofx_diagnostic *diagnostic,
                  const char *format, ...) GPROFX_PRINTF(3, 4);

/* The same with a severity of warning. */
void console_warn(struct console *console, const struct gprofx_diagnostic *diagnostic,
                  const char *format, ...) GPROFX_PRINTF(3, 4);

/* Lets system error texts and the C library's messages follow the user's language. */
void console_localize(void);

/*
 * Writes what is left and reports a failed write that was not reported.  Returns false if standard
 * output is incomplete.
 */
bool console_close(struct console *console);

#endif
