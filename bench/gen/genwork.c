/* SPDX-License-Identifier: Apache-2.0 */
/*
 * genwork - write a made-up program and profiles of it.
 *
 * The program is a small ELF64/x86-64 executable with a .text section and a symbol table. It is
 * never run: it is there to be read by profilers and symbol tools. The profiles are gmon.out files
 * of version 1: one histogram over all of .text, then the arcs of the call graph.
 *
 * Everything follows from the options and the seed, so the same command always writes the same
 * bytes.
 */
#define _GNU_SOURCE
#include "genwork.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t random_state[2];

void
die_because(const char *what, const char *why)
{
	fprintf(stderr, "genwork: %s: %s\n", what, why);
	exit(1);
}

void
die(const char *what)
{
	die_because(what, strerror(errno));
}

void *
need(size_t count, size_t each)
{
	void *p = calloc(count ? count : 1, each);

	if (!p)
		die("memory");
	return p;
}

int
same(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

/* xorshift128+: fast, and the same everywhere, unlike the C library's. */
uint64_t
random_next(void)
{
	uint64_t a = random_state[0], b = random_state[1];

	random_state[0] = b;
	a ^= a << 23;
	random_state[1] = a ^ b ^ (a >> 18) ^ (b >> 5);
	return random_state[1] + b;
}

double
random_unit(void)
{
	return (double)(random_next() >> 11) * 0x1.0p-53;
}

static void
random_seed(uint64_t seed)
{
	for (int i = 0; i < 2; i++) {
		seed += 0x9e3779b97f4a7c15u;
		uint64_t z = seed;
		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
		z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
		random_state[i] = z ^ (z >> 31);
	}
}

/* i times step modulo n is a permutation when step and n have no common factor. */
static uint64_t
coprime(uint64_t step, uint64_t n)
{
	for (;; step += 2) {
		uint64_t a = step, b = n;

		while (b) {
			uint64_t r = a % b;
			a = b;
			b = r;
		}
		if (a == 1)
			return step;
	}
}

/* Spread neighbors over the whole program, so that busy functions are not all at its start. */
uint64_t
scatter(const struct work *w, uint64_t i)
{
	static uint64_t step;

	if (!step)
		step = coprime(2654435761u, w->functions);
	/* Both factors stay far below 2^32, so the product fits. */
	return i * (step % w->functions) % w->functions;
}

static _Noreturn void
usage(void)
{
	fputs("usage: genwork [options] DIRECTORY\n"
	      "  -n N            functions (default 1000)\n"
	      "  -b N            mean bytes of a function (64)\n"
	      "  -c nop|mix      what the functions are made of (nop)\n"
	      "  -c aarch64|ppc64le|mips64el\n"
	      "                  instructions of another machine\n"
	      "  -N c|cxx|long   symbol names: C, C++, very long C++ (c)\n"
	      "  -g SHAPE        call graph: none random power dag fanin fanout chain cycle\n"
	      "                  cycles tree (random)\n"
	      "  -a N            distinct arcs, for random, power and dag (10000)\n"
	      "  -k N            functions in each of the small cycles of -g cycles (3)\n"
	      "  -t N            samples (20 for each function)\n"
	      "  -f N            write N profiles, gmon/000000 and so on, instead of gmon.out\n"
	      "  -d N            only N of them differ; the others are hard links\n"
	      "  -p FILE         profile only, for the functions of this existing program\n"
	      "  -s N            seed (1)\n",
	      stderr);
	exit(2);
}

static uint64_t
number(const char *text, uint64_t least, uint64_t most)
{
	char *end;
	errno = 0;
	uint64_t v = strtoull(text, &end, 0);

	if (errno || end == text || *end || *text == '-' || v < least || v > most) {
		fprintf(stderr, "genwork: '%s' is not a number from %llu to %llu\n", text,
		        (unsigned long long)least, (unsigned long long)most);
		exit(2);
	}
	return v;
}

static const char *
word(const char *text, const char *const *choice)
{
	for (; *choice; choice++)
		if (same(text, *choice))
			return *choice;
	fprintf(stderr, "genwork: '%s' is not one of the choices\n", text);
	usage();
}

static void
parse(struct work *w, int argc, char **argv)
{
	static const char *const codes[] = {"nop", "mix", "aarch64", "ppc64le", "mips64el", NULL};
	static const char *const names[] = {"c", "cxx", "long", NULL};
	static const char *const shapes[] = {"none",  "random", "power",  "dag",  "fanin", "fanout",
	                                     "chain", "cycle",  "cycles", "tree", NULL};
	const uint64_t many = 1u << 28;
	int o;

	while ((o = getopt(argc, argv, "n:b:c:N:g:a:k:t:f:d:p:s:")) != -1) {
		switch (o) {
		case 'n':
			w->functions = number(optarg, 1, many);
			break;
		case 'b':
			w->mean_size = number(optarg, 8, 1u << 20);
			break;
		case 'c':
			w->code = word(optarg, codes);
			break;
		case 'N':
			w->names = word(optarg, names);
			break;
		case 'g':
			w->shape = word(optarg, shapes);
			break;
		case 'a':
			w->arcs = number(optarg, 0, many);
			break;
		case 'k':
			w->cycle_length = number(optarg, 1, many);
			break;
		case 't':
			w->ticks = number(optarg, 1, UINT32_MAX);
			break;
		case 'f':
			w->files = number(optarg, 1, 1000000);
			break;
		case 'd':
			w->distinct = number(optarg, 1, 1000000);
			break;
		case 'p':
			w->image = optarg;
			break;
		case 's':
			w->seed = number(optarg, 0, UINT64_MAX);
			break;
		default:
			usage();
		}
	}
	if (optind + 1 != argc)
		usage();
}

static void
write_profiles(const struct work *w)
{
	char path[32], first[32];
	uint64_t distinct = w->distinct && w->distinct < w->files ? w->distinct : w->files;

	if (w->files == 1) {
		profile_write(w, "gmon.out");
		return;
	}
	if (mkdir("gmon", 0777) && errno != EEXIST)
		die("gmon");
	for (uint64_t i = 0; i < w->files; i++) {
		snprintf(path, sizeof path, "gmon/%06llu", (unsigned long long)i);
		if (i < distinct) {
			profile_write(w, path);
			continue;
		}
		snprintf(first, sizeof first, "gmon/%06llu", (unsigned long long)(i % distinct));
		unlink(path);
		if (link(first, path))
			die(path);
	}
}

int
main(int argc, char **argv)
{
	struct work w = {.functions = 1000,
	                 .mean_size = 64,
	                 .arcs = 10000,
	                 .cycle_length = 3,
	                 .files = 1,
	                 .seed = 1,
	                 .code = "nop",
	                 .names = "c",
	                 .shape = "random",
	                 .text_base = 0x401000};

	parse(&w, argc, argv);
	/* The image's path is relative to here, the results' to the directory. */
	if (w.image)
		program_load(&w);
	if (mkdir(argv[optind], 0777) && errno != EEXIST)
		die(argv[optind]);
	if (chdir(argv[optind]))
		die(argv[optind]);
	random_seed(w.seed);
	if (!w.image) {
		program_place(&w);
		program_write(&w, "prog");
	}
	uint64_t arcs = profile_arcs(&w);
	write_profiles(&w);
	printf("functions %llu, text %llu bytes, arcs %llu, files %llu\n",
	       (unsigned long long)w.functions, (unsigned long long)w.start[w.functions],
	       (unsigned long long)arcs, (unsigned long long)w.files);
	free(w.start);
	return 0;
}
