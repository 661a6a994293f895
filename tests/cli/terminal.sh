#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# On a terminal a report begins with the summary, which fits the screen and has the findings; the tables follow as
# they are elsewhere. Where something was asked for, in GNU mode and without a terminal there is none.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
make_program
python3 - <<'END' || fail 'nothing was made'
from profiled import Program
program = Program(['main', 'work', 'idle'])
open('gmon.out', 'wb').write(program.profile({'main': 1, 'work': 2}, [('main', 'work', 7)]).bytes())
open('nothing', 'wb').write(program.empty().blocks([(0x401000, 5)]).bytes())
END

# summary: whether the last output begins with it.
summary() {
	head -n 1 out | grep -q '^program: .* sampled, '
}

expect_status 0 "$GPROFX" program
! summary || fail 'a summary without a terminal'
tr -d '\f' <out >tables
expect_status 0 "$GPROFX" --summary program
cp out summarized

# The summary, an empty line, and the same tables.
on_terminal 0 200x24 TERM=xterm NO_COLOR=1 PAGER= -- "$GPROFX" -w 80 program
{ cat summarized; echo; cat tables; } >expected
expect_same out expected
on_terminal 0 200x24 TERM=dumb -- "$GPROFX" -w 80 program
expect_same out expected

# Its width is that of the screen, which it fits, or what COLUMNS or -w says.
width_of() { awk '/^$/ && seen { exit } /^! /{ seen = 1; if (length > most) most = length } END { print most + 0 }' out; }
for columns in 40 80 132; do
	on_terminal 0 ${columns}x24 TERM=dumb -- "$GPROFX" program
	summary || [ $columns = 40 ] || fail "no summary in $columns columns"
	awk -v most=$columns '/^Flat profile/ { exit } length > most { exit 1 }' out || fail "wider than $columns columns"
	[ "$(awk '/^Flat profile/ { exit } { n++ } END { print n }' out)" -le 24 ] || fail "higher than the screen"
	[ $columns = 40 ] || [ "$(width_of)" = $columns ] || fail "the id of a finding does not end at column $columns"
done
on_terminal 0 80x24 TERM=dumb COLUMNS=100 -- "$GPROFX" program
[ "$(width_of)" = 100 ] || fail 'COLUMNS does not count'
for columns in 0 -5 wide 99999999; do
	on_terminal 0 80x24 TERM=dumb COLUMNS=$columns -- "$GPROFX" program
	[ "$(width_of)" = 80 ] || fail "COLUMNS=$columns counts"
done
on_terminal 0 80x24 TERM=dumb -- "$GPROFX" -w 110 program
[ "$(width_of)" = 110 ] || fail '-w does not count'
on_terminal 0 80x24 TERM=dumb -- "$GPROFX" --output-option=top.width=90 program
[ "$(width_of)" = 90 ] || fail 'the option does not count'
expect_status 0 "$GPROFX" --summary program
[ "$(width_of)" = 80 ] || fail 'not 80 columns in a file'

# Findings are there once: in the summary, or on standard error where it goes elsewhere or all is shown.
on_terminal 0 TERM=dumb -- "$GPROFX" program
expect_in out ' samples.few'
expect_not_in out 'finding['
on_terminal 0 TERM=dumb -- /bin/sh -c '"$@" 2>err' sh "$GPROFX" --explain program
expect_in err 'finding[samples.few]'
# Explanations come first, through the pager, before the tables and in the place of the summary.
on_terminal 0 TERM=dumb -- "$GPROFX" --explain program
! grep '^program: .* sampled, ' out || fail 'the summary again'
sed -n 1p out | grep -q '^gprofx: finding\[samples.few\]: ' || fail 'findings do not come first'
awk '/^Flat profile/ { exit } length > 80 { exit 1 }' out || fail 'wider than 80 columns'
sed '1,/^Times come from samples/d;/^Flat profile/,$d' out | grep -q '^In the flat profile' || fail 'no paragraphs'
expect_in out 'Flat profile:'
for words in '' -p -b --gnu; do
	# shellcheck disable=SC2086
	on_terminal 0 TERM=dumb -- "$GPROFX" --explain $words program
	cp out expected
	# shellcheck disable=SC2086
	on_terminal 0 TERM=xterm NO_COLOR=1 PAGER='sed s/^/paged:/' -- "$GPROFX" --explain $words program
	[ "$words" = --gnu ] || ! grep -v '^paged:' out || fail "not all is paged with $words"
	sed 's/^paged://' out >paged
	expect_same paged expected
done
# A setting of files has not seen the summary.
echo 'explain: true' >explain.yaml
on_terminal 0 TERM=dumb -- "$GPROFX" --config=explain.yaml program
expect_in out 'evidence: '
expect_match out '^program: .* sampled, '
# A pager that ends early is no error.
on_terminal 0 TERM=xterm PAGER=true -- "$GPROFX" --explain program
expect_empty out
on_terminal 0 TERM=dumb -- "$GPROFX" -p program
expect_in out 'finding[samples.few]'
on_terminal 0 TERM=dumb -- /bin/sh -c '"$@" 2>err' sh "$GPROFX" program
expect_in err 'finding[samples.few]'
summary || fail 'no summary'

# Texts that explain the tables are as wide as the screen, word for word; figures stay in their columns.
explained() { awk '/^Index by/ { exit } /^Where the .* samples/ { at = 1 } /Call graph/ { at = 0 } /^How to read this l/ { at = 1 } at' "$1"; }
words() { explained "$1" | tr -s ' \n' '\n'; }
for columns in 30 50 80 89 100; do
	on_terminal 0 ${columns}x24 TERM=dumb -- "$GPROFX" program
	[ "$(words out)" = "$(words tables)" ] || fail "other words in $columns columns"
	explained out | awk -v most=$columns '/^  |^ *\[|Index/ { next } length > most { print; exit 1 }' ||
		fail "wider than $columns columns"
	grep '^  in the functions of this table  .*%$' out >row
	grep '^  in the functions of this table' tables | cmp -s - row || fail "another row in $columns columns"
done
explained out >wide
explained tables >as-written
expect_same wide as-written
for option in flat.text-width=40 callgraph.text-width=40; do
	expect_status 0 "$GPROFX" --no-findings --output-option=$option program
	tr -d '\f' <out | cmp -s - tables && fail "nothing is done by $option"
done
# So are those of --explain.
on_terminal 0 50x24 TERM=dumb -- "$GPROFX" --explain -b -p program
awk '/^Flat/ { exit } /finding\[/ { next } length > 50 { print; exit 1 }' out || fail 'wider than 50 columns'

# Names are short, unless the user says otherwise, and the index is as wide as the screen.
python3 - <<-'END' || fail 'cannot write the program'
	from profiled import Program
	names = ['_ZN2ns1fIiEEvT_'] + ['function_%d' % i for i in range(9)]
	program = Program(['main'] + names)
	open('templates', 'wb').write(program.bytes())
	arcs = [('main', name, 3) for name in names]
	open('templates.out', 'wb').write(program.profile({names[0]: 40}, arcs).bytes())
END
full='void ns::f<int>(int)'
on_terminal 0 120x24 TERM=dumb -- "$GPROFX" -b -p -q templates templates.out
expect_match out '^100\.00 .* ns::f$'
expect_match out ' ns::f \[[0-9]+\]$'
expect_not_in out "$full"
cp out short
for words in --output-option=names=full '--set=flat.names=full --set=callgraph.names=full'; do
	# shellcheck disable=SC2086
	on_terminal 0 120x24 TERM=dumb -- "$GPROFX" -b -p -q $words templates templates.out
	[ "$(grep -c "$full" out)" = 4 ] || fail "$words does not count"
done
on_terminal 0 120x24 TERM=dumb GPROFX_SET=flat.names=full -- "$GPROFX" -b -p -q templates templates.out
[ "$(grep -c "$full" out)" = 1 ] || fail 'GPROFX_SET does not count'
expect_status 0 "$GPROFX" --no-findings -b -p -q templates templates.out
[ "$(grep -c "$full" out)" = 4 ] || fail 'short names in a file'
on_terminal 0 120x24 TERM=dumb -- "$GPROFX" -w 80 -b -p -q templates templates.out
sed '/^Index/,$d' out >narrow
sed '/^Index/,$d' short | cmp -s - narrow || fail 'other tables with -w'
cmp -s short out && fail 'the index has no columns for a wide screen'

echo 'outputs: [ { format: csv } ]' >csv.yaml
# What asks for something else, or for less.
for words in -p -q -C -i -P -fmain -emain -Fmain -Emain '--output=flat' '--output=json' '--config=csv.yaml' '--gnu' '--gnu -b' '--per-file' '-s'; do
	# shellcheck disable=SC2086
	on_terminal 0 TERM=dumb -- "$GPROFX" $words program
	! summary || fail "a summary in spite of $words"
done
as_gprof
on_terminal 0 TERM=xterm PAGER='sed s/^/paged/' -- ./gprof program
cp out terminal
expect_status 0 ./gprof program
expect_same terminal out
on_terminal 0 TERM=dumb -- "$GPROFX" -b program
summary || fail 'none with -b'
expect_not_in out 'How to read'
on_terminal 0 TERM=dumb -- "$GPROFX" --output=json:file.json --summary program
summary || fail 'not there though asked for'
expect_not_in out 'Flat profile:'

# Without anything to list by default, what stands there then is there as well.
on_terminal 0 TERM=dumb -- "$GPROFX" -b -l program nothing
expect_match out '^program: neither times nor calls were recorded, nothing of 2'
expect_status 0 "$GPROFX" -b -l program nothing
[ -s out ] || fail 'nothing stands there by default'
cp out default
on_terminal 0 TERM=dumb -- "$GPROFX" -b -l program nothing
tail -n "$(wc -l <default)" out >terminal
expect_same terminal default

# Messages there are as wide as it is, divided between words and indented; elsewhere and in GNU mode they are lines.
for columns in 30 60 80; do
	on_terminal 1 ${columns}x24 TERM=dumb -- "$GPROFX" program missing
	awk -v most=$columns 'length > most { exit 1 }' out || fail "a message of more than $columns columns"
	grep -q '^gprofx:' out || fail 'no message'
	[ "$(tr -d '\r' <out | awk '/^  hint:/ { hint = 1; next } hint' | grep -vc '^        [^ ]')" = 0 ] || fail 'not indented'
	tr -s ' \r\n' ' ' <out >words
	grep -q 'missing: cannot read the profile: No such file or directory hint: check the path' words || fail 'words are lost'
done
expect_match out '^  file or directory|^gprofx.*directory'
on_terminal 2 40x24 TERM=dumb -- "$GPROFX" --help=nothing
expect_match out '^  unknown topic'
expect_match out '^        [a-z]'
on_terminal 2 40x24 TERM=dumb COLUMNS=200 -- "$GPROFX" --help=nothing
expect_match out "^gprofx: error.*unknown topic 'nothing'"
expect_status 1 "$GPROFX" program missing
[ "$(wc -l <err)" -eq 2 ] || fail 'folded in a file'
as_gprof
on_terminal 1 20x24 TERM=dumb -- ./gprof program missing
[ "$(grep -c . out)" -eq 1 ] || fail 'folded in GNU mode'

# A name that does not fit a row continues below it: no row is wider than the screen, and no word is lost or divided.
python3 - <<'END' || fail 'nothing was made'
from profiled import Program
names = ['compare_the_names_of_rows', 'sort', '_ZN8geometry4mesh14TriangulationsIdE16insert_the_pointEd']
program = Program(['main'] + names).lines({name: [(0, 1234)] for name in names}, source='triangulations.cpp')
open('wide', 'wb').write(program.bytes())
arcs = [('main', name, 10 ** 9) for name in names]
for i in range(3):
    open('wide.%d' % i, 'wb').write(program.profile({name: 40 + i for name in names}, arcs).bytes())
END
for words in '-p wide wide.0' '-l -p wide wide.0' '-q wide wide.0' '-l -q wide wide.0' '--per-file wide wide.0 wide.1' '--per-file wide wide.0 wide.1 wide.2'; do
	# The columns of calls have few words in them, and addresses of lines say little.
	columns=share,cumulative,self,calls,name
	[[ $words == -l* ]] || columns=
	# shellcheck disable=SC2086
	expect_status 0 "$GPROFX" --no-findings -b --output-option=names=no-templates \
		${columns:+--set=flat.columns=$columns} $words
	sed -i 's/ @ [0-9a-f]*)/)/' out
	tr -s ' \n\f' '\n\n\n' <out | grep '[a-z(]' | sort >whole
	grep -q compare_the_names_of_rows whole || fail "$words: nothing there"
	# shellcheck disable=SC2086
	on_terminal 0 80x24 TERM=dumb -- "$GPROFX" --no-findings -b $words
	awk 'length > 80 { print; exit 1 }' out || fail "$words: wider than 80 columns"
	sed -i 's/ @ [0-9a-f]*)/)/' out
	tr -s ' \n\f' '\n\n\n' <out | grep '[a-z(]' | sort >shown
	[ "$words" = '--per-file wide wide.0 wide.1 wide.2' ] || expect_same whole shown
done
expect_not_in out ' sd '
expect_match out ' mean +max +max +'
on_terminal 0 80x24 TERM=dumb -- "$GPROFX" --no-findings -b -l -p --set=flat.row-width=0 wide wide.0
awk 'length > 80 { found = 1 } END { exit !found }' out || fail 'row-width=0 does not count'

# Lines of source have room for their names: they lose their address; a call that still does not fit is on a row of its
# own. A file is the same, even if a terminal is there, too.
cat >chain.c <<'END'
volatile int sink;
#define INLINE __attribute__((always_inline)) static inline
INLINE int step_by_step(int x) { return x * sink; }
INLINE int work(int x) { return sink + step_by_step(x); }
INLINE int outermost(int x) { return sink + work(x); }
int main(int argc, char **argv)
{ (void)argv; for (int i = 0; i < 9; i++) sink += outermost(argc);
	return 0;
}
END
if "$GPROFX_CC" -g -O1 -pg chain.c -o chain 2>err && ./chain; then
	row='inlined into ... main (chain\.c:7)'
	for width in 100 80 50; do
		on_terminal 0 ${width}x24 TERM=dumb -- "$GPROFX" --no-findings -b -l -p -z chain
		tr -d '\r' <out | sed '/^Where the/,$d' >rows
		python3 -c 'import sys
sys.exit(any(len(line) > int(sys.argv[1]) for line in open("rows").read().split("\n")))' $width ||
			fail "wider than $width columns"
		[ $width = 50 ] || expect_match rows '^ .*step_by_step \(chain\.c:3\)( inlined .*)?$'
		grep -q "$row" rows || fail "$width columns: no calls"
	done
	grep -q "^ *$row" rows || fail 'no call has a row of its own'
	expect_not_in rows self/call
	on_terminal 0 200x24 TERM=dumb -- "$GPROFX" --no-findings -b -l -p -z chain
	expect_match out 'step_by_step \(chain\.c:3 @ [0-9a-f]+\) inlined into \.\.\. main \(chain\.c:7\)'
	expect_match out ' self/call '
	on_terminal 0 80x24 TERM=dumb -- "$GPROFX" --no-findings -b -l -p -z --set=flat.names=full chain
	tr -s ' \r\n' ' ' <out >words
	expect_match words 'step_by_step \(chain\.c:3 @ [0-9a-f]+\) inlined into \.\.\. main \(chain\.c:7\)'
	expect_status 0 "$GPROFX" --no-findings -b -l -z --output=flat:plain --output=annotate:source chain
	on_terminal 0 60x24 TERM=dumb -- "$GPROFX" --no-findings -b -l -z --output=flat:there \
		--output=annotate:source.there chain
	expect_same plain there
	expect_same source source.there
fi
# A file that is written beside a terminal does not have its width.
expect_status 0 "$GPROFX" --no-findings -b -l --output=callgraph:graph --output=top:summary wide wide.0
on_terminal 0 60x24 TERM=dumb -- "$GPROFX" --no-findings -b -l --output=callgraph:there --output=top:summary.there \
	wide wide.0
expect_same graph there
expect_same summary summary.there
