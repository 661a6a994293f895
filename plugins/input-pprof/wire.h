/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The encoding of Protocol Buffers: fields one behind the other, each with a number and a type.
 *
 * Source: https://protobuf.dev/programming-guides/encoding/
 */
#ifndef INPUT_PPROF_WIRE_H
#define INPUT_PPROF_WIRE_H

#include <stdbool.h>
#include <stdint.h>

enum wire_type {
	WIRE_NUMBER = 0, /* up to ten bytes, seven bits in each */
	WIRE_8_BYTES = 1,
	WIRE_BYTES = 2, /* a text, another message, or numbers one behind the other */
	WIRE_4_BYTES = 5
};

/* Part of a file, which is read from "at" on. */
struct wire {
	const uint8_t *at, *end;
	const char *fault; /* what was found instead of a field; then at is where; NULL: nothing */
};

struct wire_field {
	uint32_t number;
	enum wire_type type;
	uint64_t value;    /* of WIRE_NUMBER */
	struct wire bytes; /* of WIRE_BYTES */
};

/* Reads the next field.  False: there is none, or a fault. */
bool wire_next(struct wire *wire, struct wire_field *field);

/* Reads the next number of numbers without fields around them.  False as above. */
bool wire_number(struct wire *wire, uint64_t *number);

#endif
