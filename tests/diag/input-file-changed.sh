#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# input.file-changed: a file that is cut while it is being read. A reader made for this test cuts it
# itself, between the moment it is mapped and the moment it is looked at.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
[ "${GPROFX_BUILTIN:-0}" = 0 ] || skip 'plugins are linked in'
[ -z "${GPROFX_SANITIZE:-}" ] || skip 'a module needs the sanitizer of the program'

cat >cutter.c <<'END'
#include <gprofx/reader.h>
#include <unistd.h>

static enum gprofx_result
read_file(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
          struct gprofx_profile *profile, const void *options)
{
	(void)gx, (void)target, (void)profile, (void)options;
	if (truncate(file->name, 0) != 0)
		return GPROFX_FAILED;
	return file->bytes[file->length - 1] == 'x' ? GPROFX_OK : GPROFX_DECLINED;
}
static const struct gprofx_reader reader = {sizeof reader, "cutter", NULL, read_file};
GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-cutter", .version = "1", .summary = "cuts",
                 .reader = &reader};
END
expect_status 0 "${GPROFX_CC:-cc}" -shared -fPIC -I"$GPROFX_SOURCE/include" -o cutter.so cutter.c
printf 'int main(void) { return 0; }' >image.c
expect_status 0 "${GPROFX_CC:-cc}" -o image image.c

head -c 1000000 /dev/zero | tr '\0' x >profile
expect_status 1 "$GPROFX" --plugin=./cutter.so -O cutter image profile
expect_in err 'gprofx: error[input.file-changed]: an input file was truncated while it was being read'
expect_in err '  hint: '
expect_empty out
