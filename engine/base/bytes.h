/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers and texts as bytes, for what one process passes to another.  Numbers are in LEB128: seven
 * bits a byte, the lowest first, and the top bit set if more follow (DWARF 5, section 7.6).  Fixed
 * numbers and doubles (IEEE 754) are 8 bytes, the lowest first.
 */
#ifndef ENGINE_BASE_BYTES_H
#define ENGINE_BASE_BYTES_H

#include "base/run.h"

/* Bytes of a number, at most, and of an amount. */
enum { BYTES_NUMBER = 10, BYTES_AMOUNT = 10 };

/* Writes a number to where there is room for it; returns its bytes. */
size_t bytes_of_number(uint8_t to[BYTES_NUMBER], uint64_t number);
/*
 * The same of an amount, a double that is not negative: twice the whole number that it is, or else
 * a 1 and the double.
 */
size_t bytes_of_amount(uint8_t to[BYTES_AMOUNT], double amount);

/* What is written; its memory is the run's. */
struct bytes_out {
	struct run *run;
	uint8_t *items;
	size_t count, room;
};

void bytes_put(struct bytes_out *out, const void *bytes, size_t count);
void bytes_put_number(struct bytes_out *out, uint64_t number);
void bytes_put_fixed(struct bytes_out *out, uint64_t number);
void bytes_put_double(struct bytes_out *out, double number);
void bytes_put_amount(struct bytes_out *out, double amount);
/* NULL and "" stay different. */
void bytes_put_text(struct bytes_out *out, const char *text);

/*
 * What is read.  Past the end, and where bytes are no number, everything read is 0, and has_failed
 * is set for good.
 */
struct bytes_in {
	const uint8_t *at, *end;
	bool has_failed;
};

uint64_t bytes_take_number(struct bytes_in *in);
/* The same, where "most" is the largest that can be right. */
uint64_t bytes_take_up_to(struct bytes_in *in, uint64_t most);
uint64_t bytes_take_fixed(struct bytes_in *in);
double bytes_take_double(struct bytes_in *in);
double bytes_take_amount(struct bytes_in *in);
/* This number of bytes, in place; NULL: fewer are left. */
const uint8_t *bytes_take(struct bytes_in *in, uint64_t count);
/* A copy with run lifetime, or NULL.  No byte of a text is 0. */
const char *bytes_take_text(struct run *run, struct bytes_in *in);
/*
 * A number of rows of at least "least_bytes" each (1 or more): never more than what is left
 * has room for.
 */
uint32_t bytes_take_count(struct bytes_in *in, size_t least_bytes);

/* A checksum: CRC-32, that of libiberty. */
uint32_t bytes_checksum(const void *bytes, size_t count);

#endif
