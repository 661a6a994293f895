#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# plugin.name-differs: a module that is found by its name must be called so; one that is named by its
# path may be called as it likes.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

module input-other <<-'END'
	#include "stub.h"
	STUB_PLUGIN };
END
expect_status 0 "$GPROFX" --plugin=./input-other.so --list-plugins
expect_match out '^input-stub +reader +stub '
expect_empty err

expect_status 1 "$GPROFX" --plugin-path=. --plugin=input-other --list-plugins
expect_match err '^gprofx: error\[plugin\.name-differs\]: .*/input-other\.so: expected the plugin input-other, found input-stub$'
expect_match err '^  hint: .'
expect_not_in out input-stub

# Found by the format that is asked for.
make_program
expect_status 1 "$GPROFX" --plugin-path=. -O other program
expect_match err '^gprofx: error\[plugin\.name-differs\]: .*/input-other\.so: '
expect_empty out
