#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What callgrind_annotate finds in the file is what the JSON report has, of random graphs and stacks.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3
"$GPROFX" --list-plugins | grep -q '^output-json ' || skip 'output-json is not installed'

python3 "$GPROFX_SOURCE/plugins/output-callgrind/tests/against_json.py" --count 20 || fail 'figures differ'
