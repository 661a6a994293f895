#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What a picture shows: figures, cycles, thresholds, what is left out, frames, hostile names; and that Graphviz takes it.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
. "$GPROFX_SOURCE/plugins/output-dot/tests/lib.sh"
need python3

python3 - <<'END' || fail 'cannot write the program'
from exportcases import example
program, samples, calls = example()
open('program', 'wb').write(program.bytes())
calls.append(('b', 'b', 7))
open('gmon.out', 'wb').write(program.profile(samples, calls).bytes())
open('nothing', 'wb').write(program.empty().bytes())
open('no-calls', 'wb').write(program.profile(samples, []).bytes())
for name, unit in ('quote', b'x"];a->b;{"'), ('backslash', b'back\\'), ('bytes', b'\xff\x01\x01\x01'), ('seventeen', b'\x01' * 15):
    open(name, 'wb').write(program.profile(samples, calls, rate=10, unit=unit, letter=b'q').bytes())
END

# drawn WORD...: the picture of such a run, in ./graph; Graphviz finds as many boxes as it has.
drawn() {
	expect_status 0 "$GPROFX" --no-findings --output=dot "$@"
	expect_undiagnosed
	mv out graph
	expect_drawn graph
}

# labels: names and labels of boxes and arrows, one a line.
labels() {
	sed -nE 's/^	(n[0-9]+( -> n[0-9]+)?) \[(id="f[0-9]+", )?label="([^"]*)".*/\1 \4/p' graph | sort
}

drawn program gmon.out
cat >expected <<'END'
n0 -> n1 15.00%\n1×
n0 -> n2 75.00%\n2×
n0 main\n100.00%\n(10.00%)
n1 -> n3 5×
n1 a\n40.00%\n(40.00%)\n9×
n2 -> n1 45.00%\n3×
n2 -> n2 7×
n2 b\n75.00%\n(30.00%)\n9×
n3 -> n1 5×
n3 c\n20.00%\n(20.00%)\n5×
END
labels >found
expect_same expected found
expect_in graph 'label="program: 0.1 s\l4 of 4 functions, 6 of 6 arcs shown\lTotal times and times of calls are estimates.\l"'
expect_in graph '<cycle 1> 60.00%'
expect_match graph 'n1 -> n3 .*style=dashed'
expect_match graph 'n2 -> n2 .*style=dashed'
expect_in graph 'tooltip="b → a: 3 calls, 0.045 s"'
expect_in graph 'tooltip="a → c: 5 calls within the cycle"'
expect_match graph 'n0 \[.*fillcolor="0\.000 .*tooltip="main\\nself 0\.01 s, total 0\.1 s"'

# Thresholds and bounds, with words.
drawn --set=dot.node=30 --set=dot.edge=20 program gmon.out
[ "$(labels | cut -d' ' -f1-3 | grep -c -- '->')" -eq 3 ] || fail 'not three arrows'
expect_in graph '3 of 4 functions, 3 of 6 arcs shown'
drawn --set=dot.most=1 program gmon.out
expect_in graph '1 of 4 functions, 0 of 6 arcs shown'
expect_match graph '^	n0 \['
drawn --set=dot.root=b program gmon.out
expect_in graph '3 of 4 functions'
drawn --set=dot.leaf=b program gmon.out
expect_in graph '2 of 4 functions'
drawn --set=dot.root=main --set=dot.depth=1 program gmon.out
expect_in graph '3 of 4 functions'
drawn --set=dot.depth=1 program gmon.out
expect_in graph '3 of 4 functions'
drawn --set=dot.root=main --set=dot.leaf=b program gmon.out
expect_in graph '2 of 4 functions'
# What an option names is there, however light it is, and however few functions are shown.
drawn --set=dot.node=50 --set=dot.leaf=c program gmon.out
expect_match graph 'label="c\\n20\.00%'
drawn --set=dot.most=1 --set=dot.root=b program gmon.out
expect_in graph '1 of 4 functions'
expect_match graph 'label="b\\n75\.00%'
expect_status 1 "$GPROFX" --output=dot:never --set=dot.leaf=d program gmon.out
expect_match err 'error\[dot\.no-function\]: no function with time or calls is called d$'
[ ! -e never ] || fail 'a file was left behind'

# Colors by self time: that of main is no more the darkest.
drawn --set=dot.by=self program gmon.out
expect_match graph 'n0 \[.*fillcolor="0\.600 '

# GNU mode has the same figures.
drawn --gnu program gmon.out
expect_in graph '45.00%\n3×'

# Without calls there are self times; without selected time, none.
drawn program no-calls
expect_in graph 'label="program: 0.1 s\l4 of 4 functions, 0 of 0 arcs shown\l"'
expect_match graph 'label="a\\n40\.00%\\n\(40\.00%\)"'
drawn -Fa program gmon.out
expect_in graph '1 of 4 functions'
expect_match graph 'label="a\\n100\.00%\\n\(100\.00%\)\\n9×".*tooltip="a\\nself 0\.04 s'

# Units are texts like others.
for unit in quote backslash bytes seventeen; do
	drawn program "$unit"
done
drawn program quote
expect_in graph 'program: 1 x\"];a->b;{\"'

# Stacks: nothing is estimated, no number of calls is known.
printf 'main;p;q;p 5\nmain;q 3\nmain 2\n' >stacks
drawn stacks
expect_not_in graph 'estimates'
expect_not_in graph '×'
expect_match graph 'label="main\\n100\.00%\\n\(20\.00%\)"'
expect_match graph 'label="p\\n50\.00%\\n\(50\.00%\)"'
expect_in graph 'number of calls not known'

# Hostile and long names.
{
	printf 'a\001b;\377 1\nmain;say "x\\y";q\\N;<b>;&;&lt;b;\303\274 2\n'
	printf 'main;%s 3\n' "$(head -c 100000 /dev/zero | tr '\0' 'x')"
	# In a tip, each of these bytes takes five, and there are two names.
	printf 'main;%s;%s 3\n' "$(head -c 5000 /dev/zero | tr '\0' '&')" "$(head -c 4999 /dev/zero | tr '\0' '&')"
} >hostile
drawn --set=dot.cluster=file hostile
expect_in graph 'say \"x\\y\"'
expect_in graph 'a\\x01b'
expect_in graph 'label="&amp;lt'
[ "$(grep -oE '"[^"]*"' graph | wc -L)" -lt 16384 ] || fail 'a text is too long for dot'

# Frames by file and object; a cycle over two files has only its own.
if [ -n "${GPROFX_CC-}" ]; then
	printf 'void p(int);\nvoid q(int n)\n{\n\tif (n)\n\t\tp(n - 1);\n}\n' >q.c
	printf 'void q(int);\nvoid p(int n)\n{\n\tif (n)\n\t\tq(n - 1);\n}\nvoid own(void)\n{\n}\nint main(void)\n{\n\town();\n\tp(9);\n\treturn 0;\n}\n' >p.c
	"$GPROFX_CC" -g -O0 -o two p.c q.c || fail 'cannot compile'
	printf 'main;p;q;p;q 4\nmain;own 2\n' >of-two
	drawn --set=dot.cluster=file two of-two
	expect_match graph 'subgraph "cluster_[0-9]+" \{'
	expect_match graph 'label="[^"]*p\.c", style="rounded,dashed"'
	drawn --set=dot.cluster=object two of-two
	expect_match graph 'label="two", style="rounded,dashed"'
	# Of the cycle of p and q, whose files differ, there is no file.
	"$GPROFX_CC" -pg -g -O0 -o counted p.c q.c && ./counted || fail 'cannot run'
	drawn --set=dot.cluster=file counted gmon.out
	awk '/subgraph "cluster_[0-9]/ { file = 1 } /subgraph "cluster_c/ { cycle = 1; print "cycle", file }
		/^	}/ { if (cycle) cycle = 0; else file = 0 } /label="[pq]\\n/ { print "member", cycle }' graph >found
	expect_same found <(printf 'cycle 0\nmember 1\nmember 1\n')
fi

# Nothing to show is a picture, too.
drawn program nothing
expect_in graph '0 of 0 functions, 0 of 0 arcs shown'
