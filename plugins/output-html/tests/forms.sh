#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Reports of all kinds as pages, with the figures of the JSON report: by line, of several objects, metrics and profiles,
# without samples, without calls, with nothing at all, selected, in GNU mode, and on standard output.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3
"$GPROFX" --list-plugins | grep -q '^output-json ' || skip 'output-json is not installed'

# page STATEMENT WORD...: the page has the figures of JSON, and the statement holds.
page() {
	python3 "$GPROFX_SOURCE/plugins/output-html/tests/both.py" "$@" || fail "$*"
}

python3 - <<'END' || fail 'cannot write the program'
from exportcases import example
from profiled import Program
program, samples, arcs = example()
program.lines({'main': [(0, 2), (128, 3)], 'a': [(0, 10), (128, 12)], 'b': [(0, 20)], 'c': [(0, 30)]})
open('program', 'wb').write(program.bytes())
open('gmon.out', 'wb').write(program.profile(samples, arcs).bytes())
library = Program(['of_library', 'a'])
open('libx.so.1', 'wb').write(library.bytes())
open('x.profile', 'wb').write(library.profile({'of_library': 5}, [('a', 'of_library', 3)]).bytes())
counted = Program(['main', 'mcount'])
open('counted', 'wb').write(counted.bytes())
open('counted.gmon', 'wb').write(counted.profile({'main': 4, 'mcount': 4}).bytes())
open('nothing', 'wb').write(program.empty().bytes())
open('calls', 'wb').write(program.profile(None, arcs).bytes())
open('zeros', 'wb').write(program.profile({}, arcs).bytes())
open('many.gmon', 'wb').write(program.profile({'a': 4000}, arcs).bytes())
open('samples', 'wb').write(program.profile(samples).bytes())
names = ['main', 'own'] + ['f%d' % i for i in range(100)]
wide = Program(names)
wide.lines({'main': [(0, 2), (4, 3)], 'own': [(0, 9)]})
open('wide', 'wb').write(wide.bytes())
# Equal times, equal calls, calls without time, within a cycle, and by the function itself.
arcs = [('main', name, 1 + i * 37 % 50) for i, name in enumerate(names)] + [('own', 'main', 3), ('own', 'f7', 9)]
open('wide.gmon', 'wb').write(wide.profile({name: i * 7 % 5 for i, name in enumerate(names)}, arcs).bytes())
for i, unit in enumerate((b'bytes', b'cycles', b'misses', b'faults')):
    open('metric%d' % i, 'wb').write(program.profile({'a': i + 1, 'b': 7}, [], rate=1, unit=unit, letter=b'x').bytes())
END

page 'assert flat == ["a", "b", "c", "main"] and data["counted"] and data["timed"] and not data["measured"]
assert "<cycle 1>" in names and data["cycleArcs"]["calls"] == [1, 3], data["cycleArcs"]
assert data["contexts"]["estimated"] and "~" in text and data["command"] == ["program", "gmon.out"], data["command"]' \
	program gmon.out
# Nothing counts who calls main.
page 'assert dict(zip(names, calls))["main"] == -1 and page.rows[4][3:5] == ["—", "main"], (calls, page.rows)' program gmon.out
page 'assert "With 10 samples, the true share of a, measured as 40.0 %, is probably between " in text, text
assert "where no call was counted, there is a dash." in text, text' program gmon.out
# The example of every export: 100, 75, 60 and 20 percent.
page 'total = [round(100 * (s + b) / values["total"]) for s, b in zip(values["self"], values["below"])]
assert dict(zip(names, total)) == {"main": 100, "a": 40, "b": 75, "c": 20, "<cycle 1>": 60}, total' program gmon.out
page 'assert data["byLine"] and values["whole"] and data["arcs"]["site"], data["arcs"]
assert "prog.c:12" in page.texts["fifty"], page.texts["fifty"]' -l program gmon.out
page 'assert not data["timed"] or values["total"] == 0
assert flat[:2] == ["a", "c"] and "by calls" in page.texts["fifty"], flat
assert page.items["heaviest"][0] == "a: 9 calls; called by c (56 % of the calls), b (33 %) and 1 more", page.items' \
	program calls
page 'assert "by calls" in page.texts["fifty"] and data["contexts"] is None' program zeros
page 'assert not data["counted"] and values["below"] is None and data["arcs"]["callee"] == [], data["arcs"]
assert "Total times are not known" in text and page.items["heaviest"][0] == "a: 40 % of the time itself", page.items' \
	program samples
page 'assert "total" not in page.rows[0] and "share" in page.rows[0], page.rows[0]' program samples
page 'parts = [attrs["class"] for tag, attrs in page.elements if "data-share" in attrs]
assert parts == ["part shown", "part profiling"], parts
assert "50.0 % in the call counting of -pg, not shown" in text' counted counted.gmon
# The first row can have another share where there are few samples; as in a summary.
page 'assert "few samples (10): the 40.0 % of the first row can be 17 to 69 %" in page.items["account"], page.items' program gmon.out
page 'assert not any("few samples" in item for item in page.items["account"]), page.items' program many.gmon
page 'assert "few samples" not in text, text' program calls
# CPU time that was not sampled is a part of the bar.
page 'lost = [attrs for tag, attrs in page.elements if "unsampled" in attrs.get("class", "")]
assert len(lost) == 1 and abs(float(lost[0]["data-share"]) - 1900) < 1e-3, lost
assert "not sampled: 1.52 s of 1.60 s of CPU time" in text
assert "% of the sampled time" in page.items["heaviest"][0], page.items' --cpu-time=1.6 counted counted.gmon
page 'assert not [attrs for tag, attrs in page.elements if "unsampled" in attrs.get("class", "")]
assert "% of the time" in page.items["heaviest"][0], page.items' \
	--cpu-time=0.01 counted counted.gmon
page 'assert flat == [] and page.texts["fifty"] and "heaviest" not in page.items, page.items' program nothing
page 'assert len(data["values"]) == 5 == len(data["metrics"]), data["metrics"]
assert [m["unit"] for m in data["metrics"]][1:] == ["bytes", "cycles", "misses", "faults"]' \
	program gmon.out metric0 metric1 metric2 metric3
page 'assert [m["unit"] for m in data["metrics"]] == ["bytes"] and "11 bytes" not in text, data["metrics"]
assert "8.00 bytes" in text or "8 bytes" in text' program metric0
# Functions of several objects; of the same name, too.
page 'objects = [data["strings"][i] if i >= 0 else None for i in data["functions"]["object"]]
assert set(objects) == {None, "libx.so.1"} and names.count("a") == 1 and "a (libx.so.1)" in names, names
assert data["command"] == ["--object=libx.so.1=x.profile", "program", "gmon.out"], data["command"]
assert "profile.separate-runs" in page.texts["findings"]' --object=libx.so.1=x.profile program gmon.out

# Selected functions are the only rows; what they call stays within reach.
page 'assert flat == ["b"] and set(names) >= {"main", "a", "b"}, (flat, names)' -pb program gmon.out
page 'assert flat[:4] == ["a", "b", "c", "main"] and "zz_end" in flat, flat' -z --set=html.source=none program gmon.out
page 'assert flat == ["a", "c", "main"], flat' -Pb program gmon.out
# GNU mode has figures of GNU gprof, and no account.
page 'assert "nothing that it gets wrong was corrected" in text, page.texts["method"]
assert [item.split()[0] for item in page.items["account"]] == ["few", "~"], page.items["account"]' \
	--gnu program gmon.out
# Stacks have measured times.
printf 'main;a;a 3\nmain;b 4\nstart;run;b 2\n' >stacks
page 'assert data["measured"] and not data["counted"] and values["totalOrigin"] == "measured", values
assert not data["contexts"]["estimated"] and "~" not in page.texts["fifty"]
assert page.items["heaviest"][0].startswith("b: 67 % of the time, all of it itself; called by main (67 % of its time)"), \
    page.items
assert values["selfSquares"] is None and values["whole"] is None, values' stacks
printf 'main;a 2\nmain;a;a;b 5\n' >recursion
page 'assert page.items["heaviest"][1] == "a: 100 %, 29 % itself, the rest in b; called by main", \
    page.items["heaviest"]' recursion
# The many callees of a function are ranked; those of others are not.
page 'callees = data["arcs"]["callee"][data["arcs"]["first"][0]:data["arcs"]["first"][1]]
assert len(callees) == 102 and callees != sorted(callees) and callees[-1] in (0, 1), callees' wide wide.gmon
page 'assert data["arcs"]["site"]["first"][-1] == len(data["arcs"]["site"]["node"]) > 100, data["arcs"]' -l wide wide.gmon
# Calls that were found in the code only.
page 'assert data["arcs"]["found"] is not None, data["arcs"]' -c program gmon.out

# Findings are in the page, those of --explain.
page 'assert "samples.none" in page.items["findings"][0], page.texts["findings"]' program zeros

# A program that ran, in C++: overloads, templates, recursion through a pointer, inlined subroutines.
if [ -n "${GPROFX_CC-}" ] && command -v "${GPROFX_CC%gcc}g++" >/dev/null; then
	cat >cxx.cc <<-'END'
		#include <map>
		#include <vector>
		static volatile unsigned sum;
		__attribute__((noinline)) static void work(int n) { for (int i = 0; i < n; i++) sum += i; }
		__attribute__((noinline)) static void work(long n) { for (long i = 0; i < n; i++) sum += i; }
		template<typename T> static inline T twice(T value) { sum += 1; return value * 2; }
		struct Node { std::vector<Node> below; };
		__attribute__((noinline)) static int depth(const Node &node) {
			int most = 0;
			for (const Node &one : node.below) { int own = depth(one); most = own > most ? own : most; }
			return most + twice(1) - 1;
		}
		int main(int argc, char **) {
			if (argc > 9) work(1);
			Node root; Node *at = &root;
			for (int i = 0; i < 9; i++) { at->below.resize(2); at = &at->below[1]; }
			std::map<int, int> map;
			for (int i = 0; i < 40; i++) { work(3000000); work(1000000l); map[i] = depth(root); }
			return sum == 0;
		}
	END
	"${GPROFX_CC%gcc}g++" -pg -g -O1 -o cxx cxx.cc && mkdir run && (cd run && ../cxx) ||
		fail 'cannot build or run a program'
	for option in -b -l --set=html.inlined=true -c --gnu -z --no-demangle; do
		page 'assert len(flat) > 3 and data["source"]["file"][0]["found"], flat' "$option" cxx run/gmon.out
	done
	page 'assert ("li", {"class": "part note unsampled open"}) in page.elements and "not sampled: time in lib" in text' cxx run/gmon.out
	# What samples them is said where that is.
	page 'hint = "; gprofx record ./cxx samples it, too" in page.texts["account"]
assert hint == (os.uname().machine == "x86_64") == ("gprofx record PROGRAM" in page.texts["method"]), page.texts["account"]
assert not hint or ("code", {}) in page.elements, page.elements' \
		cxx run/gmon.out
	# A name that a shell would not take is no command.
	cp cxx 'c x'
	page 'assert ("; gprofx record PROGRAM samples it, too" in page.texts["account"]) == (os.uname().machine == "x86_64")' 'c x' run/gmon.out
	page 'assert "gprofx record" not in page.texts["account"], page.texts["account"]' --cpu-time=0.001 cxx run/gmon.out
	page 'assert any(data["arcs"]["found"]), data["arcs"]["found"]' -c cxx run/gmon.out
	page 'assert data["contexts"] is None or data["contexts"]["name"] is not None' --set=html.inlined=true cxx run/gmon.out
fi

# Standard output, alone.
expect_status 0 "$GPROFX" --no-findings --output=html program gmon.out
mv out page.html
"$GPROFX" --no-findings --output=html:other.html program gmon.out || fail "status $?"
expect_same other.html page.html
expect_status 1 "$GPROFX" --output=html -p program gmon.out
