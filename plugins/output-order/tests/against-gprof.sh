#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The orders of functions and files are those of GNU gprof, for random call graphs.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3
exec python3 -B "$GPROFX_SOURCE/plugins/output-order/tests/against_gprof.py"
