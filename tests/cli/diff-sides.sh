#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What the sides of "gprofx diff" can be: recordings of gprofx record, perf and pprof, folders with several of them, other
# programs, the same profile twice, damaged files. The tables fit a terminal. Records three short runs.
. "$GPROFX_SOURCE/tests/tools/compared.sh"
need python3

python3 - <<'END' || fail 'no profiles were made'
import os
from pproffile import Pprof
from profiled import Program
LONG = ['_ZN8geometry4mesh14TriangulationsIdE16insert_the_pointEd', 'a_function_with_quite_a_long_name_that_fits_no_line']
def put(name, bytes):
    open(name, 'wb').write(bytes)
program = Program(['main', 'work', 'same'] + LONG)
put('prog', program.bytes())
def profile(work, **how):
    return program.profile({'work': work, 'same': 500, **{name: work for name in LONG}},
                           [('main', name, work) for name in ['work', 'same'] + LONG], **how).bytes()
put('base', profile(400))
put('slower', profile(800))
# Nothing in common but the name of the C library's function.
other = Program(['main', 'read_all', 'write_all'], base=0x700000)
put('other', other.bytes())
put('other.out', other.profile({'read_all': 300, 'write_all': 100}, [('main', 'read_all', 1), ('main', 'write_all', 1)]).bytes())
for name, work in (('few', 40), ('more', 90)):
    p = Pprof(('samples', 'count'), ('cpu', 'nanoseconds'), period=('cpu', 'nanoseconds', 10000000))
    for leaf in ['work'] * work + ['same'] * 50:
        p.sample([leaf, 'main'], 1, 10000000)
    put(name + '.pb.gz', p.gzip())
for folder in ('odd', 'mixed', 'zero', 'notes', 'unreadable', 'loop'):
    os.mkdir(folder)
put('odd/1', profile(400))
put('odd/.hidden', b'no profile')
os.mkfifo('odd/fifo')
os.symlink('nothing', 'odd/broken')
os.symlink('../base', 'odd/link')
os.mkdir('odd/folder')
put('loop/1', profile(400))
os.symlink('../loop', 'loop/loop')
put('zero/empty', b'')
put('notes/1', profile(400))
put('notes/notes.txt', b'measured on a slow machine, twice\n')
put('unreadable/1', profile(400))
whole = profile(800)
for i, at in enumerate((1, 19, 20, 24, 60, len(whole) // 2, len(whole) - 1)):
    put(f'cut{i}', whole[:at])
for i in range(40):
    damaged = bytearray(whole)
    damaged[(i * 37) % 96] ^= 255
    put(f'bad{i}', bytes(damaged))
END

"$GPROFX" --list-plugins >plugins
# Profiles with names need no program. Their inclusive times are measured, and so tested.
if grep -q input-pprof plugins; then
	expect_status 0 "$GPROFX" diff few.pb.gz more.pb.gz
	expect_undiagnosed
	said work '0.400 0.900 +0.500 0.114 2.250 slower'
	expect_match out '^base: few\.pb\.gz$'
	awk '/^Total/ { inside = 1 } inside' out >total
	expect_match total '^ +0\.900 +1\.400 +\+0\.500 +0\.152 +1\.556 +slower +main$'
	expect_status 0 "$GPROFX" diff --metric=samples few.pb.gz more.pb.gz
	said work '40 90 +50 11.402 2.250 more'
	expect_match out '; to see 1 %, measure [0-9]{3,} times as much\.$'
	expect_status 0 "$GPROFX" diff few.pb.gz few.pb.gz
	expect_match out '^No difference in the total that these samples can show \(\+0\.0* %'
fi
# Of perf, as it recorded a program; what is on one side only is not a difference if it is small.
perf=$GPROFX_SOURCE/plugins/input-perf/tests/recorded
cp "$perf/plain.data" "$perf/threads.data" "$perf/program" .
if grep -q input-perf plugins; then
	expect_status 0 "$GPROFX" diff program plain.data threads.data
	said spin '0.192 0.572 +0.380 0.055 2.979 slower'
	expect_match out '^Self cpu-clock, in seconds:$'
	# Where nothing else is in common, formats call the time of the processor differently.
	expect_status 0 "$GPROFX" diff --no-findings program plain.data base
	expect_in out 'The base measures cpu-clock, the new side time: both are processor time'
	head -c 300 plain.data >cut.data
	expect_status 1 "$GPROFX" diff program plain.data cut.data
	expect_in err 'error[perfdata.no-samples]: cut.data'
	expect_empty out
fi

# Another program: nothing is matched that is not the same, and both programs are named.
expect_status 0 "$GPROFX" diff --base-image=prog other base other.out
expect_match out '^0\.0 % of the total is in functions of both sides'
expect_match out '^ +0\.000 +3\.000 +\+3\.000 +0\.173 +only new +read_all \(only in the new profile\)$'
said same '5.000 0.000 -5.000 0.224 0.000 only'
expect_in out 'same (only in the base)'
expect_match out '^base: base, of prog$'
expect_match out '^new:  other\.out, of other$'

# Folders: files and recordings are runs; other entries are left out with a warning, but no file is.
expect_status 0 "$GPROFX" diff prog odd slower
expect_one diff.not-a-run
expect_in err 'odd/broken: neither a file nor a recording: it is left out, and so are 2 others of the folder'
expect_match out '^base: odd, 2 runs, of prog$'
expect_status 0 "$GPROFX" diff prog odd/ slower
expect_match out '^base: odd/, 2 runs, of prog$'
expect_status 0 "$GPROFX" diff prog loop slower
expect_one diff.not-a-run
said work '4.000 8.000 +4.000 0.346 2.000 slower'
expect_status 1 "$GPROFX" diff prog zero slower
expect_one profile.short-file
expect_in err 'zero/empty'
expect_status 1 "$GPROFX" diff prog notes slower
expect_one profile.not-a-profile
expect_in err 'notes/notes.txt'
chmod 0 unreadable
if ! [ -r unreadable ]; then
	expect_status 1 "$GPROFX" diff prog unreadable slower
	expect_one profile.cannot-open
	expect_in err unreadable
fi
chmod 755 unreadable

# What gprofx record wrote: one folder is one run, a folder of them is several; with files, the metric has to be the same.
if [ -x "$(dirname "$GPROFX")/gprofx-record" ] && command -v gcc >/dev/null; then
	cat >spin.c <<-'END'
		static volatile unsigned sum;
		__attribute__((noinline)) static void work(unsigned n) { for (unsigned i = 0; i < n; i++) sum += i; }
		int main(int count, char **word) { (void)word; work(count > 1 ? 300000000 : 60000000); return 0; }
	END
	gcc -g -O1 spin.c -o spin || fail 'no program'
	mkdir runs
	for words in runs/1 runs/2 'longer more'; do
		# shellcheck disable=SC2086
		set -- $words
		expect_status 0 "$GPROFX" record --rate=250 -o "$1" ./spin ${2:+"$2"}
	done
	for words in 'spin runs/1 longer' 'runs/1 longer'; do
		# shellcheck disable=SC2086
		expect_status 0 "$GPROFX" diff --no-findings $words
		expect_undiagnosed
		row work | grep -q ' slower$' || fail "work is not slower: $words"
		expect_match out '^new:  longer'
	done
	# Of two runs little is known, so differences have no verdict; they are listed.
	expect_status 0 "$GPROFX" diff -z --no-findings spin runs longer
	expect_match out '^base: runs, 2 runs, of spin$'
	expect_match out '^new:  longer, of spin$'
	expect_match out '^Self time, in seconds, mean of the runs:$'
	expect_match out ' work$'
	# A copy has the name of the program that was recorded, or is not found.
	mkdir copy
	cp spin copy
	expect_status 0 "$GPROFX" diff --no-findings copy/spin runs longer
	cp spin copied
	expect_status 1 "$GPROFX" diff copied runs longer
	expect_in err 'error[recording.other-program]: runs/1'
	# No output replaces a file of a recording.
	file=$(echo runs/2/*.gxc)
	cp "$file" kept
	expect_status 1 "$GPROFX" diff --output=csv:"$file" spin runs longer
	expect_one output.same-file
	expect_same kept "$file"
fi

# Damage on either side is an error or is repaired; nothing ends otherwise, and no half report is written.
for file in cut? bad*; do
	for words in "base $file" "$file base" "$file $file"; do
		# shellcheck disable=SC2086
		run timeout 20 "$GPROFX" diff -b prog $words
		[ "$status" -le 1 ] || fail "status $status from: $words"
		[ "$status" = 0 ] || {
			expect_empty out
			expect_match err 'error\['
		}
	done
done

# On a terminal, no line is wider than that but the names of the sides, and names are short.
for columns in 80 132; do
	for words in 'prog base slower' '--base-image=prog other base other.out'; do
		# shellcheck disable=SC2086
		on_terminal 0 ${columns}x50 TERM=dumb -- "$GPROFX" diff --no-findings -z $words
		tr -d '\r' <out >shown
		mv shown out
		sed 's/±/+/g' out | awk -v columns=$columns 'length > columns' >wide
		expect_empty wide
		expect_match out ' geometry::mesh::Triangulations::insert_the_point( |$)'
		tr -s ' \r\n' ' ' <out >words
		expect_in words 'estimated: differences are not tested:'
	done
	expect_in words 'a_function_with_quite_a_long_name_that_fits_no_line (only in the base)'
done
# Nothing is divided elsewhere.
expect_status 0 "$GPROFX" diff --no-findings prog base slower
expect_match out 'slower +geometry::mesh::Triangulations<double>::insert_the_point\(double\)$'
