#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Large and deep graphs: everything is in the data, texts are bounded, and what is left out of the stacks is said.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

# page STATEMENT WORD...: the page is written, and the statement holds.
page() {
	expect_status 0 "$GPROFX" --no-findings --output=html:page.html "${@:2}"
	expect_undiagnosed
	python3 check.py "$1" || fail "$*"
}
cat >check.py <<'END'
import os, sys
sys.path.insert(0, os.path.join(os.environ['GPROFX_SOURCE'], 'plugins', 'output-html', 'tests'))
import htmlpage, prose
page, data = htmlpage.read('page.html')
values, functions, arcs = data['values'][0], data['functions'], data['arcs']
prose.check_links(page, data)
prose.check_table(page, data)
exec(sys.argv[1])
END

# A function with a hundred thousand callers, each with a call and no time.
python3 - <<'END' || fail 'cannot write the program'
from profiled import Program
names = ['hot'] + ['caller%06d' % i for i in range(100000)]
program = Program(names, step=16)
open('program', 'wb').write(program.bytes())
open('gmon', 'wb').write(program.profile({'hot': 1000}, [(name + '+4', 'hot', 1) for name in names[1:]]).bytes())
END
page 'assert functions["count"] == 100001 == len(data["flat"]), functions["count"]
assert arcs["calls"] == [1] * 100000 and set(arcs["callee"]) == {0}, arcs["callee"][:9]
assert abs(sum(arcs["values"][0]["self"]) - 1000) < 1e-3, sum(arcs["values"][0]["self"])
assert len(data["contexts"]["parent"]) <= 20000 and data["contexts"]["bounds"] and "too small" in page.prose
assert len(page.rows) == 52 and "99951 more functions" in page.prose, page.rows[-1]
assert "and 99998 more" in page.items["heaviest"][0], page.items' program gmon

# A cycle of ten thousand members.
python3 - <<'END' || fail 'cannot write the program'
from profiled import Program
names = ['member%05d' % i for i in range(10000)]
program = Program(['main'] + names, step=16)
open('program', 'wb').write(program.bytes())
arcs = [(name + '+4', names[(i + 1) % len(names)], 3) for i, name in enumerate(names)]
open('gmon', 'wb').write(program.profile({name: 1 for name in names}, arcs + [('main+4', names[7], 2)]).bytes())
END
page 'assert functions["nodes"] == functions["count"] + 1 == 10002, functions["nodes"]
assert functions["cycle"][1:10001] == [1] * 10000 and values["self"][-1] == 10000, values["self"][-1]
assert data["cycleArcs"]["calls"] == [2] and "10000 functions call each other" in page.prose, data["cycleArcs"]' \
	program gmon

# Stacks with five thousand frames, each a function of its own, and one function that calls itself as often.
python3 - <<'END' || fail 'cannot write the stacks'
with open('stacks', 'w') as out:
    out.write(';'.join('frame%d' % i for i in range(5000)) + ' 10\n' + ';'.join(['again'] * 5000) + ' 5\n')
END
page 'assert len(data["contexts"]["parent"]) == 10000 and data["contexts"]["bounds"] == 0
assert values["total"] == 15 and sorted(values["self"])[-2:] == [5, 10], values["total"]
assert data["contexts"]["parent"] == [-1] + [i for i in range(4999)] + [-1] + [i for i in range(5000, 9999)]' stacks

# Names of a hundred thousand bytes.
python3 - <<'END' || fail 'cannot write the stacks'
with open('stacks', 'w') as out:
    out.write('main;' + 'x' * 60000 + ' 10\nmain;' + 'std::vector<' * 5000 + '>' * 5000 + ' 5\n')
END
page 'assert max(len(name) for name in functions["name"]) >= 60000, functions["count"]
assert max(len(cell) for row in page.rows for cell in row) < 400, page.rows' stacks

# Names whose words repeat take little room: the page has fewer bytes than the names.
python3 - <<'END' || fail 'cannot write the program'
from profiled import Program
names = ['app::detail::container%02d<std::pair<std::string, std::vector<int, std::allocator<int> > >, '
         'std::less<std::string>, std::allocator<std::pair<std::string const, int> > >::method_%05d(std::string const&, int) const'
         % (i % 50, i) for i in range(6000)]
program = Program(names, step=16)
open('program', 'wb').write(program.bytes())
arcs = [(name + '+4', names[(i * 7 + 1) % len(names)], i * 31 % 997 + 1) for i, name in enumerate(names)]
open('gmon', 'wb').write(program.profile({name: 1 for name in names}, arcs).bytes())
END
page 'size = os.path.getsize("page.html")
assert sum(len(name) for name in functions["name"]) > max(6000 * 180, size), size' program gmon
