/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bytes.h"

#include <libiberty.h>
#include <string.h>

#include "base/memory.h"

enum { DIGIT_BITS = 7, DIGIT = 127, MORE = 128, FIXED_BYTES = 8, FIRST_ROOM = 4096 };

#define SHORT_AMOUNTS 0x1p62 /* whole ones below are numbers */

size_t
bytes_of_number(uint8_t to[BYTES_NUMBER], uint64_t number)
{
	size_t count = 0;

	for (; number > DIGIT; number >>= DIGIT_BITS)
		to[count++] = (uint8_t)(number | MORE);
	to[count++] = (uint8_t)number;
	return count;
}

static void
put_fixed(uint8_t to[FIXED_BYTES], uint64_t number)
{
	for (int i = 0; i < FIXED_BYTES; i++)
		to[i] = (uint8_t)(number >> 8 * i);
}

size_t
bytes_of_amount(uint8_t to[BYTES_AMOUNT], double amount)
{
	uint64_t bits;

	if (amount < SHORT_AMOUNTS && amount == (double)(uint64_t)amount)
		return bytes_of_number(to, 2 * (uint64_t)amount);
	memcpy(&bits, &amount, sizeof bits);
	to[0] = 1;
	put_fixed(to + 1, bits);
	return 1 + FIXED_BYTES;
}

void
bytes_put(struct bytes_out *out, const void *bytes, size_t count)
{
	size_t room = out->room > 0 ? out->room : FIRST_ROOM;

	while (room - out->count < count)
		room *= 2;
	if (room > out->room) {
		out->items = memory_grow(out->run, out->items, out->count, room);
		out->room = room;
	}
	if (count > 0)
		memcpy(out->items + out->count, bytes, count);
	out->count += count;
}

void
bytes_put_number(struct bytes_out *out, uint64_t number)
{
	uint8_t digits[BYTES_NUMBER];
	size_t count = bytes_of_number(digits, number);

	bytes_put(out, digits, count);
}

void
bytes_put_fixed(struct bytes_out *out, uint64_t number)
{
	uint8_t bytes[FIXED_BYTES];

	put_fixed(bytes, number);
	bytes_put(out, bytes, sizeof bytes);
}

void
bytes_put_double(struct bytes_out *out, double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof bits);
	bytes_put_fixed(out, bits);
}

void
bytes_put_amount(struct bytes_out *out, double amount)
{
	uint8_t bytes[BYTES_AMOUNT];
	size_t count = bytes_of_amount(bytes, amount);

	bytes_put(out, bytes, count);
}

void
bytes_put_text(struct bytes_out *out, const char *text)
{
	size_t length = text ? strlen(text) : 0;

	bytes_put_number(out, text ? length + 1 : 0);
	bytes_put(out, text, length);
}

const uint8_t *
bytes_take(struct bytes_in *in, uint64_t count)
{
	const uint8_t *bytes = in->at;

	if (in->has_failed || count > (size_t)(in->end - in->at)) {
		in->has_failed = true;
		return NULL;
	}
	in->at += count;
	return bytes;
}

uint64_t
bytes_take_number(struct bytes_in *in)
{
	uint64_t number = 0;

	for (uint32_t shift = 0;; shift += DIGIT_BITS) {
		const uint8_t *byte = bytes_take(in, 1);
		uint64_t digit = byte ? *byte & DIGIT : 0;

		/* Of the tenth digit there is room for one bit. */
		if (!byte || shift > 63 || (shift == 63 && digit > 1)) {
			in->has_failed = true;
			return 0;
		}
		number |= digit << shift;
		if (!(*byte & MORE))
			return number;
	}
}

uint64_t
bytes_take_up_to(struct bytes_in *in, uint64_t most)
{
	uint64_t number = bytes_take_number(in);

	if (number <= most)
		return number;
	in->has_failed = true;
	return 0;
}

uint64_t
bytes_take_fixed(struct bytes_in *in)
{
	const uint8_t *bytes = bytes_take(in, FIXED_BYTES);
	uint64_t number = 0;

	for (int i = FIXED_BYTES - 1; bytes && i >= 0; i--)
		number = number << 8 | bytes[i];
	return number;
}

double
bytes_take_double(struct bytes_in *in)
{
	uint64_t bits = bytes_take_fixed(in);
	double number;

	memcpy(&number, &bits, sizeof number);
	return number;
}

double
bytes_take_amount(struct bytes_in *in)
{
	uint64_t number = bytes_take_number(in), whole = number / 2;

	if (number % 2 == 0)
		return (double)whole;
	in->has_failed = in->has_failed || number != 1;
	return bytes_take_double(in);
}

const char *
bytes_take_text(struct run *run, struct bytes_in *in)
{
	uint64_t length = bytes_take_number(in);
	const uint8_t *bytes = length > 0 ? bytes_take(in, length - 1) : NULL;

	if (!bytes)
		return NULL;
	if (memchr(bytes, '\0', (size_t)length - 1)) {
		in->has_failed = true;
		return NULL;
	}
	return text_keep(run, (const char *)bytes, (size_t)length - 1);
}

uint32_t
bytes_take_count(struct bytes_in *in, size_t least_bytes)
{
	uint64_t most = (size_t)(in->end - in->at) / least_bytes;

	/* Numbers of rows are 32 bits wide, and one is no row. */
	return (uint32_t)bytes_take_up_to(in, most < UINT32_MAX ? most : UINT32_MAX - 1);
}

uint32_t
bytes_checksum(const void *bytes, size_t count)
{
	enum { MOST = 1 << 30 /* bytes that one call takes */ };
	const uint8_t *at = bytes;
	uint32_t sum = UINT32_MAX;

	for (size_t i = 0; i < count; i += MOST) {
		size_t left = count - i;

		sum = xcrc32(at + i, (int)(left < MOST ? left : MOST), sum);
	}
	return sum;
}
