/* SPDX-License-Identifier: Apache-2.0 */
/* Both output channels of the program. */
#include "console.h"

#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gnu-messages.h"
#include "message.h"
#include "terminal.h"

void
console_open(struct console *console, const char *program)
{
	console->program = program;
	console->gnu_mode = false;
	console->error = 0;
	console->error_is_known = false;
	console->progress_next = 0;
	console->shows_progress = false;
	console->listed = NULL;
	console->listed_count = 0;
	console->is_in_list = false;
	console->drops_form_feeds = false;
	console->has_no_terminal = false;
	console->only_errors = false;
	console->pager = (struct pager){.command = NULL};
	console->used = 0;
}

bool
console_is_terminal(const struct console *console)
{
	return !console->has_no_terminal && isatty(STDOUT_FILENO);
}

static int
write_all(const char *bytes, size_t count)
{
	while (count > 0) {
		ssize_t written = write(STDOUT_FILENO, bytes, count);

		if (written > 0) {
			bytes += written;
			count -= (size_t)written;
		} else if (written == 0) {
			return EIO;
		} else if (errno == EAGAIN) {
			/* The process that gave us the pipe reads it without waiting. */
			struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};

			poll(&output, 1, -1);
		} else if (errno != EINTR) {
			return errno;
		}
	}
	return 0;
}

/* Has a pager read what is written from here on.  Without one, it is written as it is. */
static void
begin_output(struct console *console)
{
	struct gprofx_diagnostic diagnostic = {
		.id = "environment.no-pager",
		.hint = "name a program that is installed, or use --no-pager",
		.text = {console->pager.command},
	};
	const char *variable = console->pager.variable;
	int error;

	console_clear_progress(console);
	error = pager_start(&console->pager);
	/* The default one was not asked for. */
	if (error == 0 || !variable)
		return;
	diagnostic.system_error = error;
	console_warn(console, &diagnostic, "cannot run the pager that %s names, %s: %s", variable,
	             diagnostic.text[0], strerror(error));
}

/* Writes the bytes; those that a pager did not wait for are lost, which is no error. */
static void
put_out(struct console *console, const char *bytes, size_t count)
{
	while (count > 0 && !console->pager.is_gone && console->error == 0) {
		const char *feed = console->drops_form_feeds ? memchr(bytes, '\f', count) : NULL;
		size_t length = feed ? (size_t)(feed - bytes) : count;

		console->error = write_all(bytes, length);
		if (console->error == EPIPE && pager_leave(&console->pager))
			console->error = 0;
		length += feed ? 1 : 0;
		bytes += length;
		count -= length;
	}
}

void
console_flush(struct console *console)
{
	if (console->used > 0)
		begin_output(console);
	/* A warning may have written it. */
	if (console->used > 0)
		put_out(console, console->bytes, console->used);
	console->used = 0;
}

void
console_page(struct console *console)
{
	console_flush(console);
	begin_output(console);
}

int
console_write(void *opaque, const void *bytes, size_t count)
{
	struct console *console = opaque;

	console_page(console);
	put_out(console, bytes, count);
	return console->error;
}

static void
put_bytes(struct console *console, const char *bytes, size_t count)
{
	if (count > sizeof console->bytes - console->used)
		console_flush(console);
	if (count > sizeof console->bytes) {
		console_write(console, bytes, count);
		return;
	}
	memcpy(console->bytes + console->used, bytes, count);
	console->used += count;
}

void
console_put(struct console *console, const char *text)
{
	put_bytes(console, text, strlen(text));
}

void
console_put_visible(struct console *console, const char *text)
{
	while (*text != '\0') {
		size_t length = message_visible_length(text);

		put_bytes(console, text, length);
		text += length;
		if (*text != '\0')
			console_format(console, "\\x%02x", (unsigned)(unsigned char)*text++);
	}
}

void
console_format(struct console *console, const char *format, ...)
{
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	console_put(console, text);
}

void
console_trace(void *opaque, const char *line)
{
	const struct console *console = opaque;

	/* Names are in it, too. */
	if (console->gnu_mode)
		console_put(opaque, line);
	else
		console_put_visible(opaque, line);
	console_put(opaque, "\n");
}

void
console_localize(void)
{
	setlocale(LC_CTYPE, "");
	setlocale(LC_MESSAGES, "");
}

static void
put_own_message(struct message *text, const char *program, enum engine_severity severity,
                const struct gprofx_diagnostic *diagnostic, const char *words, const char *doing)
{
	message_put_visible(text, program);
	message_put(text, severity == ENGINE_WARNING ? ": warning[" : ": error[");
	message_put_visible(text, diagnostic->id);
	message_put(text, "]: ");
	if (diagnostic->file) {
		message_put_visible(text, diagnostic->file);
		if (diagnostic->place == GPROFX_AT_OFFSET)
			message_format(text, ":0x%" PRIx64, diagnostic->offset);
		if (diagnostic->place == GPROFX_AT_LINE)
			message_format(text, ":%" PRIu32, diagnostic->line);
		if (diagnostic->place == GPROFX_AT_LINE && diagnostic->column > 0)
			message_format(text, ":%" PRIu32, diagnostic->column);
		message_put(text, ": ");
	}
	message_put_visible(text, words);
	message_put(text, "\n");
	if (doing) {
		message_put(text, "  while ");
		message_put_visible(text, doing);
		message_put(text, "\n");
	}
	if (diagnostic->hint) {
		message_put(text, "  hint: ");
		message_put_visible(text, diagnostic->hint);
		message_put(text, "\n");
	}
}

void
console_diagnose(void *opaque, enum engine_severity severity,
                 const struct gprofx_diagnostic *diagnostic, const char *message, const char *doing)
{
	struct console *console = opaque;
	struct message text;

	if (console->only_errors && severity == ENGINE_WARNING)
		return;
	text.used = 0;
	/* What was traced so far explains the message. */
	console_flush(console);
	console_clear_progress(console);
	if (strcmp(diagnostic->id, "output.write-failed") == 0) {
		console->error_is_known = console->error != 0;
		/* The reader of what we would complain about is gone. */
		if (diagnostic->system_error == EPIPE)
			return;
	}
	if (console->gnu_mode && diagnostic->system_error != 0)
		console_localize();
	if (!console->gnu_mode || !gnu_message(&text, console->program, diagnostic))
		put_own_message(&text, console->program, severity, diagnostic, message, doing);
	message_send_folded(&text, console->gnu_mode ? 0 : terminal_message_width());
}

static void
say(struct console *console, enum engine_severity severity,
    const struct gprofx_diagnostic *diagnostic, const char *format, va_list arguments)
{
	char message[1024];

	vsnprintf(message, sizeof message, format, arguments);
	console_diagnose(console, severity, diagnostic, message, NULL);
}

void
console_warn(struct console *console, const struct gprofx_diagnostic *diagnostic,
             const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(console, ENGINE_WARNING, diagnostic, format, arguments);
	va_end(arguments);
}

void
console_fail(struct console *console, const struct gprofx_diagnostic *diagnostic,
             const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(console, ENGINE_ERROR, diagnostic, format, arguments);
	va_end(arguments);
}

bool
console_close(struct console *console)
{
	console_flush(console);
	pager_finish(&console->pager);
	if (console->error == 0)
		return true;
	if (!console->error_is_known) {
		const struct gprofx_diagnostic diagnostic = {
			.id = "output.write-failed",
			.file = "standard output",
			.system_error = console->error,
			.hint = "free some space, or redirect the output elsewhere",
		};

		console_fail(console, &diagnostic, "cannot write the output: %s",
		             strerror(console->error));
	}
	return false;
}
