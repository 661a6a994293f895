#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# "gprofx open" writes the page that --output=html writes with the same options, prints its name, and has xdg-open
# show it, which keeps running; where it cannot, the page is there.
. "$GPROFX_SOURCE/tests/tools/opened.sh"

fake xdg-open
opened 0 DISPLAY=:7
expect_undiagnosed
shown xdg-open
[ "$(wc -l <xdg-open.words)" = 1 ] || fail "more words than the file: $(cat xdg-open.words)"
[[ $page =~ ^"$scratch"/tmp/gprofx-open-[A-Za-z0-9]{6}/program\.html$ ]] || fail "an unexpected name: $page"
"$GPROFX" --no-findings --output=html:expected.html program || fail 'no page without the command'
expect_same expected.html "$page"
[ "$(stat -c %a "$(dirname "$page")")" = 700 ] || fail 'others can look into the folder'
[ "$(find tmp -type f)" = "${page/"$scratch/"}" ] || fail 'there are other files'
opened 0 WAYLAND_DISPLAY=wayland-0
shown xdg-open

# Options and operands are those of a report.
cp gmon.out other.out
for words in -l '-e work' '-T -z' '--metric=time --threads=2' '--output-option=html.inlined=true' '--set=symbols.demangle=none' '-I folder --source-map=a=b'; do
	# shellcheck disable=SC2086
	opened 0 DISPLAY=:7 -- $words
	# shellcheck disable=SC2086
	"$GPROFX" --no-findings $words --output=html:expected.html program 2>/dev/null || fail "no page with $words"
	expect_same expected.html "$page"
done
expect_status 0 env PATH="$scratch/bin" "$GPROFX" open program gmon.out other.out
"$GPROFX" --no-findings --output=html:expected.html program gmon.out other.out || fail 'no page of two'
expect_same expected.html "$(cat out)"
printf 'main;work 3\n' >stacks
expect_status 0 env PATH="$scratch/bin" "$GPROFX" open stacks
[[ $(cat out) == */stacks.html ]] || fail "not the name of the profile: $(cat out)"
"$GPROFX" open - <stacks >out 2>err || fail 'no page of a pipe'
[[ $(cat out) == */report.html ]] || fail "not the name of a pipe: $(cat out)"
# In a file of settings, outputs are for runs that ask for none.
printf 'outputs:\n  - { format: flat, file: flat.txt }\nreport:\n  per-file: true\n' >settings.yaml
opened 0 DISPLAY=:7 -- --config=settings.yaml
[ -s "$page" ] || fail "a table is on standard output: $(head -n 1 out)"
[ ! -e flat.txt ] || fail 'an output of a file of settings was written'

# Without a display, or without a program for it, its name has to do.
opened 0
expect_one open.no-display
expect_in err "gprofx: warning[open.no-display]: $page: there is no display"
[ ! -e xdg-open.words ] || fail 'xdg-open ran without a display'
opened 0 DISPLAY= WAYLAND_DISPLAY=
expect_one open.no-display
mv bin/xdg-open away
opened 0 DISPLAY=:7
expect_one open.no-program
expect_in err "gprofx: warning[open.no-program]: $page: xdg-open, which shows it, is not installed"
expect_in err 'the package xdg-utils'
expect_status 0 env -u PATH "$GPROFX" open program
[ -s "$(cat out)" ] || fail 'no page without PATH'
mkdir bin/xdg-open
opened 0 DISPLAY=:7
expect_one open.no-program
rmdir bin/xdg-open
mv away bin/xdg-open
# The browser of a terminal, which is waited for.
fake xdg-open 'sleep 0.2; echo shown; [ "$(cut -d" " -f6 /proc/self/stat)" != $$ ] && : >same-session'
opened 0 BROWSER=w3m
[ "$(tail -n 1 out)" = shown ] || fail 'the browser has no standard output, or was not waited for'
[ -e same-session ] || fail 'the browser has no terminal'
page=$(head -n 1 out)
shown xdg-open
fake www-browser
opened 0
expect_one open.no-display
on_terminal 0 PATH="$scratch/bin" TERM=dumb -- "$GPROFX" open --no-findings program
expect_match out '^shown$'
rm bin/www-browser same-session
on_terminal 0 PATH="$scratch/bin" TERM=dumb -- "$GPROFX" open --no-findings program
expect_in out 'warning[open.no-display]'

# It is started in a session of its own, without descriptors and signals of this process.
fake xdg-open 'readlink /proc/self/fd/0 /proc/self/fd/2 /proc/self/fd/3 3>&1 >channels; ls /proc/self/fd >numbers' \
	'sed -n "s/^Sig\(Ign\|Blk\):\t//p" /proc/self/status >signals' \
	'cut -d" " -f6 /proc/$$/stat >session; echo $$ >>session; pwd >folder; echo words; echo errors >&2'
exec 7>held
opened 0 DISPLAY=:7
exec 7>&-
expect_empty err
[ "$(sort channels | uniq -c | tr -s ' ')" = ' 3 /dev/null' ] || fail "its channels lead to $(cat channels)"
[ "$(paste -sd' ' numbers)" = '0 1 2 3' ] || fail "these descriptors are open, 3 for ls: $(cat numbers)"
# Two signals are the C library's own.
while read -r mask; do
	(((16#$mask & ~(3 << 31)) == 0)) || fail "signals are ignored or blocked: $mask"
done <signals
[ "$(wc -l <signals)" = 2 ] || fail 'no masks of signals'
[ "$(sort -u session | wc -l)" = 1 ] || fail 'it is in the session of the terminal'
[ "$(cat folder)" = "$scratch" ] || fail 'it is in another folder'

# One that runs on is not waited for, and keeps no pipe open.
fake xdg-open 'echo $$ >running; exec sleep 60'
timeout 30 bash -c 'DISPLAY=:7 PATH=$1 "$2" open program 2>&1 | cat >out' bash "$scratch/bin:$tools" "$GPROFX" ||
	fail 'it waits for the browser'
kill "$(cat running)" || fail 'the browser has ended'

# One that fails.
for number in 1 3 4; do
	fake xdg-open "exit $number"
	opened 1 DISPLAY=:7
	expect_one open.failed
	expect_in err "gprofx: error[open.failed]: $page: xdg-open ended with status $number"
	[ -s "$page" ] || fail 'the page is gone'
done
fake xdg-open 'kill -9 $$'
opened 1 DISPLAY=:7
expect_in err "xdg-open was ended by signal 9"
opened 1 BROWSER=w3m
expect_in err "xdg-open was ended by signal 9"
printf '#!/nonexistent/sh\n' >bin/xdg-open
opened 1 DISPLAY=:7
expect_one open.failed
expect_in err "cannot start xdg-open: No such file or directory"
chmod -x bin/xdg-open
opened 0 DISPLAY=:7
expect_one open.no-program

# A run that fails leaves nothing behind, and shows nothing. With --keep-going there is a page.
fake xdg-open
find tmp -mindepth 1 >before
rm -f xdg-open.words
expect_status 1 env PATH="$scratch/bin" DISPLAY=:7 "$GPROFX" open program nothing
expect_one profile.cannot-open
expect_empty out
expect_status 1 env PATH="$scratch/bin" DISPLAY=:7 "$GPROFX" open nothing
expect_one image.cannot-open
find tmp -mindepth 1 | diff before - >&2 || fail 'something was left'
[ ! -e xdg-open.words ] || fail 'something was shown'
expect_status 1 env PATH="$scratch/bin" DISPLAY=:7 "$GPROFX" open --keep-going program gmon.out nothing
page=$(cat out)
shown xdg-open
# Where the name cannot be printed, the page is shown, and the status says so.
rm -f xdg-open.words
status=0
env PATH="$scratch/bin" DISPLAY=:7 "$GPROFX" open program >&- 2>err || status=$?
[ "$status" = 1 ] || fail "status $status without standard output"
expect_one output.write-failed
[ -s xdg-open.words ] && [ -s "$(cat xdg-open.words)" ] || fail 'the page was not shown'
status=0
env PATH="$scratch/bin" DISPLAY=:7 "$GPROFX" open program >/dev/full 2>err || status=$?
[ "$status" = 1 ] || fail "status $status on a full disk"
expect_one output.write-failed
env PATH="$scratch/bin" DISPLAY=:7 "$GPROFX" open program <&- 2>&- >out || fail 'without standard input and error'
page=$(cat out)
shown xdg-open
