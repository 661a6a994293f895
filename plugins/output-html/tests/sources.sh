#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Sources in a page: counts and times of lines are those of annotated source, texts are those of the files, and what is
# left out is said.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3
"$GPROFX" --list-plugins | grep -q '^output-annotate ' || skip 'output-annotate is not installed'

python3 "$GPROFX_SOURCE/plugins/output-html/tests/sources.py" || fail 'sources differ'

cat >page.py <<'END'
import os, sys
sys.path.insert(0, os.path.join(os.environ['GPROFX_SOURCE'], 'plugins', 'output-html', 'tests'))
import htmlpage
page, data = htmlpage.read('page.html')
source = data['source']
exec(sys.argv[1])
END
# page STATEMENT OPTION...: writes the page and checks it.
page() {
	expect_status 0 "$GPROFX" --no-findings --output=html:page.html "${@:2}" program gmon
	expect_undiagnosed
	python3 page.py "$1" || fail "$*"
}

python3 - <<'END' || fail 'cannot write the program'
from profiled import Program
program = Program(['main', 'work', 'rare'])
program.lines({'main': [(0, 2, 'a.c')], 'work': [(0, 3000, 'b.c')], 'rare': [(0, 5, 'c.c')]}, 'a.c', '/built')
open('program', 'wb').write(program.bytes())
open('gmon', 'wb').write(program.profile({'main': 1, 'work': 3}, [('main', 'work', 7)]).bytes())
END
mkdir sources elsewhere
printf 'one\n\ttwo </script><b>&amp;\r\nthree \033[31m \342\200\256 \377 end\nfour' >sources/a.c
seq -f 'line %06g of a file that is not shown as a whole' 5000 >sources/b.c
seq 9 >sources/c.c

# Nothing is found, and it is said where it was looked for.
page 'assert [f["found"] for f in source["file"]] == [False, False], source
assert source["file"][0]["tried"] == "/built/b.c, sources2/b.c", source
assert "2 files were not found" in page.texts["method"], page.texts["method"]' -I sources2
grep -q 'source.not-found' err && fail 'the page says what is missing'

# The hottest first; of a large file what is around lines with time; bytes that are not printable are shown.
page 'b, a = source["file"]
assert [p["first"] for p in b["parts"]] == [2980] and len(b["parts"][0]["lines"]) == 41, b
assert b["parts"][0]["lines"][20] == "line 003000 of a file that is not shown as a whole", b
assert (b["count"], b["line"], b["calls"], b["ticks"]) == (5000, [3000], [7], [3]), b
assert a["parts"] == [{"first": 1, "lines": ["one", "\ttwo </script><b>&amp;",
    "three \\x1b[31m \\xe2\\x80\\xae \\xff end", "four"]}], a
assert source["left"] == 0 and source["leftBytes"] > 100000 and source["mode"] == "hot", source
assert "left out" in page.texts["method"], page.texts["method"]' -I sources

# All of all files, if there is room.
page 'assert [len(f["parts"][0]["lines"]) for f in source["file"]] == [5000, 4, 9], source
assert source["left"] == source["leftBytes"] == 0 and source["mode"] == "all", source
assert "left out" not in page.texts["method"], page.texts["method"]' -I sources --set=html.source=all
page 'assert [len(f["parts"][0]["lines"]) for f in source["file"]] == [41, 4, 9], source' \
	-I sources --set=html.source=all --set=html.source-bytes=10000
page 'assert [f["parts"] and len(f["parts"][0]["lines"]) for f in source["file"]] == [41, None, 9], source
assert source["left"] == 1, source' -I sources --set=html.source=all --set=html.source-bytes=2215
page 'assert [f["parts"] and len(f["parts"][0]["lines"]) for f in source["file"]] == [None, 4, 9], source
assert source["left"] == 1, source' -I sources --set=html.source=all --set=html.source-bytes=300
page 'assert [f["parts"] for f in source["file"]] == [None, None], source
assert source["left"] == 2 and not source["file"][0]["found"], source' -I sources --set=html.source-bytes=0
page 'assert source["file"] == [] and source["mode"] == "none", source
assert "as asked for" in page.texts["method"], page.texts["method"]' -I sources --set=html.source=none

# Maps reach the page, and both outputs.
mv sources/* elsewhere
page 'assert all(f["found"] for f in source["file"]), source' --source-map=/built=elsewhere
expect_status 0 "$GPROFX" -b -A --source-map=/built=elsewhere --output=html:page.html program gmon
expect_in out 'line 003000'
python3 page.py 'assert all(f["found"] for f in source["file"]), source' || fail 'both'
expect_status 1 "$GPROFX" --output=html:never --source-map=built program gmon
expect_in err "error[source.bad-map]: expected two folders with '=' between them, found 'built'"
[ ! -e never ] || fail 'a page was left behind'

# Lines without end, folders and pipes, and files that cannot be read.
head -c 9000 /dev/zero | tr '\0' x >elsewhere/b.c
rm elsewhere/a.c
mkdir elsewhere/a.c
page 'b, a = source["file"]
assert b["parts"] == [{"first": 1, "lines": ["x" * 4096 + " …"]}] and b["count"] == 1, b
assert source["leftBytes"] == 9000 - 4096, source
assert not a["found"] and a["tried"] == "elsewhere/a.c (a folder), /built/a.c", a' --source-map=/built=elsewhere
rmdir elsewhere/a.c
{ echo; head -c 100000 /dev/zero | tr '\0' y; } >elsewhere/a.c
page 'a = source["file"][1]
assert a["parts"] == [{"first": 1, "lines": ["", "y" * 4096 + " …"]}], a
assert source["leftBytes"] > 90000, source' --source-map=/built=elsewhere
rm elsewhere/a.c
mkfifo elsewhere/a.c
page 'assert source["file"][1]["tried"].startswith("elsewhere/a.c (not a regular file)"), source' \
	--source-map=/built=elsewhere
