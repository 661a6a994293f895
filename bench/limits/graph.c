/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The limit for the call graph: graph bsearch|bucket hash|radix PROGRAM GMON
 *
 * Reads symbols and arcs, finds the function at both ends of every arc, merges equal pairs, builds
 * both adjacency arrays, finds the strongly connected components without recursion, and gives the
 * samples to functions. Nothing is reported.
 */
#include "common.h"

/* The first function at or below each 64-byte block of .text. */
#define BLOCK_SHIFT 6

struct arc {
	uint64_t key; /* caller << 32 | callee */
	uint64_t count;
};

struct graph {
	struct image image;
	uint32_t *bucket;
	struct arc *arc;
	size_t arcs;
	uint32_t *first_out,
		*out; /* arcs of each caller: out[first_out[f]] up to first_out[f + 1] */
	uint32_t *first_in, *in;
	size_t components, largest;
};

static uint32_t
find_by_halving(const struct graph *g, uint64_t address)
{
	size_t low = 0, high = g->image.functions;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;
		if (g->image.function[middle].address <= address)
			low = middle;
		else
			high = middle;
	}
	return (uint32_t)low;
}

static uint32_t
find_by_bucket(const struct graph *g, uint64_t address)
{
	uint32_t i = g->bucket[(address - g->image.address) >> BLOCK_SHIFT];

	while (i + 1 < g->image.functions && g->image.function[i + 1].address <= address)
		i++;
	return i;
}

static void
make_buckets(struct graph *g)
{
	size_t blocks = (g->image.size >> BLOCK_SHIFT) + 2, n = g->image.functions;

	g->bucket = need(blocks, sizeof *g->bucket);
	for (size_t b = 0, i = 0; b < blocks; b++) {
		uint64_t address = g->image.address + (b << BLOCK_SHIFT);
		while (i + 1 < n && g->image.function[i + 1].address <= address)
			i++;
		g->bucket[b] = (uint32_t)i;
	}
}

/* Returns the record's end. */
static const unsigned char *
read_histogram(const struct graph *g, double *self, const unsigned char *p)
{
	uint64_t low = get64(p + 1), high = get64(p + 9);
	uint32_t bins = get32(p + 17);
	const unsigned char *bin = p + 41;
	double width = (double)(high - low) / bins;
	size_t f = 0;

	for (uint32_t i = 0; i < bins; i++) {
		uint16_t count = get16(bin + 2 * (size_t)i);
		if (!count)
			continue;
		uint64_t at = low + (uint64_t)(width * i);
		while (f + 1 < g->image.functions && g->image.function[f + 1].address <= at)
			f++;
		self[f] += count;
	}
	return bin + 2 * (size_t)bins;
}

static void
read_profile(struct graph *g, const char *path, int halving)
{
	size_t length;
	const unsigned char *p = map_file(path, &length), *end = p + length;
	uint64_t low = g->image.address, high = low + g->image.size;
	double *self = need(g->image.functions, sizeof *self);

	g->arc = need(length / 21, sizeof *g->arc);
	for (p += 20; p < end;) {
		if (*p == 0) {
			p = read_histogram(g, self, p);
			continue;
		}
		uint64_t from = get64(p + 1), to = get64(p + 9);
		if (from >= low && from < high && to >= low && to < high) {
			uint64_t caller = halving ? find_by_halving(g, from)
			                          : find_by_bucket(g, from);
			uint64_t callee = halving ? find_by_halving(g, to) : find_by_bucket(g, to);
			g->arc[g->arcs++] = (struct arc){caller << 32 | callee, get32(p + 17)};
		}
		p += 21;
	}
	free(self);
}

static void
merge_by_radix(struct graph *g)
{
	static size_t count[2048];
	size_t n = g->arcs, merged = 0;
	struct arc *from = g->arc, *to = need(n, sizeof *to);

	for (int shift = 0; shift < 64; shift += 11) {
		size_t at = 0;
		memset(count, 0, sizeof count);
		for (size_t i = 0; i < n; i++)
			count[(from[i].key >> shift) & 2047]++;
		if (!n || count[(from[0].key >> shift) & 2047] == n)
			continue;
		for (int k = 0; k < 2048; k++) {
			size_t c = count[k];
			count[k] = at;
			at += c;
		}
		for (size_t i = 0; i < n; i++)
			to[count[(from[i].key >> shift) & 2047]++] = from[i];
		struct arc *swap = from;
		from = to;
		to = swap;
	}
	for (size_t i = 0; i < n; i++) {
		if (merged && from[merged - 1].key == from[i].key)
			from[merged - 1].count += from[i].count;
		else
			from[merged++] = from[i];
	}
	g->arc = from;
	g->arcs = merged;
	free(to);
}

static void
merge_by_hash(struct graph *g)
{
	size_t room = 16, merged = 0;

	while (room < g->arcs * 2)
		room *= 2;
	uint32_t *slot = need(room, sizeof *slot);
	for (size_t i = 0; i < g->arcs; i++) {
		uint64_t key = g->arc[i].key;
		size_t h = (key * 0x9e3779b97f4a7c15u) >> 24 & (room - 1);
		while (slot[h] && g->arc[slot[h] - 1].key != key)
			h = (h + 1) & (room - 1);
		if (slot[h]) {
			g->arc[slot[h] - 1].count += g->arc[i].count;
			continue;
		}
		g->arc[merged] = g->arc[i];
		slot[h] = (uint32_t)++merged;
	}
	g->arcs = merged;
	free(slot);
}

static uint32_t
end_of(const struct graph *g, size_t arc, int callee)
{
	return (uint32_t)(callee ? g->arc[arc].key : g->arc[arc].key >> 32);
}

static void
make_adjacency(const struct graph *g, int callee, uint32_t **first, uint32_t **list)
{
	size_t n = g->image.functions;

	*first = need(n + 2, sizeof **first);
	*list = need(g->arcs, sizeof **list);
	for (size_t i = 0; i < g->arcs; i++)
		(*first)[end_of(g, i, callee) + 2]++;
	for (size_t i = 2; i < n + 2; i++)
		(*first)[i] += (*first)[i - 1];
	for (size_t i = 0; i < g->arcs; i++)
		(*list)[(*first)[end_of(g, i, callee) + 1]++] = (uint32_t)i;
}

/* Tarjan's algorithm with its own stack. */
struct search {
	uint32_t *number, *low, *next, *path, *open;
	unsigned char *is_open;
	uint32_t numbers, path_length, open_length;
};

static void
enter(const struct graph *g, struct search *s, uint32_t f)
{
	s->number[f] = s->low[f] = ++s->numbers;
	s->next[f] = g->first_out[f];
	s->open[s->open_length++] = f;
	s->is_open[f] = 1;
	s->path[s->path_length++] = f;
}

static void
leave(struct graph *g, struct search *s, uint32_t f)
{
	size_t size = 0;
	uint32_t member;

	s->path_length--;
	if (s->path_length && s->low[f] < s->low[s->path[s->path_length - 1]])
		s->low[s->path[s->path_length - 1]] = s->low[f];
	if (s->low[f] != s->number[f])
		return;
	do {
		member = s->open[--s->open_length];
		s->is_open[member] = 0;
		size++;
	} while (member != f);
	g->components++;
	if (size > g->largest)
		g->largest = size;
}

static void
find_components(struct graph *g)
{
	size_t n = g->image.functions;
	struct search s = {.number = need(n, 4),
	                   .low = need(n, 4),
	                   .next = need(n, 4),
	                   .path = need(n, 4),
	                   .open = need(n, 4),
	                   .is_open = need(n, 1)};

	for (uint32_t root = 0; root < n; root++) {
		if (s.number[root])
			continue;
		enter(g, &s, root);
		while (s.path_length) {
			uint32_t f = s.path[s.path_length - 1];
			if (s.next[f] == g->first_out[f + 1]) {
				leave(g, &s, f);
				continue;
			}
			uint32_t callee = end_of(g, g->out[s.next[f]++], 1);
			if (!s.number[callee])
				enter(g, &s, callee);
			else if (s.is_open[callee] && s.number[callee] < s.low[f])
				s.low[f] = s.number[callee];
		}
	}
}

int
main(int argc, char **argv)
{
	struct graph g = {0};
	double at[6];

	if (argc != 5) {
		fputs("usage: graph bsearch|bucket hash|radix PROGRAM GMON\n", stderr);
		return 2;
	}
	at[0] = milliseconds();
	g.image = read_image(argv[3]);
	radix_sort(g.image.function, g.image.functions);
	make_buckets(&g);
	at[1] = milliseconds();
	read_profile(&g, argv[4], !strcmp(argv[1], "bsearch"));
	at[2] = milliseconds();
	size_t records = g.arcs;
	if (strcmp(argv[2], "radix"))
		merge_by_hash(&g);
	else
		merge_by_radix(&g);
	at[3] = milliseconds();
	make_adjacency(&g, 0, &g.first_out, &g.out);
	make_adjacency(&g, 1, &g.first_in, &g.in);
	at[4] = milliseconds();
	find_components(&g);
	at[5] = milliseconds();
	printf("%zu functions, %zu records, %zu arcs, %zu components, the largest %zu; ms: symbols "
	       "%.2f  read %.2f  merge %.2f  adjacency %.2f  components %.2f\n",
	       g.image.functions, records, g.arcs, g.components, g.largest, at[1] - at[0],
	       at[2] - at[1], at[3] - at[2], at[4] - at[3], at[5] - at[4]);
	return 0;
}
