/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scenes of call-site attribution: a program of eight functions, what the profiling runtime
 * recorded, and the calls that stand in the code.  Include it first.
 */
#ifndef TESTS_UNIT_ATTRIBUTION_SCENE_H
#define TESTS_UNIT_ATTRIBUTION_SCENE_H

#include "smallrun.h"

#include <stdatomic.h>

#include <gprofx/findcall.h>

#include "attribution/attribution.h"

enum { MACHINE = 4660, X86_64 = 62, MOST = 24, TEXT = 0x1000, TEXT_BYTES = 0x100 };
enum {
	A = 0x1000,
	B = 0x1014,
	C = 0x1030,
	D = 0x1050,
	E = 0x1060,
	F = 0x1070,
	G = 0x1080,
	H = 0x1090
};
enum { POINTER = 0x9000, SLOT = 0x9100 };
enum { CALL = GPROFX_CALL_DIRECT, JUMP = GPROFX_CALL_TAIL, BY_POINTER = GPROFX_CALL_INDIRECT };

/* 0x1010 stands for the end of a and the entry of b; 0x1030 for c, and for what returns there. */
static const struct small_function program[] = {{"a", A, 0x14}, {"b", B, 0x1c}, {"c", C, 0x18},
                                                {"d", D, 0x10}, {"e", E, 0x10}, {"f", F, 0x10},
                                                {"g", G, 0x10}, {"h", H, 0x70}, {0}};

/* A call in the code; all are 5 bytes long. */
struct in_code {
	uint64_t from, to;
	int kind;
};

struct scene {
	const char *what;
	struct small_call recorded[MOST];
	struct in_code code[MOST];
	const char *expected; /* what is reported, and the arcs afterwards */
};

/* The code of the program, which the scanner only looks up. */
static const struct in_code *code_now;
/* So many jumps were found in it, by the scanners of all threads together. */
static atomic_uint jumps_seen;

static inline void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	(void)worker;
	for (const struct in_code *call = code_now; call->from != 0; call++)
		if (call->from - code->address < code->byte_count) {
			gprofx_add_site(calls, call->from, call->to,
			                (enum gprofx_call_kind)call->kind, 5);
			if (call->kind == JUMP)
				atomic_fetch_add(&jumps_seen, 1);
		}
}

static const uint16_t machines[] = {MACHINE};
static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 1,
                                                .scan = scan};
static const struct gprofx_plugin plugin = {GPROFX_ABI, .name = "findcall-unit", .version = "1",
                                            .summary = "Looks calls up", .findcall = &findcall};
static const struct gprofx_plugin *const builtin[] = {&plugin, NULL};
static uint8_t image_bytes[TEXT_BYTES];
static const struct gprofx_code_range text = {TEXT, TEXT_BYTES, 0, ".text"};

static inline struct symbols *
symbols_of(struct testrun *test, uint16_t machine)
{
	struct symbols *symbols = small_symbols(test, program);

	symbols->image = (struct gprofx_image){.size = sizeof symbols->image,
	                                       .name = "image",
	                                       .bytes = image_bytes,
	                                       .length = sizeof image_bytes};
	symbols->table.code = &text;
	symbols->table.code_count = 1;
	symbols->table.target.machine = machine;
	symbols->table.target.pointer_bytes = 8;
	/* Slots are known, if there are any. */
	symbols->table.wants_slots = true;
	test->settings.builtin = machine == MACHINE ? builtin : NULL;
	test->run.corrections = GPROFX_CORRECT_CALL_SITES;
	return symbols;
}

static inline void
add_arcs(struct small_text *shown, const struct symbols *symbols, const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->arc_count; i++) {
		const struct gprofx_raw_arc *arc = &profile->arcs[i];

		small_add(shown, "%s%s>%s %llu", i > 0 ? ", " : "", small_name(symbols, arc->from),
		          small_name(symbols, arc->self), (unsigned long long)arc->count);
	}
}

static inline void
add_told(struct small_text *shown, const struct gprofx_rounding *told)
{
	if (!told)
		return;
	small_add(shown, "%u:%s%s", told->quantum, told->was_scanned ? "" : " not scanned",
	          told->is_supposed ? " supposed" : "");
	small_add(shown, " doubtful %u/%llu", told->doubtful_arcs,
	          (unsigned long long)told->doubtful_calls);
	if (told->moved_arcs > 0)
		small_add(shown, " moved %u/%llu", told->moved_arcs,
		          (unsigned long long)told->moved_calls);
	if (told->split_arcs > 0)
		small_add(shown, " split %u/%llu", told->split_arcs,
		          (unsigned long long)told->split_calls);
	small_add(shown, "; ");
}

static inline struct attribution *
play(struct testrun *test, struct symbols *symbols, const struct scene *scene,
     struct profile **profile, struct small_text *shown)
{
	struct attribution *callers;

	code_now = scene->code;
	*profile = small_profile(test, scene->recorded);
	callers = attribution_find(&test->run, symbols, scan_new(&test->run, symbols), *profile);
	attribution_apply(&test->run, callers, *profile);
	*shown = (struct small_text){.length = 0};
	add_told(shown, (*profile)->rounding);
	add_arcs(shown, symbols, *profile);
	return callers;
}

static inline void
play_all(struct testrun *test, struct symbols *symbols, const struct scene *scenes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct small_text shown;
		struct profile *profile;

		play(test, symbols, &scenes[i], &profile, &shown);
		if (strcmp(shown.bytes, scenes[i].expected) != 0)
			fail_msg("%s:\nexpected %s\nfound    %s", scenes[i].what,
			         scenes[i].expected, shown.bytes);
	}
}

#endif
