#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What becomes of the file that an output is written to: links, rights, and when it is there.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
# A link is followed if it leads somewhere, and refused else, in both modes.
ln -s missing dangling
ln -s loop loop
ln -s dangling chain
for link in dangling loop chain; do
	for words in --output=flat:$link "--gnu --output=flat:$link" --sum=$link; do
		# shellcheck disable=SC2086 # Several words.
		expect_status 1 "$GPROFX" -b $words program
		expect_match err "error\\[(output|sum)\\.write-failed\\]: $link: the symbolic link points to no file"
		expect_in err '  hint: remove the link'
		[ -L "$link" ] || fail "$link is no link any more"
	done
done
[ ! -e missing ] || fail 'something was written'
mkdir there
echo old >there/report
ln -s there/report sound
ln -s sound further
expect_status 0 "$GPROFX" -b --output=flat:further program
[ -L sound ] && [ -L further ] || fail 'a link was replaced'
expect_in there/report cumulative

# Rights are those of the file that is replaced, or those of a new one.
for mode in 600 640 644 666 755 604; do
	: >report
	chmod $mode report
	(umask 022 && exec "$GPROFX" -b --output=flat:report program) || fail 'status'
	[ "$(stat -c %a report)" = $mode ] || fail "$(stat -c %a report) instead of $mode"
done
rm report
(umask 027 && exec "$GPROFX" -b --output=flat:report program) || fail 'status'
[ "$(stat -c %a report)" = 640 ] || fail "a new file has $(stat -c %a report)"
if [ "$(id -u)" = 0 ]; then
	chown 12345:23456 report
	expect_status 0 "$GPROFX" -b --output=flat:report program
	[ "$(stat -c %u:%g report)" = 12345:23456 ] || fail "owned by $(stat -c %u:%g report)"
fi

# It is on the disk before it takes the name, and so is the name; what is no file is not asked for that.
if command -v strace >/dev/null 2>&1 && strace -f -o trace true 2>/dev/null; then
	strace -f -e trace=openat,fsync,rename,close -o trace "$GPROFX" -b --output=flat:report program || fail 'status'
	sed -n '/\.gprofx-.*\.tmp", O_WRONLY/,$p' trace | grep -oE '(fsync|rename)\(' | tr -d '\n' >order
	[ "$(cat order)" = 'fsync(rename(fsync(' ] || fail "order: $(cat order)"
	strace -f -e trace=fsync,rename -o trace "$GPROFX" -b --output=flat:/dev/null program || fail 'status'
	! grep -qE 'fsync|rename' trace || fail 'a device is flushed'
fi

# Special files are written as they are.
"$GPROFX" -b --output=flat:/dev/stdout program | grep cumulative >/dev/null || fail 'no standard output'
mkfifo pipe
"$GPROFX" -b --output=flat:pipe program &
grep cumulative pipe >/dev/null || fail 'nothing in the pipe'
wait
[ -p pipe ] || fail 'the pipe was replaced'
if [ -w /dev/full ]; then
	expect_status 1 "$GPROFX" -b --output=flat:/dev/full program
	expect_in err 'No space left on device'
fi
