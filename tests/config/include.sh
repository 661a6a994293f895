#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# config.include-loop, config.include-depth, config.too-many-files: files that include others, as seen
# from their own folder.
. "$GPROFX_SOURCE/tests/config/lib.sh"

"$GPROFX" --no-config -b -p program >brief
"$GPROFX" --no-config -p program >long
brief='options: { output-flat: { explain: false } }'
long='options: { output-flat: { explain: true } }'
flat() {
	expect_status 0 "$GPROFX" -p "$@" program
	expect_empty err
}

# Relative to the folder of the including file, whatever the working directory is.
mkdir -p some/deep other
echo 'include: deep/middle.yaml' >some/top.yaml
echo 'include: [ ../../other/last.yaml ]' >some/deep/middle.yaml
echo "$brief" >other/last.yaml
flat --config=some/top.yaml
expect_same out brief
cp program gmon.out other
(cd other && "$GPROFX" -p --config=../some/top.yaml program) >out
expect_same out brief
echo "include: $scratch/other/last.yaml" >"$user"
flat
expect_same out brief

# What a file says itself counts more, wherever the key stands; of two included files the later one.
echo "$long" >long.yaml
echo "$brief" >brief.yaml
printf '%s\ninclude: brief.yaml\n' "$long" >own.yaml
flat --no-config --config=own.yaml
expect_same out long
echo 'include: [long.yaml, brief.yaml]' >both.yaml
flat --no-config --config=both.yaml
expect_same out brief
echo 'include: [brief.yaml, long.yaml]' >both.yaml
flat --no-config --config=both.yaml
expect_same out long
# The same file twice is no circle.
echo 'include: [brief.yaml, brief.yaml]' >both.yaml
flat --no-config --config=both.yaml
expect_same out brief
printf 'include:\npreset:\n' >none.yaml
flat --no-config --config=none.yaml
expect_same out long
rm "$user"

# Errors name the place where the file is named; those in the file, the file.
expect_config_error 2:12 config.cannot-read 'cannot read the settings file nowhere.yaml: ' \
	< <(printf 'threads: 1\ninclude:   nowhere.yaml\n')
mkfifo pipe
expect_config_error 1:10 config.cannot-read 'cannot read the settings file pipe: ' <<<'include: pipe'
expect_config_error 1:10 config.wrong-type 'expected text or a list for include, found a mapping' <<<'include: { a: b }'
expect_config_error 1:13 config.bad-value 'expected a name, found nothing' <<<"include: [  '']"
echo 'threads: many' >some/wrong.yaml
echo 'include: some/wrong.yaml' >outer.yaml
expect_status 1 "$GPROFX" --config=outer.yaml program
expect_in err 'error[config.bad-value]: some/wrong.yaml:1:10: '
expect_match err '^  while reading some/wrong\.yaml with config-yaml$'

# Circles, by whatever name.
expect_config_error 1:10 config.include-loop 'bad.yaml is already being read' <<<'include: bad.yaml'
expect_config_error 1:10 config.include-loop './some/../bad.yaml is already being read' <<<'include: ./some/../bad.yaml'
ln -s ../bad.yaml some/link.yaml
expect_config_error 1:10 config.include-loop 'some/link.yaml is already being read' <<<'include: some/link.yaml'
echo 'include: b.yaml' >a.yaml
echo 'include: c.yaml' >b.yaml
echo 'include: a.yaml' >c.yaml
expect_status 1 "$GPROFX" --config=a.yaml program
expect_empty out
[ "$(grep -c 'error\[' err)" -eq 1 ] || fail 'not just one error'
expect_in err 'error[config.include-loop]: c.yaml:1:10: '

# A chain of 8 is read, one of 9 is not.
for i in 1 2 3 4 5 6 7 8 9; do echo "include: chain$((i + 1)).yaml" >chain$i.yaml; done
echo "$brief" >chain10.yaml
flat --config=chain2.yaml
expect_same out brief
expect_status 1 "$GPROFX" --config=chain1.yaml program
expect_in err 'error[config.include-depth]: chain9.yaml:1:10: includes are nested more than 8 levels deep'
# Each file includes the next one many times.
for i in 1 2 3 4 5; do echo "include: [$(printf "many$((i + 1)).yaml, %.0s" 1 2 3 4 5 6 7 8 9)]" >many$i.yaml; done
echo "$brief" >many6.yaml
expect_status 1 "$GPROFX" --config=many1.yaml program
expect_in err 'there are more than 64 settings files'
expect_match err '^gprofx: error\[config\.too-many-files\]: many'
expect_empty out
