/* SPDX-License-Identifier: Apache-2.0 */
/* Messages: one write for each, so that those of several processes do not mix. */
#include "message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <gprofx/text.h>

void
message_send(struct message *message)
{
	const char *at = message->bytes;

	while (message->used > 0) {
		ssize_t written = write(STDERR_FILENO, at, message->used);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			break;
		at += written;
		message->used -= (size_t)written;
	}
	message->used = 0;
}

void
message_put_bytes(struct message *message, const char *bytes, size_t count)
{
	while (count > 0) {
		size_t piece = sizeof message->bytes - message->used;

		if (piece > count)
			piece = count;
		memcpy(message->bytes + message->used, bytes, piece);
		message->used += piece;
		bytes += piece;
		count -= piece;
		if (message->used == sizeof message->bytes)
			message_send(message);
	}
}

void
message_put(struct message *message, const char *text)
{
	message_put_bytes(message, text, strlen(text));
}

void
message_format(struct message *message, const char *format, ...)
{
	char text[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	message_put(message, text);
}

size_t
message_visible_length(const char *text)
{
	return gprofx_printable(text, strlen(text));
}

void
message_put_visible(struct message *message, const char *text)
{
	while (*text != '\0') {
		size_t length = message_visible_length(text);

		message_put_bytes(message, text, length);
		text += length;
		if (*text != '\0')
			message_format(message, "\\x%02x", (unsigned)(unsigned char)*text++);
	}
}

/* As wide as a terminal shows it, about: the bytes that begin characters. */
static size_t
columns_of(const char *text, size_t length)
{
	size_t columns = 0;

	for (size_t i = 0; i < length; i++)
		columns += ((unsigned char)text[i] & 0xc0U) != 0x80U;
	return columns;
}

static void
put_word(struct message *message, const char *text, size_t length)
{
	while (length > 0) {
		char piece[256];
		size_t bytes = length < sizeof piece ? length : sizeof piece - 1;

		memcpy(piece, text, bytes);
		piece[bytes] = '\0';
		message_put_visible(message, piece);
		text += bytes;
		length -= bytes;
	}
}

static void
put_blanks(struct message *message, size_t count)
{
	while (count-- > 0)
		message_put(message, " ");
}

void
message_fill(struct message *message, const char *text, size_t length, struct message_margins at)
{
	bool is_first = true;

	while (length > 0) {
		const char *blank = memchr(text, ' ', length);
		size_t bytes = blank ? (size_t)(blank - text) : length;
		size_t columns = columns_of(text, bytes);

		if (!is_first && at.column + 1 + columns > at.last) {
			message_put(message, "\n");
			put_blanks(message, at.indent);
			at.column = at.indent;
		} else if (!is_first) {
			message_put(message, " ");
			at.column++;
		}
		put_word(message, text, bytes);
		at.column += columns;
		is_first = false;
		while (bytes < length && text[bytes] == ' ')
			bytes++;
		text += bytes;
		length -= bytes;
	}
	message_put(message, "\n");
}

/* Below the words behind a label, as "  hint: " is one, and otherwise below what is indented. */
static size_t
indent_of(const char *line, size_t length)
{
	size_t blanks = strspn(line, " ");
	const char *colon = memchr(line, ':', length),
		   *blank = memchr(line + blanks, ' ', length - blanks);

	return blanks > 0 && colon && colon + 1 == blank ? (size_t)(blank - line) + 1 : 2;
}

void
message_send_folded(struct message *message, size_t last)
{
	struct message folded;
	size_t at = 0;

	if (last == 0 || message->used == sizeof message->bytes) {
		message_send(message);
		return;
	}
	folded.used = 0;
	message->bytes[message->used] = '\0';
	while (at < message->used) {
		const char *line = message->bytes + at;
		size_t length = strcspn(line, "\n"), blanks = strspn(line, " ");

		if (columns_of(line, length) <= last) {
			message_put_bytes(&folded, line, length);
			message_put(&folded, "\n");
		} else {
			put_blanks(&folded, blanks);
			message_fill(&folded, line + blanks, length - blanks,
			             (struct message_margins){.column = blanks,
			                                      .indent = indent_of(line, length),
			                                      .last = last});
		}
		at += length + 1;
	}
	message->used = 0;
	message_send(&folded);
}
