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
