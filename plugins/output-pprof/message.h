/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages of protocol buffers, and the compressed file that they are written to.
 *
 * The wire format is that of https://protobuf.dev/programming-guides/encoding/: a field is its
 * number and type, then an integer of seven bits a byte, or a length and as many bytes.  The file
 * is one message; its fields are written one by one, so that it is never in memory as a whole.
 */
#ifndef OUTPUT_PPROF_MESSAGE_H
#define OUTPUT_PPROF_MESSAGE_H

#include <zlib.h>

#include <gprofx/emitter.h>

/* Bytes of a message, or of a list of numbers.  Zero, but for gx, is an empty one. */
struct message {
	struct gprofx *gx;
	char *bytes;
	size_t length, room;
};

void message_clear(struct message *message);

/* A number alone, as an element of a list. */
void message_number(struct message *message, uint64_t value);

/* A field that is a number; 0 is left out, as it is what readers assume. */
void message_field(struct message *message, uint32_t field, uint64_t value);

/* A field of bytes: a text, a list of numbers, or another message. */
void message_bytes(struct message *message, uint32_t field, const char *bytes, size_t length);

enum { ZIP_ROOM = 16384 };

/* A file of gzip, which goes to a writer. */
struct zip {
	struct gprofx *gx;
	struct gprofx_writer *writer;
	z_stream stream;
	unsigned char out[ZIP_ROOM];
};

/* Begins the file.  Fails without memory. */
enum gprofx_result zip_begin(struct zip *zip);

/* Writes a field of the message that the file is. */
void zip_field(struct zip *zip, uint32_t field, uint64_t value);
void zip_bytes(struct zip *zip, uint32_t field, const char *bytes, size_t length);
void zip_message(struct zip *zip, uint32_t field, const struct message *message);

/* Ends it. */
void zip_end(struct zip *zip);

#endif
