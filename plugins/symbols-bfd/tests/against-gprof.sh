#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# ECOFF and XCOFF images: in GNU mode the reports of the gprof that knows them, whatever is damaged
# in them a message and no crash. It takes about 15 s. CHANGES: how often each image is damaged.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3
unpacked=$GPROFX_SOURCE/build-test/binutils-multiarch
[ -d "$unpacked/usr" ] || skip 'binutils-multiarch was not unpacked: scripts/setup test'
[ "$(uname -m)" = x86_64 ] || skip 'the unpacked tools are those of x86-64'
"$GPROFX" --list-plugins | grep -q '^symbols-bfd' || skip 'symbols-bfd was not built'
mkdir link
ln -s "$GPROFX" link/gprof
python3 -B "$GPROFX_SOURCE/plugins/symbols-bfd/tests/against_gprof.py" link/gprof "$unpacked" "${CHANGES-60}"
