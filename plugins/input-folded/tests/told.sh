#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# folded.told: what is said of lines and files that are no stacks, of numbers too large, too fine or negative, and of
# what needs a program. Nothing is lost without a word.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

# told STATUS ID FILE-OR-OPTION...: gprofx says so, and once.
told() {
	expected=$1
	id=$2
	shift 2
	expect_status "$expected" "$GPROFX" -b -p "$@"
	[ "$(grep -c "\[$id\]" err)" -eq 1 ] || fail "$id is not told once for $*"
}

sound='main;a;b 1\nmain;a 2\nmain;c 3\nmain;d 4\nmain;e 5\nmain;f 6\nmain;g 7\nmain;h 8\nmain;i 9\n'
printf "$sound"'main;j\n' >no-number
told 0 folded.bad-line no-number
expect_match err '^gprofx: warning\[folded\.bad-line\]: no-number:10: expected a number of samples after the last blank, found none$'
expect_match out ' 9\.00 +i$'
printf "$sound"'main;j -3\n' >negative
told 0 folded.bad-line negative
expect_match err 'found a negative one$'
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do
	for k in 1 2 3 4 5 6 7 8 9 10 11 12; do
		printf 'main;f%s 1\n' $k
	done
	printf 'no number\n'
done >many
expect_status 0 "$GPROFX" -b -p many
[ "$(grep -c 'warning\[folded\.bad-line\]' err)" -eq 10 ] || fail 'not ten lines are reported'
expect_match err 'warning\[folded\.bad-lines\]: many: 3 more lines are left out$'

printf '# nothing\n\n' >nothing
told 1 folded.no-stacks -O folded nothing
expect_status 1 "$GPROFX" nothing
yes 'a;b 1 2' | head -100 >compared
echo 'a;d 5' >>compared
told 0 folded.bad-line compared
expect_match err 'compared:101: expected two numbers of samples, as in the first lines, found one$'
printf 'a;b 1.0000000004\na;c 0.0005\n' >fine
told 0 folded.rounded fine
expect_match out ' 1\.00 +b$'
printf 'a;b 18446744073709551615\na;c 1\na;d 99999999999999999999999\n' >huge
told 0 profile.weights-overflow huge
printf 'a 0\n' >zero
expect_status 0 "$GPROFX" -b -p zero
expect_match out 'no time accumulated'

# What only a program can tell.
printf "$sound" >stacks
for option in -l -c "-S stacks" "--per-file"; do
	# shellcheck disable=SC2086 # the option and its word
	told 1 image.needed $option stacks
	expect_in err "hint: name the program before its profile, or leave out ${option%% *}"
done
expect_status 1 "$GPROFX" -s stacks
expect_match err 'error\[sum\.has-stacks\]'
[ ! -e gmon.sum ] || fail 'a sum was written'
need python3
python3 - <<-'END' || fail 'cannot write the program'
	from profiled import Program
	program = Program(['main', 'work'])
	open('program', 'wb').write(program.bytes())
	open('gmon.out', 'wb').write(program.profile({'main': 10}, [('main', 'work', 7)]).bytes())
END
told 1 profile.needs-program stacks gmon.out
printf 'x;y 3\nmain;work 1\n' >other
told 0 profile.other-program program other
expect_in err 'found none of its names in 75 % of their weight'
# A text that only looks like stacks: not a name is the program's.
printf 'GET /index 200\nPOST /form 404\n' >log
told 1 profile.other-program program log
expect_in err 'error[profile.other-program]'
expect_in err 'found no function of the program in any of them'
expect_in err 'or leave it out'
expect_empty out
told 0 profile.other-program program log gmon.out
expect_in out work
# A profile with addresses comes behind its program.
expect_status 1 "$GPROFX" gmon.out
expect_match err 'error\[image\.not-an-object\]'

# GNU mode knows no such files.
expect_status 1 "$GPROFX" --gnu stacks

# Lines of millions of bytes, and as deep.
python3 -c "
print('a;' * 2000000 + 'b 1')
print('n' * 9000000 + ';c 2')" >long
expect_status 0 "$GPROFX" -b -p long
expect_match out ' 1\.00 +b$'
expect_match out ' 2\.00 +c$'

python3 -c "print('a;' * (1 << 24) + 'a 1')" >deep
told 1 folded.too-deep deep

# Calls are not counted, and names alone have no source.
expect_status 1 "$GPROFX" -C stacks
expect_match err 'error\[report\.no-counts\]'
expect_status 1 "$GPROFX" -A stacks
expect_match err 'error\[source\.no-program\]'
# Of a file that is refused no name is left.
printf 'zz;yy\n' >bad
expect_status 1 "$GPROFX" --keep-going -z -b -p -O folded stacks bad
expect_match err 'error\[folded\.no-stacks\]'
expect_not_in out yy
