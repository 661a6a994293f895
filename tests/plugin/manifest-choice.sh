#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installed plugins are chosen by their manifests: by what the file begins with, or by a format that is
# not in the plugin's name. Only what is chosen is opened.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
[ "$GPROFX_BUILTIN" = 0 ] || skip 'plugins are linked in, without manifests'

make_program
mkdir m
module m/input-star <<-'END'
	#include "stub.h"
	static int probe(const uint8_t *head, size_t bytes) { (void)head; return bytes > 9 ? 60 : 0; }
	static enum gprofx_result read_star(struct gprofx *gx, const struct gprofx_file *file,
	                                    const struct gprofx_target *target,
	                                    struct gprofx_profile *profile, const void *options) {
		static const struct gprofx_raw_arc arc = {0x401004, 0x401100, 41};
		(void)file; (void)target; (void)options;
		profile->builder->arcs(gx, profile, NULL, &arc, 1);
		return GPROFX_OK;
	}
	static const struct gprofx_reader reader = {
		.size = sizeof reader, .format = "sun", .probe = probe, .read = read_star};
	GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-star", .reader = &reader};
END
# describe MAGIC: the manifest of that reader.
describe() {
	manifest m/input-star <<-END
		name: input-star
		abi: 1
		reader: { format: sun, magic: $1 }
	END
}
# chosen FILE, passed_over FILE: whether the reader is used for it.
chosen() {
	expect_status 0 "$GPROFX" --no-findings --plugin-path=m -b -q program "$1"
	expect_empty err
	expect_match out ' 41/41 +main '
}
passed_over() {
	expect_status 1 "$GPROFX" --plugin-path=m -b -q program "$1"
	expect_in err 'error[profile.not-a-profile]'
}

printf '%s' 'STAR, and then some more' >star
printf '..\1\377\351 and then some more' >bytes
printf '..\0\200 and then some more' >nul
printf '.......... and some more\1' >none

describe '[{ at: 0, bytes: STAR }]'
chosen star
passed_over bytes
passed_over none
# "at" is 0 if it is not there; one of several magics is enough; a magic may lie beyond the end.
describe '[{ at: 4000, bytes: x }, { bytes: STAR }, { at: 24, bytes: z }]'
chosen star
passed_over none
# Every character is a byte.
describe '[{ at: 2, bytes: "\x01\xffé" }]'
chosen bytes
passed_over star
# Bytes that no text can hold.
describe '[{ at: 2, bytes: [0, 128] }]'
chosen nul
passed_over bytes
# Without a magic it has to be named.
manifest m/input-star <<-'END'
	name: input-star
	abi: 1
	reader: { format: sun }
END
passed_over star
expect_status 0 "$GPROFX" --plugin-path=m -O sun -b -q program star
expect_match out ' 41/41 +main '

# An emitter whose format is not in its name.
module m/output-moon <<-'END'
	#include "stub.h"
	static enum gprofx_result emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options) {
		struct gprofx_writer *writer = emission->writer;
		(void)gx; (void)options;
		gprofx_puts(writer, "moonshine\n");
		return GPROFX_OK;
	}
	static const struct gprofx_emitter emitter = {
		.size = sizeof emitter, .format = "shine", .emit = emit};
	GPROFX_PLUGIN = {GPROFX_ABI, .name = "output-moon", .emitter = &emitter};
END
expect_status 1 "$GPROFX" --plugin-path=m --output=shine program
expect_in err 'error[emitter.not-installed]'
manifest m/output-moon <<-'END'
	name: output-moon
	abi: 1
	emitter: { format: shine }
END
# Neither modules that are not asked for are opened, nor manifests read that nobody needs.
echo 'no module' >m/input-broken.so
manifest m/input-broken <<-'END'
	name: input-broken
	abi: 1
	reader: { format: broken, magic: [{ bytes: STAR }] }
END
expect_status 0 "$GPROFX" --plugin-path=m --output=shine program
expect_same out <(echo moonshine)
expect_empty err
echo '{' >m/aaa.yaml
expect_status 0 "$GPROFX" --plugin-path=m -b program gmon.out
expect_empty err

# A module that is chosen by the contents of the file and cannot be opened: others may do.
rm m/aaa.yaml
describe '[{ bytes: STAR }]'
expect_status 0 "$GPROFX" --plugin-path=m -b -q program star
expect_match out ' 41/41 +main '
expect_match err '^gprofx: warning\[plugin\.cannot-open\]: .*/m/input-broken\.so: '
# By its format it is an error.
expect_status 1 "$GPROFX" --plugin-path=m -O broken -b -q program star
expect_match err '^gprofx: error\[plugin\.cannot-open\]: .*/m/input-broken\.so: '
# So is a module for another version of the interface, which the list tells beforehand.
module m/input-next <<<'extern const int gprofx_plugin_2; const int gprofx_plugin_2 = 0;'
manifest m/input-next <<-'END'
	name: input-next
	abi: 2
	reader: { format: ahead }
END
expect_status 1 "$GPROFX" --plugin-path=m -O ahead -b -q program star
expect_in err 'error[plugin.wrong-abi]'
expect_status 0 "$GPROFX" --plugin-path=m --list-plugins
expect_match out '^input-next +reader +ahead '
expect_in out 'cannot be used: it was built for interface 2, but this program provides 1'
expect_empty err
