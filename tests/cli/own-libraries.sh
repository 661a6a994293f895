#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Which libraries are the user's own, so that their missing time is worth a finding: no false alarm for those of the
# system, for what has a profile, and where the processor time says that little is missing.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

mkdir lib
cat >make.py <<'END'
import sys
from profiled import Program
program = Program(['main', 'work'])
program.image.libraries(sys.argv[2:], sys.argv[1] or None)
open('program', 'wb').write(program.bytes())
open('gmon.out', 'wb').write(program.profile({'work': 400}, [('main', 'work', 3)]).bytes())
open('lib/libown.so', 'wb').write(Program(['own']).bytes())
END
# finds RUNPATH LIBRARY...: the finding is there.
made() { python3 make.py "$@" || fail 'nothing was made'; }
finds() {
	made "$@"
	expect_status 0 "$GPROFX" -b -p program
	expect_in err 'finding[account.own-libraries]'
}
finds_nothing() {
	made "$@"
	expect_status 0 "$GPROFX" -b -p program
	expect_not_in err 'finding['
}
finds '$ORIGIN/lib' libc.so.6 libown.so
expect_in err 'time in libown.so is not in this profile'
expect_in err 'gprofx ./lib/libown.so libown.so.profile'
finds '${ORIGIN}/lib' libown.so
finds 'lib' libown.so
finds "/nowhere::$PWD/lib" libown.so
finds '' lib/libown.so
cp lib/libown.so libsecond.so
finds '$ORIGIN/lib' libsecond.so libown.so
expect_in err 'time in libsecond.so and 1 more library is not'
# Libraries that only a library needs are missing, too; they are looked for where that one asks for them.
python3 - <<'END' || fail 'no libraries'
from profiled import Program
for name, needs, path in (('own', ['libm.so.6', 'libfar.so', 'libown.so'], '$ORIGIN/far'), ('far/libfar', ['libz.so.1', 'libown.so'], None)):
    library = Program([name[-3:]])
    library.image.libraries(needs, path)
    import os
    os.makedirs('lib/far', exist_ok=True)
    open('lib/libown.so' if name == 'own' else 'lib/far/libfar.so', 'wb').write(library.bytes())
END
cp lib/libown.so own.so
python3 make.py '$ORIGIN/lib' libc.so.6 libown.so || fail 'nothing was made'
cp own.so lib/libown.so
expect_status 0 "$GPROFX" -b -p program
expect_in err 'time in libown.so and 1 more library is not'
expect_in out 'Not sampled: time in the shared libraries libc.so.6, libown.so, libm.so.6, libfar.so and libz.so.1.'
expect_status 0 "$GPROFX" --explain -b -p program
expect_in err 'of 5 libraries that the program needs, 2 are not in a folder of the'
expect_status 0 "$GPROFX" --no-findings --output=json program
expect_in out '"libz.so.1"'
# One that is damaged has no effect.
head -c 300 own.so >lib/libown.so
expect_status 0 "$GPROFX" -b -p program
expect_in out 'Not sampled: time in the shared libraries libc.so.6 and libown.so.'
rm -r lib/far
cp own.so lib/libown.so
# Only with these samples is the processor time about what was sampled.
expect_status 0 "$GPROFX" -b -p --cpu-time=4.1 program
expect_not_in err 'finding['
expect_status 0 "$GPROFX" -b -p --no-findings program
expect_empty err
# Those of the system, wherever they are, and by whatever way.
finds_nothing '$ORIGIN/lib' libc.so.6 libm.so.6
finds_nothing '$LIB/lib:$ORIGIN/li' libown.so
finds_nothing '/usr/bin' env
ln -s /usr/bin/env lib/libenv.so
finds_nothing '$ORIGIN/lib' libenv.so
for library in libgfortran.so.5 libstdc++.so.6 libc++.so.1 libgcc_s.so.1; do
	cp lib/libown.so lib/$library
	finds_nothing '$ORIGIN/lib' $library
done
# Many folders and many libraries take no time.
made "$(printf '$x:%.0s' {1..20000})\$ORIGIN/lib" $(printf 'lib%d.so ' {1..2000}) libown.so
expect_status 0 "$GPROFX" -b -p program
