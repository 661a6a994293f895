#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A module comes from the folder that was judged, although a link on its path is changed meanwhile: at the worst
# moment, just before the loader is asked, and then at any moment, in 150 starts. Takes 4 s.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
[ -z "${GPROFX_SANITIZE-}" ] || skip 'another library goes before a sanitizer'

make_program
# A plugin that says where it comes from; others may write to the folder "evil".
for folder in good evil; do
	mkdir $folder
	module $folder/output-word -DWORD="\"$folder\"" <<-'END'
		#include "stub.h"
		static enum gprofx_result emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options) {
			struct gprofx_writer *writer = emission->writer;
			(void)gx; (void)options;
			gprofx_puts(writer, WORD "\n");
			return GPROFX_OK;
		}
		static const struct gprofx_emitter emitter = {.size = sizeof emitter, .format = "word", .emit = emit};
		STUB_PLUGIN, .name = "output-word", .reader = NULL, .emitter = &emitter };
	END
	chmod 755 $folder $folder/output-word.so
done
chmod 777 evil
point() { ln -sfn "$1" next && mv -T next way; }
point good
expect_status 0 "$GPROFX" --no-findings --plugin-path=way --output=word program
expect_same <(echo good) out
point evil
expect_status 1 "$GPROFX" --no-findings --plugin-path=way --output=word program
expect_in err plugin.folder-not-trusted

# The link is changed when the loader is asked for the module.
cat >swap.c <<-'END'
	#define _GNU_SOURCE
	#include <dlfcn.h>
	#include <string.h>
	#include <unistd.h>
	void *dlopen(const char *name, int flags) {
		void *(*real)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
		if (name && strstr(name, "output-word")) {
			unlink("way");
			if (symlink("evil", "way") == 0)
				(void)!write(2, "swapped\n", 8);
		}
		return real(name, flags);
	}
END
"$GPROFX_CC" -shared -fPIC -o swap.so swap.c -ldl || fail 'swap.c does not compile'
point good
expect_status 0 env LD_PRELOAD="$scratch/swap.so" "$GPROFX" --no-findings --plugin-path=way --output=word program
expect_same <(echo good) out
expect_in err swapped
# So it is where descriptors have no names in the file system: the path that was judged has no links.
if [ "$(id -u)" -eq 0 ] && unshare -m true 2>/dev/null; then
	point good
	expect_status 0 env LD_PRELOAD="$scratch/swap.so" unshare -m sh -c \
		'mount -t tmpfs none /proc && exec "$@"' - "$GPROFX" --no-config --no-findings \
		--plugin-path="$GPROFX_PLUGIN_DIR" --plugin-path=way --output=word program
	expect_same <(echo good) out
	expect_in err swapped
fi

# At any moment.
: >go
while [ -e go ]; do
	point evil
	point good
done &
seen=0
for _ in {1..150}; do
	run "$GPROFX" --no-findings --plugin-path=way --output=word program
	if [ "$status" -eq 0 ]; then
		[ "$(cat out)" = good ] || fail 'the module of the other folder was used'
		seen=$((seen + 1))
	fi
done
rm go
wait
printf '%d of 150 starts found the good folder\n' $seen
