#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# emitter.not-installed, reader.not-installed: a format that nobody writes or reads.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
expect_status 1 "$GPROFX" --output=sculpture program
expect_match err '^gprofx: error\[emitter\.not-installed\]: no emitter for the format "sculpture" is installed$'
expect_match err '^  hint: .*--list-plugins'
expect_empty out

expect_status 1 "$GPROFX" -O sculpture program
expect_match err '^gprofx: error\[reader\.not-installed\]: .*the format "sculpture": the plugin input-sculpture is not installed$'
expect_match err '^  hint: .*--list-plugins'
expect_empty out

# An emitter does not serve as a reader, nor the other way round.
expect_status 1 "$GPROFX" --output=magic program
expect_in err 'error[emitter.not-installed]'

# Under its own name a reader of exactly that name comes first, then the first letter decides.
"$GPROFX" -b program gmon.out >expected
for word in magic m monkey auto a aaa; do
	expect_status 0 "$GPROFX" -b -O "$word" program gmon.out
	expect_same expected out
done
for word in park xyz; do
	expect_status 1 "$GPROFX" -b -O "$word" program gmon.out
	expect_in err "error[reader.not-installed]: cannot read the format \"$word\""
done
for word in bananas bsd; do
	expect_status 1 "$GPROFX" -b -O "$word" program gmon.out
	expect_in err 'error[bsd.bad-header]'
done
for word in 4 44 4.4bsd; do
	expect_status 1 "$GPROFX" -b -O "$word" program gmon.out
	expect_in err 'error[bsd.bad-version]'
done

[ "$GPROFX_BUILTIN" = 0 ] || exit 0
# A profile whose reader is absent: which one it would be is reported if the file shows it.
prefix=$scratch/prefix
mkdir -p "$prefix/bin" "$prefix/lib/gprofx/1"
cp "$GPROFX" "$prefix/bin/gprofx"
cp "$GPROFX_PLUGIN_DIR"/* "$prefix/lib/gprofx/1"
rm "$prefix"/lib/gprofx/1/input-*bsd.*
python3 - <<-'END' || fail 'cannot write the profile'
	from gmonfile import bsd_profile
	open('old', 'wb').write(bsd_profile(0x401000, 0x401400, [1] * 8, []))
END
for mode in '' --gnu; do
	# shellcheck disable=SC2086
	expect_status 1 "$prefix/bin/gprofx" $mode -b program old
	expect_in err 'the plugin input-bsd is not installed'
	# shellcheck disable=SC2086
	expect_status 0 "$prefix/bin/gprofx" $mode -b program gmon.out
	expect_empty err
done
