#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# plugin.place-unknown: without /proc the program looks for its plugins in the folder that it was built for, and
# says so if that is not there. By a mount namespace where that is allowed, else by a readlink() that fails.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
[ "$GPROFX_BUILTIN" = 0 ] || skip 'plugins are linked in'

make_program
"$GPROFX" --no-findings -b -p program >plain
expect_said() {
	expect_status 1 "$@" -b -p program
	expect_empty out
	expect_match err "^gprofx: warning\\[plugin\\.place-unknown\\]: /.*/gprofx/1: cannot find out where the program is: /proc/self/exe cannot be read: No such file or directory; the plugin folder that it was built for cannot be read: No such file or directory\$"
	expect_match err '^  hint: mount /proc, or name the folder of the installed plugins with --plugin-path$'
	[ "$(grep -c 'place-unknown' err)" -eq 1 ] || fail 'it is reported more than once'
	expect_status 0 "$@" --no-findings --plugin-path="$GPROFX_PLUGIN_DIR" -b -p program
	expect_same plain out
}

if [ -z "${GPROFX_SANITIZE-}" ]; then
	cat >none.c <<-'END'
		#include <errno.h>
		#include <string.h>
		#include <unistd.h>
		ssize_t readlink(const char *path, char *text, size_t room) {
			(void)text, (void)room;
			errno = strcmp(path, "/proc/self/exe") == 0 ? ENOENT : EINVAL;
			return -1;
		}
	END
	"$GPROFX_CC" -shared -fPIC -o none.so none.c || fail 'none.c does not compile'
	run env LD_PRELOAD="$scratch/none.so" "$GPROFX" -b -p program
	built_for=$(sed -n 's/.*place-unknown\]: \(.*\): cannot find out where the program is.*/\1/p' err)
	# Where this version is installed, there are plugins.
	[ -n "$built_for" ] || skip "there are plugins where the program was built for"
	expect_said env LD_PRELOAD="$scratch/none.so" "$GPROFX"
fi
[ "$(id -u)" -eq 0 ] && unshare -m true 2>/dev/null || skip 'the rest needs a mount namespace'
[ -n "${built_for-}" ] || skip 'the rest needs to know the folder'
hide() { unshare -m sh -c 'mount -t tmpfs none /proc && exec "$@"' - "$@"; }
expect_said hide "$GPROFX"
top=/$(echo "$built_for" | cut -d / -f 2)
[ "$top" = /usr ] && top=/usr/local
case $built_for in "$top"/*) ;; *) skip 'the program was built for another folder' ;; esac
place() {
	unshare -m sh -c 'plugins=$1 built_for=$2 top=$3 && shift 3 && mount -t tmpfs -o mode=755 none /proc &&
		mkdir /proc/kept && cp "$plugins"/* /proc/kept && mount -t tmpfs -o mode=755 none "$top" &&
		mkdir -p "$built_for" && cp /proc/kept/* "$built_for" && exec "$@"' - \
		"$GPROFX_PLUGIN_DIR" "$built_for" "$top" "$@"
}
expect_status 0 place "$GPROFX" --no-findings -b -p program
expect_same plain out
expect_empty err
