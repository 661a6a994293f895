#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The schema is installed with the plugin, where the manual says it is.
. "$GPROFX_SOURCE/plugins/output-json/tests/lib.sh"
need cmake

expect_status 0 cmake --install "$GPROFX_BUILD" --prefix "$scratch/prefix" --component plugin-output-json
place=share/gprofx/gprofx-report.schema.json
expect_in "$GPROFX_SOURCE/plugins/output-json/output-json.7" "$place"
expect_same "prefix/$place" "$schema"
