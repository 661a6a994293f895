#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# plugin.wrong-abi: a plugin for another version of the interface is refused, and both are named.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

# Nothing but the symbol is known of another major version.
module next <<<'extern const int gprofx_plugin_2; const int gprofx_plugin_2 = 0;'
expect_refused ./next.so plugin.wrong-abi 'for interface 1, found one for interface 2'
module far <<<'extern const int gprofx_plugin_17; const int gprofx_plugin_17 = 0;'
expect_refused ./far.so plugin.wrong-abi 'for interface 1, found one for interface 17'

# A module may serve several versions.
module both <<-'END'
	#include "stub.h"
	extern const int gprofx_plugin_2;
	const int gprofx_plugin_2 = 0;
	STUB_PLUGIN };
END
expect_status 0 "$GPROFX" --plugin=./both.so --list-plugins

module minor <<-'END'
	#include "stub.h"
	STUB_PLUGIN, .abi_minor = GPROFX_ABI_MINOR + 1 };
END
ours=$(abi_minor)
expect_refused ./minor.so plugin.wrong-abi \
	"expected a plugin for interface 1.0 to 1.$ours, found one that needs 1.$((ours + 1))"

module major <<-'END'
	#include "stub.h"
	STUB_PLUGIN, .abi_major = 3, .abi_minor = 9 };
END
expect_refused ./major.so plugin.wrong-abi 'found one that needs 3.9'

# The version goes before everything else that could be wrong with a descriptor.
module short <<-'END'
	#include "stub.h"
	STUB_PLUGIN, .size = offsetof(struct gprofx_plugin, name), .abi_major = 2, .name = NULL };
END
expect_refused ./short.so plugin.wrong-abi "found one that needs 2.$ours"
