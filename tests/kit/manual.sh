#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The plugin in gprofx-plugin(3) is one, as it stands there, and so are the two ways to build it; the services
# that the page names exist; and what it says about versions of the interface is what happens.
. "$GPROFX_SOURCE/tests/kit/lib.sh"
need pkg-config
install_kit
page=$prefix/share/man/man3/gprofx-plugin.3

# block TEXT: the literal block of the page that holds the text.
block() {
	awk -v wanted="$1" '/^\.Ed/ { inside = 0; if (index(lines, wanted)) printf "%s", lines }
		inside { lines = lines $0 "\n" }
		/^\.Bd/ { inside = 1; lines = "" }' "$page" | sed 's/\\e/\\/g'
}

mkdir plugin
block "GPROFX_PLUGIN =" >plugin/output-total.c
expect_in plugin/output-total.c GPROFX_PLUGIN
printf 'name: output-total\nabi: 1\nemitter: { format: total }\n' >plugin/plugin.yaml
make_program

block 'cc ' | sed 's/NAME/output-total/g' >command
expect_in command 'cc '
(cd plugin && . ../command) || fail 'the command of the page fails'
expect_status 0 "$GPROFX" --plugin=./plugin/output-total.so --no-findings --output=total program gmon.out
echo '40.00 ticks' | diff - out >&2 || fail 'another output'

{
	printf 'cmake_minimum_required(VERSION 3.18)\nproject(total LANGUAGES C)\n'
	block 'gprofx_add_plugin(' | sed 's/NAME/output-total/g'
} >plugin/CMakeLists.txt
expect_in plugin/CMakeLists.txt 'gprofx_add_plugin('
expect_status 0 cmake -S plugin -B built -DCMAKE_PREFIX_PATH="$prefix"
expect_status 0 cmake --build built --target install
if [ "$GPROFX_BUILTIN" != 1 ]; then
	expect_status 0 "$GPROFX" --no-findings --output=total program gmon.out
	echo '40.00 ticks' | diff - out >&2 || fail 'another output of the installed plugin'
fi

# A later version of the interface is refused, with both.
sed -i 's/GPROFX_ABI, /GPROFX_ABI, .abi_minor = 999, /' plugin/output-total.c
(cd plugin && . ../command) || fail 'the changed plugin does not compile'
expect_status 1 "$GPROFX" --plugin=./plugin/output-total.so --output=total program gmon.out
expect_match err 'error\[plugin\.wrong-abi\].* 1\.0 to 1\.[0-9]+, found one that needs 1\.999$'

grep -oE '\b(gprofx_[a-z_]+|worker_open|grow|release)\b' "$page" | sort -u |
	grep -vxE 'gprofx_plugin_[12]?|gprofx_add_plugin' >words
[ "$(wc -l <words)" -ge 8 ] || fail 'the page names nothing'
while IFS= read -r word; do
	grep -qw "$word" "$prefix"/include/gprofx/*.h || fail "no header has $word"
done <words

# What pages and guides send the reader to is installed.
grep -ohE 'share/(doc/)?gprofx/[A-Za-z0-9_./-]+' "$prefix"/share/man/man*/*.[1357] "$prefix"/share/doc/gprofx/*.md \
	"$prefix"/share/doc/gprofx/*.yaml | sed 's/[.,]$//' | sort -u >named
for file in manifest.yaml gprofx.yaml examples/plugin examples/ten-hottest; do
	expect_in named "share/doc/gprofx/$file"
done
while IFS= read -r file; do
	[ -e "$prefix/$file" ] || fail "$file is not installed"
done <named
# All interfaces that a manifest may state are described.
grep -oE '^[a-z]+:$' "$prefix/share/doc/gprofx/manifest.yaml" >interfaces
[ "$(wc -l <interfaces)" -ge 6 ] || fail 'no interfaces'
while IFS= read -r interface; do
	expect_in "$page" ".It Li \"$interface"
done <interfaces
