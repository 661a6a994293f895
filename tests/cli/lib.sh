# SPDX-License-Identifier: Apache-2.0
#
# Helpers for the shell tests; the first line of a test is
#
#   . "$GPROFX_SOURCE/tests/cli/lib.sh"
#
# The test then stands in an empty directory of its own, which goes away at its end. $GPROFX is the
# program, $GPROFX_BUILD the build tree. A test ends with status 0 (passed), 77 (skipped), or
# anything else (failed). Run one by hand:
#
#   GPROFX=$PWD/build/bin/gprofx GPROFX_BUILD=$PWD/build GPROFX_SOURCE=$PWD bash tests/cli/NAME.sh

set -u
: "${GPROFX:?the program to test}" "${GPROFX_SOURCE:?the source tree}" "${GPROFX_BUILD:?the build tree}"
# The user who runs the tests may have settings.
export LC_ALL=C XDG_CONFIG_HOME=/nonexistent
unset GPROFX_CONFIG GPROFX_SET
export PYTHONPATH="$GPROFX_SOURCE/tests/tools" PYTHONDONTWRITEBYTECODE=1

scratch=$(mktemp -d "${TMPDIR:-/tmp}/gprofx-test.XXXXXX") || exit 1
trap 'chmod -R u+rwX "$scratch" 2>/dev/null; rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

# fail WORD...: ends the test, failed. Shows what the last command of "run" printed.
fail() {
	printf 'FAIL: %s\n' "$*" >&2
	for shown in out err; do
		[ -s "$scratch/$shown" ] || continue
		printf -- '--- %s of the last command\n' "$shown" >&2
		head -n 60 "$scratch/$shown" >&2
	done
	exit 1
}

# skip WORD...: ends the test, skipped.
skip() {
	printf 'SKIP: %s\n' "$*"
	exit 77
}

# need PROGRAM...: skips the test unless all are installed.
need() {
	for needed in "$@"; do
		command -v "$needed" >/dev/null 2>&1 || skip "$needed is not installed"
	done
}

# run COMMAND...: runs it; leaves its status in $status, its output in the files out and err.
run() {
	status=0
	"$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
}

# expect_status N COMMAND...: runs it and fails unless it ends with status N.
expect_status() {
	expected=$1
	shift
	run "$@"
	[ "$status" -eq "$expected" ] || fail "status $status instead of $expected from: $*"
}

# expect_undiagnosed: fails if the last command reported an error or warned; it may have told of findings.
expect_undiagnosed() {
	! grep -Eq '(error|warning)\[' "$scratch/err" || fail 'there are errors or warnings'
}

# expect_damage NAME ID OFFSET TEXT [OPTION...]: the profile NAME of ./program is
# refused with one error of this id at this place, and a hint.
expect_damage() {
	expect_status 1 "$GPROFX" -b "${@:5}" program "$1"
	expect_empty out
	[ "$(grep -c 'error\[' err)" -eq 1 ] || fail 'more than one error'
	expect_match err "^gprofx: error\\[$2\\]: $1:$3: $4\$"
	expect_match err '^  hint: .'
}

# expect_one ID: the last command reported one error or warning, with this id and a hint.
expect_one() {
	[ "$(grep -cE '(error|warning)\[' err)" = 1 ] || fail 'not one error or warning'
	expect_in err "[$1]: "
	expect_match err '^  hint: .'
}

# expect_in FILE TEXT: fails unless a line of the file holds the text.
expect_in() {
	grep -qF -e "$2" -- "$1" || fail "$1 lacks: $2"
}

# expect_not_in FILE TEXT: fails if a line of the file holds the text.
expect_not_in() {
	! grep -qF -e "$2" -- "$1" || fail "$1 has: $2"
}

# expect_match FILE REGEX: fails unless a line matches the extended regular expression.
expect_match() {
	grep -qE -e "$2" -- "$1" || fail "$1 has no line that matches: $2"
}

# expect_empty FILE: fails if there is anything in it.
expect_empty() {
	[ ! -s "$1" ] || fail "$1 is not empty: $(head -n 3 "$1")"
}

# expect_same FILE FILE: fails unless both hold the same bytes.
expect_same() {
	cmp -s "$1" "$2" || {
		diff -u "$1" "$2" | head -n 40 >&2
		fail "$1 and $2 differ"
	}
}

# plugin_files LIST: the module of each plugin in the table of --list-plugins, one a line.
plugin_files() {
	awk '/^\// { place = substr($0, 1, length($0) - 1); next }
		/^[^ ]/ && place != "" { print place ~ /\.so$/ ? place : place "/" $1 ".so" }' "$1"
}

# as_gprof: makes ./gprof, a link to the program, so that it runs in GNU mode.
as_gprof() {
	ln -sf "$GPROFX" "$scratch/gprof"
}

# on_terminal STATUS [COLUMNSxLINES] [VARIABLE=VALUE...] -- COMMAND...: runs it on a terminal of that size, 80x24,
# and fails unless it ends with this status; what was shown there is left in the file out.
on_terminal() {
	expected=$1
	shift
	case $1 in [1-9]*x*) ;; *) set -- 80x24 "$@" ;; esac
	status=0
	timeout 60 python3 "$GPROFX_SOURCE/tests/tools/onterminal.py" "$@" >"$scratch/out" 2>"$scratch/err" \
		</dev/null || status=$?
	[ "$status" -eq "$expected" ] || fail "status $status instead of $expected on a terminal from: $*"
}

# list_lines PROGRAM: writes "lines", the rows of all lines of a compiled program, which have their addresses, of a
# profile without samples, "empty".
list_lines() {
	python3 - "$(nm "$1" | sed -n 's/ T main$//p')" <<-'END' || fail 'cannot write an empty profile'
		import sys
		from gmonfile import Profile
		base = int(sys.argv[1], 16)
		open('empty', 'wb').write(Profile().histogram(base, base + 64, [0] * 64).bytes())
	END
	"$GPROFX" -b -l -p -z --no-findings "$1" empty >lines || fail 'no lines'
}
