/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The classical file, gmon.out: what is in the program itself, without libraries.  Its counters
 * have 16 bits for samples and 32 for calls; what is more goes into further records of the same
 * range or pair, which readers add.
 */
#include "gmon.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gprofx/gxc.h>

enum { BIN_BYTES = 4 };

/* Beyond, the counts are none of this world. */
#define MOST_BYTES ((uint64_t)2 << 30)

#define BIN_FULL UINT64_C(0xffff)
#define COUNT_FULL UINT64_C(0xffffffff)

/* Bytes on their way to the file. */
struct out {
	int descriptor;
	bool has_failed;
	uint64_t left; /* bytes that may still come */
	size_t length;
	char buffer[16384];
};

struct count {
	uint64_t from, to, count;
};

struct counts {
	struct count *rows;
	size_t count, room;
	bool has_failed;
};

static void
flush(struct out *out)
{
	size_t at = 0;

	while (at < out->length && !out->has_failed) {
		ssize_t written = write(out->descriptor, out->buffer + at, out->length - at);

		if (written > 0)
			at += (size_t)written;
		else if (written == 0 || errno != EINTR)
			out->has_failed = true;
	}
	out->length = 0;
}

static void
put(struct out *out, const void *bytes, size_t count)
{
	if (count > out->left) {
		out->has_failed = true;
		errno = EFBIG;
		return;
	}
	out->left -= count;
	for (size_t at = 0; at < count;) {
		size_t part = sizeof out->buffer - out->length;

		if (part > count - at)
			part = count - at;
		memcpy(out->buffer + out->length, (const char *)bytes + at, part);
		out->length += part;
		at += part;
		if (out->length == sizeof out->buffer)
			flush(out);
	}
}

static void
add(struct counts *counts, uint64_t from, uint64_t to, uint64_t count)
{
	if (counts->count == counts->room) {
		size_t room = counts->room * 2 + 1024;
		struct count *rows = realloc(counts->rows, room * sizeof *rows);

		if (!rows) {
			counts->has_failed = true;
			return;
		}
		counts->rows = rows;
		counts->room = room;
	}
	counts->rows[counts->count++] = (struct count){from, to, count};
}

static int
compare(const void *a, const void *b)
{
	const struct count *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

/* Adds rows of the same pair. */
static void
merge(struct counts *counts)
{
	size_t kept = 0;

	if (counts->count == 0)
		return;
	qsort(counts->rows, counts->count, sizeof *counts->rows, compare);
	for (size_t i = 1; i < counts->count; i++)
		if (compare(&counts->rows[kept], &counts->rows[i]) == 0)
			counts->rows[kept].count += counts->rows[i].count;
		else
			counts->rows[++kept] = counts->rows[i];
	counts->count = kept + 1;
}

static bool
is_in_program(const struct gmon_input *input, uint64_t address)
{
	return address >= input->program->low && address < input->program->high;
}

/* The size is what is checked of chunks in files. */
static uint64_t
entries_of(const struct gxc_chunk *chunk, size_t entry_bytes)
{
	return (chunk->size - sizeof *chunk) / entry_bytes;
}

static void
collect_arcs(const struct gmon_input *input, const struct gxc_chunk *chunk, struct counts *arcs)
{
	const struct gxc_arc *rows = (const struct gxc_arc *)(chunk + 1);

	for (uint64_t i = 0; i < entries_of(chunk, sizeof *rows); i++)
		if (rows[i].count > 0 && is_in_program(input, rows[i].callee) &&
		    is_in_program(input, rows[i].site))
			add(arcs, rows[i].site - input->program->bias,
			    rows[i].callee - input->program->bias, rows[i].count);
}

static void
collect_samples(const struct gmon_input *input, const struct gxc_chunk *chunk,
                struct counts *samples)
{
	const struct gxc_stack *rows = (const struct gxc_stack *)(chunk + 1);

	for (uint64_t i = 0; i < entries_of(chunk, sizeof *rows); i++)
		if (rows[i].count > 0 && rows[i].pc >= input->low && rows[i].pc < input->high)
			add(samples, (rows[i].pc - input->low) / BIN_BYTES, 0, rows[i].count);
}

static void
collect_blocks(const struct gmon_input *input, const struct gxc_chunk *chunk, struct counts *blocks)
{
	const struct gxc_block *rows = (const struct gxc_block *)(chunk + 1);

	/* The last byte of the call, since what is behind can be another function. */
	for (uint64_t i = 0; i < entries_of(chunk, sizeof *rows); i++)
		if (rows[i].count > 0 && is_in_program(input, rows[i].address - 1))
			add(blocks, rows[i].address - 1 - input->program->bias, 0, rows[i].count);
}

static void
put_number(struct out *out, uint64_t number, size_t bytes)
{
	put(out, &number, bytes);
}

/* The samples that one record holds; says whether some are left. */
static bool
put_histogram(struct out *out, const struct gmon_input *input, struct counts *samples,
              uint16_t *bins, uint64_t bin_count)
{
	static const char dimension[16] = {'s', 'e', 'c', 'o', 'n', 'd', 's', [15] = 's'};
	uint64_t low = input->low - input->program->bias;
	bool has_more = false;

	memset(bins, 0, bin_count * sizeof *bins);
	for (size_t i = 0; i < samples->count; i++) {
		uint64_t part = samples->rows[i].count;

		if (part > BIN_FULL) {
			part = BIN_FULL;
			has_more = true;
		}
		bins[samples->rows[i].from] = (uint16_t)part;
		samples->rows[i].count -= part;
	}
	put_number(out, 0, 1);
	put_number(out, low, sizeof low);
	put_number(out, low + bin_count * BIN_BYTES, sizeof low);
	put_number(out, bin_count, 4);
	put_number(out, input->rate, 4);
	put(out, dimension, sizeof dimension);
	put(out, bins, bin_count * sizeof *bins);
	return has_more;
}

static void
put_samples(struct out *out, const struct gmon_input *input, struct counts *samples)
{
	uint64_t bin_count = (input->high - input->low + BIN_BYTES - 1) / BIN_BYTES;
	uint16_t *bins;

	if (input->rate == 0 || bin_count == 0)
		return;
	bins = bin_count < MOST_BYTES / sizeof *bins ? malloc(bin_count * sizeof *bins) : NULL;
	if (!bins) {
		out->has_failed = true;
		errno = EFBIG;
		return;
	}
	while (put_histogram(out, input, samples, bins, bin_count) && !out->has_failed) {
	}
	free(bins);
}

static void
put_arcs(struct out *out, const struct counts *arcs)
{
	for (size_t i = 0; i < arcs->count; i++)
		for (uint64_t left = arcs->rows[i].count; left > 0 && !out->has_failed;) {
			uint64_t part = left < COUNT_FULL ? left : COUNT_FULL;

			put_number(out, 1, 1);
			put_number(out, arcs->rows[i].from, sizeof(uint64_t));
			put_number(out, arcs->rows[i].to, sizeof(uint64_t));
			put_number(out, part, 4);
			left -= part;
		}
}

/* One record has all of them; its number of blocks has four bytes for GNU gprof. */
static void
put_blocks(struct out *out, const struct counts *blocks)
{
	if (blocks->count == 0)
		return;
	if (blocks->count > UINT32_MAX) {
		out->has_failed = true;
		errno = EFBIG;
		return;
	}
	put_number(out, 2, 1);
	put_number(out, blocks->count, 4);
	for (size_t i = 0; i < blocks->count; i++) {
		put_number(out, blocks->rows[i].from, sizeof(uint64_t));
		put_number(out, blocks->rows[i].count, sizeof(uint64_t));
	}
}

bool
gmon_write(int descriptor, const struct gmon_input *input)
{
	static const char head[20] = {'g', 'm', 'o', 'n', [4] = 1};
	struct counts arcs = {NULL, 0, 0, false}, samples = arcs, blocks = arcs;
	struct out *out = malloc(sizeof *out);
	bool is_written;

	if (!out)
		return false;
	out->descriptor = descriptor;
	out->has_failed = false;
	out->left = MOST_BYTES;
	out->length = 0;
	for (size_t i = 0; i < input->count; i++) {
		if (input->chunks[i]->type == GXC_ARCS)
			collect_arcs(input, input->chunks[i], &arcs);
		if (input->chunks[i]->type == GXC_STACKS)
			collect_samples(input, input->chunks[i], &samples);
		if (input->chunks[i]->type == GXC_BLOCKS && input->has_blocks)
			collect_blocks(input, input->chunks[i], &blocks);
	}
	merge(&arcs);
	merge(&samples);
	merge(&blocks);
	put(out, head, sizeof head);
	put_samples(out, input, &samples);
	put_arcs(out, &arcs);
	put_blocks(out, &blocks);
	flush(out);
	is_written = !out->has_failed && !arcs.has_failed && !samples.has_failed &&
	             !blocks.has_failed;
	free(arcs.rows);
	free(blocks.rows);
	free(samples.rows);
	free(out);
	return is_written;
}
