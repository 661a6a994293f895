#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The examples build with Meson from the installed files alone, work where they were built, and install
# beside the plugins of gprofx.
. "$GPROFX_SOURCE/tests/kit/lib.sh"
need meson ninja pkg-config
install_kit
copy_examples

build_with_meson built
expect_examples built
expect_status 0 meson test -C built
expect_match out '^Ok: +5'
expect_status 0 ninja -C built install
expect_examples "$plugins"
[ "$GPROFX_BUILTIN" = 1 ] || try_examples
