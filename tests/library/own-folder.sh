#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The library finds its plugins from where it lies, also if it was found by a relative path and the program has gone
# to another folder since; nothing there is taken for the library's own.
. "$GPROFX_SOURCE/tests/library/lib.sh"
[ "$GPROFX_BUILTIN" = 0 ] || skip 'plugins are linked in'
make_program
cat >gone.c <<'END'
#include <stdio.h>
#include <unistd.h>

#include <gprofx/gprofx.h>

int
main(int argc, char **argv)
{
	const char *profile = "gmon.out";
	struct gprofx_request request = {.size = sizeof request, .image = "program",
		.profiles = &profile, .profile_count = 1, .parts = GPROFX_PART_FLAT};
	struct gprofx_analysis *analysis;
	const struct gprofx_report *report;

	if (argc != 2 || chdir(argv[1]) != 0 || !(analysis = gprofx_analyse(&request)))
		return 1;
	report = gprofx_analysis_report(analysis);
	puts(report->functions->raw_name[report->graph->flat[0]]);
	gprofx_analysis_end(analysis);
	return 0;
}
END
# Without a path to the library in it.
"$GPROFX_CC" -I"$GPROFX_SOURCE/include" ${GPROFX_SANITIZE:+-fsanitize=$GPROFX_SANITIZE} -o gone gone.c \
	-L"$(dirname "$GPROFX_LIBRARY")" -lgprofx || fail 'cannot link'
ln -s "$(dirname "$GPROFX_LIBRARY")" lib
mkdir -p away/lib/gprofx/1
: >away/lib/libgprofx.so.1
cp program gmon.out away
for folder in . away; do
	LD_LIBRARY_PATH=lib expect_status 0 ./gone "$folder"
	expect_match out '^work$'
done
