/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For tests of call scanners: holds what a scanner says of a single instruction, wherever it leads
 * to, against capstone.  Include it behind the scanner's source; "main" is words_main().
 *
 *     plugin.findcall-NAME.words                 at random, with every value of the opcode's fields
 *     plugin.findcall-NAME.words --all [VIEW [FROM]]
 *                                                all words, of all views or of one, or those from
 *                                                one on (in steps of 0x01000000) to go on with a
 *                                                run that was stopped; the targets all-words-NAME
 *
 * GPROFX_JOBS sets how many threads go through all words; the default is the number of processors.
 */
#ifndef TESTS_UNIT_WORDS_H
#define TESTS_UNIT_WORDS_H

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include <capstone/capstone.h>

#include "testrun.h"

#include "hostile.h"
#include "quick-print.h"

enum {
	WORDS_BY_LOT = 1 << 20,
	WORDS_MOST_THREADS = 64,
	WORDS_CHUNKS = 256,
	WORDS_CHUNK = 1 << 24,    /* words */
	WORDS_CHUNKS_A_LINE = 16, /* of progress */
	WORDS_MOST_SHOWN = 20,
	WORDS_KINDS = 4, /* direct, indirect, tail, none */
	WORDS_BATCH = 1024,
	WORDS_MOST_SIDES = 4,        /* two views, each without and with call sites */
	WORDS_SITE = UINT32_MAX - 2, /* an indirect call, which is reported only if asked for */
	WORDS_TWICE = UINT32_MAX - 1,
	WORDS_NONE = UINT32_MAX /* in place of a kind */
};

/* What an instruction does. */
struct words_verdict {
	uint32_t kind; /* enum gprofx_call_kind, or WORDS_NONE */
	uint64_t to;
};

/* How a word stands in the code. */
enum words_form {
	WORDS_LITTLE_ENDIAN,
	WORDS_BIG_ENDIAN,
	WORDS_HALVES, /* the upper one first, each little-endian; instructions have one or two */
	WORDS_OF_6    /* big-endian, with 2 random bytes behind; instructions have 2, 4 or 6 */
};

/* A sort of image, and what instructions of it are called. */
struct words_view {
	const char *name;
	cs_arch arch;
	int mode;
	enum words_form form;
	uint16_t machine;
	uint8_t pointer_bytes;
	uint32_t machine_flags;
	bool big_endian;
	const char *mark;     /* NULL: code is not marked */
	uint32_t opcode_bits; /* of the word that tell instructions apart; 20 at most */
	/* Names, with a blank before and behind each; the first two need an address to count. */
	const char *calls, *tails, *indirect;
	const char *sites;     /* further calls through registers, told of where sites are wanted */
	const char *distances; /* those of which capstone tells how far behind the next they lead */
	/* Capstone decodes as for the view before, so that all words are decoded for both at once.
	 */
	bool as_before;
	/*
	 * The kind in place of capstone's where it errs or does not know the instruction, or where
	 * the scanner means something else.  May be NULL: capstone is always right.
	 */
	uint32_t (*kind)(uint32_t word, uint32_t kind);
};

struct words_counts {
	uint64_t kinds[WORDS_KINDS]; /* capstone's verdicts */
	uint64_t found;              /* by the scanner */
	uint64_t wrong;
};

/* A scanner at work on a batch. */
struct words_side {
	const struct words_view *view;
	void *scanner;
	struct gprofx_target target;
	struct gprofx_scanned_image image;
	struct gprofx_scan_options options;
	struct words_verdict verdicts[WORDS_BATCH];
	struct words_counts counts;
};

/* One thread's.  Of its views, capstone decodes for the first. */
struct words_worker {
	csh capstone;
	cs_insn *room;
	bool begins[UCHAR_MAX + 1]; /* a name that counts, with this character */
	struct words_side sides[WORDS_MOST_SIDES];
	uint32_t side_count;
	uint32_t words[WORDS_BATCH], count;
	uint64_t repeated;    /* words not tried: only bytes behind the instruction differ */
	uint64_t other_kinds; /* than capstone's */
	pthread_t thread;
	atomic_uint *next_chunk;
};

struct words_calls {
	struct gprofx_calls public; /* first */
	struct words_side *side;
	uint32_t count; /* words */
};

static const uint64_t words_address = 0x40100000;

static bool
words_begins(const struct gprofx_entries *entries, uint64_t address)
{
	(void)entries;
	(void)address;
	return true;
}

static void
words_add(struct gprofx_calls *public, const struct gprofx_found_call *rows, uint32_t count)
{
	struct words_calls *calls = (struct words_calls *)public;

	for (uint32_t i = 0; i < count; i++) {
		uint64_t place = rows[i].from - words_address;
		struct words_verdict *verdict;

		if (place % 4 != 0 || place / 4 >= calls->count) {
			calls->side->counts.wrong++;
			continue;
		}
		verdict = &calls->side->verdicts[place / 4];
		if (verdict->kind == WORDS_NONE)
			*verdict = (struct words_verdict){rows[i].kind, rows[i].to};
		else /* twice */
			verdict->kind = WORDS_TWICE;
	}
}

/* The bytes of the instruction that a word stands for; returns how many. */
static uint32_t
words_bytes(const struct words_view *view, uint32_t word, uint8_t *bytes)
{
	static const uint8_t shifts[][4] = {
		[WORDS_LITTLE_ENDIAN] = {0, 8, 16, 24},
		[WORDS_BIG_ENDIAN] = {24, 16, 8, 0},
		[WORDS_HALVES] = {16, 24, 0, 8},
		[WORDS_OF_6] = {24, 16, 8, 0},
	};
	uint64_t seed = word;

	for (uint32_t i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(word >> shifts[view->form][i]);
	if (view->form != WORDS_OF_6)
		return 4;
	bytes[4] = (uint8_t)hostile_random(&seed);
	bytes[5] = (uint8_t)hostile_random(&seed);
	return 6;
}

/* Instructions that all have 4 bytes are tried one behind the other, others on their own. */
static uint32_t
words_batch(const struct words_view *view)
{
	return view->form == WORDS_LITTLE_ENDIAN || view->form == WORDS_BIG_ENDIAN ? WORDS_BATCH
	                                                                           : 1;
}

/* Finds out what the scanner says of so many words from one on, which are one piece of code. */
static void
words_scan(const struct words_worker *worker, struct words_side *side, uint32_t first,
           uint32_t count)
{
	static const struct gprofx_entries entries = {.begins = words_begins};
	const struct words_view *view = side->view;
	uint64_t address = words_address + 4 * (uint64_t)first;
	const struct gprofx_code_mark mark = {address, view->mark};
	struct words_calls calls = {{words_add}, side, worker->count};
	uint8_t bytes[4 * WORDS_BATCH + 2];
	uint32_t length = 0;
	struct gprofx_code code;

	for (uint32_t i = first; i < first + count; i++) {
		length += words_bytes(view, worker->words[i], bytes + length);
		side->verdicts[i] = (struct words_verdict){WORDS_NONE, 0};
	}
	/* A word on its own can lead into itself: blx of ARM does. */
	code = (struct gprofx_code){.size = sizeof code,
	                            .bytes = bytes,
	                            .byte_count = count == 1 ? 2 : length,
	                            .readable = length,
	                            .address = address,
	                            .image = &side->image,
	                            .entries = &entries,
	                            .marks = &mark,
	                            .mark_count = mark.name != NULL};
	findcall.scan(side->scanner, &code, &calls.public);
}

static bool
words_has(const char *names, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = names; at && (at = strstr(at, name)); at += length)
		if (at[-1] == ' ' && at[length] == ' ')
			return true;
	return false;
}

/* What capstone says of an instruction; addresses are not cut to their width. */
static struct words_verdict
words_of_capstone(const struct words_worker *worker, uint32_t word, uint64_t address)
{
	const struct words_view *view = worker->sides[0].view;
	const char *name = worker->room->mnemonic, *number;
	struct words_verdict verdict = {WORDS_NONE, 0};
	uint8_t bytes[6];
	const uint8_t *at = bytes;
	size_t left = words_bytes(view, word, bytes);
	char *end;

	if (!cs_disasm_iter(worker->capstone, &at, &left, &address, worker->room)) {
		strcpy(worker->room->mnemonic, "none");
		worker->room->op_str[0] = '\0';
	}
	if (!worker->begins[(unsigned char)*name])
		return verdict;
	if (words_has(view->indirect, name) && !strchr(worker->room->op_str, ','))
		verdict.kind = GPROFX_CALL_INDIRECT;
	if (words_has(view->sites, name))
		verdict.kind = WORDS_SITE;
	if (!words_has(view->calls, name) && !words_has(view->tails, name))
		return verdict;
	/* The last operand. */
	number = strrchr(worker->room->op_str, ' ');
	number = number ? number + 1 : worker->room->op_str;
	number += *number == '#';
	verdict.to = strtoull(number, &end, 0);
	if (end == number || *end != '\0')
		return (struct words_verdict){verdict.kind, 0};
	if (words_has(view->distances, name))
		verdict.to += address;
	verdict.kind = words_has(view->calls, name) ? GPROFX_CALL_DIRECT : GPROFX_CALL_TAIL;
	return verdict;
}

static void
words_compare(struct words_worker *worker, struct words_side *side, uint32_t number,
              struct words_verdict theirs)
{
	const struct words_view *view = side->view;
	struct words_verdict ours = side->verdicts[number];
	uint32_t word = worker->words[number];

	if (view->pointer_bytes == 4)
		theirs.to = (uint32_t)theirs.to;
	if (theirs.kind == WORDS_SITE)
		theirs.kind = side->image.wants_sites ? GPROFX_CALL_INDIRECT : WORDS_NONE;
	side->counts.kinds[theirs.kind < WORDS_KINDS - 1 ? theirs.kind : WORDS_KINDS - 1]++;
	side->counts.found += ours.kind != WORDS_NONE;
	if (ours.kind == theirs.kind && ours.to == theirs.to)
		return;
	if (side->counts.wrong++ < WORDS_MOST_SHOWN)
		printf("%s%s %08x: %d to %llx, to capstone: %d to %llx, %s %s\n", view->name,
		       side->image.wants_sites ? " sites" : "", word, (int)ours.kind,
		       (unsigned long long)ours.to, (int)theirs.kind, (unsigned long long)theirs.to,
		       worker->room->mnemonic, worker->room->op_str);
}

/* Checks the words that were collected. */
static void
words_settle(struct words_worker *worker)
{
	uint32_t (*kind_of)(uint32_t word, uint32_t kind) = worker->sides[0].view->kind;

	if (worker->count == 0)
		return;
	for (uint32_t k = 0; k < worker->side_count; k++)
		words_scan(worker, &worker->sides[k], 0, worker->count);
	for (uint32_t i = 0; i < worker->count; i++) {
		struct words_verdict theirs = words_of_capstone(worker, worker->words[i],
		                                                words_address + 4 * (uint64_t)i);
		uint32_t kind = kind_of ? kind_of(worker->words[i], theirs.kind) : theirs.kind;

		if (kind != theirs.kind) {
			theirs = (struct words_verdict){kind, 0};
			worker->other_kinds++;
		}
		for (uint32_t k = 0; k < worker->side_count; k++) {
			/* No function begins within a piece, so that is not asked about. */
			if (theirs.to - words_address < 4 * (uint64_t)worker->count)
				words_scan(worker, &worker->sides[k], i, 1);
			words_compare(worker, &worker->sides[k], i, theirs);
		}
	}
	worker->count = 0;
}

static void
words_check(struct words_worker *worker, uint32_t word)
{
	worker->words[worker->count++] = word;
	if (worker->count == words_batch(worker->sides[0].view))
		words_settle(worker);
}

/* Lays the lower bits of a number into those of a mask. */
static uint32_t
words_spread(uint32_t number, uint32_t mask)
{
	uint32_t word = 0;

	for (uint32_t bit = 1; mask != 0; mask &= mask - 1, bit <<= 1)
		if (number & bit)
			word |= mask & (0 - mask);
	return word;
}

/* Notes what the names of a list begin with. */
static void
words_note_begins(struct words_worker *worker, const char *names)
{
	for (; names && names[0] != '\0'; names++)
		if (names[0] == ' ')
			worker->begins[(unsigned char)names[1]] = true;
}

static void
words_open_side(struct testrun *test, struct words_side *side, const struct words_view *view,
                bool wants_sites)
{
	side->view = view;
	side->options.tail_calls = view->tails != NULL;
	side->target = (struct gprofx_target){.size = sizeof side->target,
	                                      .machine = view->machine,
	                                      .pointer_bytes = view->pointer_bytes,
	                                      .big_endian = view->big_endian};
	side->image = (struct gprofx_scanned_image){.size = sizeof side->image,
	                                            .wants_sites = wants_sites,
	                                            .target = &side->target,
	                                            .machine_flags = view->machine_flags};
	if (findcall.worker_open)
		assert_int_equal(findcall.worker_open(&test->run.gx, &side->image, &side->options,
		                                      &side->scanner),
		                 GPROFX_OK);
}

/* Opens some, which are all zeroes, for so many views, which capstone decodes alike. */
static void
words_open(struct testrun *test, struct words_worker *worker, const struct words_view *views,
           uint32_t count)
{
	worker->side_count = 2 * count;
	words_note_begins(worker, views->calls);
	words_note_begins(worker, views->tails);
	words_note_begins(worker, views->indirect);
	words_note_begins(worker, views->sites);
	quick_print_begin();
	assert_int_equal(cs_open(views->arch, (cs_mode)views->mode, &worker->capstone), CS_ERR_OK);
	worker->room = cs_malloc(worker->capstone);
	assert_non_null(worker->room);
	for (uint32_t k = 0; k < worker->side_count; k++)
		words_open_side(test, &worker->sides[k], &views[k / 2], k % 2 != 0);
}

static void
words_close(struct testrun *test, struct words_worker *worker)
{
	for (uint32_t k = 0; k < worker->side_count; k++)
		if (findcall.worker_close && worker->sides[k].scanner)
			findcall.worker_close(&test->run.gx, worker->sides[k].scanner);
	cs_free(worker->room, 1);
	cs_close(&worker->capstone);
}

/* What is tested: set by words_main(). */
static const struct words_view *words_views;
static size_t words_view_count;

static void
words_agree(void **state)
{
	struct testrun *test = *state;

	for (size_t i = 0; i < words_view_count; i++) {
		const struct words_view *view = &words_views[i];
		struct words_worker *worker = calloc(1, sizeof *worker);
		uint64_t seed = 2026;

		assert_non_null(worker);
		words_open(test, worker, view, 1);
		for (uint32_t number = 0; number < WORDS_BY_LOT; number++) {
			uint32_t word = hostile_random(&seed) ^ hostile_random(&seed) << 16;

			word = (word & ~view->opcode_bits) |
			       words_spread(number, view->opcode_bits);
			words_check(worker, word);
		}
		words_settle(worker);
		words_close(test, worker);
		for (uint32_t k = 0; k < worker->side_count; k++) {
			assert_int_equal(worker->sides[k].counts.wrong, 0);
			assert_true(worker->sides[k].counts.found > 0);
		}
		free(worker);
	}
}

/* Whether an instruction has two bytes only, so that others are not its. */
static bool
words_is_half(const struct words_view *view, uint32_t word)
{
	return (view->form == WORDS_HALVES && word < 0xe8000000) ||
	       (view->form == WORDS_OF_6 && word < 0x40000000);
}

static void *
words_take_chunks(void *argument)
{
	struct words_worker *worker = argument;
	const struct words_view *view = worker->sides[0].view;
	uint32_t chunk;

	while ((chunk = atomic_fetch_add(worker->next_chunk, 1)) < WORDS_CHUNKS) {
		if (chunk % WORDS_CHUNKS_A_LINE == 0)
			printf("%s: at %08x\n", view->name, chunk * WORDS_CHUNK);
		for (uint32_t i = 0; i < WORDS_CHUNK; i++) {
			uint32_t word = chunk * WORDS_CHUNK + i;

			if ((word & 0xffff) != 0 && words_is_half(view, word))
				worker->repeated++;
			else
				words_check(worker, word);
		}
	}
	words_settle(worker);
	return NULL;
}

static void
words_add_counts(struct words_counts *sum, const struct words_counts *counts)
{
	for (uint32_t i = 0; i < WORDS_KINDS; i++)
		sum->kinds[i] += counts->kinds[i];
	sum->found += counts->found;
	sum->wrong += counts->wrong;
}

static void
words_print_counts(const struct words_side *side)
{
	unsigned long long kinds[WORDS_KINDS], words = 0;
	const struct words_counts *counts = &side->counts;

	for (uint32_t i = 0; i < WORDS_KINDS; i++) {
		kinds[i] = counts->kinds[i];
		words += kinds[i];
	}
	printf("%s%s: of %llu words, to capstone %llu calls, %llu jumps, %llu calls through "
	       "registers; %llu found, %llu wrong\n",
	       side->view->name, side->image.wants_sites ? ", call sites" : "", words,
	       kinds[GPROFX_CALL_DIRECT], kinds[GPROFX_CALL_TAIL], kinds[GPROFX_CALL_INDIRECT],
	       (unsigned long long)counts->found, (unsigned long long)counts->wrong);
}

/* The only one to try, NULL: all; and what to begin with. */
static const char *words_view_name;
static uint32_t words_first_chunk;

/* Adds what others found to the first. */
static uint64_t
words_sum_up(struct words_worker *workers, long count)
{
	struct words_worker *all = workers;
	uint64_t wrong = 0, words = 0;

	for (long k = 1; k < count; k++) {
		for (uint32_t i = 0; i < all->side_count; i++)
			words_add_counts(&all->sides[i].counts, &workers[k].sides[i].counts);
		all->repeated += workers[k].repeated;
		all->other_kinds += workers[k].other_kinds;
	}
	for (uint32_t i = 0; i < all->side_count; i++) {
		words_print_counts(&all->sides[i]);
		wrong += all->sides[i].counts.wrong;
	}
	printf("%s: %llu further words differ from these only behind the instruction; of %llu, "
	       "capstone's verdict was replaced\n",
	       all->sides[0].view->name, (unsigned long long)all->repeated,
	       (unsigned long long)all->other_kinds);
	for (uint32_t i = 0; i < WORDS_KINDS; i++)
		words += all->sides[0].counts.kinds[i];
	assert_int_equal(words + all->repeated,
	                 (uint64_t)(WORDS_CHUNKS - words_first_chunk) * WORDS_CHUNK);
	return wrong;
}

static long
words_thread_count(void)
{
	const char *jobs = getenv("GPROFX_JOBS");
	long count = jobs ? strtol(jobs, NULL, 10) : sysconf(_SC_NPROCESSORS_ONLN);

	return count < 1 ? 1 : count > WORDS_MOST_THREADS ? WORDS_MOST_THREADS : count;
}

/* Tries all words in so many views that capstone decodes alike; returns how many are wrong. */
static uint64_t
words_try_all(struct testrun *test, const struct words_view *views, uint32_t view_count)
{
	atomic_uint next_chunk = words_first_chunk;
	clock_t begin = clock();
	long count = words_thread_count();
	struct words_worker *workers = calloc((size_t)count, sizeof *workers);
	uint64_t wrong;

	assert_non_null(workers);
	for (long k = 0; k < count; k++) {
		words_open(test, &workers[k], views, view_count);
		workers[k].next_chunk = &next_chunk;
	}
	for (long k = 0; k < count; k++)
		assert_int_equal(
			pthread_create(&workers[k].thread, NULL, words_take_chunks, &workers[k]),
			0);
	for (long k = 0; k < count; k++) {
		pthread_join(workers[k].thread, NULL);
		words_close(test, &workers[k]);
	}
	wrong = words_sum_up(workers, count);
	free(workers);
	printf("%s: %.1f minutes of processor time\n", views->name,
	       (double)(clock() - begin) / CLOCKS_PER_SEC / 60);
	return wrong;
}

static void
words_all_agree(void **state)
{
	uint64_t wrong = 0;
	uint32_t tried = 0;

	for (size_t i = 0, count; i < words_view_count; i += count) {
		count = i + 1 < words_view_count && words_views[i + 1].as_before ? 2 : 1;
		if (words_view_name && strcmp(words_view_name, words_views[i].name) != 0)
			continue;
		wrong += words_try_all(*state, &words_views[i], (uint32_t)count);
		tried++;
	}
	assert_true(tried > 0);
	assert_int_equal(wrong, 0);
}

static int
words_main(int count, char **words, const struct words_view *views, size_t view_count)
{
	const struct CMUnitTest by_lot[] = {cmocka_unit_test(quick_print_agrees),
	                                    TESTRUN(words_agree)};
	const struct CMUnitTest all[] = {TESTRUN(words_all_agree)};

	setvbuf(stdout, NULL, _IOLBF, 0); /* for those who look on for long */
	words_views = views;
	words_view_count = view_count;
	words_view_name = count > 2 ? words[2] : NULL;
	words_first_chunk = count > 3 ? (uint32_t)strtoul(words[3], NULL, 16) / WORDS_CHUNK : 0;
	if (count > 1 && strcmp(words[1], "--all") == 0)
		return cmocka_run_group_tests(all, NULL, NULL);
	return cmocka_run_group_tests(by_lot, NULL, NULL);
}

#endif
