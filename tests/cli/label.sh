#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --label and --label-text call profiles by what stands in their names, and override files of settings.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3
"$GPROFX" --list-plugins | grep -q '^labels-pcre2 ' || skip 'the plugin was not built'

python3 - <<-'END' || fail 'cannot write the files'
	from profiled import Program
	program = Program(['main', 'work'])
	open('program', 'wb').write(program.bytes())
	for rank, ticks in (('07', 9), ('12', 3)):
	    open('rank' + rank, 'wb').write(program.profile({'work': ticks}).bytes())
END

# labels OPTION...: those in the list of profiles.
labels() {
	expect_status 0 "$GPROFX" --no-findings --per-file --output-option=per-file.what=files "$@" program rank07 rank12
	expect_empty err
	expect_match out ' rank07$'
	sed -nE 's/^ *[0-9.]+ +[0-9.]+ +[0-9]+ +(.*[^ ]) +rank[0-9]+$/\1/p' out | paste -sd,
}
[ "$(labels)" = '' ] || fail 'files have labels without an option'
[ "$(labels '--label=rank(?<n>\d+)')" = n=07,n=12 ] || fail 'the pattern is not heard'
[ "$(labels '--label=(?<n>\d+)' --label-text='number {n}')" = 'number 07,number 12' ] || fail 'the text is not heard'
printf "profiles: { label: '(?<n>1.)', label-text: 'number {n}' }\n" >c.yaml
[ "$(labels --config=c.yaml)" = 'rank07,number 12' ] || fail 'the file is not heard'
[ "$(labels --config=c.yaml '--label=(?<n>\d+)')" = 'number 07,number 12' ] || fail 'the file goes before the option'

expect_status 1 "$GPROFX" --per-file '--label=(' program rank07
expect_match err 'error\[labels\.bad-pattern\]: .*missing closing parenthesis'
expect_status 2 "$GPROFX" --label= program
expect_match err 'error\[usage\.empty-value\]: the PATTERN of --label is empty'
