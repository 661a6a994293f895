#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The examples, which others start from, stay within the bytes of damaged files: cut short at every length,
# with bytes changed, and with lines made for the purpose.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3
[ -z "${GPROFX_SANITIZE-}" ] || skip 'the build has sanitizers of its own'
asan=$("$GPROFX_CC" -print-file-name=libasan.so)
[ -e "$asan" ] || skip 'the address sanitizer is not installed'
"$GPROFX_SOURCE/tests/kit/make-inputs" || fail 'cannot write the inputs'

plugins=
for example in input-text symbols-gemdos findcall-loongarch output-wiki output-flame; do
	"$GPROFX_CC" -g -shared -fPIC -fsanitize=address -I"$GPROFX_SOURCE/include" \
		-o $example.so "$GPROFX_SOURCE/examples/plugin/$example.c" || skip 'no sanitizers'
	plugins="$plugins --plugin=./$example.so"
done

cat >lines <<'END'
samples
samples 0 400 100
samples 0 400 100 
samples 0 400 100 1 2  
samples 0 400 100 1+2+3+4
samples 0 400 100+1
samples 0 400 100 65536
samples 0 400 100 -1 1 1 1
samples 0 400 99999999999999999999 1
samples 400 0 100 1
samples ffffffffffffffff ffffffffffffffffff 1 1
samples 0 400 100 1,2
call
call 1 2
call 1 2 3 4
call -1 -2 -3
call 1 2 99999999999999999999999
sample
END
printf 'call 1 2 3\0 4\nsamples 0 400 100 1\0002\n\0' >>lines
cat >damage.py <<'END'
import os, random, subprocess, sys
random.seed(7)
environment = dict(os.environ, LD_PRELOAD=sys.argv[1],
                   ASAN_OPTIONS='exitcode=99:detect_leaks=0:allocator_may_return_null=1')
words = [os.environ['GPROFX'], *sys.argv[2:], '--no-findings', '--output=wiki', '--output=flame:flame.svg']

def run(name, data, *arguments):
    with open('damaged', 'wb') as file:
        file.write(data)
    done = subprocess.run([*words, *arguments], capture_output=True, env=environment, timeout=60)
    if done.returncode not in (0, 1):
        sys.exit(f'{name}: status {done.returncode}\n{done.stderr.decode(errors="replace")}')
    return done.returncode

def changed(data, most):
    data = bytearray(data)
    for _ in range(random.randint(1, 4)):
        data[random.randrange(min(len(data), most))] = random.choice([0, 1, 4, 0x7f, 0x80, 0xff])
    return bytes(data)

text, image = (open(name, 'rb').read() for name in ('atari.txt', 'program.tos'))
loongarch = open('loongarch', 'rb').read()
results = set()
for line in open('lines', 'rb').read().split(b'\n'):
    results.add(run('line', line, '-O', 'text', 'program.tos', 'damaged'))
for length in range(0, len(text), 3):
    results.add(run('text', text[:length], '-O', 'text', 'program.tos', 'damaged'))
for length in [*range(0, 64, 4), *range(1040, len(image), 5)]:
    results.add(run('image', image[:length], '-O', 'text', 'damaged', 'atari.txt'))
for _ in range(40):
    results.add(run('text', changed(text, len(text)), '-O', 'text', 'program.tos', 'damaged'))
    results.add(run('image', changed(image, 40), '-O', 'text', 'damaged', 'atari.txt'))
    tail = changed(image[1068:], 200)
    results.add(run('image', image[:1068] + tail, '-O', 'text', 'damaged', 'atari.txt'))
    results.add(run('code', changed(loongarch, 200), '-c', 'damaged', 'loongarch.gmon'))
assert results == {0, 1}, results
END
# shellcheck disable=SC2086 # Several words.
python3 damage.py "$asan" $plugins >&2 || fail 'a damaged file is not taken well'
