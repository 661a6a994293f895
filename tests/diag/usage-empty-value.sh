#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage.empty-value: nothing where the name of a plugin, folder, format or file belongs.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

for word in --plugin= --plugin-path= --output= --output=:file --output=flat: --threads=; do
	expect_status 2 "$GPROFX" "$word"
	expect_in err 'gprofx: error[usage.empty-value]: the '
	expect_in err " of ${word%%=*} is empty"
	expect_in err '  hint: '
	expect_empty out
done
expect_status 1 "$GPROFX" --gnu --output ''
expect_in err 'error[usage.empty-value]: the FORMAT[:FILE] of --output is empty'
