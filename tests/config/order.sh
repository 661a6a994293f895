#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Which files are read, in which order, and what the command line has to say.
. "$GPROFX_SOURCE/tests/config/lib.sh"

"$GPROFX" --no-config -b -p program >brief
"$GPROFX" --no-config -p program >long
flat() {
	expect_status 0 "$GPROFX" -p "$@" program
	expect_empty err
}
brief='options: { output-flat: { explain: false } }'
long='options: { output-flat: { explain: true } }'

# The user's file.
flat
expect_same out long
echo "$brief" >"$user"
flat
expect_same out brief
flat --no-config
expect_same out long
# Files on the command line count more, the last one most.
echo "$long" >long.yaml
echo "$brief" >brief.yaml
flat --config=long.yaml
expect_same out long
flat --config=long.yaml --config=brief.yaml
expect_same out brief
flat --config=brief.yaml --config=long.yaml
expect_same out long
flat --no-config --config=brief.yaml
expect_same out brief
# The command line counts most, wherever it says so.
flat --output-option=explain=true --config=brief.yaml
expect_same out long
flat -b --config=long.yaml
expect_same out brief

# Without XDG_CONFIG_HOME, or with one that is not absolute, the file is below ~/.config.
mkdir -p mine/.config/gprofx relative/gprofx .config/gprofx gprofx
cp "$user" mine/.config/gprofx/config.yaml
expect_status 0 env -u XDG_CONFIG_HOME HOME="$scratch/mine" "$GPROFX" -p program
expect_same out brief
echo 'broken: [' >relative/gprofx/config.yaml
# Nothing is read from the working directory, by whatever name.
for place in gprofx/config.yaml .config/gprofx/config.yaml gprofx.yaml .gprofx.yaml config.yaml; do
	echo 'broken: [' >"$place"
done
for folder in relative '' . ./relative; do
	expect_status 0 env XDG_CONFIG_HOME="$folder" HOME="$scratch/mine" "$GPROFX" -p program
	expect_same out brief
	for home in '' . relative; do
		expect_status 0 env XDG_CONFIG_HOME="$folder" HOME="$home" "$GPROFX" -p program
		expect_empty err
		expect_same out long
	done
done
expect_status 0 env -u XDG_CONFIG_HOME -u HOME "$GPROFX" -p program
expect_same out long

# --help and --version need no configuration.
echo 'broken: [' >"$user"
expect_status 0 "$GPROFX" --help
expect_status 0 "$GPROFX" --version
expect_status 1 "$GPROFX" -p program
expect_status 1 "$GPROFX" --list-corrections
expect_status 1 "$GPROFX" --list-plugins
expect_match out '^output-flat +emitter +flat '
