#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# plugin.no-descriptor: a shared library that is no plugin; neither is one that hides its descriptor, or has a
# function of that name.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

module library <<<'int answer(void); int answer(void) { return 42; }'
expect_refused ./library.so plugin.no-descriptor 'expected a symbol gprofx_plugin_1, found none'

module hidden <<-'END'
	#include "stub.h"
	static const struct gprofx_plugin gprofx_plugin_1 = {
		GPROFX_ABI, .name = "input-stub", .reader = &stub_reader};
	const struct gprofx_plugin *other_name(void);
	const struct gprofx_plugin *other_name(void) { return &gprofx_plugin_1; }
END
expect_refused ./hidden.so plugin.no-descriptor 'found none'

module function <<<'int gprofx_plugin_1(void); int gprofx_plugin_1(void) { return 1; }'
expect_refused ./function.so plugin.no-descriptor 'expected a struct gprofx_plugin as gprofx_plugin_1, found a function'
