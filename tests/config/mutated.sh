#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Damaged files of settings, in numbers: whatever stands in one, the program ends by itself, with status 0
# or with 1 and errors that have an id, a place and a hint. And what each sort of damage is called.
. "$GPROFX_SOURCE/tests/config/lib.sh"

# Damage of each sort has a name of its own.
expect_config_error 1:9 document.bad-encoding 'expected text in UTF-8' < <(printf 'reader: \0auto\n')
expect_config_error 2:3 document.bad-encoding 'expected text in UTF-8' < <(printf 'threads: 1\n# \x01\n')
expect_config_error 1:9 document.nul 'expected text without NUL characters' <<<'reader: "a\0b"'
expect_config_error 1:10 document.bad-encoding 'expected text in UTF-8' < <(printf 'reader: \xc3\x28\n')
expect_config_error 1:9 document.bad-encoding 'expected text in UTF-8' < <(printf 'reader: \xed\xa0\x80\n')
expect_config_error 1:73 document.too-deep 'expected at most 64 levels' \
	< <(printf 'outputs: '; head -c 100000 /dev/zero | tr '\0' '[')
expect_config_error 1:12 document.anchor 'found "a"' < <(
	echo 'include: [ &a [x, x, x, x, x, x, x, x, x] ]'
	for pair in ab bc cd de ef fg gh hi; do
		echo "${pair:1}: &${pair:1} [$(printf "*${pair:0:1}, %.0s" 1 2 3 4 5 6 7 8 9)*${pair:0:1}]"
	done
)
expect_config_error 1:10 document.anchor 'expected no anchors or aliases' <<<'threads: *x'
expect_config_error 2:1 document.duplicate-key '"hz" again after line 1' < <(printf 'hz: 1\nhz: 2\n')
expect_config_error 1:1 document.bad-key 'expected a key that is text, found a sequence' <<<'[a]: b'
expect_config_error 17:1 document.directives 'expected at most 16 lines' < <(for i in {1..20}; do echo "%TAG !$i! x"; done)
# Long texts are taken as they are, and quoted in part.
long=$(head -c 200000 /dev/zero | tr '\0' x)
expect_config_error 1:1 config.unknown-key 'unknown key of the configuration: "xxx' <<<"${long:0:1000}: 1"
[ "$(wc -c <err)" -lt 3000 ] || fail 'the message quotes all of it'
expect_config_error 1:10 config.bad-value 'expected a whole number' <<<"threads: $long"
[ "$(wc -c <err)" -lt 3000 ] || fail 'the message quotes all of it'
expect_config_error 1:9 config.unknown-preset 'unknown preset "xxx' <<<"preset: $long"
[ "$(wc -c <err)" -lt 3000 ] || fail 'the message quotes all of it'
expect_config_error 1:10 config.cannot-read 'cannot read the settings file xxx' <<<"include: $long"
[ "$(wc -c <err)" -lt 6000 ] || fail 'the message quotes all of it'

python3 - "$GPROFX_SOURCE" <<'END' || fail 'see above'
import glob, os, random, re, subprocess, sys
program, source = os.environ['GPROFX'], sys.argv[1]
seeds = [open(name, 'rb').read() for name in sorted(glob.glob(source + '/config/presets/*.yaml'))]
whole = open(os.environ['GPROFX_BUILD'] + '/gprofx.yaml', 'rb').read()
seeds.append(b'\n'.join(line for line in whole.split(b'\n') if not line.lstrip().startswith(b'#')))
seeds.append(b'include: [a, /b]\nplugins: { load: [x], allow: ["*"], deny: [y] }\n'
             b'outputs: [{ format: flat, file: "-", options: { explain: true } }]\n')
pieces = [b'\0', b'\xff', b'\xc3', b'&a ', b'*a', b'!!t ', b'{', b'}', b'[', b']', b'"', b"'", b'\t', b'\n', b': ',
          b'- ', b'%', b'---\n', b'...\n', b'|\n', b'>\n', b'? ', b'"\\0"', b'null', b'~', b'<<: ', b'9' * 40, b'-1',
          b'\xe2\x80\xa8', b'\xef\xbb\xbf', b'#', b'yes', b'preset: hpc\n', b'include: mutated.yaml\n']
dice = random.Random(7)
def mutated():
    data = bytearray(dice.choice(seeds))
    for _ in range(dice.randrange(1, 5)):
        at = dice.randrange(len(data) + 1)
        end = min(len(data), at + dice.choice((0, 1, 1, 2, 8, 60)))
        what = dice.randrange(5)
        if what == 0:
            data[at:end] = b''
        elif what == 1:
            data[at:at] = dice.choice(pieces)
        elif what == 2:
            data[at:end] = dice.choice(pieces)
        elif what == 3:
            data[at:at] = data[at:end] * dice.randrange(1, 30)
        elif data:
            data[min(at, len(data) - 1)] ^= 1 << dice.randrange(8)
    return bytes(data)
# "error[id]: FILE:LINE:COLUMN: ..." or a file or name as a whole.
form = re.compile(rb'gprofx: (error|warning)\[[a-z]+\.[a-z0-9-]+\]: .')
good = bad = 0
for i in range(400):
    text = mutated()
    open('mutated.yaml', 'wb').write(text)
    run = subprocess.run([program, '--no-config', '--config=mutated.yaml', '--list-corrections'],
                         stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    lines = [line for line in run.stderr.split(b'\n') if line.startswith(b'gprofx: ')]
    hints = run.stderr.count(b'\n  hint: ')
    errors = run.stderr.count(b'error[')
    fine = all(form.match(line) for line in lines) and hints >= len(lines)
    if run.returncode not in (0, 1) or (run.returncode == 1) != (errors > 0) or not fine:
        sys.exit(f'{i}: status {run.returncode} with {text!r}: {run.stderr!r}')
    good, bad = good + (run.returncode == 0), bad + (run.returncode == 1)
if good < 20 or bad < 100:
    sys.exit(f'{good} were taken and {bad} refused: that tries too little')
END
