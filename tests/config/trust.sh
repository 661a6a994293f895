#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# config.not-trusted: a file that was found, not named, must be the work of the user or the administrator.
. "$GPROFX_SOURCE/tests/config/lib.sh"

"$GPROFX" --no-config -b -p program >brief
"$GPROFX" --no-config -p program >long
echo 'options: { output-flat: { explain: false } }' >"$user"
is_read() {
	expect_status 0 "$@" "$GPROFX" -p program
	expect_empty err
	expect_same out brief
}
# is_refused REASON [COMMAND...]: a warning, and a run without the file.
is_refused() {
	expect_status 0 "${@:2}" "$GPROFX" -p program
	expect_same out long
	expect_match err "^gprofx: warning\\[config\\.not-trusted\\]: .*/$user: the settings file is not trusted: $1; it is not read\$"
	expect_in err '  hint: remove write permission for others (chmod go-w), or name the file with --config'
	# Named, it is the user's own word; and a run that reads none reports nothing.
	expect_status 0 "${@:2}" "$GPROFX" --no-config --config="$scratch/$user" -p program
	expect_empty err
	expect_same out brief
}

is_read
for mode in 622 604 640 600; do
	chmod $mode "$user"
	if [ $mode = 622 ]; then is_refused 'other users can write to it'; else is_read; fi
done
chmod 620 "$user"
is_refused 'other users can write to it'
chmod 644 "$user"
for mode in 777 1777 775; do
	chmod $mode home/gprofx
	is_refused 'other users can write to its folder'
done
chmod 755 home/gprofx

# A folder above; where each can only move what is his own, it does no harm.
chmod 777 home
is_refused "other users can write to $scratch/home"
chmod 775 home
is_refused "other users can write to $scratch/home"
chmod 1777 home
is_read
chmod 755 home

# Through a link, the folder that it leads to counts as well.
mkdir elsewhere
mv "$user" elsewhere/file.yaml
ln -s ../../elsewhere/file.yaml "$user"
is_read
chmod 777 elsewhere
is_refused 'other users can write to its folder'
chmod 755 elsewhere

# What such a file includes, and presets of the user; here it is an error.
echo 'options: { output-flat: { explain: false } }' >home/gprofx/more.yaml
rm "$user"
echo 'include: more.yaml' >"$user"
is_read
chmod 666 home/gprofx/more.yaml
expect_status 1 "$GPROFX" program
expect_empty out
expect_match err "^gprofx: error\\[config\\.not-trusted\\]: .*/$user:1:10: the settings file .*/more\\.yaml is not trusted: other users can write to it\$"
expect_status 0 "$GPROFX" --no-config --config="$user" -p program
expect_same out brief
rm "$user"
mkdir home/gprofx/presets
cp home/gprofx/more.yaml home/gprofx/presets/mine.yaml
chmod 644 home/gprofx/presets/mine.yaml
expect_status 0 "$GPROFX" --preset=mine -p program
expect_same out brief
chmod 646 home/gprofx/presets/mine.yaml
expect_status 1 "$GPROFX" --preset=mine -p program
expect_match err '^gprofx: error\[config\.not-trusted\]: .*/presets/mine\.yaml: '
expect_status 0 "$GPROFX" --config=<(echo 'preset: gnu') program

# Owners: the rest takes an administrator.
[ "$(id -u)" -eq 0 ] || skip 'the other half needs root'
echo 'options: { output-flat: { explain: false } }' >"$user"
chown 12345 "$user"
is_refused 'it belongs to user 12345'
is_refused 'it belongs to user 12345' env SUDO_UID=123
is_refused 'it belongs to user 12345' env SUDO_UID=12345x
is_read env SUDO_UID=12345
chown 0 "$user"
is_read env SUDO_UID=12345
chown 12345 home/gprofx
is_refused 'its folder belongs to user 12345'
is_read env SUDO_UID=12345
# For anybody else the variable says nothing.
command -v setpriv >/dev/null || skip 'setpriv is not there'
chmod 755 "$scratch"
chmod 644 program gmon.out "$user"
as() {
	setpriv --reuid="$1" --clear-groups "${@:2}"
}
as 12345 test -x "$GPROFX" || skip 'other users cannot run the program'
chown 0 home/gprofx
is_read as 12345
chown 12346 "$user"
is_refused 'it belongs to user 12346' as 12345 env SUDO_UID=12346
chown 12345 "$user" home/gprofx
is_read as 12345
