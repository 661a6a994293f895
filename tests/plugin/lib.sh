# SPDX-License-Identifier: Apache-2.0
#
# Helpers for the tests of the plugin host, on top of those in tests/cli/lib.sh. The first line of a
# test is
#
#   . "$GPROFX_SOURCE/tests/plugin/lib.sh"

. "$GPROFX_SOURCE/tests/cli/lib.sh"
: "${GPROFX_CC:=cc}" "${GPROFX_BUILTIN:=0}"
need "$GPROFX_CC"

# abi_minor [FOLDER]: the minor version of the interface in the public headers, or in those of a folder.
abi_minor() {
	sed -n 's/^#define GPROFX_ABI_MINOR //p' "${1:-$GPROFX_SOURCE/include}/gprofx/plugin.h"
}

# module NAME [OPTION...] <SOURCE: builds ./NAME.so with the public headers and stub.h, as anybody would.
module() {
	cat >"$1.c"
	"$GPROFX_CC" -std=c11 -shared -fPIC -I"$GPROFX_SOURCE/include" \
		-I"$GPROFX_SOURCE/tests/plugin" -o "$1.so" "$1.c" "${@:2}" 2>cc.log || {
		cat cc.log >&2
		fail "$1.c does not compile"
	}
}

# expect_refused MODULE ID TEXT: the module is refused with one error of this id that holds the text and
# ends in a hint, by --list-plugins, which goes on with the other plugins, and by a run, which does not.
expect_refused() {
	expect_status 1 "$GPROFX" --plugin="$1" --list-plugins
	expect_refusal "$@"
	expect_match out '^input-gmon-magic '
	expect_not_in out "$1"
	expect_status 1 "$GPROFX" --plugin="$1" no-such-image
	expect_refusal "$@"
	expect_empty out
}

expect_refusal() {
	grep -F "gprofx: error[$2]: " err >line || fail "no error $2"
	[ "$(grep -c 'error\[' err)" -eq 1 ] || fail 'more than one error'
	expect_in line "${1#./}"
	expect_in line "$3"
	expect_match err '^  hint: .'
}

# expect_listing FORMAT FLAG OPTION=VALUE...: the listing of ./gmon.out without explanations, in ./out,
# with these options of its emitter; nothing is said about it. The account below a flat profile is left out.
expect_listing() {
	local format=$1 flag=$2
	shift 2
	[ "$format" != flat ] || set -- account=false "$@"
	expect_status 0 "$GPROFX" --no-findings -b "$flag" program gmon.out "${@/#/--output-option=$format.}"
	expect_empty err
}

# make_program: writes ./program, an image with three functions, and its profile ./gmon.out.
make_program() {
	need python3
	python3 - <<-'END' || fail 'cannot write the program'
		from profiled import Program
		program = Program(['main', 'work', 'idle'])
		open('program', 'wb').write(program.bytes())
		profile = program.profile({'main': 10, 'work': 30}, [('main', 'work', 7)])
		open('gmon.out', 'wb').write(profile.bytes())
	END
}

# make_program_with_gap: the same of two functions; 4 of 10 samples lie in neither.
make_program_with_gap() {
	need python3
	python3 - <<-'END' || fail 'cannot write the program'
		from elfimage import Image
		from gmonfile import Profile
		image = Image('x86_64')
		image.section('.text', 0x401000, b'\x90' * 0x200)
		image.symbol('main', 0x401000, 0x40)
		image.symbol('_ZN2ns1gEi', 0x401100, 0x40)
		open('program', 'wb').write(image.bytes())
		bins = [0] * 128
		bins[0], bins[0x80 // 4], bins[0x100 // 4] = 5, 4, 1
		profile = Profile.of(image).histogram(0x401000, 0x401200, bins)
		profile.arc(0x401004, 0x401100, 2)
		open('gmon.out', 'wb').write(profile.bytes())
	END
}

# expect_layouts FORMAT ID: the profiles 64l, 64b, 32l and 32b of ./program, and what a reader of this
# format makes of them: the same report, which is left in ./expected; they are found by themselves and
# by name, in files and pipes. A layout that the image does not have is warned about, with this id;
# ./foreign has that of 32b.
expect_layouts() {
	expect_status 0 "$GPROFX" -b program 64l
	expect_undiagnosed
	cp out expected
	for file in 64b 32l 32b; do
		expect_status 0 "$GPROFX" -b program $file
		expect_same expected out
		[ "$(grep -c 'warning\[' err)" -eq 1 ] || fail 'not just one warning'
		expect_match err "^gprofx: warning\\[$2\\]: $file:0x0: .* little-endian profile with addresses of 8 bytes .*"
	done
	expect_status 0 "$GPROFX" -b foreign 32b
	expect_undiagnosed
	expect_same expected out
	expect_status 0 "$GPROFX" -b -O "$1" program 64l
	expect_same expected out
	cat 64l | "$GPROFX" -b program - >out || fail 'not read from a pipe'
	expect_same expected out
}

# manifest FOLDER/NAME <TEXT: writes FOLDER/NAME.yaml.
manifest() {
	mkdir -p "$(dirname "$1")"
	cat >"$1.yaml"
}

# expect_warned NAME ID PLACE TEXT: --list-plugins warns once about the manifest ./m/NAME.yaml, at the
# place, and lists the plugin as one that cannot be used; all others are there.
expect_warned() {
	expect_status 0 "$GPROFX" --plugin-path=./m --list-plugins
	[ "$(grep -c 'warning\[' err)" -eq 1 ] || fail 'not just one warning'
	grep -F "gprofx: warning[$2]: $scratch/m/$1.yaml:$3" err >line || fail "no warning $2 at $3"
	expect_in line "$4"
	expect_match err '^  hint: .'
	expect_match out "^$1 +unknown "
	expect_in out 'cannot be used: its manifest is invalid'
	expect_match out '^input-gmon-magic +reader +magic '
	rm "m/$1.yaml"
}
