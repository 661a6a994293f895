#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Each setting does what the option of the command line does, and later files count more.
. "$GPROFX_SOURCE/tests/config/lib.sh"

# like CONFIG OPTION...: the file acts as the options do, which do act.
like() {
	printf '%s\n' "$1" >like.yaml
	shift
	expect_status 0 "$GPROFX" --no-config program
	mv out plain
	run "$GPROFX" --no-config "$@" program
	! cmp -s plain out || fail "nothing changes with $*"
	expect_same_as --no-config "$@" -- --no-config --config=like.yaml
}
python3 - <<'END' || fail 'cannot write the program'
from profiled import Program
from elfimage import NOTYPE
program = Program(['main', '_Z4workv', '~idle', '_ZN1a1bEv', '~label'])
program.image.symbols[4].kind = NOTYPE
open('program', 'wb').write(program.bytes())
profile = program.profile({'main': 10, '_Z4workv': 30}, [('main', '_Z4workv', 7)])
open('gmon.out', 'wb').write(profile.bytes())
END

like 'symbols: { demangle: none }' --no-demangle
like 'hz: 250' --hz=250
like 'outputs: [{ format: info }]' -i
like 'report: { show-unused: true }' -z
like '{ report: { show-unused: true }, symbols: { drop-static: true } }' -z -a
like '{ report: { show-unused: true }, symbols: { drop-untyped-static: true } }' -z -D
like 'options: { output-flat: { explain: false }, output-callgraph: { explain: false } }' -b
like 'options: { output-callgraph: { width: 30 } }' -w 30
like 'outputs: [{ format: flat }]' -p
like 'outputs: [{ format: callgraph }]' -q
like 'outputs: [{ format: counts, file: "-" }]' -C
like 'outputs: [{ format: flat, options: { explain: false } }]' -p -b
expect_same_as --no-config -- --config=<(echo '{ symbols: { demangle: auto }, reader: auto }')
expect_same_as --no-config -- --config=<(echo '{ threads: 1, reader: magic }')
expect_same_as --no-config -p -q -- --config=<(echo 'outputs: [{ format: callgraph }, { format: flat }]')
expect_same_as --no-config -z -- --config=<(echo 'report: { show-unused: false }') -z
expect_same_as --no-config --no-demangle -- --config=<(echo 'symbols: { demangle: gnu-v3 }') --no-demangle
expect_same_as --no-config --hz=50 -- --config=<(echo 'hz: 250') --hz=50
expect_same_as --no-config -- --config=<(echo 'hz: 250') --hz=0
expect_same_as --no-config -T -- --config=<(echo 'symbols: { demangle: gnu-v3 }') -T
expect_same_as --no-config -Omagic -- --config=<(echo 'reader: nonsense') -Omagic

# Outputs of one format with different options; a listing that stands there again with options is
# another listing.
cat >outputs.yaml <<-'END'
	outputs:
	  - { format: flat, file: long.txt }
	  - { format: flat, file: brief.txt, options: { explain: false } }
	  - format: flat
	    options: { explain: false }
	  - { format: flat }
END
expect_status 0 "$GPROFX" --config=outputs.yaml program
"$GPROFX" --no-config -p program >long
"$GPROFX" --no-config -b -p program >brief
expect_same long long.txt
expect_same brief brief.txt
expect_same brief out
cat >>outputs.yaml <<-'END'
	  - { format: flat, options: { explain: true } }
END
expect_status 0 "$GPROFX" --config=outputs.yaml program
printf '\f\n' | cat brief - long >both
expect_same both out

# A list on the command line replaces that of files, a later file that of earlier ones.
rm brief.txt long.txt
for options in -q --output=callgraph -P; do
	expect_same_as --no-config "$options" -- --config=outputs.yaml "$options"
done
[ ! -e long.txt ] || fail 'an output that was replaced was written'
expect_same_as --no-config -- --config=outputs.yaml --config=<(echo 'outputs: []')
[ ! -e long.txt ] || fail 'an output that was replaced was written'
# An output must not replace the profile.
cp gmon.out kept
expect_status 1 "$GPROFX" --config=<(echo 'outputs: [{ format: flat, file: gmon.out }]') program
expect_in err 'output.same-file'
expect_same kept gmon.out

# Options of all files are merged; those of an output override them, the command line overrides all.
echo 'options: { output-flat: { explain: false } }' >brief.yaml
echo 'options: { output-callgraph: { width: 30 } }' >width.yaml
expect_same_as --no-config --output-option=flat.explain=false -w 30 -- --config=brief.yaml --config=width.yaml
echo 'outputs: [{ format: flat, options: { explain: true } }]' >long.yaml
expect_status 0 "$GPROFX" --config=long.yaml --config=brief.yaml program
expect_same long out
expect_status 0 "$GPROFX" --config=long.yaml --config=brief.yaml -b program
expect_same brief out

# Corrections: "all" is the ground for the others, wherever it stands.
state() {
	"$GPROFX" "${@:2}" --list-corrections | sed -n "s/^$1 (\\(.*\\))\$/\\1/p"
}
expect_state() {
	printf '%s\n' "$2" >state.yaml
	[ "$(state zero-rate --config=state.yaml "${@:3}")" = "$1" ] || fail "zero-rate is not $1 with $2 ${*:3}"
}
expect_state off 'corrections: { zero-rate: false }'
expect_state off 'corrections: { all: false }'
expect_state on 'corrections: { zero-rate: true, all: false }'
expect_state off 'corrections: { zero-rate: false, all: true }'
expect_state on 'corrections: { all: false }' --correct=zero-rate
expect_state off 'corrections: { zero-rate: true }' --correct=none
expect_state off 'corrections: {}' --gnu
expect_state on 'corrections: { zero-rate: true }' --gnu
echo 'corrections: { all: false }' >none.yaml
expect_state on 'corrections: { zero-rate: true }' --config=none.yaml --config=state.yaml
expect_state off 'corrections: { zero-rate: true }' --config=none.yaml
