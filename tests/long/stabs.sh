#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Stabs: every program with -gstabs and with -gstabs+, and 600 images with randomly generated stabs, against GNU gprof.
# It takes about 1 min; the test of scripts/test takes each program once, and 60 images.
#
#   stabs.sh BUILD [OPTION]...
set -u

"$GPROFX_SOURCE/plugins/symbols-stabs/tests/against-gprof.sh" --all
case $? in
0) echo 'stabs: 1 passed, 0 failed' ;;
77) echo 'stabs: 0 passed, 0 failed, 1 skipped' ;;
*) echo 'stabs: 0 passed, 1 failed' ;;
esac
