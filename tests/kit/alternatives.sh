#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# No link "gprof" is installed; the command that doc/packages.md has makes one, which behaves like GNU gprof.
. "$GPROFX_SOURCE/tests/kit/lib.sh"
need update-alternatives
install_kit
make_program
[ -z "$(find "$prefix" -name 'gprof')" ] || fail 'a program gprof was installed'

command=$(sed -n 's/^ *\(update-alternatives --install .*\)/\1/p' "$GPROFX_SOURCE/doc/packages.md")
[ -n "$command" ] || fail 'doc/packages.md has no command'
command=${command//\/usr\/local/$scratch/local}
command=${command//\/usr\/bin/$prefix/bin}
mkdir -p local/bin state links
expect_status 0 eval "$command --altdir $scratch/links --admindir $scratch/state --log $scratch/log"
expect_status 0 "$scratch/local/bin/gprof" -b -p program gmon.out
cp out expected
expect_status 0 "$GPROFX" --gnu -b -p program gmon.out
expect_same expected out
