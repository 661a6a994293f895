#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# config.unknown-key, config.bad-value, config.wrong-type, config.missing-key: what a file says is
# checked against the tables, with line, column and what may have been meant.
. "$GPROFX_SOURCE/tests/config/lib.sh"

expect_config_error 2:1 config.unknown-key 'unknown key of the configuration: "thread"' \
	'did you mean threads? the keys allowed here are: reader, threads, ' <<-'END'
	reader: auto
	thread: 3
END
expect_config_error 3:3 config.unknown-key ': "drop_static"' 'did you mean drop-static? ' <<-'END'
	symbols:
	  demangle: none
	  drop_static: true
END
expect_config_error 1:1 config.unknown-key 'unknown key of the configuration: "shade"' 'the keys allowed here are: ' <<<'shade: red'
expect_config_error 1:16 config.unknown-key ': "zero-rat"' 'did you mean zero-rate? ' \
	<<<'corrections: { zero-rat: true }'
expect_config_error 2:16 config.unknown-key ': "fil"' 'did you mean file? the keys allowed here are: format, file, options' <<-'END'
	outputs:
	- { format: x, fil: y }
END

expect_config_error 1:10 config.bad-value 'expected a whole number from 0 to 1024 for threads, found "many"' <<<'threads: many'
for number in 1025 -1 3.0 0x3 99999999999999999999 '"2 "' '""' "' 2'"; do
	expect_config_error 1:10 config.bad-value 'expected a whole number from 0 to 1024' <<<"threads: $number"
done
expect_config_error 2:13 config.bad-value 'expected one of none, auto, gnu-v3, ' 'did you mean gnu-v3? ' <<-'END'
	symbols:
	  demangle: gnu_v3
END
expect_config_error 1:25 config.bad-value 'expected true or false for drop-static, found "yes"' \
	'did you mean true? ' <<<'symbols: { drop-static: yes }'
expect_config_error 1:27 config.bad-value 'expected true or false for zero-rate, found "Off"' \
	'did you mean false? ' <<<'corrections: { zero-rate: Off }'
expect_config_error 1:21 config.bad-value '"ture"' 'did you mean true? ' <<<'corrections: { all: ture }'
expect_config_error 1:8 config.bad-value 'expected a word for reader, found ""' <<<'reader:'
expect_config_error 1:14 config.bad-value 'expected a name, found nothing' <<<"plugins: [a, '']"
expect_config_error 1:22 config.bad-value 'expected the format of an output, found nothing' <<<"outputs: [ { format: '' } ]"
expect_config_error 1:33 config.bad-value 'expected the name of a file, or -, found nothing' \
	<<<"outputs: [{ format: flat, file: '' }]"

expect_config_error 1:1 config.wrong-type 'expected a mapping, found a list' <<<'- reader: auto'
expect_config_error 1:1 config.wrong-type 'expected a mapping, found text' <<<'nothing'
expect_config_error 1:10 config.wrong-type 'expected text for threads, found a list' <<<'threads: [1]'
expect_config_error 1:10 config.wrong-type 'expected a list or a mapping for plugins, found text' <<<'plugins: x'
expect_config_error 1:11 config.wrong-type 'expected text, found a mapping' <<<'plugins: [{ x: y }]'
expect_config_error 1:18 config.wrong-type 'expected a list for deny, found text' <<<'plugins: { deny: x }'
expect_config_error 1:12 config.unknown-key ': "denied"' 'did you mean deny? the keys allowed here are: load, allow, deny' \
	<<<'plugins: { denied: [] }'
expect_config_error 1:14 config.wrong-type 'expected a list for plugin-path, found a mapping' <<<'plugin-path: { x: y }'
expect_config_error 1:10 config.wrong-type 'expected a list for outputs, found a mapping' <<<'outputs: { flat: x }'
expect_config_error 1:11 config.wrong-type 'expected a mapping, found text' <<<'outputs: [flat]'
expect_config_error 1:10 config.wrong-type 'expected a mapping for options, found a list' <<<'options: [x]'
expect_config_error 1:25 config.wrong-type 'expected a mapping for output-flat, found text' <<<'options: { output-flat: explain }'
expect_config_error 1:36 config.wrong-type 'expected text for explain, found a list' <<<'options: { output-flat: { explain: [true] } }'
expect_config_error 1:14 config.wrong-type 'expected a mapping for corrections, found text' <<<'corrections: all'
expect_config_error 1:10 config.wrong-type 'expected a mapping for symbols, found text' <<<'symbols: x'
expect_config_error 1:36 config.wrong-type 'expected a mapping for options, found text' \
	<<<'outputs: [{ format: flat, options: explain }]'
expect_config_error 1:11 config.missing-key 'the key format is missing' <<<'outputs: [{ file: x }]'

# Values of plugins' options are checked by the tables of the plugins.
expect_config_error 2:19 option.bad-value 'output-flat explain: expected true or false, found "on"' \
	'did you mean true? ' <<-'END'
	options: { output-flat: {
	         explain: on } }
END
expect_config_error 3:5 option.unknown 'unknown option of output-callgraph: "widht"' \
	'did you mean width? the options are: ' <<-'END'
	options:
	  output-callgraph:
	    widht: 9
END
expect_config_error 2:21 option.bad-value 'output-callgraph width: expected a whole number from 1 to ' <<-'END'
	outputs: [ { format: callgraph,
	  options: { width: 0, explain: true } } ]
END
expect_config_error 3:14 option.unknown ': "explian"' 'did you mean explain? ' <<-'END'
	outputs:
	- format: flat
	  options: { explian: true }
END
expect_config_error 1:21 emitter.not-installed 'no emitter for the format "flaat"' 'did you mean flat? ' \
	<<<'outputs: [{ format: flaat }]'
expect_config_error 1:9 reader.not-installed 'cannot read the format "magik"' 'did you mean magic? ' \
	<<<'reader: magik'

# option.unknown-plugin: such a plugin may be missing here, and there elsewhere.
echo 'options: { output-flatt: { explain: false } }' >odd.yaml
expect_status 0 "$GPROFX" --config=odd.yaml program
expect_in err 'gprofx: warning[option.unknown-plugin]: odd.yaml:1:12: no plugin with the name "output-flatt" is installed'
expect_in err '  hint: did you mean output-flat? '

# All that is wrong is reported at once.
printf 'threads: x\nreader: []\nshade: 1\n' >bad.yaml
expect_status 1 "$GPROFX" --config=bad.yaml program
expect_empty out
[ "$(grep -c 'error\[config\.' err)" -eq 3 ] || fail 'not three errors'
expect_match err '^  while reading bad\.yaml with config-yaml$'
