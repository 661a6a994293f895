#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# memory.exhausted: a file of options that does not fit into memory.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

[ -z "${GPROFX_SANITIZE:-}" ] || skip 'a sanitizer needs more memory than the limit leaves'

yes a | head -c 8M >huge
status=0
(ulimit -v 60000 && exec "$GPROFX" -b @huge) >out 2>err || status=$?
[ "$status" -eq 1 ] || fail "status $status instead of 1"
expect_in err "$GPROFX: error[memory.exhausted]: cannot allocate memory for the words of the @ files"
expect_in err '  hint: '
expect_empty out
