#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Settings of a request may build on the presets that are installed with the library, wherever all of it was moved
# to; names that are none are reported with those that there are.
. "$GPROFX_SOURCE/tests/library/lib.sh"
need cmake
make_program
cat >with-settings.c <<'SOURCE'
#include <errno.h>
#include <stdio.h>

#include <gprofx/gprofx.h>

static void
tell(void *opaque, const struct gprofx_message *message)
{
	const char *hint = message->diagnostic->hint;

	(void)opaque;
	fprintf(stderr, "%s: %s\n  hint: %s\n", message->diagnostic->id, message->text, hint ? hint : "");
}

static int
put(void *opaque, const void *bytes, size_t count)
{
	(void)opaque;
	return fwrite(bytes, 1, count, stdout) == count ? 0 : EIO;
}

int
main(int argc, char **argv)
{
	const char *profile = "gmon.out";
	const struct gprofx_request_output output = {.format = "flat"};
	const struct gprofx_request request = {
		.size = sizeof request, .image = "program", .profiles = &profile, .profile_count = 1,
		.outputs = &output, .output_count = 1, .config = argc > 1 ? argv[1] : NULL,
		.tell = tell, .write = put};
	struct gprofx_analysis *analysis = gprofx_analyse(&request);

	gprofx_analysis_end(analysis);
	return analysis ? 0 : 1;
}
SOURCE
link_program with-settings with-settings.c

expect_status 0 "$GPROFX" --no-config --no-findings -p program gmon.out
cp out usual
expect_status 0 "$GPROFX" --no-config --no-findings --preset=gnu -p program gmon.out
cp out as-gprof
expect_status 0 "$GPROFX" --no-config --no-findings --preset=teach -p program gmon.out
cp out teaching
cmp -s usual as-gprof && fail 'the preset gnu changes nothing'
cmp -s usual teaching && fail 'the preset teach changes nothing'

# try_presets: ./with-settings finds the presets.
try_presets() {
	expect_status 0 ./with-settings
	expect_empty err
	expect_same usual out
	echo 'preset: gnu' >settings.yaml
	expect_status 0 ./with-settings settings.yaml
	expect_empty err
	expect_same as-gprof out
	echo 'preset: teach' >settings.yaml
	expect_status 0 ./with-settings settings.yaml
	expect_same teaching out
	echo 'preset: [gnu, techa]' >settings.yaml
	expect_status 1 ./with-settings settings.yaml
	expect_empty out
	expect_in err 'config.unknown-preset: unknown preset "techa"'
	expect_in err 'did you mean teach? the available presets are: ecos, embedded, esp-idf, gnu, hpc, '
}
try_presets

# Those of the user are settings that were not named, which a library does not look for.
mkdir -p home/gprofx/presets
echo 'threads: many' >home/gprofx/presets/own.yaml
echo 'preset: own' >settings.yaml
XDG_CONFIG_HOME=$scratch/home expect_status 1 ./with-settings settings.yaml
expect_in err 'config.unknown-preset: '

expect_status 0 cmake --install "$GPROFX_BUILD" --prefix "$scratch/first"
mkdir moved
mv first moved/root
library=$(find moved/root -name 'libgprofx.so.1')
[ -n "$library" ] || fail 'no library was installed'
# No folder is noted in the program, so that it is this one that it is linked with.
"$GPROFX_CC" -I"$GPROFX_SOURCE/include" ${GPROFX_SANITIZE:+-fsanitize=$GPROFX_SANITIZE} -o with-settings with-settings.c \
	"$library" || fail 'it cannot be linked with what was installed'
export LD_LIBRARY_PATH=$scratch/${library%/*}
echo 'symbols: { demangle: many }' >>"$(find moved/root -name hpc.yaml)"
echo 'preset: hpc' >settings.yaml
expect_status 1 ./with-settings settings.yaml
expect_match err '^config\.'
try_presets
