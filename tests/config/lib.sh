# SPDX-License-Identifier: Apache-2.0
#
# Helpers for the tests of configuration files, on top of those in tests/plugin/lib.sh. The first
# line of a test is
#
#   . "$GPROFX_SOURCE/tests/config/lib.sh"
#
# The user's file is then ./home/gprofx/config.yaml, and ./program is an image with a profile.

. "$GPROFX_SOURCE/tests/plugin/lib.sh"

"$GPROFX" --no-config --list-plugins 2>/dev/null | grep -q '^config-yaml ' || skip 'config-yaml was not built'
export XDG_CONFIG_HOME="$scratch/home"
# A file that others may write to is not read.
umask 022
mkdir -p home/gprofx
user=home/gprofx/config.yaml
make_program

# expect_config_error PLACE ID TEXT [HINT] <CONFIG: the file is refused with one error of this id at the
# place (LINE:COLUMN) that holds the text, and nothing is written.
expect_config_error() {
	cat >bad.yaml
	expect_status 1 "$GPROFX" --config=bad.yaml program
	expect_empty out
	[ "$(grep -c 'error\[' err)" -eq 1 ] || fail "not just one error for: $(cat bad.yaml)"
	grep -F "gprofx: error[$2]: bad.yaml:$1: " err >line || fail "no error $2 at $1 for: $(cat bad.yaml)"
	expect_in line "$3"
	expect_match err '^  hint: .'
	[ -z "${4-}" ] || expect_in err "  hint: $4"
}

# expect_same_as OPTION... -- OPTION...: both command lines print the same, and say nothing.
expect_same_as() {
	left=()
	while [ "$1" != -- ]; do
		left+=("$1")
		shift
	done
	shift
	expect_status 0 "$GPROFX" "${left[@]}" program
	expect_empty err
	mv out expected
	expect_status 0 "$GPROFX" "$@" program
	expect_empty err
	expect_same expected out
}
