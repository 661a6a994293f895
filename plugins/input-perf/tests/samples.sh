#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# perf.samples: recordings of another machine, whose program is below --sysroot: files and a pipe, of both byte orders, several
# events and a group, threads, another program, compressed. Self and inclusive figures and numbers of samples are those that perf
# report had. Without --sysroot, or with a folder that lacks the program, it is one row, and a warning says so. Takes about 3 seconds.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

recorded=$GPROFX_SOURCE/plugins/input-perf/tests/recorded
mkdir -p root/tmp/demo
cp "$recorded/program" root/tmp/demo/demo
cp "$recorded/program" root/tmp/demo/demo2
python3 -B "$GPROFX_SOURCE/plugins/input-perf/tests/samples.py" || exit

if [ ! -e /tmp/demo/demo ]; then
	for words in '' --sysroot=nowhere; do
		expect_status 0 "$GPROFX" --no-findings -b -p $words "$recorded/plain.data"
		expect_in err 'warning[image.no-file]: /tmp/demo/demo:'
		expect_match out '^ 97\.96 .* \[demo\]$'
	done
fi
echo 'symbols: { sysroot: root }' >settings.yaml
expect_status 0 "$GPROFX" --no-findings -b -p --config=settings.yaml "$recorded/plain.data"
expect_match out '^ 97\.96 .* spin \(demo\)$'
# A file of another build there is not taken.
cp "$GPROFX" root/tmp/demo/demo
expect_status 0 "$GPROFX" --no-findings -b -p --sysroot=root "$recorded/bid.data"
expect_in err 'warning[image.build-differs]: root/tmp/demo/demo:'
