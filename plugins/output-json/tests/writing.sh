#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A report is there as a whole or not at all, on its own or beside others of the same run.
. "$GPROFX_SOURCE/plugins/output-json/tests/lib.sh"

python3 - <<'END' || fail 'no profile was made'
from profiled import Program
program = Program(['main', 'work'])
open('image', 'wb').write(program.bytes())
open('gmon.out', 'wb').write(program.profile({'work': 3}, [('main', 'work', 1)]).bytes())
END
expect_status 0 "$GPROFX" --output=json image
cp out expected
"$GPROFX" -b -p image >flat || fail 'no flat profile'

# Several outputs of one run.
expect_status 0 "$GPROFX" -b -p --output=json:one.json --output=json:two.json \
	--output=callgraph:graph image
expect_undiagnosed
expect_same out flat
expect_same one.json expected
expect_same two.json expected
expect_in graph 'granularity'

# A file that cannot be written whole is not touched, and nothing stays beside it.
mkdir folder
echo before >folder/report
words=$( (ulimit -f 0 && exec "$GPROFX" --output=json:folder/report image) 2>&1)
[ $? -eq 1 ] || fail 'status not 1 at the limit for the size of files'
case $words in
*'error[output.write-failed]: folder/report: '*'File too large'*) ;;
*) fail "at the limit for the size of files: $words" ;;
esac
[ "$(ls -A folder)" = report ] || fail "left behind: $(ls -A folder)"
[ "$(cat folder/report)" = before ] || fail 'the file was overwritten'
expect_status 0 "$GPROFX" --output=json:folder/report image
expect_same folder/report expected

[ -w /dev/full ] || exit 0
status=0
"$GPROFX" --output=json image >/dev/full 2>err || status=$?
[ "$status" -eq 1 ] || fail "status $status on a full disk"
expect_match err 'error\[output\.write-failed\]: standard output: .*No space left on device'
expect_status 1 "$GPROFX" --output=json:/dev/full image
expect_match err 'error\[output\.write-failed\]: /dev/full: .*No space left on device'
