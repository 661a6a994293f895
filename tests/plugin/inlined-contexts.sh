#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Inlined subroutines as calling contexts, from debug information: of frames of stacks, and of samples of a
# histogram below their function. The truth: work is called in lines 10 and 11 of main, and calls step in line 6.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

cat >inlined.c <<'PROGRAM'
volatile int sink;
__attribute__((always_inline)) static inline int step(int x) { return x * sink; }
__attribute__((always_inline)) static inline int work(int x)
{
	int sum = sink;
	sum += step(x);
	return sum;
}
__attribute__((noinline)) int leaf(int x) { return x + sink; }
int main(int argc, char **argv)
{ (void)argv; sink = argc; sink += work(argc);
	sink += work(argc + 1);
	return leaf(sink);
}
PROGRAM
sed -i 's/^__attribute__((noinline)) int leaf/int leaf(int) __attribute__((noinline)); &/' inlined.c
"$GPROFX_CC" -g -O1 inlined.c -o program 2>err || { cat err; skip 'cannot build'; }
# Addresses of the lines, of step by the calls of work that they are part of.
list_lines program
# address LINE-OF-MAIN: of step, inlined into work, that is called there.
address() {
	sed -nE "s/.* step \(inlined\.c:2 @ ([0-9a-f]+)\) inlined into \.\.\. main \(inlined\.c:$1\)\$/\1/p" \
		lines | head -n 1
}
first=$(address 11) second=$(address 12)
plain=$(sed -nE 's/.* main \(inlined\.c:13 @ ([0-9a-f]+)\)$/\1/p' lines | head -n 1)
leaf=$(sed -nE 's/.* leaf \(inlined\.c:9 @ ([0-9a-f]+)\)$/\1/p' lines | head -n 1)
[ -n "$first" ] && [ -n "$second" ] && [ -n "$plain" ] && [ -n "$leaf" ] || {
	cat lines >&2
	fail 'the lines are not as they were'
}

module input-addresses <<'END'
	#include "stub.h"
	#include <stdlib.h>
	/* Each line: a weight, then addresses, the innermost first. */
	static enum gprofx_result read_stacks(struct gprofx *gx, const struct gprofx_file *file,
	                                      const struct gprofx_target *target,
	                                      struct gprofx_profile *profile, const void *options) {
		char *text = gprofx_alloc(gx, file->length + 1), *at = text;
		enum gprofx_result result = GPROFX_OK;
		(void)target, (void)options;
		memcpy(text, file->bytes, file->length);
		while (*at && result == GPROFX_OK) {
			uint64_t weight = strtoull(at, &at, 10), address[8];
			uint32_t first[] = {0, 0};
			struct gprofx_raw_stacks stacks = {.size = sizeof stacks, .count = 1, .first = first,
				.address = address, .weight = &weight, .rate = 1, .dimension = "samples"};
			for (; *at == ' ' && first[1] < 8; first[1]++)
				address[first[1]] = strtoull(at, &at, 16);
			at += *at == '\n';
			result = profile->builder->stacks(gx, profile, file, NULL, &stacks);
		}
		return result;
	}
	static const struct gprofx_reader reader = {
		.size = sizeof reader, .format = "addresses", .read = read_stacks};
	GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-addresses", .reader = &reader};
END
# emitter NAME NEEDS: prints contexts: depth, name, self time, and what is known of their places.
emitter() {
	module "$1" <<-END
		#include "stub.h"
		static enum gprofx_result
		emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options) {
			const struct gprofx_report *report = emission->report;
			const struct gprofx_report_contexts *contexts = report->contexts;
			(void)gx, (void)options;
			for (uint32_t i = 0; i < contexts->count; i++) {
				struct gprofx_text name = gprofx_context_name(report, i);
				uint32_t place = contexts->place ? contexts->place[i] : GPROFX_NO_PLACE;
				int depth = 0;
				for (uint32_t up = i; contexts->parent[up] != GPROFX_NO_CONTEXT; depth++)
					up = contexts->parent[up];
				gprofx_out(emission->writer, "%d %.*s%s %.3g", depth, (int)name.length, name.bytes,
					contexts->flags[i] & GPROFX_CONTEXT_INLINED ? " inlined" : "",
					gprofx_real(&contexts->columns->self, i));
				if (place != GPROFX_NO_PLACE && contexts->place_file[place])
					gprofx_out(emission->writer, " %s:%u", strrchr(contexts->place_file[place], '/') + 1,
						contexts->place_line[place]);
				gprofx_puts(emission->writer, "\n");
			}
			return GPROFX_OK;
		}
		static const struct gprofx_needs needs = {.size = sizeof needs, .contexts = $2};
		static const struct gprofx_emitter emitter = {
			.size = sizeof emitter, .format = "$1", .emit = emit, .needs = &needs};
		GPROFX_PLUGIN = {GPROFX_ABI, .name = "output-$1", .emitter = &emitter};
	END
}
emitter plain GPROFX_CONTEXTS
emitter inlined GPROFX_CONTEXTS_INLINED
emitter placed GPROFX_CONTEXTS_BY_PLACE
emitter both 'GPROFX_CONTEXTS_INLINED | GPROFX_CONTEXTS_BY_PLACE'
# contexts FORM FILE WORD...: what it prints, of a profile.
contexts() {
	expect_status 0 "$GPROFX" --no-findings --plugin=./input-addresses.so "--plugin=./$1.so" "${@:3}" \
		"--output=$1" program "$2"
	expect_empty err
}

cat >stacks <<END
1 $first
2 $second
4 $plain
8 $leaf $plain
16 $leaf $first
END
contexts plain stacks -O addresses
expect_same out - <<-'END'
	0 main 7
	1 leaf 24
END
contexts inlined stacks -O addresses
expect_same out - <<-'END'
	0 main 4
	1 work inlined 0
	2 step inlined 3
	1 leaf 8
	3 leaf 16
END
contexts placed stacks -O addresses
expect_same out - <<-'END'
	0 main 1 inlined.c:11
	0 main 2 inlined.c:12
	0 main 4 inlined.c:13
	1 leaf 8 inlined.c:9
	1 leaf 16 inlined.c:9
END
contexts both stacks -O addresses
expect_same out - <<-'END'
	0 main 0 inlined.c:11
	1 work inlined 0 inlined.c:6
	2 step inlined 1 inlined.c:2
	0 main 0 inlined.c:12
	1 work inlined 0 inlined.c:6
	2 step inlined 2 inlined.c:2
	0 main 4 inlined.c:13
	1 leaf 8 inlined.c:9
	3 leaf 16 inlined.c:9
END
# In reports by line, whose symbols know of inlined lines themselves, it is the same.
contexts inlined stacks -O addresses -l
expect_same <(sed 's/ (.*) / /' out) - <<-'END'
	0 main 4
	1 work inlined 0
	2 step inlined 3
	1 leaf 8
	3 leaf 16
END

# A histogram with a bin for each byte: 5 samples in each step, 20 in main, 10 in leaf, which main calls.
python3 - "$first" "$second" "$plain" "$leaf" <<'END' || fail 'cannot write the profile'
import sys
from gmonfile import Profile
first, second, plain, leaf = (int(word, 16) for word in sys.argv[1:])
low, high = min(first, second, plain, leaf), max(first, second, plain, leaf) + 1
bins = [0] * (high - low)
bins[first - low] = bins[second - low] = 5
bins[plain - low], bins[leaf - low] = 20, 10
profile = Profile().histogram(low, high, bins)
open('flat', 'wb').write(profile.bytes())
profile.arc(plain + 1, leaf, 3)
open('gmon', 'wb').write(profile.bytes())
END
contexts plain gmon
expect_same out - <<-'END'
	0 main 30
	1 leaf 10
END
contexts inlined gmon
expect_same out - <<-'END'
	0 main 20
	1 leaf 10
	1 work inlined 0
	2 step inlined 10
END
contexts both gmon
expect_in out '2 step inlined 10'
contexts inlined flat
expect_same out - <<-'END'
	0 main 20
	0 leaf 10
	1 work inlined 0
	2 step inlined 10
END
# The example draws them.
module output-flame <"$GPROFX_SOURCE/examples/plugin/output-flame.c"
expect_status 0 "$GPROFX" --no-findings --plugin=./output-flame.so --output=flame program gmon
expect_in out '<title>step: 25.00 %, itself 25.00 %</title>'
# Without debug information there is nothing inside of functions.
cp program whole
strip -g program 2>/dev/null || objcopy -g program
for file in stacks gmon; do
	format=
	[ $file = gmon ] || format='-O addresses'
	contexts inlined $file $format
	mv out inside
	contexts plain $file $format
	expect_same out inside
done
