#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# list.*: lists that cannot be read, or only in part, with the place of the first line that does not
# fit.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
# refused ID TEXT: the file "list" is refused with one error that begins so, and a hint.
refused() {
	expect_status 1 "$GPROFX" -b -S list program
	expect_empty out
	[ "$(grep -c 'error\[' err)" -eq 1 ] || fail 'not just one error'
	expect_match err "^gprofx: error\\[$1\\]: list:$2"
	expect_match err '^  hint: .'
}

# Two letters before each address.
printf '%s\n' 'zz401000 T main' 'zz401100 T work' >list
refused list.bad-line '1:1: expected an address, a type and a name, found something else here, and no line'
printf '401000 T\n' >list
refused list.bad-line '1:9: '
printf '\n\n\t401000 TT main\n' >list
refused list.bad-line '3:9: '
printf '11111111111111111 T main\n' >list
refused list.bad-line '1:1: '
printf '401000 T ma\0in\n' >list
printf '401000 T ma' >list
head -c 5000 /dev/zero | tr '\0' 'i' >>list
printf '\0in\n' >>list
refused list.bad-line '1:10: '
: >list
refused list.no-symbols ' expected a list of symbols with functions, found none'
printf '%s\n' '500000 D table' '                 U printf' >list
refused list.no-symbols ' '
printf '%s\n' '0000000000000000 T _text' '0000000000000000 t do_work' >list
refused list.hidden-addresses ' expected addresses of 2 functions, found 0 for each of them'
rm list
refused list.cannot-open ' cannot read the list of symbols: No such file'
mkdir list
refused list.is-a-folder ' expected a list of symbols, found a folder'
rmdir list
if truncate -s 17G list 2>/dev/null; then
	run "$GPROFX" -b --gnu -S list program
	if grep -q 'too many symbols' err; then
		expect_status 1 "$GPROFX" --gnu -b -S list program
		expect_match err ': file `list. has too many symbols$'
		printf 401000 >lines
		dd if=lines of=list conv=notrunc status=none
		head -c 5000 /dev/zero | tr '\0' ' ' | dd of=list conv=notrunc status=none
		refused list.too-large ' expected a list of at most 4294967295 symbols, found a file of 18253611008 bytes'
	fi
	rm list
fi
cp gmon.out list
refused image.not-an-object ' expected '

# What does not fit is left out, and told once.
printf '%s\n' '401000 T main' 'junk' '401100 T work' '401200 Q idle' '401200 T idle' >list
expect_status 0 "$GPROFX" -b -p program
cp out expected
expect_status 0 "$GPROFX" -b -p -S list program
expect_same expected out
[ "$(grep -c 'warning\[' err)" -eq 1 ] || fail 'not just one warning'
expect_match err '^gprofx: warning\[list.bad-line\]: list:2:1: .* and elsewhere; these lines are left out$'
expect_match err '^  hint: .'
sed -i 2d list
expect_status 0 "$GPROFX" -b -p -S list program
expect_match err '^gprofx: warning\[list.bad-line\]: list:3:8: .* here; these lines are left out$'
# "U tmpfile" is no function called mpfile, as it is in GNU mode.
printf '%s\n' '401000 T main' '                 U tmpfile' '401100 T work' '401200 T idle' >list
expect_status 0 "$GPROFX" -b -p -S list program
expect_undiagnosed
expect_same expected out
expect_status 0 "$GPROFX" --gnu -b -p -z -S list program
expect_undiagnosed

# An output does not replace the list.
cp list kept
expect_status 1 "$GPROFX" -S list --output=flat:list program
expect_in err 'error[output.same-file]: list: '
expect_same kept list
