#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The folder of "gprofx open": where it is, what it may contain, that old ones are removed, and that nobody else
# decides about what is read, written or removed.
. "$GPROFX_SOURCE/tests/tools/opened.sh"
fake xdg-open

# Where it is.
mkdir 'other folder%20'
opened 0 DISPLAY=:7 TMPDIR='other folder%20'
shown xdg-open
[[ $page == "$scratch/other folder%20/gprofx-open-"*/program.html ]] || fail "elsewhere: $page"
# refused TEXT VARIABLE...: no folder, no run.
refused() {
	opened 1 DISPLAY=:7 "${@:2}"
	expect_one open.no-folder
	expect_in err "$1"
	expect_in err 'hint: set TMPDIR to a folder'
	expect_empty out
	[ ! -e xdg-open.words ] || fail 'something was shown'
}
refused "gprofx: error[open.no-folder]: $scratch/none: cannot make a folder in it: No such file" TMPDIR=none
refused "$scratch/program: cannot make a folder in it: Not a directory" TMPDIR="$scratch/program"
refused 'File name too long' TMPDIR="/$(printf '%05000d' 0)"
mkdir open sticky locked
chmod 777 open
chmod 1777 sticky
chmod 555 locked
refused "$scratch/open: all users can replace what is in this folder" TMPDIR="$scratch/open"
opened 0 DISPLAY=:7 TMPDIR="$scratch/sticky"
shown xdg-open
if [ "$(id -u)" -ne 0 ]; then
	refused 'Permission denied' TMPDIR="$scratch/locked"
elif command -v setpriv >/dev/null; then
	chmod 755 .
	chmod -R a+rX bin program gmon.out
	if setpriv --reuid=12345 --regid=12345 --clear-groups test -x "$GPROFX"; then
		expect_status 1 setpriv --reuid=12345 --regid=12345 --clear-groups \
			env TMPDIR="$scratch/locked" "$GPROFX" open --no-findings program
		expect_one open.no-folder
		expect_in err 'cannot make a folder in it: Permission denied'
		expect_empty out
	fi
fi
opened 0 DISPLAY=:7 TMPDIR=
[[ $page == /tmp/gprofx-open-*/program.html ]] || fail "not in /tmp: $page"
rm "$page"
rmdir "$(dirname "$page")"
opened 0 DISPLAY=:7 HOME=/nonexistent
shown xdg-open

# Names of files can hold anything; that of the page is plain, not hidden and no option.
number=0
while IFS= read -r -d '' name; do
	number=$((number + 1))
	cp program "./$name" || fail "no program of the name $name"
	rm -f xdg-open.words
	expect_status 0 env PATH="$scratch/bin" DISPLAY=:7 "$GPROFX" open --no-findings -- "./$name" gmon.out
	page=$(cat out)
	shown xdg-open
	[ -s "$page" ] || fail "no page of $name"
	[[ ${page##*/} =~ ^[A-Za-z0-9_+][A-Za-z0-9_.+-]*\.html$ ]] || fail "the page of $name is $page"
	[ "${#page}" -lt $((${#scratch} + 100)) ] || fail "a long name: $page"
done < <(printf '%s\0' 'a b' '-l' '--with=dot' '.hidden' '...' $'line\nbreak' $'\e[31mred\e[m' '$(touch ran)' '`touch ran`' \
	"quote'\"" '%41%2f' '#part?query' 'é' $'\xff\xfe' 'file:' '&amp;<b>' "$(printf '%0200d' 7)" '-')
[ "$number" = 18 ] || fail "only $number names"
[ ! -e ran ] || fail 'a name was run'

# Old folders of the user's go, with what gprofx wrote; nothing else does.
rm -rf tmp
mkdir tmp tmp/victim
old() { touch -d '2 days ago' "$@"; }
# folder NAME FILE...
folder() {
	mkdir -m 700 "tmp/$1"
	for file in "${@:2}"; do echo content >"tmp/$1/$file"; done
	old "tmp/$1"
}
folder gprofx-open-aaaaaa program.html
folder gprofx-open-bbbbbb callgrind.out.x x.pb.gz x.speedscope.json x.svg x.dot
folder gprofx-open-cccccc
folder gprofx-open-kept-1 program.html notes.txt
folder gprofx-open-dddddd program.html notes.txt
folder gprofx-open-eeeeee program.html
folder gprofx-open-ffffff program.html
folder gprofx-other-aaaaa program.html
chmod 755 tmp/gprofx-open-eeeeee
touch tmp/gprofx-open-ffffff
echo content >tmp/gprofx-open-gggggg
old tmp/gprofx-open-gggggg
echo content >tmp/victim/program.html
chmod 700 tmp/victim
old tmp/victim
ln -s victim tmp/gprofx-open-hhhhhh
folder gprofx-open-iiiiii
ln -s ../victim/program.html tmp/gprofx-open-iiiiii/x.html
mkdir tmp/gprofx-open-iiiiii/y.html
old tmp/gprofx-open-iiiiii
opened 0 DISPLAY=:7
shown xdg-open
rm -r "$(dirname "$page")"
(cd tmp && find . -mindepth 1 | sort) >found
cat >expected <<-'END'
	./gprofx-open-dddddd
	./gprofx-open-dddddd/notes.txt
	./gprofx-open-eeeeee
	./gprofx-open-eeeeee/program.html
	./gprofx-open-ffffff
	./gprofx-open-ffffff/program.html
	./gprofx-open-gggggg
	./gprofx-open-hhhhhh
	./gprofx-open-iiiiii
	./gprofx-open-iiiiii/y.html
	./gprofx-open-kept-1
	./gprofx-open-kept-1/notes.txt
	./gprofx-other-aaaaa
	./gprofx-other-aaaaa/program.html
	./victim
	./victim/program.html
END
diff expected found >&2 || fail 'other folders were removed (<) or left (>)'
if [ "$(id -u)" -eq 0 ]; then
	folder gprofx-open-jjjjjj program.html
	chown 12345 tmp/gprofx-open-jjjjjj
	opened 0 DISPLAY=:7
	[ -e tmp/gprofx-open-jjjjjj/program.html ] || fail 'the folder of another user was removed'
fi
