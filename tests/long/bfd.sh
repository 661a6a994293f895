#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# ECOFF and XCOFF images, each damaged 2,000 times and cut at each 64th byte: a message, and no crash. It
# takes about 2 min; the test of scripts/test damages them 60 times.
CHANGES=2000 exec "$GPROFX_SOURCE/plugins/symbols-bfd/tests/against-gprof.sh"
