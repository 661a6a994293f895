#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# plugin.bad-descriptor: what a descriptor must have is looked at before anything in it is called.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

# refuse TEXT MEMBERS [DECLARATIONS]: the stub with other members is refused with this text.
refuse() {
	module bad <<-END
		#include "stub.h"
		${3-}
		STUB_PLUGIN, $2 };
	END
	expect_refused ./bad.so plugin.bad-descriptor "$1"
	rm bad.so
}

refuse 'states an impossible size' '.size = 0'
refuse 'states an impossible size' '.size = 7'
refuse 'the descriptor is too small' '.size = offsetof(struct gprofx_plugin, labels)'
refuse 'no valid name' '.name = NULL'
refuse 'no valid name' '.name = ""'
refuse 'no valid name' '.name = "input/stub"'
refuse 'no valid name' '.name = "input-a b"'
refuse 'no valid name' '.name = "input-\033[31mred"'
refuse 'no valid name' '.name = "input-a\n"'
refuse 'no valid name' '.name = "input-a\177"'
refuse 'no valid name' ".name = \"$(printf 'x%.0s' {1..101})\""
refuse 'no valid name' ".name = \"$(printf 'x%.0s' {1..60000})\""
refuse 'states 4294967295 bytes, but there are ' '.size = UINT32_MAX'
refuse "bytes, but there are " '.size = sizeof gprofx_plugin_1 + 1'
refuse 'offers no interface' '.reader = NULL'

# with_interface TEXT MEMBER TYPE INITIALIZER: an interface that lacks something.
with_interface() {
	refuse "$1" ".$2 = &broken" "static const struct gprofx_$3 broken = { $4 };"
}

with_interface "reader's struct is too small" reader reader \
	'.size = 8, .format = "x", .read = stub_read'
with_interface 'reader has no format or no read callback' reader reader \
	'.size = sizeof broken, .format = "x"'
with_interface 'reader has no format or no read callback' reader reader \
	'.size = sizeof broken, .read = stub_read'
with_interface 'reader has no format or no read callback' reader reader \
	'.size = sizeof broken, .format = "", .read = stub_read'
with_interface "symbol provider's struct is too small" symbols symbols '.size = 4'
with_interface 'neither a load nor a locate callback' symbols symbols '.size = sizeof broken'
with_interface "call scanner's struct is too small" findcall findcall '.size = 4'
with_interface 'no machines or no scan callback' findcall findcall '.size = sizeof broken'
for step in 3 12 32 0x80000000; do
	with_interface "call scanner's step is not a power of two up to 16" findcall findcall \
		".size = sizeof broken, .machines = (const uint16_t[]){1}, .machine_count = 1,
		.scan = (void (*)(void *, const struct gprofx_code *, struct gprofx_calls *))stub_read, .step = $step"
done
with_interface "emitter's struct is too small" emitter emitter '.size = 0'
with_interface 'emitter has no format or no emit callback' emitter emitter \
	'.size = sizeof broken, .format = "x"'
with_interface 'emitter has no format or no emit callback' emitter emitter \
	'.size = sizeof broken, .format = "", .emit = stub_emit'
with_interface "emitter's needs is too small" emitter emitter \
	'.size = sizeof broken, .format = "x", .emit = stub_emit, .needs = &(const struct gprofx_needs){.size = 4}'
# listing TEXT MEMBERS [COUNT]: an emitter with such a listing.
listing() {
	with_interface "$1" emitter emitter ".size = sizeof broken, .format = \"x\", .emit = stub_emit,
		.listings = &(const struct gprofx_listing){.size = sizeof(struct gprofx_listing), $2}, .listing_count = ${3:-1}"
}
listing 'the struct of a listing is too small' '.size = 8, .name = "x"'
listing 'a listing of the emitter has no name' '.place = 1'
listing 'or no description of the data' '.name = "x", .data = GPROFX_DATA_CALLS, .subject = "x"'
listing 'more than 32 listings' '.name = "x"' 33
with_interface 'or none of those that it states' emitter emitter \
	'.size = sizeof broken, .format = "x", .emit = stub_emit, .listing_count = 1'
with_interface "document parser's struct is too small" document document_parser '.size = 1'
with_interface 'no syntax or no parse callback' document document_parser \
	'.size = sizeof broken, .syntax = "x"'

with_interface "label maker's struct is too small" labels labels '.size = 1'
with_interface 'label maker has no syntax or lacks a callback' labels labels \
	'.size = sizeof broken, .syntax = "x"'

# A count that is none must not be believed either.
machines=', .machine_count = UINT32_MAX, .scan = scan'
refuse 'states more machines than there are' '.findcall = &broken' \
	"static const uint16_t machines[] = {62};
	static void scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls) {
		(void)worker; (void)code; (void)calls; }
	static const struct gprofx_findcall broken = { .size = sizeof broken, .machines = machines$machines };"

# The bytes of a descriptor are there, but some are not its own.
module bad <<<'int gprofx_plugin_1 = 152;'
expect_refused ./bad.so plugin.bad-descriptor 'there are only 4 bytes of a descriptor'

# later READER PLUGIN: structs of a later version are larger, and have these values in what they add.
later() {
	module later <<-END
		#include "stub.h"
		struct later_reader { struct gprofx_reader known; char unknown[40]; };
		struct later_plugin { struct gprofx_plugin known; char unknown[40]; };
		static const struct later_reader reader = {
			{.size = sizeof reader, .format = "later", .read = stub_read}, {$1}};
		extern GPROFX_EXPORT const struct later_plugin gprofx_plugin_1;
		const struct later_plugin gprofx_plugin_1 = {
			{.size = sizeof gprofx_plugin_1, .abi_major = 1, .name = "input-later",
			 .reader = &reader.known}, {$2}};
	END
}

later 0 0
expect_status 0 "$GPROFX" --plugin=./later.so --list-plugins
expect_match out '^input-later +reader +later '
expect_empty err
# What would be ignored is refused, wherever it stands.
later '[39] = 1' 0
expect_refused ./later.so plugin.unknown-member "the reader's struct has a member that this gprofx does not know"
later 0 '[0] = 1'
expect_refused ./later.so plugin.unknown-member 'the descriptor has a member that this gprofx does not know'
expect_match err 'it knows [0-9]+ bytes, and byte [0-9]+ is set'
with_interface "reader's struct states an impossible size" reader reader \
	'.size = 65537, .format = "x", .read = stub_read'
