#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The howtos of plugins quote the examples as they are, and their commands print what stands there, with the installed files.
. "$GPROFX_SOURCE/tests/kit/lib.sh"
need pkg-config
[ "$GPROFX_BUILTIN" = 1 ] && skip 'plugins that are linked in are listed in another way'
install_kit
copy_examples
make_program
export PATH="$prefix/bin:$PATH"

for howto in "$prefix"/share/doc/gprofx/howto-*.md; do
	# Its commands are those of kit.ci.
	case ${howto##*/} in howto-ci.md | howto-mpi.md) continue ;; esac
	rm -rf try
	mkdir try
	cp examples/* program* profile.txt atari.txt loongarch* gmon.out try
	(cd try && "$GPROFX_SOURCE/tests/kit/howto.py" ${HOWTO_WRITE:+--write} "${HOWTO_WRITE:-$howto}" \
		"$GPROFX_SOURCE/examples/plugin") || fail "$howto is not right"
	seen="${seen-}x"
done
[ "${seen-}" = xxxx ] || fail 'there is not one howto for each kind'
