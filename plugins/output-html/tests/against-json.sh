#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The figures in the data of a page are those of the JSON report, of random graphs and stacks.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3
"$GPROFX" --list-plugins | grep -q '^output-json ' || skip 'output-json is not installed'

python3 "$GPROFX_SOURCE/plugins/output-html/tests/against_json.py" || fail 'figures differ'
