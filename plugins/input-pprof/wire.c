/* SPDX-License-Identifier: Apache-2.0 */
#include "wire.h"

enum { TYPE_BITS = 3, GROUP_BITS = 7, MOST_BITS = 64, MOST_FIELD = (1 << 29) - 1 };

static bool
fail(struct wire *wire, const uint8_t *at, const char *fault)
{
	wire->at = at;
	wire->fault = fault;
	return false;
}

bool
wire_number(struct wire *wire, uint64_t *number)
{
	const uint8_t *at = wire->at;

	if (at == wire->end)
		return false;
	*number = 0;
	for (uint32_t bits = 0; at < wire->end; bits += GROUP_BITS, at++) {
		if (bits >= MOST_BITS)
			return fail(wire, wire->at, "a number of more than ten bytes");
		*number |= (uint64_t)(*at & 0x7f) << bits;
		if (*at < 0x80) {
			wire->at = at + 1;
			return true;
		}
	}
	return fail(wire, wire->at, "the end within a number");
}

static bool
skip(struct wire *wire, const uint8_t *begin, uint64_t bytes)
{
	if (bytes > (uint64_t)(wire->end - wire->at))
		return fail(wire, begin, "the end within a field");
	wire->at += bytes;
	return true;
}

bool
wire_next(struct wire *wire, struct wire_field *field)
{
	const uint8_t *begin = wire->at;
	uint64_t tag, length = 0;

	if (!wire_number(wire, &tag))
		return false;
	if (tag >> TYPE_BITS == 0 || tag >> TYPE_BITS > MOST_FIELD)
		return fail(wire, begin, "a field whose number cannot be");
	field->number = (uint32_t)(tag >> TYPE_BITS);
	field->type = (enum wire_type)(tag & ((1 << TYPE_BITS) - 1));
	field->value = 0;
	switch (field->type) {
	case WIRE_NUMBER:
		return wire_number(wire, &field->value) ||
		       (!wire->fault && fail(wire, begin, "the end within a field"));
	case WIRE_8_BYTES:
		return skip(wire, begin, 8);
	case WIRE_4_BYTES:
		return skip(wire, begin, 4);
	case WIRE_BYTES:
		if (!wire_number(wire, &length))
			return !wire->fault && fail(wire, begin, "the end within a field");
		field->bytes = (struct wire){.at = wire->at};
		if (!skip(wire, begin, length))
			return false;
		field->bytes.end = wire->at;
		return true;
	}
	return fail(wire, begin, "a field of an unknown type");
}
