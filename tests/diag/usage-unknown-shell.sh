#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage.unknown-shell: a shell that completion is not made for.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

expect_status 2 "$GPROFX" --completion=csh
expect_in err "gprofx: error[usage.unknown-shell]: unknown shell 'csh': only bash, zsh and fish are supported"
expect_in err '  hint: other shells may be able to read what is made for bash'
expect_empty out
