#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Each example builds with one command, that of its folder's README, and works; so does the library's. The
# variables of gprofx.pc lead to what they say. The examples are as short as they are said to be.
. "$GPROFX_SOURCE/tests/kit/lib.sh"
need pkg-config
install_kit
copy_examples
cp examples/*.yaml .

build_by_command
expect_examples "$scratch/examples"
wc -l examples/{input-text,output-wiki,symbols-gemdos,findcall-loongarch}.c | awk '
	$2 ~ /findcall/ && $1 > 60 || $2 ~ /input|output|symbols/ && $1 > 80 { print; long = 1 }
	END { exit long }' || fail 'an example is too long'

[ "$(realpath "$(pkg-config --variable=plugindir gprofx)")" = "$(realpath "$plugins")" ] ||
	fail 'plugindir is elsewhere'
major=$(sed -n 's/^#define GPROFX_ABI_MAJOR //p' "$prefix/include/gprofx/plugin.h")
minor=$(abi_minor "$prefix/include")
[ "$(pkg-config --variable=abi gprofx)" = "$major" ] || fail 'another major number than in the header'
[ "$(pkg-config --variable=abi_minor gprofx)" = "$minor" ] || fail 'another minor number than in the header'
[ "$(pkg-config --modversion gprofx)" = "$("$GPROFX" --version | sed -n '1s/^[^0-9]*\([0-9.]*\).*/\1/p')" ] ||
	fail 'another version than that of the program'

expect_library_user
