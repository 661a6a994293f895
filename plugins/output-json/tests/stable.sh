#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The same bytes for any number of threads, in any locale, run after run.
. "$GPROFX_SOURCE/plugins/output-json/tests/lib.sh"

python3 - <<'END' || fail 'no profile was made'
import random
from profiled import Program
rng = random.Random(5)
count = 4000
names = ['_ZN5space%d%sEv' % (len('f%d' % i), 'f%d' % i) for i in range(count)]
program = Program(names, step=24)
open('image', 'wb').write(program.bytes())
# Bins that do not end where functions do, so that ticks are fractions.
profile = program.empty()
profile.histogram(program.base, program.end, [rng.randrange(3) for _ in range(3001)], 1000)
for _ in range(60000):
    profile.arc(program.base + rng.randrange(count) * 24 + 4,
                program.base + rng.randrange(count) * 24, rng.randrange(1, 9))
open('gmon.out', 'wb').write(profile.bytes())
END
expect_status 0 "$GPROFX" --threads=1 --output=json image
cp out expected
expect_match expected '[0-9]\.[0-9]{10}'
for threads in 1 2 3 8; do
	expect_status 0 "$GPROFX" --threads=$threads --output=json image
	expect_same out expected
done
for locale in $(locale -a 2>/dev/null | grep -Ei '^(de|fr|ru|tr)_' | head -n 4); do
	LC_ALL=$locale expect_status 0 "$GPROFX" --output=json image
	expect_same out expected
done
