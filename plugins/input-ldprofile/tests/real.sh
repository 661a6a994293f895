#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A library and a program made here, run under LD_PROFILE: every call that the program says it made is
# in the report, and no other; the samples are those of the file.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

cat >library.c <<'CODE'
#define API __attribute__((visibility("default"), noinline))

API long leaf(long n)
{
	long sum = 0;
	for (long i = 0; i < n; i++)
		sum += i * i ^ sum;
	/* Else equal calls could be made only once. */
	__asm__ volatile("" ::: "memory");
	return sum;
}

API long middle(long n)
{
	long sum = 0;
	for (int i = 0; i < 3; i++)
		sum += leaf(n);
	return sum;
}

API long top(long n)
{
	long sum = middle(n);
	return sum + leaf(n) + 1;
}

API long unused(void)
{
	return 1;
}
CODE
cat >program.c <<'CODE'
#include <stdio.h>
#include <time.h>

long leaf(long), middle(long), top(long);

int main(void)
{
	volatile long sum = 0;
	int tops = 0, leaves = 0;

	/* Long enough for some samples, wherever it runs. */
	while (clock() < CLOCKS_PER_SEC / 5) {
		sum += top(100000);
		tops++;
		for (int i = 0; i < 7; i++, leaves++)
			sum += leaf(10);
	}
	sum += middle(1);
	printf("%d %d 1\n", tops, leaves);
	return 0;
}
CODE
make_library() {
	"$GPROFX_CC" -O1 -fPIC -shared -Wl,-z,lazy -Wl,-soname,libcounted.so -o libcounted.so library.c "$@" &&
		"$GPROFX_CC" -O1 -o program program.c -L. -lcounted -Wl,-z,lazy -Wl,-rpath,"$PWD" "$@"
}
make_library 2>cc.log || fail "they do not compile: $(cat cc.log)"

# counted: runs the program under LD_PROFILE.
counted() {
	LD_PROFILE=libcounted.so LD_PROFILE_OUTPUT="$PWD" ./program || fail 'the program failed'
}

# expect_calls TOPS LEAVES MIDDLES: arcs and totals are what these calls by the program make.
expect_calls() {
	cat >expected <<-ARCS
		<outside any function>,leaf,$2
		<outside any function>,middle,$3
		<outside any function>,top,$1
		middle,leaf,$((3 * ($1 + $3)))
		top,leaf,$1
		top,middle,$1
	ARCS
	expect_status 0 "$GPROFX" --output=csv:flat.csv libcounted.so libcounted.so.profile
	expect_undiagnosed
	expect_status 0 "$GPROFX" --output=csv:arcs.csv --output-option=csv.table=arcs libcounted.so \
		libcounted.so.profile
	python3 - >shown <<-'CODE' || fail 'cannot read the tables'
		import csv
		rows = list(csv.DictReader(open('arcs.csv', newline='')))
		for row in sorted(rows, key=lambda r: (r['caller'], r['callee'])):
		    print('%s,%s,%s' % (row['caller'], row['callee'], row['calls']))
	CODE
	expect_same expected shown
	python3 - "$2" "$1" "$3" <<-'CODE' || fail 'the flat profile'
		import csv, struct, sys
		leaves, tops, middles = map(int, sys.argv[1:])
		rows = {r['name']: r for r in csv.DictReader(open('flat.csv', newline=''))}
		calls = {'leaf': leaves + tops + 3 * (tops + middles), 'middle': tops + middles,
		         'top': tops}
		for name, count in calls.items():
		    assert rows[name]['calls'] == str(count), (name, rows[name], count)
		assert 'unused' not in rows
		data = open('libcounted.so.profile', 'rb').read()
		address = 'Q' if struct.calcsize('P') == 8 else 'I'
		bins = struct.unpack_from('=' + address * 2 + 'I', data, 24)[2]
		at = 64 if address == 'Q' else 56
		samples = sum(struct.unpack_from('=%dH' % bins, data, at))
		shown = sum(float(r['self_ticks']) for r in rows.values())
		assert abs(samples - shown) < 1e-6, (samples, shown)
	CODE
}

first=$(counted)
[ -s libcounted.so.profile ] || skip 'the dynamic linker does not know LD_PROFILE'
# shellcheck disable=SC2086
expect_calls $first
# The library takes the place of the program, the tables are the usual ones.
expect_status 0 "$GPROFX" -b libcounted.so libcounted.so.profile
expect_match out "^ +[0-9.]+ +[0-9.]+ +${first%% *}/${first%% *} +<outside any function> \\[[0-9]+\\]$"
expect_match out '^\[[0-9]+\] .* <outside any function> \[[0-9]+\]$'

# A second run is added up by the dynamic linker itself.
second=$(counted)
read -r tops leaves middles <<<"$first"
read -r more_tops more_leaves more_middles <<<"$second"
expect_calls $((tops + more_tops)) $((leaves + more_leaves)) $((middles + more_middles))

# GNU mode refuses it as GNU gprof does.
expect_status 1 "$GPROFX" --gnu libcounted.so libcounted.so.profile
expect_in err "file \`libcounted.so.profile' has unsupported version 131071"

# Stripped, it has the symbols of its debug file, as the program or as a further object.
if command -v objcopy strip >/dev/null; then
	expect_status 0 "$GPROFX" -b --output=csv:whole.csv libcounted.so libcounted.so.profile
	objcopy --only-keep-debug libcounted.so libcounted.debug &&
		strip libcounted.so && objcopy --add-gnu-debuglink=libcounted.debug libcounted.so ||
		fail 'strip or objcopy'
	expect_status 0 "$GPROFX" -b --output=csv:stripped.csv libcounted.so libcounted.so.profile
	expect_undiagnosed
	expect_same whole.csv stripped.csv
	expect_status 0 "$GPROFX" -b --output=json --explain libcounted.so libcounted.so.profile
	expect_in out '"image":{"file":"libcounted.so","symbols_file":"libcounted.debug"}'
	expect_in err 'The names of functions of libcounted.so come from libcounted.debug'
	expect_status 1 "$GPROFX" --gnu libcounted.so libcounted.so.profile
	expect_in err "file \`libcounted.so' has no symbols"
	mkdir debug && mv libcounted.debug debug
	expect_status 1 "$GPROFX" libcounted.so libcounted.so.profile
	expect_in err 'error[image.no-symbols]: '
fi
