#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# manifest.cannot-read, .too-large, .wrong-type, .bad-value, .missing-key, .name-differs and document.*: a
# broken manifest is a warning with its place, and hurts no other plugin.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
[ "$GPROFX_BUILTIN" = 0 ] || skip 'plugins are linked in, without manifests'

# So that a failed test at the end of a pipe ends the script.
shopt -s lastpipe

# broken ID PLACE TEXT <MANIFEST
broken() {
	manifest m/input-x
	: >m/input-x.so
	expect_warned input-x "$@"
}

mkdir -p m/input-x.yaml
expect_status 0 "$GPROFX" --plugin-path=m --list-plugins
expect_match err 'warning\[manifest\.cannot-read\]: .*/m/input-x\.yaml: .*not a regular file'
expect_match out '^input-x +unknown '
rmdir m/input-x.yaml
mkfifo m/input-x.yaml
expect_status 0 "$GPROFX" --plugin-path=m --list-plugins
expect_match err 'warning\[manifest\.cannot-read\]: .*/m/input-x\.yaml: .*not a regular file'
rm m/input-x.yaml
ln -s nowhere m/input-x.yaml
expect_warned input-x manifest.cannot-read ' ' 'No such file or directory'
if [ "$(id -u)" -ne 0 ]; then
	: >m/input-x.yaml
	chmod 0 m/input-x.yaml
	expect_warned input-x manifest.cannot-read ' ' 'Permission denied'
fi

head -c 65537 /dev/zero | tr '\0' '#' | broken manifest.too-large ' ' 'the manifest is longer than 65536 bytes: 65537'
truncate -s 10M m/input-x.yaml
expect_warned input-x manifest.too-large ' ' 'bytes: 10485760'
printf 'name: input-x\nabi: 1\nreader: { format: x }\n' >m/input-x.yaml
head -c $((65536 - $(stat -c %s m/input-x.yaml))) /dev/zero | tr '\0' '#' >>m/input-x.yaml
expect_status 0 "$GPROFX" --plugin-path=m --list-plugins
expect_empty err
expect_match out '^input-x +reader +x '

broken document.syntax 2:4 'did not find expected' <<'END'
name: [input-x
abi: 1
END
broken document.syntax 1:11 'mapping values are not allowed' <<<'summary: a: b'
broken document.bad-encoding 2:7 'UTF-8' <<<$'name: input-x\nabi: 1\xff'
broken document.anchor 1:7 'anchors' <<<'name: &a input-x'
# Each level has ten times what the one before it has.
{
	echo 'a: &a [x, x, x, x, x, x, x, x, x, x]'
	for pair in ab bc cd de ef fg gh hi; do
		echo "${pair:1}: &${pair:1} [$(printf "*${pair:0:1}, %.0s" 1 2 3 4 5 6 7 8 9)*${pair:0:1}]"
	done
} | broken document.anchor 1:4 'found "a"'
# As deep as it can be.
head -c 60000 /dev/zero | tr '\0' '[' | broken document.too-deep 1: 'levels'
broken document.duplicate-key 3:1 '"name"' <<'END'
name: input-x
abi: 1
name: input-x
END

broken manifest.wrong-type 1:1 'expected a mapping, found text' <<<'input-x'
broken manifest.wrong-type 1:1 'expected a mapping, found a list' <<<'[name, abi]'
# with REST...: the two keys that every manifest has, then the rest from line 3.
with() {
	printf 'name: input-x\nabi: 1\n'
	printf '%s\n' "$@"
}
with 'reader: magic' | broken manifest.wrong-type 3:9 'expected a mapping for reader, found text'
with 'reader:' | broken manifest.wrong-type 3:8 'expected a mapping for reader, found text'
with 'reader: { format: [x] }' | broken manifest.wrong-type 3:19 'text for format, found a list'
with 'reader: { format: x, magic: {} }' | broken manifest.wrong-type 3:29 'a list for magic, found a mapping'
with 'reader: { format: x, magic: [gmon] }' | broken manifest.wrong-type 3:30 'a mapping, found text'
with 'reader: { format: x, magic: [{ bytes: {} }] }' |
	broken manifest.wrong-type 3:39 'text or a list for bytes, found a mapping'
with 'reader: { format: x, magic: [{ bytes: [[1]] }] }' |
	broken manifest.wrong-type 3:40 'expected text, found a list'
with 'findcall: { machines: 62 }' | broken manifest.wrong-type 3:23 'a list for machines'
with 'findcall: { machines: [[]] }' | broken manifest.wrong-type 3:24 'expected text, found a list'
with 'summary: { a: b }' 'emitter: { format: x }' |
	broken manifest.wrong-type 3:10 'expected text for summary, found a mapping'

number='expected a number from 0 to'
for abi in one -1 1.0 65536 99999999999999999999 '""' '1 '$'\t''x'; do
	printf 'name: input-x\nreader: { format: x }\nabi: %s\n' "$abi" |
		broken manifest.bad-value 3:6 "$number 65535"
done
with 'reader: { format: "" }' | broken manifest.bad-value 3:19 'expected a word, found nothing'
with 'reader: { format: x, magic: [{ at: 4096, bytes: x }] }' | broken manifest.bad-value 3:36 "$number 4095"
with 'reader: { format: x, magic: [{ at: 4094, bytes: xyz }] }' |
	broken manifest.bad-value 3:30 'among the first 4096 of a file'
with 'reader: { format: x, magic: [{ bytes: "" }] }' | broken manifest.bad-value 3:39 'at least one byte'
with 'reader: { format: x, magic: [{ bytes: [] }] }' | broken manifest.bad-value 3:39 'at least one byte'
with 'reader: { format: x, magic: [{ bytes: [256] }] }' | broken manifest.bad-value 3:40 "$number 255"
with 'reader: { format: x, magic: [{ bytes: "\u0100" }] }' | broken manifest.bad-value 3:39 'from \x01 to \xff'
with 'symbols: { positions: maybe }' | broken manifest.bad-value 3:23 'true or false, found "maybe"'
with 'findcall: { machines: [] }' | broken manifest.bad-value 3:23 'the number of a machine'
with 'findcall: { machines: [70000] }' | broken manifest.bad-value 3:24 "$number 65535"

broken manifest.missing-key 1:1 'the key name is missing' <<'END'
abi: 1
reader: { format: x }
END
broken manifest.missing-key 1:1 'the key abi is missing' <<'END'
name: input-x
reader: { format: x }
END
with | broken manifest.missing-key 1:1 'expected an interface'
with 'reader: {}' | broken manifest.missing-key 3:9 'the key format is missing'
with 'reader: { format: x, magic: [{ at: 1 }] }' | broken manifest.missing-key 3:30 'the key bytes is missing'
with 'findcall: {}' | broken manifest.missing-key 3:11 'the key machines is missing'
with 'emitter: {}' | broken manifest.missing-key 3:10 'the key format is missing'
with 'document: {}' | broken manifest.missing-key 3:11 'the key syntax is missing'

broken manifest.name-differs 1:7 'the name of the file, input-x, found "input-y"' <<'END'
name: input-y
abi: 1
reader: { format: x }
END

# An empty manifest lacks everything; each is reported.
: >m/input-x.yaml
expect_status 0 "$GPROFX" --plugin-path=m --list-plugins
[ "$(grep -c 'warning\[manifest\.missing-key\]' err)" -eq 2 ] || fail 'not two warnings'

# A broken manifest in front keeps its name from a sound one behind, as its module does.
with 'reader: { format: x }' | manifest n/input-x
expect_status 0 "$GPROFX" --plugin-path=m --plugin-path=n --list-plugins
expect_match out '^input-x +unknown '
expect_not_in out 'input-x (reader'

# A run that looks for a plugin goes on.
make_program
expect_status 0 "$GPROFX" -b program gmon.out
cp out expected
bomb() {
	echo 'a: &a [x, x, x, x, x, x, x, x, x, x]'
	printf 'b: &b [%s*a]\n' "$(printf '*a, %.0s' 1 2 3 4 5 6 7 8 9)"
}
big() { head -c 10485760 /dev/zero | tr '\0' '#'; }
# So it does without the plugin whose manifest is one of these; that is found by its name nevertheless, and is missed
# where it would have to be found by what the manifest says.
for case in bomb:document.anchor big:manifest.too-large; do
	mkdir -p p
	module p/input-own <<-'END'
		#include "stub.h"
		static const struct gprofx_reader reader = {
			.size = sizeof reader, .format = "owned", .read = stub_read};
		STUB_PLUGIN, .name = "input-own", .reader = &reader };
	END
	"${case%:*}" >p/input-own.yaml
	expect_status 0 "$GPROFX" --plugin-path=p -b program gmon.out
	expect_same out expected
	expect_undiagnosed
	expect_status 0 "$GPROFX" --plugin-path=p --plugin=input-own -b program gmon.out
	expect_same out expected
	expect_status 1 "$GPROFX" --plugin-path=p -O owned -b program gmon.out
	expect_match err "^gprofx: warning\\[${case#*:}\\]: .*/input-own\\.yaml:"
	expect_match err '^gprofx: error\[(usage\.unknown-format|reader\.not-installed)\]: '
	expect_status 1 "$GPROFX" --check-plugin=p/input-own.so
	expect_match out "FAILED +manifest: .*\\[${case#*:}\\]"
done
echo 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' >profile
expect_status 1 "$GPROFX" --plugin-path=m program profile
expect_in err 'warning[manifest.missing-key]'
expect_in err 'error[profile.not-a-profile]'
