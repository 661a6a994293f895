#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One module may be several things; it is listed once for each.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

module all <<-'END'
	#include "stub.h"
	static enum gprofx_result load(struct gprofx *gx, const struct gprofx_image *image,
	                               struct gprofx_symtab *table, const void *options) {
		(void)gx; (void)image; (void)table; (void)options;
		return GPROFX_DECLINED;
	}
	static void scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls) {
		(void)worker; (void)code; (void)calls;
	}
	static enum gprofx_result parse(struct gprofx *gx, const char *file, const char *text,
	                                size_t bytes, struct gprofx_document *document) {
		(void)gx; (void)file; (void)text; (void)bytes; (void)document;
		return GPROFX_DECLINED;
	}
	static const uint16_t machines[] = {183, 62};
	static const struct gprofx_symbols symbols = {.size = sizeof symbols, .load = load};
	static const struct gprofx_findcall findcall = {
		.size = sizeof findcall, .machines = machines, .machine_count = 2, .scan = scan};
	static const struct gprofx_document_parser document = {
		.size = sizeof document, .syntax = "none", .parse = parse};
	STUB_PLUGIN, .name = "all", .summary = "Everything", .symbols = &symbols, .findcall = &findcall,
		.emitter = &stub_emitter, .document = &document };
END
expect_status 0 "$GPROFX" --plugin=./all.so --list-plugins
expect_empty err
grep '^all ' out | tr -s ' ' >found
expect_same found - <<-'END'
	all reader stub Everything
	all symbols Everything
	all findcall ELF machine 183, 62 Everything
	all emitter stub Everything
	all document none Everything
END
[ "$(plugin_files out | grep -c "^$scratch/all.so\$")" -eq 5 ] || fail 'the module is not named'
# Those asked for go first, below their place.
expect_same <(sed -n '3p;4,8s/ .*//p' out) <(printf '%s\n' "$scratch:" all all all all all)

# The same five in a manifest, of a module that is not opened to list it.
[ "$GPROFX_BUILTIN" = 0 ] || exit 0
sed -n '1,8p' out | sed "3s|:|/m:|" >expected
manifest m/all <<-'END'
	name: all
	abi: 1
	summary: Everything
	reader: { format: stub }
	symbols: {}
	findcall: { machines: [183, 62] }
	emitter: { format: stub }
	document: { syntax: none }
END
echo 'no module at all' >m/all.so
expect_status 0 "$GPROFX" --plugin-path=m --list-plugins
expect_empty err
sed -n '1,8p' out >found
expect_same found expected
