/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the limit programs share: a clock, mapped files, and the shortest way to a sorted list of
 * functions. They trust their input: they read what genwork wrote and nothing else.
 */
#ifndef LIMITS_COMMON_H
#define LIMITS_COMMON_H
#define _GNU_SOURCE

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static inline double
milliseconds_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Processor time: steadier than wall time on a shared machine. */
static inline double
milliseconds(void)
{
	return milliseconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

/* What several threads take together. */
static inline double
elapsed_milliseconds(void)
{
	return milliseconds_of(CLOCK_MONOTONIC);
}

static inline _Noreturn void
fail(const char *what)
{
	perror(what);
	exit(1);
}

static inline void *
need(size_t count, size_t each)
{
	void *p = calloc(count + 1, each);

	if (!p)
		fail("memory");
	return p;
}

static inline const unsigned char *
map_file(const char *path, size_t *length)
{
	struct stat st;
	int fd = open(path, O_RDONLY);

	if (fd < 0 || fstat(fd, &st))
		fail(path);
	*length = (size_t)st.st_size;
	void *p = mmap(NULL, *length, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (p == MAP_FAILED)
		fail(path);
	close(fd);
	return p;
}

static inline uint64_t
get64(const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

static inline uint32_t
get32(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

static inline uint16_t
get16(const unsigned char *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

struct function {
	uint64_t address;
	uint32_t name, index;
};

/* Stable, least significant byte first; a pass whose byte never changes is left out. */
static inline void
radix_sort(struct function *a, size_t n)
{
	static size_t count[8][256];
	struct function *spare = need(n, sizeof *spare), *from = a, *to = spare;

	memset(count, 0, sizeof count);
	for (size_t i = 0; i < n; i++)
		for (int b = 0; b < 8; b++)
			count[b][(a[i].address >> (8 * b)) & 255]++;
	for (int b = 0; b < 8; b++) {
		if (n == 0 || count[b][(from[0].address >> (8 * b)) & 255] == n)
			continue;
		size_t at = 0;
		for (int k = 0; k < 256; k++) {
			size_t c = count[b][k];
			count[b][k] = at;
			at += c;
		}
		for (size_t i = 0; i < n; i++)
			to[count[b][(from[i].address >> (8 * b)) & 255]++] = from[i];
		struct function *swap = from;
		from = to;
		to = swap;
	}
	if (from != a)
		memcpy(a, from, n * sizeof *a);
	free(spare);
}

static inline int
compare_functions(const void *x, const void *y)
{
	const struct function *a = x, *b = y;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

struct image {
	const unsigned char *file, *text;
	size_t length;          /* of the file */
	uint64_t address, size; /* of .text */
	struct function *function;
	size_t functions;
};

/* A bare ELF64 reader: .text and its function symbols in the order of the table. */
static inline struct image
read_image(const char *path)
{
	struct image image = {0};
	size_t length;
	const unsigned char *file = map_file(path, &length);
	const Elf64_Ehdr *header = (const void *)file;
	const Elf64_Shdr *section = (const void *)(file + header->e_shoff);
	const char *names = (const char *)file + section[header->e_shstrndx].sh_offset;
	unsigned text = 0, table = 0;

	for (unsigned i = 1; i < header->e_shnum; i++) {
		if (!strcmp(names + section[i].sh_name, ".text"))
			text = i;
		if (section[i].sh_type == SHT_SYMTAB)
			table = i;
	}
	if (!text || !table) {
		fprintf(stderr, "%s: no .text or no .symtab\n", path);
		exit(1);
	}
	image.file = file;
	image.length = length;
	image.text = file + section[text].sh_offset;
	image.address = section[text].sh_addr;
	image.size = section[text].sh_size;
	const Elf64_Sym *symbol = (const void *)(file + section[table].sh_offset);
	size_t n = section[table].sh_size / sizeof *symbol;
	image.function = need(n, sizeof *image.function);
	for (size_t i = 0; i < n; i++)
		if (symbol[i].st_shndx == text && ELF64_ST_TYPE(symbol[i].st_info) == STT_FUNC)
			image.function[image.functions++] = (struct function){
				symbol[i].st_value, symbol[i].st_name, (uint32_t)i};
	return image;
}

#endif
