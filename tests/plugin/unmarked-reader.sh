#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A reader that no bytes lead to is asked about every file that no other is certain of, and the surest
# reader is taken. Files that are tagged do not open it.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
[ "$GPROFX_BUILTIN" = 0 ] || skip 'plugins are linked in, without manifests'

make_program
mkdir m
# reader NAME WEIGHT CALLS: claims files that end in "sand" with that weight.
reader() {
	module m/input-"$1" <<-END
		#include <string.h>
		#include "stub.h"
		static int weigh(const struct gprofx_file *file, const struct gprofx_target *target) {
			return target->pointer_bytes == 8 && file->length > 4 &&
			       memcmp(file->bytes + file->length - 4, "sand", 4) == 0 ? $2 : 0;
		}
		static enum gprofx_result read_sand(struct gprofx *gx, const struct gprofx_file *file,
		                                    const struct gprofx_target *target,
		                                    struct gprofx_profile *profile, const void *options) {
			static const struct gprofx_raw_arc arc = {0x401004, 0x401100, $3};
			(void)file; (void)target; (void)options;
			profile->builder->arcs(gx, profile, NULL, &arc, 1);
			return GPROFX_OK;
		}
		static const struct gprofx_reader reader = {
			.size = sizeof reader, .format = "$1", .read = read_sand, .weigh = weigh};
		GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-$1", .reader = &reader};
	END
	manifest m/input-"$1" <<-END
		name: input-$1
		abi: 1
		reader: { format: $1, unmarked: ${4:-true} }
	END
}
reader dune 10 11
reader beach 90 12
reader castle 50 13
printf 'a file made of nothing but sand' >sand
expect_status 0 "$GPROFX" --plugin-path=m -b -q program sand
expect_match out ' 12/12 +main '
expect_undiagnosed
reader beach 90 12 false
expect_status 0 "$GPROFX" --plugin-path=m -b -q program sand
expect_match out ' 13/13 +main '
# A BSD profile that ends in sand is what the surest reader says.
python3 - <<-'END' || fail 'cannot write the profile'
	from gmonfile import bsd_profile
	open('new', 'wb').write(bsd_profile(0x401000, 0x401400, [1] * 8, [(0x401004, 0x401100, 5)],
	                                    rate=100, tail=b'12345678901234567890sand'))
END
expect_status 0 "$GPROFX" --plugin-path=m -b -q program new
expect_match out ' 5/5 +main '
reader castle 100 13
expect_status 0 "$GPROFX" --plugin-path=m -b -q program new
expect_match out ' 13/13 +main '
# GNU mode looks for the tag and nothing else.
expect_status 0 "$GPROFX" --gnu --plugin-path=m -b -q program new
expect_match out ' 5/5 +main '

# Neither a manifest nor a module is touched for a tagged file.
echo 'no module' >m/input-broken.so
manifest m/input-broken <<-'END'
	name: input-broken
	abi: 1
	reader: { format: broken, unmarked: true }
END
expect_status 0 "$GPROFX" --plugin-path=m -b program gmon.out
expect_undiagnosed
expect_status 0 "$GPROFX" --plugin-path=m -b -q program sand
expect_in err 'warning[plugin.cannot-open]'
manifest m/input-dune <<-'END'
	name: input-dune
	abi: 1
	reader: { format: dune, unmarked: perhaps }
END
expect_status 0 "$GPROFX" --plugin-path=m --list-plugins
expect_match err 'warning\[manifest\.bad-value\]: .*expected true or false, found "perhaps"'
