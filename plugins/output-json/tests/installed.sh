#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The schemas are installed with the plugin, where the manual says they are.
. "$GPROFX_SOURCE/plugins/output-json/tests/lib.sh"
need cmake

expect_status 0 cmake --install "$GPROFX_BUILD" --prefix "$scratch/prefix" --component plugin-output-json
for name in gprofx-report gprofx-comparison; do
	place=share/gprofx/$name.schema.json
	expect_in "$GPROFX_SOURCE/plugins/output-json/output-json.7" ".It Pa $place"
	expect_same "prefix/$place" "$GPROFX_SOURCE/plugins/output-json/$name.schema.json"
done
