/* SPDX-License-Identifier: Apache-2.0 */
/* Messages: one write for each, so that those of several processes do not mix. */
#include "message.h"

#include <errno.h>
#include <stdarg.h>
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

/* Bytes of the UTF-8 character at the start of text; 0 if it is none, or a control character. */
static size_t
character_length(const char *text)
{
	uint32_t code;
	/* A NUL fits nowhere, so that nothing behind the text is read. */
	size_t length = gprofx_utf8(text, 4, &code);

	/* The two sets of control characters. */
	if (code < 0x20 || (code >= 0x7f && code < 0xa0))
		return 0;
	/* Characters that change the direction of the text around them. */
	if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069))
		return 0;
	return length;
}

size_t
message_visible_length(const char *text)
{
	size_t length = 0, step;

	while ((step = character_length(text + length)) > 0)
		length += step;
	return length;
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
