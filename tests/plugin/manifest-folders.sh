#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Manifests are listed folder by folder, each in the order of names; of equal names the first counts.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
[ "$GPROFX_BUILTIN" = 0 ] || skip 'plugins are linked in, without manifests'

describe() {
	manifest "$1" <<-END
		name: ${1##*/}
		abi: 1
		summary: $2
		emitter: { format: ${1##*/} }
	END
	: >"$1.so"
}
for name in c-3 a b_2 a.b B é; do
	describe "one/$name" "$name of one"
done
describe two/b_2 'b_2 of two'
describe two/Z 'Z of two'
describe two/.hidden 'hidden'
: >one/a.yaml.bak
: >one/yaml
: >one/.yaml

expect_status 0 "$GPROFX" --plugin-path=one --plugin-path=two --plugin-path=one --list-plugins
expect_empty err
sed -n 's/^.* \([^ ]*\) of \(one\|two\)$/\2 \1/p' out >order
expect_same order - <<-'END'
	one B
	one a
	one a.b
	one b_2
	one c-3
	one é
	two Z
END
expect_not_in out hidden
expect_match out '^output-flat '

rm one/a.so
expect_status 0 "$GPROFX" --plugin-path=one --list-plugins
expect_empty err
awk '/^[^ ]/ { shown = $1 == "a" } shown' out >shown
expect_in shown 'cannot be used: its module is missing'
[ "$(grep -c 'cannot be used' out)" -eq 1 ] || fail 'others cannot be used either'
