#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Sums of squared weights beside sampled values: from stacks whose reader hands them over, by hand; of several files
# and rates; where each sample weighs one tick, as in histograms; and where they are not known. Takes about 1 second.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
module squares <<'END'
	#include "stub.h"
	/* main 10, main > work 20, main > work > idle 5, main > work > work 4; the first letter says what else. */
	static enum gprofx_result read_stacks(struct gprofx *gx, const struct gprofx_file *file,
	                                      const struct gprofx_target *target,
	                                      struct gprofx_profile *profile, const void *options) {
		static const uint64_t address[] = {0x401000, 0x401108, 0x401004, 0x401200, 0x401108, 0x401004,
		                                   0x401100, 0x401108, 0x401004};
		static const uint64_t weight[] = {10, 20, 5, 4}, squares[] = {52, 104, 25, 16};
		static const uint64_t large[] = {UINT64_MAX, 1, 1, 1};
		static const uint32_t first[] = {0, 1, 3, 6, 9};
		struct gprofx_raw_stacks stacks = {.size = sizeof stacks, .count = 4, .first = first,
			.address = address, .weight = weight, .rate = 1, .dimension = "bytes"};
		(void)target, (void)options;
		if (file->length < 20)
			return GPROFX_DECLINED;
		switch (file->bytes[0]) {
		case 's': stacks.squares = squares; break;
		case 'r': stacks.squares = squares, stacks.rate = 2; break;
		case 'w': stacks.squares = weight; break;
		case 'l': stacks.squares = large; break;
		}
		return profile->builder->stacks(gx, profile, file, NULL, &stacks);
	}
	static const struct gprofx_reader reader = {.size = sizeof reader, .format = "squares", .read = read_stacks};

	static void put(struct gprofx_writer *writer, const struct gprofx_column *column, uint32_t row) {
		gprofx_out(writer, " %g", gprofx_real(&column->self, row));
		if (!column->self_squares.first)
			gprofx_puts(writer, " ?");
		else
			gprofx_out(writer, column->self_squares.first == column->self.first ? " same" : " %g",
			           gprofx_real(&column->self_squares, row));
		if (column->total_squares.first)
			gprofx_out(writer, " of %g %g", gprofx_real(&column->self, row) + gprofx_real(&column->below, row),
			           gprofx_real(&column->total_squares, row));
		else
			gprofx_puts(writer, " ?");
		gprofx_puts(writer, "\n");
	}
	static enum gprofx_result emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options) {
		const struct gprofx_report *report = emission->report;
		const struct gprofx_arcs *arcs = &report->graph->arcs;
		(void)gx, (void)options;
	#ifdef CONTEXTS
		for (uint32_t i = 0; i < report->contexts->count; i++) {
			uint32_t parent = report->contexts->parent[i];
			struct gprofx_text name = gprofx_context_name(report, i);
			if (parent != GPROFX_NO_CONTEXT)
				gprofx_out(emission->writer, "%.*s > ", (int)gprofx_context_name(report, parent).length,
				           gprofx_context_name(report, parent).bytes);
			gprofx_put(emission->writer, name.bytes, name.length);
			put(emission->writer, report->contexts->columns, i);
		}
		return GPROFX_OK;
	#endif
		for (uint32_t i = 0; i < report->functions->count; i++) {
			gprofx_puts(emission->writer, report->functions->raw_name[i]);
			put(emission->writer, report->graph->columns, i);
		}
		for (uint32_t i = 0; i < arcs->count; i++) {
			gprofx_out(emission->writer, "%s > %s", report->functions->raw_name[gprofx_id(&arcs->caller, i)],
			           report->functions->raw_name[gprofx_id(&arcs->callee, i)]);
			put(emission->writer, arcs->columns, i);
		}
		return GPROFX_OK;
	}
	#ifdef CONTEXTS
	#define WANTED .contexts = GPROFX_CONTEXTS
	#else
	#define WANTED .parts = GPROFX_PART_NODES
	#endif
	static const struct gprofx_needs needs = {.size = sizeof needs, WANTED};
	static const struct gprofx_emitter emitter = {.size = sizeof emitter, .format = "squares", .extension = "txt",
		.emit = emit, .needs = &needs};
	GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-squares", .version = "1", .summary = "stacks with squares",
		.reader = &reader, .emitter = &emitter};
END
module contexts -DCONTEXTS <squares.c
for kind in separate rate weights none large; do
	echo "$kind, and more bytes than there are frames" >$kind
done
# squares PROFILE...: what the table has of functions and arcs, on standard input.
squares() {
	expect_status 0 "$GPROFX" --plugin=./squares.so --no-findings -O squares --output=squares program "$@"
	expect_empty err
	grep -v '^zz_end' out >found
	expect_same found -
}

squares separate <<'END'
main 10 52 of 39 197
work 24 120 of 29 145
idle 5 25 of 5 25
main > work 20 104 of 29 145
work > idle 5 25 of 5 25
work > work 4 16 of 4 16
END
cp separate again
squares separate again <<'END'
main 20 104 of 78 394
work 48 240 of 58 290
idle 10 50 of 10 50
main > work 40 208 of 58 290
work > idle 10 50 of 10 50
work > work 8 32 of 8 32
END
# Ticks of the first file are two of the second one's: each of its samples weighs twice, and squares four times.
for files in 'separate rate' 'rate separate'; do
	squares $files <<'END'
main 30 260 of 117 985
work 72 600 of 87 725
idle 15 125 of 15 125
main > work 60 520 of 87 725
work > idle 15 125 of 15 125
work > work 12 80 of 12 80
END
done
squares weights <<'END'
main 10 same of 39 39
work 24 same of 29 29
idle 5 same of 5 5
main > work 20 same of 29 29
work > idle 5 same of 5 5
work > work 4 same of 4 4
END
# What one file lacks is known of none; nor is a sum that no number holds.
for files in none 'separate none' 'none weights' 'separate large'; do
	expect_status 0 "$GPROFX" --plugin=./squares.so --no-findings -O squares --output=squares program $files
	expect_empty err
	grep -v ' ? ?$' out && fail "squares of $files are known"
done
expect_status 0 "$GPROFX" --plugin=./squares.so --no-findings --output=squares program gmon.out
grep -v '^zz_end' out >found
expect_same found - <<'END'
main 10 same ?
work 30 same ?
idle 0 same ?
main > work 30 ? ?
END

# The same of contexts.
# contexts PROFILE...: what the table has of them, on standard input.
contexts() {
	expect_status 0 "$GPROFX" --plugin=./contexts.so --no-findings -O squares --output=squares program "$@"
	expect_empty err
	expect_same out -
}
contexts separate rate <<'END'
main 30 260 of 117 985
main > work 60 520 of 87 725
work > idle 15 125 of 15 125
work > work 12 80 of 12 80
END
contexts weights <<'END'
main 10 same of 39 39
main > work 20 same of 29 29
work > idle 5 same of 5 5
work > work 4 same of 4 4
END
contexts separate none <<'END'
main 20 ? ?
main > work 40 ? ?
work > idle 10 ? ?
work > work 8 ? ?
END
expect_status 0 "$GPROFX" --plugin=./contexts.so --no-findings --output=squares program gmon.out
grep -v ' ? ?$' out && fail 'squares of estimates are known'
true
