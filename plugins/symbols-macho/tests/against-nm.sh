#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Programs, libraries and objects that clang and lld make, whole and stripped, and made images of other
# processors: the same symbols as llvm-nm's.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3 clang lld llvm-nm llvm-strip

ln -s "$(command -v lld)" ld64.lld
python3 "$GPROFX_SOURCE/plugins/symbols-macho/tests/against_nm.py" "$GPROFX" || fail 'a difference'
