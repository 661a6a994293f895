/* SPDX-License-Identifier: Apache-2.0 */
/* A message for standard error, put together and written at once. */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include <stddef.h>

struct message {
	size_t used;
	char bytes[4096];
};

void message_put(struct message *message, const char *text);
void message_put_bytes(struct message *message, const char *bytes, size_t count);
/* With control characters, and bytes that are not UTF-8, shown as \xNN. */
void message_put_visible(struct message *message, const char *text);
void message_format(struct message *message, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void message_send(struct message *message);
/* The same, lines that are wider than so many columns divided between words; 0: as they are. */
void message_send_folded(struct message *message, size_t last);

/* In columns: where the cursor is, where further lines begin, and how wide they are at most. */
struct message_margins {
	size_t column, indent, last;
};

/* Puts a text into lines, divided between words, and ends the last one. */
void
message_fill(struct message *message, const char *text, size_t length, struct message_margins at);

/*
 * Bytes at the start of text that can be shown as they are; 0 if the first one cannot, or if the
 * text is empty.
 */
size_t message_visible_length(const char *text);

#endif
