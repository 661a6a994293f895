#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# plt-names: samples of PLT stubs have the names of the functions that these lead to. The truth: the stubs as
# objdump names them. About 3 s.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3 gcc objdump
[ "$(uname -m)" = x86_64 ] || skip 'objdump names the stubs of x86'
[ "$GPROFX_BUILTIN" = 1 ] || [ -e "$GPROFX_PLUGIN_DIR/findcall-x86.so" ] || exit 77

# Shows what each of several files has; stubs then need their names before samples are known.
module several <<-'END'
	#include "stub.h"
	static enum gprofx_result
	emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options) {
		(void)gx; (void)options;
		gprofx_out(emission->writer, "%u files\n", emission->report->files->labelled_count);
		return GPROFX_OK;
	}
	static const struct gprofx_needs needs = {.size = sizeof needs, .parts_if_several = GPROFX_PART_PER_FILE};
	static const struct gprofx_emitter emitter = {
		.size = sizeof emitter, .format = "several", .emit = emit, .needs = &needs};
	GPROFX_PLUGIN = {GPROFX_ABI, .name = "output-several", .emitter = &emitter};
END

cat >program.c <<'END'
#include <math.h>
#include <stdlib.h>
int main(int argc, char **argv) { return (int)(exp(argc) + cos(argc)) + (argv[0] ? rand() : 0); }
END

# Bins of 4 bytes from the first stub's section to the end of main: 7 samples in exp, 2 in rand, 1 in main.
profile() {
	objdump -d program | sed -n 's/^0*\([0-9a-f]*\) <\(.*\)>:$/\1 \2/p' >places
	python3 - <<-'END' || fail 'cannot write the profile'
		from gmonfile import Profile
		place = {name: int(address, 16) for address, name in map(str.split, open('places'))}
		low = min(place['exp@plt'], place['rand@plt'], place['cos@plt']) - 64 & -64
		high = (place['main'] + 64) & -64
		bins = [0] * ((high - low) // 4)
		for name, ticks in (('exp@plt', 7), ('rand@plt', 2), ('main', 1)):
		    bins[(place[name] - low) // 4 + 1] = ticks
		profile = Profile().histogram(low, high, bins)
		open('many', 'wb').write(Profile().histogram(low, high, [9 * n for n in bins]).arc(place['main'] + 8, place['main'], 5).bytes())
		open('none', 'wb').write(Profile().histogram(low, high, [0] * (len(bins) - 8) + [3] + [0] * 7).arc(place['main'] + 8, place['main'], 5).bytes())
		open('gmon', 'wb').write(profile.arc(place['main'] + 8, place['main'], 5).bytes())
	END
}

row() {
	awk -v name="$1" '$NF == name {printf "%.0f", 100 * $3}' out
}

for flags in '-no-pie' '-pie -fPIE' '-no-pie -Wl,-z,now' '-pie -fPIE -fcf-protection=full -Wl,-z,now'; do
	gcc -O1 -fno-builtin $flags -o program program.c -lm || skip "gcc $flags"
	profile
	grep -q 'exp@plt' places || continue
	expect_status 0 "$GPROFX" --no-findings -b -p program gmon
	[ "$(row exp@plt)" = 7 ] && [ "$(row rand@plt)" = 2 ] && [ "$(row main)" = 1 ] || fail "$flags"
	expect_not_in out cos
	expect_not_in out outside
	cp out default
	# The same figures where names have to be known beforehand, and for any number of threads.
	expect_status 0 "$GPROFX" --no-findings -b -p --threads=3 program gmon
	expect_same default out
	expect_status 0 "$GPROFX" --no-findings -b -p program gmon many
	cp out both
	expect_status 0 "$GPROFX" --no-findings --plugin=./several.so --output=several:files -b -p program gmon many
	expect_same both out
	expect_same files <(echo 2 files)
	expect_status 0 "$GPROFX" --no-findings -b -p -c program gmon
	expect_same default out
	expect_status 0 "$GPROFX" --no-findings -b -pexp@plt -prand@plt -pmain program gmon
	expect_same default out
	expect_status 0 "$GPROFX" --no-findings --output=csv program gmon
	expect_match out 'exp@plt'
	expect_status 0 "$GPROFX" --no-findings -b -p -l program gmon
	[ "$(row exp@plt)" = 7 ] || fail "$flags: -l"
	expect_status 0 "$GPROFX" --no-findings -b -q program gmon
	expect_match out ' 70\.0    0\.07    0\.00 +exp@plt \['
	expect_status 0 "$GPROFX" --no-findings -b -p --correct=no-plt-names program gmon
	[ "$(row 'function>')" = 9 ] || fail "$flags: switched off"
	expect_status 0 "$GPROFX" --gnu -b -p program gmon
	expect_not_in out plt
	# What such a row means is a finding, which knows the library of the function.
	expect_status 0 "$GPROFX" -b -p program many
	expect_in err 'finding[samples.plt-stub]: exp@plt is only the jump to exp in libm.so.6, '
	expect_status 0 "$GPROFX" -b -p program gmon
	expect_not_in err 'samples.plt-stub'
	# Where no stub has samples, none is looked for.
	expect_status 0 "$GPROFX" --no-findings -b -p -z program none
	expect_not_in out @plt
	# A profile that comes through a pipe is read once.
	"$GPROFX" --no-findings -b -p program - <gmon >out || fail 'standard input'
	expect_same default out
done

# The stub that leads to the profiling code is part of it.
cat >program.c <<'END'
#include <math.h>
#include <stdlib.h>
void mcount(void);
int main(int argc, char **argv) {
	if (argc > 5) mcount();
	return (int)(exp(argc) + cos(argc)) + (argv[0] ? rand() : 0);
}
END
gcc -O1 -fno-builtin -fplt -no-pie -o program program.c -lm || skip 'gcc -fplt'
profile
sed -n 's/ mcount@plt//p' places >mcount
[ -s mcount ] || skip 'mcount has no stub'
python3 - "$(cat mcount)" <<'END'
import sys
from gmonfile import Profile
at = int(sys.argv[1], 16) & -16
open('gmon', 'wb').write(Profile().histogram(at, at + 16, [4, 0, 0, 0]).bytes())
END
expect_status 0 "$GPROFX" --no-findings -b -p program gmon
expect_not_in out mcount@plt
expect_match out 'in profiling code .mcount., not shown +4\.00 '
expect_status 0 "$GPROFX" --no-findings -b -p --correct=no-profiling-code program gmon
expect_in out mcount@plt
