#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What files say cannot control a terminal: names, paths, source lines and messages are printable in every table,
# in any form of output. Sound names stay as they are. GNU mode, and --raw-bytes but on a terminal, keep the
# bytes.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

cat >names.py <<'END'
ODD = ['a\x1b[31mb', 'a\x07b', 'a\nb', 'a\tb', 'a\x7fb', 'a\x9bb', 'a\u202eb', 'a\u2066b', 'a\u2028b', 'a\u2029b',
       'a\u200bb', 'a\u200db', 'a\u200fb', 'a\ufeffb', 'a\U000e0041b', 'a\u3164b', 'a\xadb', 'ä\u200d', '\u200cä']
SOUND = ['naïve', 'größe', '関数', '🦀crab', '👩\u200d💻', 'می\u200cخواهم', 'x\\ny', 'Δt', 'x\\x1by', '_Zfoo']
ODD = [n.encode() for n in ODD] + [b'bad\xff\xfe', b'cut\xe2\x80', b'over\xc0\x9b', b'half\xed\xa0\x80']
SOUND = [n.encode() for n in SOUND]
NAMES = ODD + SOUND
FORBIDDEN = set(c for n in ODD for c in n.decode(errors='ignore') if not c.isalnum() and c not in '[ ') - {'\n', '\t', 'ä'}
def check(data, who, lines=()):
    text = data.decode()    # all of it is UTF-8
    for at, c in enumerate(text):
        if c in '\u200c\u200d' and min(text[at - 1], text[at + 1]) > '\x7f':
            continue
        if (c < ' ' and c not in '\n\t\f\r') or c in FORBIDDEN:
            raise SystemExit('%s writes %r: %r' % (who, c, text[max(0, at - 30):at + 9]))
END
mkdir src
python3 - <<'END' || fail 'no program was made'
from names import NAMES
from profiled import Program
program = Program(['main'] + [n.decode('latin-1') for n in NAMES])
names = program.names[1:-1]
program.lines({n: [(0, 1 + i)] for i, n in enumerate(names[-3:])}, 'src/odd\x1b\u202e.c', '.')
open('program', 'wb').write(program.bytes())
arcs = [('main', n, 3) for n in names] + [(names[3], names[5], 1), (names[5], names[3], 1)]
open('gmon.out', 'wb').write(program.profile({n: 2 for n in names}, arcs, unit=b'sec\x1b[1m\xff').bytes())
open('odd\x1bgmon', 'wb').write(open('gmon.out', 'rb').read())
with open('src/odd\x1b\u202e.c', 'wb') as source:
    for n in NAMES:
        source.write(b'\tint x; // ' + n.replace(b'\n', b' ') + b'\r\n')
    source.write(b'end\r')
END
module output-plain <<'END'
#include <gprofx/emitter.h>
static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options)
{
	const struct gprofx_report *r = emission->report;
	struct gprofx_writer *w = emission->writer;
	(void)gx, (void)options;
	for (uint32_t i = 0; i < r->functions->count; i++) {
		struct gprofx_text name = r->services->name(r, i);
		uint32_t line;
		const char *source = r->services->source(r, i, &line);
		gprofx_put(w, name.bytes, name.length);
		gprofx_out(w, " %s %s\n", r->functions->raw_name[i], source ? source : "?");
	}
	gprofx_out(w, "%s %s\n", r->origin->metrics->unit, r->origin->profiles[0]);
	return GPROFX_OK;
}
static const struct gprofx_needs needs = {.size = sizeof needs, .parts = GPROFX_PART_FLAT | GPROFX_PART_SOURCES};
static const struct gprofx_emitter emitter = {.size = sizeof emitter, .format = "plain",
	.extension = "txt", .needs = &needs, .emit = emit};
GPROFX_PLUGIN = {GPROFX_ABI, .name = "output-plain", .version = "1", .summary = "names", .emitter = &emitter};
END

# printable WORD...: this writes nothing else on both channels.
printable() {
	expect_status 0 "$GPROFX" "$@"
	python3 -c '
import sys; from names import check
check(open("out", "rb").read(), " ".join(sys.argv[1:])); check(open("err", "rb").read(), "messages")' "$@" ||
		fail "$*"
}
gmon=$(printf 'odd\033gmon')
tables=(-p -q -C -A -r -i '-p -T' '-q -T' '-q -l' '-p --inline-file-names' '-p -L --inline-file-names' -d
	'--per-file' '-A -l -x' '-p --explain' '-r --order-format=lld' '-r --order-format=gold'
	'-r --order-format=ldscript' '--output=csv' '--output=json' '--output=csv --output-option=csv.table=arcs'
	'--plugin=./output-plain.so --output=plain' '-C -z' '-q -T -l')
for words in "${tables[@]}"; do
	# shellcheck disable=SC2086 # Several words.
	printable $words program "$gmon"
	# shellcheck disable=SC2086
	[[ $words = *per-file* ]] || printable -b $words program gmon.out "$gmon"
done
# Sound names stay as they are, and rows in their columns.
run "$GPROFX" -b -p program
expect_in out 'a\x1b[31mb'
expect_in out 'bad\xff\xfe'
expect_in out 'a\xe2\x80\xaeb'
expect_in out 'over\xc0\x9b'
python3 - <<'END' || fail 'names changed'
from names import SOUND
rows = [line.rsplit(b'ms  ')[-1] for line in open('out', 'rb').read().split(b'\n')]
lost = [name for name in SOUND if name not in rows]
assert not lost, lost
END
[ "$(grep -c 'ms  ' out)" = "$(python3 -c 'from names import *; print(len(NAMES))')" ] || fail 'a name makes rows'
# What a spreadsheet and programs read leads back to the bytes.
run "$GPROFX" --output=csv program
python3 - <<'END' || fail 'CSV is ambiguous'
import csv, re
from names import NAMES
rows = list(csv.DictReader(open('out', newline='')))
back = lambda t: re.sub(rb'\\x([0-9a-f]{2})', lambda m: bytes([int(m[1], 16)]), t.encode())
assert sorted(back(r['raw_name']) for r in rows if r['raw_name'] != 'main') == sorted(NAMES)
END
run "$GPROFX" --output=json program
python3 - <<'END' || fail 'JSON is ambiguous'
import base64, json
from names import NAMES
functions = json.load(open('out'))['functions']
got = [base64.b64decode(f['raw_name_bytes']) if f.get('raw_name_bytes') else f['raw_name'].encode() for f in functions]
assert not set(NAMES) - set(got), set(NAMES) - set(got)
END
# On request, and in GNU mode, bytes are as they were.
for words in '--raw-bytes -p' '--gnu -p' '--raw-bytes -A' '--gnu -A' '--raw-bytes -C' '--raw-bytes --output=flat:file' \
	'--raw-bytes --plugin=./output-plain.so --output=plain' '--set=report.raw-bytes=true -p'; do
	# shellcheck disable=SC2086
	expect_status 0 "$GPROFX" -b $words program
	[[ $words = *file ]] && mv file out
	LC_ALL=C grep -q "$(printf 'a\033\\[31mb')" out || fail "no bytes: $words"
	LC_ALL=C grep -q "$(printf '\377\376')" out || fail "no bytes: $words"
done
# But not to a terminal.
for words in '-p' '-A' '--output=flat:/dev/tty'; do
	on_terminal 0 TERM=xterm PAGER="tee shown" -- "$GPROFX" -d -b --color=never --raw-bytes $words program
	[ $words != --output=flat:/dev/tty ] || cp out shown
	python3 -c 'from names import check; check(open("shown", "rb").read(), "terminal")' || fail "terminal: $words"
	expect_in shown 'a\x1b[31mb'
done
# Long lines, whose characters lie across the buffer.
python3 -c '
for shift in range(5):
    print("x" * shift + "größe👩\u200d💻" * 30000)' >"$(printf 'src/odd\033\342\200\256.c')"
run "$GPROFX" -b -A program
python3 - <<'END' || { : >out; fail 'characters are lost'; }
lines = open('out', 'rb').read().split(b'\n')
long = [l for l in lines if len(l) > 100000]
whole = ('größe👩\u200d💻' * 30000).encode()
assert len(long) == 5 and all(l.endswith(whole) for l in long), [len(l) for l in long]
END
