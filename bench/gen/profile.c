/* SPDX-License-Identifier: Apache-2.0 */
/* The profiles of genwork: call graphs of several shapes, and histograms. */
#include "genwork.h"

#include <stdio.h>
#include <stdlib.h>

/* One arc record as it stands in a gmon.out file of a 64-bit little-endian program. */
#pragma pack(push, 1)
struct arc_record {
	uint8_t tag;
	uint64_t from, self;
	uint32_t count;
};

struct histogram_record {
	uint8_t tag;
	uint64_t low, high;
	uint32_t bins, rate;
	char dimension[15], unit;
};

struct file_header {
	char magic[4];
	uint32_t version;
	char spare[12];
};
#pragma pack(pop)

static struct arc_record *arcs;
static uint64_t arc_count;

/* A call from somewhere inside function `from` to the start of function `to`. */
static void
add_arc(const struct work *w, uint64_t from, uint64_t to)
{
	uint64_t size = w->start[from + 1] - w->start[from];
	struct arc_record *r = &arcs[arc_count++];

	r->tag = 1;
	r->from = w->text_base + w->start[from] + 1 + random_next() % (size - 1);
	r->self = w->text_base + w->start[to];
	r->count = 1 + (uint32_t)(random_next() % 1000);
}

/* The shapes whose functions alone fix the arcs. Returns 0 when the shape is not one of them. */
static int
add_regular(const struct work *w)
{
	uint64_t n = w->functions, k = w->cycle_length;

	if (same(w->shape, "fanin")) {
		for (uint64_t i = 1; i < n; i++)
			add_arc(w, scatter(w, i) ? scatter(w, i) : i, 0);
	} else if (same(w->shape, "fanout")) {
		for (uint64_t i = 1; i < n; i++)
			add_arc(w, 0, scatter(w, i) ? scatter(w, i) : i);
	} else if (same(w->shape, "chain")) {
		for (uint64_t i = 0; i + 1 < n; i++)
			add_arc(w, i, i + 1);
	} else if (same(w->shape, "cycle")) {
		for (uint64_t i = 0; i < n; i++)
			add_arc(w, i, (i + 1) % n);
	} else if (same(w->shape, "cycles")) {
		for (uint64_t c = 1; c + k <= n; c += k) {
			add_arc(w, 0, c);
			for (uint64_t i = 0; i < k; i++)
				add_arc(w, c + i, c + (i + 1) % k);
		}
	} else if (same(w->shape, "tree")) {
		for (uint64_t i = 1; i < n; i++)
			add_arc(w, (i - 1) / 4, i);
	} else {
		return 0;
	}
	return 1;
}

/*
 * random: both ends equally likely. power: few functions have most of the arcs. Both end up as one
 * huge cycle. dag: as power, but no arc leads back.
 */
static void
add_random(const struct work *w)
{
	uint64_t n = w->functions, room = 16, repeats = 0;
	int dag = same(w->shape, "dag"), power = dag || same(w->shape, "power");

	while (room < w->arcs * 2)
		room *= 2;
	uint64_t *seen = need(room, sizeof *seen);
	/* A small program may not have as many distinct arcs as were asked for. */
	while (arc_count < w->arcs && repeats < 50 * w->arcs + 1000) {
		uint64_t from, to;

		if (power) {
			double u = random_unit(), v = random_unit();
			from = scatter(w, (uint64_t)((double)n * u * u));
			to = scatter(w, (uint64_t)((double)n * v * v * v));
		} else {
			from = random_next() % n;
			to = random_next() % n;
		}
		if (dag && from > to) {
			uint64_t swap = from;
			from = to;
			to = swap;
		}
		uint64_t key = from * n + to + 1;
		uint64_t h = (key * 0x9e3779b97f4a7c15u) >> 20 & (room - 1);
		while (seen[h] && seen[h] != key)
			h = (h + 1) & (room - 1);
		if (seen[h] || (dag && from == to)) {
			repeats++;
			continue;
		}
		seen[h] = key;
		add_arc(w, from, to);
	}
	free(seen);
}

uint64_t
profile_arcs(const struct work *w)
{
	if (same(w->shape, "none") || w->functions < 2)
		return 0;
	uint64_t most = 2 * w->functions + 16;
	arcs = need(most > w->arcs ? most : w->arcs, sizeof *arcs);
	if (!add_regular(w))
		add_random(w);
	return arc_count;
}

static void
put(FILE *f, const char *path, const void *from, size_t each, size_t count)
{
	if (count && fwrite(from, each, count, f) != count)
		die(path);
}

void
profile_write(const struct work *w, const char *path)
{
	uint64_t size = w->start[w->functions];
	uint64_t ticks = w->ticks ? w->ticks : 20 * w->functions;
	struct file_header header = {"gmon", 1, {0}};
	struct histogram_record record = {.low = w->text_base,
	                                  .bins = (uint32_t)((size + 3) / 4),
	                                  .rate = 100,
	                                  .dimension = "seconds",
	                                  .unit = 's'};

	record.high = record.low + (uint64_t)record.bins * 4;
	uint16_t *bins = need(record.bins, sizeof *bins);
	for (uint64_t t = 0; t < ticks; t++) {
		double u = random_unit();
		uint64_t f = scatter(w, (uint64_t)((double)w->functions * u * u));
		/* What gprof gives the last function depends on what its memory held before. */
		if (f + 1 == w->functions)
			continue;
		uint64_t at = w->start[f] + random_next() % (w->start[f + 1] - w->start[f]);
		if (bins[at / 4] != UINT16_MAX)
			bins[at / 4]++;
	}
	FILE *f = fopen(path, "wb");
	if (!f)
		die(path);
	put(f, path, &header, sizeof header, 1);
	put(f, path, &record, sizeof record, 1);
	put(f, path, bins, sizeof *bins, record.bins);
	put(f, path, arcs, sizeof *arcs, arc_count);
	if (fclose(f))
		die(path);
	free(bins);
}
