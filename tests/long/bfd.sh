#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# ECOFF and XCOFF images, each damaged 2,000 times and cut at each 64th byte: a message, and no crash. It
# takes about 2 min; the test of scripts/test damages them 60 times.
#
#   bfd.sh BUILD [OPTION]...
set -u

CHANGES=2000 "$GPROFX_SOURCE/plugins/symbols-bfd/tests/against-gprof.sh"
case $? in
0) echo 'bfd: 1 passed, 0 failed' ;;
77) echo 'bfd: 0 passed, 0 failed, 1 skipped' ;;
*) echo 'bfd: 0 passed, 1 failed' ;;
esac
