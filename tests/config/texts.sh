#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Files that are no YAML, or more than a configuration needs, and files that say nothing.
. "$GPROFX_SOURCE/tests/config/lib.sh"

"$GPROFX" --no-config program >plain
# nothing: a file that changes nothing.
nothing() {
	expect_status 0 "$GPROFX" --config="$1" program
	expect_empty err
	expect_same plain out
}
: >empty.yaml
nothing empty.yaml
printf '# a comment\n\n' >comment.yaml
nothing comment.yaml
printf '\xef\xbb\xbfthreads: 0\r\nreader: auto\r\n' >windows.yaml
nothing windows.yaml
printf -- '---\nplugins:\nplugin-path:\noutputs:\noptions:\n  output-flat:\ncorrections:\nsymbols:\nreport:\n' >bare.yaml
nothing bare.yaml
printf '{}' >braces.yaml
nothing braces.yaml
# A pipe is as good as a file, if somebody names it.
expect_status 0 "$GPROFX" --config=<(echo 'options: { output-flat: { explain: false } }') -p program
"$GPROFX" --no-config -b -p program >brief
expect_same brief out

expect_config_error 2:1 document.duplicate-key '"threads" again after line 1' < <(printf 'threads: 1\nthreads: 1\n')
expect_config_error 2:4 document.duplicate-key '"demangle" again' < <(printf 'symbols: { demangle: none,\n   demangle: auto }\n')
expect_config_error 2:1 document.syntax 'expected YAML' < <(printf 'symbols:\n\tdemangle: none\n')
expect_config_error 2:1 document.syntax 'expected YAML' <<<'outputs: ['
expect_config_error 1:9 document.anchor 'found "a"' <<<'reader: &a auto'
expect_config_error 1:9 document.tag 'expected no tags' <<<'reader: !!str auto'
expect_config_error 1:9 document.bad-encoding 'expected text in UTF-8' < <(printf 'reader: \xff\n')
expect_config_error 1:1 document.bad-encoding 'expected text in UTF-8' < <(printf '\xff\xfer\0e\0a\0')
expect_config_error 2:1 document.several 'found a second one' < <(printf 'threads: 1\n---\nthreads: 2\n')
expect_config_error 1:65 document.too-deep 'expected at most 64 levels' < <(head -c 200 /dev/zero | tr '\0' '[')
# A word in which each line is ten times the one before.
{
	echo 'a: &a [x, x, x, x, x, x, x, x, x, x]'
	for n in b c d e f g h i; do echo "$n: &$n [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]"; done
} >bomb.yaml
expect_status 1 "$GPROFX" --config=bomb.yaml program
expect_in err 'error[document.anchor]: bomb.yaml:1:4: '

# config.too-large, without reading to an end that there may not be.
head -c 262145 /dev/zero | tr '\0' '#' >large.yaml
expect_status 1 "$GPROFX" --config=large.yaml program
expect_in err 'gprofx: error[config.too-large]: large.yaml: the file has more than 262144 bytes'
expect_in err '  hint: '
expect_status 1 "$GPROFX" --config=/dev/zero program
expect_in err 'error[config.too-large]: /dev/zero: '
head -c 262144 /dev/zero | tr '\0' '#' >large.yaml
nothing large.yaml

# config.cannot-read: what was named must be there; what was not may well be unreadable.
for file in none.yaml home none.yaml/x; do
	expect_status 1 "$GPROFX" --config="$file" program
	expect_in err "gprofx: error[config.cannot-read]: $file: cannot read the settings file: "
	expect_in err '  hint: '
	expect_empty out
done
expect_status 2 "$GPROFX" --config= program
expect_in err 'usage.empty-value'
mkdir "$user"
expect_status 0 "$GPROFX" program
expect_match err "gprofx: warning\\[config\\.cannot-read\\]: .*/$user: cannot read the settings file: "
expect_in err '  hint: make it readable, remove it, or use --no-config'
expect_same plain out
rmdir "$user"
mkfifo "$user"
expect_status 0 "$GPROFX" program
expect_in err 'warning[config.cannot-read]'
