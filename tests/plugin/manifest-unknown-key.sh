#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# manifest.unknown-key: a key that is not known is reported; the rest of the manifest counts.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
[ "$GPROFX_BUILTIN" = 0 ] || skip 'plugins are linked in, without manifests'

manifest m/input-x <<-'END'
	name: input-x
	abi: 1
	sumary: Misspelt
	reader:
	  format: x
	  magic:
	    - { bytes: x, offset: 3 }
	  weight: { a: [b] }
END
: >m/input-x.so
expect_status 0 "$GPROFX" --plugin-path=m --list-plugins
[ "$(grep -c 'warning\[manifest\.unknown-key\]' err)" -eq 3 ] || fail 'not three warnings'
expect_match err 'm/input-x\.yaml:3:1: unknown key of a manifest: "sumary"$'
expect_match err 'm/input-x\.yaml:7:19: .*: "offset"$'
expect_match err 'm/input-x\.yaml:8:3: .*: "weight"$'
expect_match err '^  hint: did you mean summary\? .*: name, abi, summary, reader, symbols, findcall, emitter, document, labels$'
expect_match err '^  hint: .*: at, bytes$'
expect_match err '^  while reading .*/m/input-x\.yaml with config-yaml$'
expect_match out '^input-x +reader +x '
expect_not_in out 'cannot be used'
