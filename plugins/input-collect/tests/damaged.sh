#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# collect.*: files of the collector that are cut or damaged in one place, each with its offset. What comes before a
# bad chunk is used.
. "$GPROFX_SOURCE/plugins/input-collect/tests/lib.sh"

make_recorded <<-'END'
	save('usual', usual())
	# The fourth row is its own parent; the last ones are below 1030 frames, and right above the limit.
	deep = [(at('work+3'), n, CFI, 0, 0) for n in range(1030)]
	save('unreached', new().arcs([(at('main+5'), at('work'), 7), (1, at('main'), 1)]).stacks(
	    [(at('main+8'), 0, 0, 10, 10), (at('main+5'), 0, 0, 0, 0), (at('work+3'), 2, CFI, 30, 30), (at('idle'), 4, 0, 4, 4)]))
	save('deep', new().stacks(deep[:1023] + [(at('work+3'), 1023, CFI, 5, 5)] + deep[1024:] + [(at('work+3'), 1030, CFI, 6, 6)]))
	save('magic', File(magic=b'gprofxc\n'))
	save('order', usual().bytes()[:12] + b'\x03\x03\x02\x01' + usual().bytes()[16:])
	save('version', usual(version=2))
	save('page', usual(page_bytes=6000).bytes())
	save('small', usual().bytes()[:100])
	save('cut', usual().bytes()[:-4096])
	bad = usual()
	bad.chunk(ARCS, [(at('main+5'), at('idle'), 9, 0)], magic=0x12345678)
	save('foreign', bad)
	for name, wrong in dict(size=6000, large=1 << 40, entry=16).items():
	    bad = usual()
	    bad.chunk(ARCS, [(at('main+5'), at('idle'), 9, 0)], **{'entry_bytes' if name == 'entry' else 'size': wrong})
	    save(name, bad)
	save('lost', usual(lost_calls=5, lost_samples=3))
	save('lost-blocks', usual(lost_blocks=7).blocks([(at('work+5'), 3)]))
	for name, flags in ('unsampled', ATTACHED), ('user-only', ATTACHED | USER_ONLY), ('not-attached', INSTRUMENTED):
	    save(name, usual(flags=INSTRUMENTED | flags, unsampled_ns=1230000000))
	save('hardly', usual(flags=INSTRUMENTED | ATTACHED, unsampled_ns=90000000))
	save('restricted', usual(flags=INSTRUMENTED | RESTRICTED))
	save('private', usual(private_bytes=8192, state=RUNNING, flags=INSTRUMENTED | PRIVATE_TABLES))
END

expect_status 0 "$GPROFX" -b -p program usual
expect_undiagnosed
cp out expected
expect_damage magic collect.bad-magic 0x0 'expected the bytes "GPROFXC", found others' -O collect
expect_damage order collect.bad-order 0xc 'expected the byte order 0x01020304 or its reverse, found 16909059'
expect_damage version collect.bad-version 0x8 'expected version 1, found 2'
expect_damage page collect.bad-page 0x20 'expected pages of 4096 bytes to 1 MiB, a power of 2, found 6000'
expect_damage small collect.short-header 0x0 'expected a header of [0-9]+ bytes, found 100'
for case in foreign:0x5000:4096 size:0x5000:4096 large:0x5000:4096 entry:0x5000:4096; do
	IFS=: read -r file place left <<<"$case"
	expect_status 0 "$GPROFX" -b -p program "$file"
	expect_match err '^gprofx: warning\[collect\.bad-chunk\]: '"$file:$place: the file is damaged or incomplete from here on: $left bytes are not used\$"
	expect_match err '^  hint: .'
	expect_same out expected
done
# The samples are in the chunk that is missing.
expect_status 0 "$GPROFX" -b --output=callgraph program cut
expect_match out ' 0\.00 seconds in all'
expect_match out ' 7/7 .* work '
# What was lost is said once, as a finding or, without findings, as a warning.
expect_status 0 "$GPROFX" -b -p program lost
expect_match err '^gprofx: finding\[recording\.lost\]: 5 of 13 calls \(38\.5 %\) and 3 of 43 samples were lost, '
expect_not_in err 'warning['
expect_same out expected
expect_status 0 "$GPROFX" --no-findings -b -p program lost
expect_match err '^gprofx: warning\[recording\.lost\]: 5 calls and 3 samples were lost, since there was no memory for them$'
expect_not_in err 'finding['
expect_same out expected
expect_status 0 "$GPROFX" -b -p program private
expect_match err '^gprofx: warning\[collect\.not-in-file\]: private: calls and samples are missing: 8192 bytes of tables were in memory only, since the file could not be enlarged$'
expect_match err '^  hint: .'
expect_same out expected
expect_status 0 "$GPROFX" -b -p program unsampled
expect_match err '^gprofx: warning\[collect\.time-not-sampled\]: unsampled: 1\.23 s of processor time have no samples: threads ended before one was due'
expect_match err '^  hint: record with a greater --rate'
expect_status 0 "$GPROFX" -b -p program user-only
expect_match err '^gprofx: warning\[collect\.time-not-sampled\]: user-only: 1\.23 s of processor time have no samples: the system allows none of the kernel'
expect_match err '^  hint: sysctl kernel\.perf_event_paranoid=1'
for file in not-attached hardly; do
	expect_status 0 "$GPROFX" -b -p program "$file"
	expect_undiagnosed
done
expect_status 0 "$GPROFX" -b -p program lost-blocks
expect_match err '^gprofx: warning\[collect\.lost-blocks\]: lost-blocks: 7 executions of basic blocks were not counted: the collector had no memory left for other blocks$'
expect_match err '^  hint: .'
expect_match err '^gprofx: warning\[profile\.blocks-ignored\]: '
expect_same out expected
expect_status 0 "$GPROFX" -b -p program restricted
expect_match err '^gprofx: warning\[collect\.restricted\]: restricted: the program restricted its system calls: from then on, nothing was sampled, and calls of new threads and children were not counted$'
expect_match err '^  hint: .'
expect_same out expected
# Samples that no way leads to are not forgotten without a word.
expect_status 0 "$GPROFX" -b -p program unreached
expect_match err '^gprofx: warning\[collect\.stacks-left-out\]: unreached: 4 samples are left out: expected stacks of at most 1024 frames from an outermost one on, found deeper ones or such without it$'
expect_match err '^  hint: .'
expect_same out expected
expect_status 0 "$GPROFX" --no-findings -b -p program deep
expect_match err '^gprofx: warning\[collect\.stacks-left-out\]: deep: 6 samples are left out: '
expect_match out ' 0\.05 .* work$'
# A sum has no records for other images: it says what it lacks, and cannot have other profiles beside recordings.
expect_status 0 "$GPROFX" --sum=sum program usual
expect_match err '^gprofx: warning\[sum\.program-only\]: sum: the format has no room for libraries, call stacks, threads and processes: [0-9]+ calls and [0-9]+ samples from or in other code than the program are not in the sum'
expect_match err '^  hint: .'
expect_status 1 "$GPROFX" --sum=other program usual sum
expect_in err 'error[sum.has-images]'
expect_in err 'name the program, and recordings alone'
