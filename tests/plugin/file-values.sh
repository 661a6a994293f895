#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What each file has of each function, as emitters see it: the values of the files' own reports, whose sums, rounded
# once, are the statistics to the last bit; only where there are several files, if an emitter can do without.
# report.many-histograms as a warning.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

table='
	#include "stub.h"
	#ifndef DIGITS
	#define DIGITS 9
	#endif
	static enum gprofx_result
	emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options) {
		const struct gprofx_report *report = emission->report;
		const struct gprofx_report_files *files = report->files;
		struct gprofx_writer *w = emission->writer;
		(void)gx; (void)options;
		gprofx_out(w, "%u files, %u left out\n", files->labelled_count, files->values_left_out);
		if (!files->value != !files->value_first || (files->value && !files->spread))
			return GPROFX_FAILED;
		for (uint32_t i = 0; files->value && i < files->spread_count; i++) {
			const struct gprofx_function_spread *row = gprofx_spread_at(report, i);
			struct gprofx_text name = report->services->name(report, row->function);
			uint32_t first = files->value_first[i], past = files->value_first[i + 1];
			gprofx_out(w, "%.*s:", (int)name.length, name.bytes);
			for (uint32_t k = first; k < past; k++) {
				const struct gprofx_file_value *value = &files->value[k];
				if ((k > first && value->file <= value[-1].file) || (value->self == 0 && value->calls == 0))
					return GPROFX_FAILED;
				gprofx_out(w, " %s=%.*g/%lu", gprofx_labelled_at(report, value->file)->label,
				           DIGITS, value->self, (unsigned long)value->calls);
			}
			if (DIGITS > 9)
				gprofx_out(w, " %.17g %.17g", row->self.total, row->calls.total);
			gprofx_out(w, "\n");
		}
		return GPROFX_OK;
	}
	static const struct gprofx_needs needs = {.size = sizeof needs, .parts = GPROFX_PART_NODES | PARTS, MORE};
	static const struct gprofx_emitter emitter = {
		.size = sizeof emitter, .format = FORMAT, .emit = emit, .needs = &needs};
	GPROFX_PLUGIN = {GPROFX_ABI, .name = "output-" FORMAT, .version = "1", .summary = "Values of files",
	                 .emitter = &emitter};'
module values '-DFORMAT="values"' -DPARTS=GPROFX_PART_FILE_VALUES -DMORE=.traits=0 <<<"$table"
module if-several '-DFORMAT="if-several"' -DPARTS=0 -DMORE=.parts_if_several=GPROFX_PART_FILE_VALUES <<<"$table"
module statistics '-DFORMAT="statistics"' -DPARTS=GPROFX_PART_PER_FILE -DMORE=.traits=0 <<<"$table"
module exact '-DFORMAT="exact"' -DPARTS=GPROFX_PART_FILE_VALUES -DMORE=.traits=0 -DDIGITS=17 <<<"$table"
module also '-DFORMAT="also"' -DPARTS=0 -DMORE=.also=GPROFX_PART_FILE_VALUES <<<"$table"

# report FORMAT STATUS WORD...: what an emitter sees, in ./out.
report() {
	expect_status "$2" "$GPROFX" --plugin=./values.so --plugin=./if-several.so --plugin=./statistics.so \
		--plugin=./also.so --plugin=./exact.so --no-findings --output="$1" "${@:3}"
}

python3 - <<'END' || fail 'cannot write the profiles'
import os
from lcg import Random
from profiled import Program
program = Program(['main', 'work', 'idle'])
open('program', 'wb').write(program.bytes())
open('one', 'wb').write(program.profile({'main': 10, 'work': 30}, [('main', 'work', 7)]).bytes())
open('two', 'wb').write(program.profile({'work': 5}, [('main', 'work', 2), ('work', 'work', 9)]).bytes())
open('three', 'wb').write(program.profile({}, [('main', 'idle', 4)]).bytes())
os.mkdir('folder')
for name in 'one', 'two':
    os.link(name, f'folder/gmon.out.{name[0]}')
os.mkdir('single')
os.link('one', 'single/gmon.out')
# Bins that functions share, rates whose ticks are no whole numbers, calls near entries; more files than are added
# up together.
r = Random(4)
names = ['main'] + [f'f{i}' for i in range(40)]
program = Program(names)
open('random', 'wb').write(program.bytes())
for i in range(70):
    profile = program.empty()
    bins = [r.pick((0, 0, 0, 0, 1, 7, 65535)) for _ in range(107)]
    profile.histogram(program.base, program.end, bins, rate=r.pick((97, 100, 1000)))
    for _ in range(30):
        caller = program.base + 0x100 * r.below(len(names)) + r.pick((0, 2, 8, 0x40))
        profile.arc(caller, program.address[r.pick(names)], r.pick((1, 5, 0xffffffff)))
    open(f'r{i}', 'wb').write(profile.bytes())
END

report values 0 program one two three
cat >expected <<'END'
3 files, 0 left out
main: one=10/0
work: one=30/7 two=5/2
idle: three=0/4
END
expect_same expected out
# Functions that are not in the flat profile have none; the statistics alone, none.
report values 0 -b -Pwork program one two three
grep -A9 '^3 files' out >values
expect_same values <(grep -v work expected)
report statistics 0 program one two three
expect_same out <(head -1 expected)

# For who can do without: of several files, or of a folder; with others, what these need.
report if-several 0 program one two three
expect_same expected out
report if-several 0 program folder
expect_same out <(printf '%s\n' '2 files, 0 left out' 'main: folder/gmon.out.o=10/0' \
	'work: folder/gmon.out.o=30/7 folder/gmon.out.t=5/2')
report if-several 0 program one
expect_same out <(echo 0 files, 0 left out)
report if-several 0 --per-file program one
expect_same out <(echo 1 files, 0 left out)
report if-several 0 --output=values:others program one
expect_same out <(printf '%s\n' '1 files, 0 left out' 'main: one=10/0' 'work: one=30/7')
expect_same others out

# Who shows what was made for others sees it if these need it.
report also 0 --output=if-several:others program one two three
expect_same out <(echo 0 files, 0 left out)
expect_match others '^3 files'
report also 0 --output=values:others program one two three
expect_same out others

# To the last bit, by any number of threads.
report values 0 random r{0..69}
expect_match out '^70 files, 0 left out$'
[ "$(grep -o '=' out | wc -l)" -gt 1500 ] || fail 'too few values'
grep -q '=[0-9]*\.[0-9]' out || fail 'no bin is divided'
cp out expected
for threads in 1 3 8; do
	report values 0 --threads="$threads" random r{0..69}
	expect_same expected out
done
report exact 0 random r{0..69}
python3 - <<'END' || fail 'files do not add up to the statistics'
import math
rows = [line.split(': ')[1].split() for line in open('out') if ': ' in line]
assert len(rows) > 40
for *values, self, calls in rows:
    values = [value.split('=')[1].split('/') for value in values]
    assert math.fsum(float(ticks) for ticks, _ in values) == float(self), (values, self)
    assert sum(int(count) for _, count in values) == float(calls), (values, calls)
END

# What cannot be distinguished is left out by who can do without, and an error for others.
module maps -DFAILURE=GPROFX_FAILED <<<'#include "maps-reader.h"'
printf '#maps\nprocess 0\nimage 1 %s -\nmap 1 0x10000000 0x1000 1 0x1000 0\n' "$PWD/none" >images
report values 1 --plugin=./maps.so program one images
expect_in err 'error[report.images-per-file]: '
report if-several 0 --plugin=./maps.so program one images
expect_same out <(echo 0 files, 0 left out)
echo 'main;work 3' >folded
report if-several 0 program folded folded
expect_same out <(echo 0 files, 0 left out)
python3 - <<'END' || fail 'cannot write the profiles'
from profiled import Program
program = Program([f'f{i}' for i in range(9000)], step=4)
open('large', 'wb').write(program.bytes())
one = program.empty().histogram(program.base, program.end, [1])
open('many', 'wb').write(one.bytes() + one.bytes()[20:] * 9000)
END
report values 1 --correct=no-shared-bins large many many
expect_in err 'error[report.many-histograms]: many: the file has too many histograms'
report if-several 0 --correct=no-shared-bins large many many
expect_in err 'warning[report.many-histograms]: many: the file has too many histograms to be distinguished from others'
expect_same out <(echo 0 files, 0 left out)
