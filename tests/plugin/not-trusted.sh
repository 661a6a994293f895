#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# plugin.folder-not-trusted, plugin.not-trusted: folders and modules that others may write to are not used,
# unless the user named them; then there is a warning.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
mkdir own
module own/output-word <<-'END'
	#include "stub.h"
	static enum gprofx_result emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options) {
		struct gprofx_writer *writer = emission->writer;
		(void)gx; (void)options;
		gprofx_puts(writer, "the word\n");
		return GPROFX_OK;
	}
	static const struct gprofx_emitter emitter = {.size = sizeof emitter, .format = "word", .emit = emit};
	STUB_PLUGIN, .name = "output-word", .reader = NULL, .emitter = &emitter };
END
manifest own/output-word <<-'END'
	name: output-word
	abi: 1
	summary: A word
	emitter: { format: word }
END
chmod 755 . own own/output-word.so

works() {
	expect_status 0 "$@" --no-findings --output=word program
	expect_in out 'the word'
}
# is_refused REASON COMMAND...: the folder is skipped, with its reason, so there is no such format.
is_refused() {
	expect_status 1 "${@:2}" --no-findings --output=word program
	expect_empty out
	expect_match err "^gprofx: warning\\[plugin\\.folder-not-trusted\\]: ($scratch/)?own: the plugin folder is not trusted: $1; it is not used\$"
	[ "$(grep -c 'not-trusted' err)" -eq 1 ] || fail 'it is reported more than once'
	expect_match err '^  hint: .*chmod g?o-w.*--plugin=FILE'
	expect_match err 'error\[emitter\.not-installed\]'
	# The run goes on where nobody needs it.
	expect_status 0 "${@:2}" --no-findings -b program
	cmp -s out plain || fail 'another report'
	[ "$GPROFX_BUILTIN" = 0 ] || return 0
	expect_status 0 "${@:2}" --list-plugins
	expect_not_in out output-word
	expect_in err plugin.folder-not-trusted
}
"$GPROFX" --no-findings -b program >plain
by_environment=(env GPROFX_PLUGIN_PATH="$scratch/own" "$GPROFX")
echo "plugin-path: [ $scratch/own ]" >x.yaml
by_file=("$GPROFX" --config=x.yaml)
by_option=("$GPROFX" --plugin-path=own)
by_path=("$GPROFX" --plugin=own/output-word.so)
for way in by_environment by_file by_option by_path; do
	declare -n words=$way
	works "${words[@]}"
	expect_empty err
done

for mode in 757 777 1777 775 2770; do
	chmod $mode own
	is_refused 'other users can write to it' "${by_environment[@]}"
	is_refused 'other users can write to it' "${by_file[@]}"
	is_refused 'other users can write to it' "${by_option[@]}"
done
chmod 755 own

# A module that others may write to.
for way in by_environment by_file; do
	declare -n words=$way
	chmod 775 own/output-word.so
	expect_status 1 "${words[@]}" --no-findings --output=word program
	expect_match err 'error\[plugin\.not-trusted\]: .*: other users can write to it$'
	chmod 757 own/output-word.so
	expect_status 1 "${words[@]}" --no-findings --output=word program
	expect_empty out
	expect_match err "^gprofx: error\\[plugin\\.not-trusted\\]: ($scratch/)?own/output-word\\.so: the module is not trusted: other users can write to it\$"
	expect_match err '^  hint: .*chmod g?o-w'
	# The static build reads no manifests.
	[ "$GPROFX_BUILTIN" = 0 ] || continue
	expect_status 0 "${words[@]}" --list-plugins
	grep -A 3 '^output-word ' out >listed
	expect_in listed 'cannot be used: other users can write to it'
done
chmod 757 own/output-word.so
works "${by_path[@]}"
expect_match err "^gprofx: warning\\[plugin\\.not-trusted\\]: ($scratch/)?own/output-word\\.so: .*other users can write to it; it is used because you named it\$"
chmod 755 own/output-word.so

# A folder above, where others can put another folder in the place of this one; but not where each can only
# move what is his own. The group of what is above a folder that the user named is the user's choice.
mkdir above
chmod 755 above
mv own above
by_environment=(env GPROFX_PLUGIN_PATH="$scratch/above/own" "$GPROFX")
by_option=("$GPROFX" --plugin-path=above/own)
for mode in 777 757 775; do
	chmod $mode above
	expect_status 1 "${by_environment[@]}" --no-findings --output=word program
	expect_match err "warning\\[plugin\\.folder-not-trusted\\]: .*: other users can write to $scratch/above; it is not used\$"
	if [ $mode = 775 ]; then
		works "${by_option[@]}"
		expect_empty err
	else
		expect_status 1 "${by_option[@]}" --no-findings --output=word program
		expect_in err "other users can write to $scratch/above; it is not used"
	fi
done
chmod 1777 above
works "${by_environment[@]}"
works "${by_option[@]}"
chmod 755 above
# The same through a link.
mkdir links
chmod 777 links
ln -s "$scratch/above" links/way
expect_status 1 env GPROFX_PLUGIN_PATH="$scratch/links/way/own" "$GPROFX" --no-findings --output=word program
expect_in err "other users can write to $scratch/links; it is not used"
chmod 755 links
works env GPROFX_PLUGIN_PATH="$scratch/links/way/own" "$GPROFX"
works env GPROFX_PLUGIN_PATH="$scratch/links/../links//way/./own/." "$GPROFX"
mv above/own .
by_environment=(env GPROFX_PLUGIN_PATH="$scratch/own" "$GPROFX")
by_option=("$GPROFX" --plugin-path=own)
# A link that leads to itself.
ln -s loop loop
expect_status 1 env GPROFX_PLUGIN_PATH="$scratch/loop" "$GPROFX" --no-findings --output=word program
expect_empty out

# The installed folder, too.
if [ "$GPROFX_BUILTIN" = 0 ]; then
	installed=${GPROFX_PLUGIN_DIR#"$(dirname "$(dirname "$GPROFX")")"/}
	mkdir -p p/bin "p/$installed"
	cp "$GPROFX" p/bin/gprofx
	cp "$GPROFX_PLUGIN_DIR"/*.so "$GPROFX_PLUGIN_DIR"/*.yaml "p/$installed"
	expect_status 0 p/bin/gprofx --no-findings -b program
	chmod 777 "p/$installed"
	expect_status 1 p/bin/gprofx --no-findings -b program
	expect_in err "warning[plugin.folder-not-trusted]: $scratch/p/$installed: "
fi

# A link to a module that others can put another one in the place of.
mkdir open
mv own/output-word.so open/real.so
ln -s "$scratch/open/real.so" own/output-word.so
for way in by_environment by_file by_option; do
	declare -n words=$way
	works "${words[@]}"
	expect_empty err
done
chmod 777 open
for way in by_environment by_file; do
	declare -n words=$way
	expect_status 1 "${words[@]}" --no-findings --output=word program
	expect_empty out
	expect_match err "^gprofx: error\\[plugin\\.not-trusted\\]: ($scratch/)?own/output-word\\.so: the module is not trusted: other users can write to its folder\$"
	[ "$GPROFX_BUILTIN" = 0 ] || continue
	expect_status 0 "${words[@]}" --list-plugins
	grep -A 3 '^output-word ' out >listed
	expect_in listed 'cannot be used: other users can write to its folder'
done
works "${by_option[@]}"
rm own/output-word.so
mv open/real.so own/output-word.so

# A path in settings that were not named is not the user's own word.
mkdir -p home/gprofx
cp own/output-word.so open
printf 'plugins: [ %s/open/output-word.so ]\n' "$scratch" >home/gprofx/config.yaml
chmod 755 home home/gprofx
by_found=(env XDG_CONFIG_HOME="$scratch/home" "$GPROFX")
expect_status 1 "${by_found[@]}" --no-findings --output=word program
expect_match err 'error\[plugin\.not-trusted\]: .*/open/output-word\.so: the module is not trusted: other users can write to its folder$'
expect_empty out
works "$GPROFX" --no-config --config=home/gprofx/config.yaml
chmod 755 open
works "${by_found[@]}"
expect_empty err
chmod 757 open/output-word.so
expect_status 1 "${by_found[@]}" --no-findings --output=word program
expect_match err 'error\[plugin\.not-trusted\]: .*/open/output-word\.so: .*: other users can write to it$'
works "$GPROFX" --no-config --config=home/gprofx/config.yaml
expect_match err 'warning\[plugin\.not-trusted\]: .* it is used because you named it$'
chmod 755 open/output-word.so

# Whose it is: root's, the user's, and that of who became root by sudo.
[ "$(id -u)" -eq 0 ] || skip 'the rest needs root'
chown 12345 own
is_refused 'it belongs to user 12345' "${by_environment[@]}"
works env SUDO_UID=12345 "${by_environment[@]}"
expect_empty err
works "${by_option[@]}"
expect_empty err
chown 0 own
chown 12345 own/output-word.so open/output-word.so
expect_status 1 "${by_found[@]}" --no-findings --output=word program
expect_match err 'error\[plugin\.not-trusted\]: .*: it belongs to user 12345$'
works env SUDO_UID=12345 "${by_found[@]}"
works "$GPROFX" --no-config --config=home/gprofx/config.yaml
expect_empty err
expect_status 1 "${by_environment[@]}" --no-findings --output=word program
expect_match err 'error\[plugin\.not-trusted\]: .*: it belongs to user 12345$'
works "${by_path[@]}"
expect_empty err

# What lies in a folder like /tmp, and belongs to somebody else.
chown 0 own own/output-word.so
chmod 1777 above
mv own above
works env GPROFX_PLUGIN_PATH="$scratch/above/own" "$GPROFX"
chown 12345 above/own
expect_status 1 env GPROFX_PLUGIN_PATH="$scratch/above/own" "$GPROFX" --no-findings --output=word program
expect_in err "$scratch/above/own belongs to user 12345"
chown 0 above/own
ln -s own link
mv link above
chown -h 12345 above/link
expect_status 1 env GPROFX_PLUGIN_PATH="$scratch/above/link" "$GPROFX" --no-findings --output=word program
expect_in err "$scratch/above/link belongs to user 12345"
# A folder above that belongs to somebody else.
chmod 755 above
chown 12345 above
expect_status 1 env GPROFX_PLUGIN_PATH="$scratch/above/own" "$GPROFX" --no-findings --output=word program
expect_in err "$scratch/above belongs to user 12345"
