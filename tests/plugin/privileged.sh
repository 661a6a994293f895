#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage.privileged: set-user-ID and set-group-ID, the program refuses plugins and settings of its user's own,
# whose word would be for another's rights; installed plugins must be root's.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'root can give such rights'
[ -z "${GPROFX_SANITIZE-}" ] || skip 'a sanitizer reads the environment'
need setpriv

make_program
chmod 755 "$scratch"
installed=${GPROFX_PLUGIN_DIR#"$(dirname "$(dirname "$GPROFX")")"/}
mkdir -p p/bin "p/$installed"
cp "$GPROFX" p/bin/gprofx
[ "$GPROFX_BUILTIN" = 1 ] || cp "$GPROFX_PLUGIN_DIR"/*.so "$GPROFX_PLUGIN_DIR"/*.yaml "p/$installed"
echo 'plugins: []' >x.yaml
mkdir home && cp -r p home
chown -R 12345:12345 home
as() { setpriv --reuid=12345 --regid=12345 --clear-groups "$@"; }
as test -x p/bin/gprofx || skip 'other users cannot run the program'
chmod 755 p p/bin p/lib* "p/$installed" 2>/dev/null

# refused OPTION WORD...
refused() {
	expect_status "$1" as p/bin/gprofx "${@:3}" -b -p program
	expect_empty out
	expect_match err "error\\[usage\\.privileged\\]: the program has rights that the user does not have, so it refuses the user's own plugins and settings: $2\$|$2"
	expect_in err 'hint: use a copy of the program without the set-user-ID and set-group-ID bits'
}
for mode in 4755 2755; do
	chown 0:0 p/bin/gprofx
	chmod $mode p/bin/gprofx
	if [ $mode = 4755 ] && [ "$(as p/bin/gprofx --plugin=./none.so program 2>&1 | grep -c usage.privileged)" = 0 ]; then
		grep -q nosuid <(findmnt -no OPTIONS -T p 2>/dev/null) && skip 'such bits do nothing here'
		fail 'the plugin is not refused'
	fi
	refused 2 --plugin --plugin=./none.so
	refused 2 --plugin-path --plugin-path="$scratch"
	refused 2 --config --config=x.yaml
	refused 2 --set '--set=plugins=[./none.so]'
	refused 2 --check-plugin --check-plugin=./none.so
	refused 2 --dump-plugin --dump-plugin=./none.so
	refused 1 --plugin --gnu --plugin=./none.so
	expect_status 2 as env DISPLAY=:7 p/bin/gprofx open program
	expect_empty out
	expect_in err 'error[usage.privileged]: the program has rights that the user does not have, so it starts no other'
	expect_in err 'hint: use a copy of the program'
	expect_status 0 as env XDG_CONFIG_HOME="$scratch/home" GPROFX_PLUGIN_PATH="$scratch/none" GPROFX_SET='a: b' \
		GPROFX_CONFIG="$scratch/none" p/bin/gprofx --no-findings -b -p program
	expect_in out work
	expect_empty err
	expect_status 0 as p/bin/gprofx --list-plugins
	expect_status 0 as p/bin/gprofx --dump-plugin=output-flat
	# As if by a hard link: the program is where its user has put plugins.
	[ "$GPROFX_BUILTIN" = 0 ] || continue
	chown 0:0 home/p/bin/gprofx
	chmod $mode home/p/bin/gprofx
	expect_status 1 as home/p/bin/gprofx --no-findings -b -p program
	expect_in err 'warning[plugin.folder-not-trusted]: '
	expect_in err 'belongs to user 12345'
	expect_empty out
done
