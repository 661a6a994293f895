#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# image.cannot-open, list.cannot-open, profile.cannot-open, map.cannot-open: devices without an end, pipes that
# nobody writes to, files that are nearly all hole. Takes 6 s, for pipes are waited for.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
[ -z "${GPROFX_SANITIZE:-}" ] || skip 'a sanitizer takes more memory than the bounds'

make_program
mkdir folder
mkfifo pipe slow
python3 - <<-'END' || fail 'cannot write the files'
	import struct
	from gmonfile import Profile
	def holes(name, head, size=1 << 32):
	    with open(name, 'wb') as file:
	        file.write(head)
	        file.truncate(size)
	holes('holes.gmon', open('gmon.out', 'rb').read())
	holes('holes.bsd', struct.pack('<QQiiiiii', 0x1000, 0x1000 + (1 << 32), (1 << 31) - 8, 0x51879, 100, 0, 0, 0))
	holes('holes.list', b'0000000000401000 T main\n')
	holes('holes.elf', open('program', 'rb').read())
END

# bounded TEXT GNU-TEXT WORD...: an error in both modes, within 10 s and 600 MB.
bounded() {
	expect_status 1 bounds "$GPROFX" --no-findings -b -p "${@:3}"
	expect_empty out
	expect_match err "^gprofx: error\\[$1\$"
	expect_match err '^  hint: .'
	expect_status 1 bounds "$GPROFX" --gnu -b -p "${@:3}"
	expect_empty out
	expect_in err "$2"
}
bounds() (ulimit -v 600000 && exec timeout 20 "$@")

endless=': it is a device with more than 16 MiB, or a pipe with more than 256 MiB'
bounded "profile.cannot-open\\]: /dev/zero: .*$endless" '/dev/zero: File too large' program /dev/zero
bounded "image.cannot-open\\]: /dev/zero: .*$endless" '/dev/zero: File too large' /dev/zero
bounded "list.cannot-open\\]: /dev/zero: .*$endless" 'could not open /dev/zero.' -S /dev/zero program
bounded "map.cannot-open\\]: /dev/zero: .*$endless" 'could not open /dev/zero.' -R /dev/zero program
bounded "object.cannot-open\\]: /dev/zero: .*$endless" '/dev/zero' --object=/dev/zero=gmon.out program
bounded "profile.cannot-open\\]: /dev/urandom: .*$endless" '/dev/urandom: File too large' program /dev/urandom
cat /dev/zero 2>/dev/null | expect_status 1 bounds "$GPROFX" --no-findings -b -p program /dev/fd/3 3<&0
expect_in err "$endless"

hollow=': it consists almost entirely of holes'
# Not where the system does not know what a hole is.
if ! [ "$(du -k holes.gmon | cut -f 1)" -lt 10000 ]; then
	skip 'files have no holes here'
fi
bounded "profile.cannot-open\\]: holes.gmon: .*$hollow" 'holes.gmon: No data available' program holes.gmon
bounded "profile.cannot-open\\]: holes.bsd: .*$hollow" 'holes.bsd: No data available' program holes.bsd
bounded "list.cannot-open\\]: holes.list: .*$hollow" 'could not open holes.list.' -S holes.list program
bounded "map.cannot-open\\]: holes.list: .*$hollow" 'could not open holes.list.' -R holes.list program
# An image is not read from end to end.
expect_status 0 "$GPROFX" --no-findings -b -p program
cp out plain
ulimit -v 8000000
expect_status 0 "$GPROFX" --no-findings -b -p holes.elf
expect_same plain out

bounded 'image.is-a-folder\]: folder: .*' "image.is-a-folder" folder
bounded 'profile.is-a-folder\]: folder: .*' 'folder: file too short' program folder

# Pipes, all at once: some that nobody opens, and writers that take their time.
for mode in --no-findings --gnu; do
	for words in 'program pipe' 'pipe' '-S pipe program'; do
		# shellcheck disable=SC2086 # several words
		timeout 20 "$GPROFX" $mode -b -p $words >"out$mode$words" 2>"err$mode$words" &
	done
done
(sleep 1 && cat gmon.out >slow) &
"$GPROFX" --no-findings -b -p program slow >late &
"$GPROFX" --no-findings -b -p program <(sleep 6 && cat gmon.out) >later &
wait
expect_same plain late
# Not a pipe that nobody has opened, but one with a writer, whom there is no limit for.
expect_same plain later
nobody=': it is a pipe that no program opened for writing within 5 seconds'
expect_match 'err--no-findingsprogram pipe' "profile.cannot-open\\]: pipe: .*$nobody"
expect_match 'err--no-findingspipe' "image.cannot-open\\]: pipe: .*$nobody"
expect_match 'err--no-findings-S pipe program' "list.cannot-open\\]: pipe: .*$nobody"
expect_in 'err--gnuprogram pipe' 'pipe: Timer expired'
expect_in 'err--gnupipe' 'pipe: Timer expired'
expect_in 'err--gnu-S pipe program' 'could not open pipe.'
