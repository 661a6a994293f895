#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A new option and a new listing take what CONTRIBUTING.md says and no more: in a copy of the tree the option is
# its row, a line of code and its entry in the manual; the listing is a folder, which says where it stands, a row and an
# entry. The copy is built, and all tests pass that hold tables, help, completions, manual, settings and installed files against each other.
set -uo pipefail

scratch=$(mktemp -d "${TMPDIR:-/tmp}/gprofx-one-row.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT

fail() {
	printf 'FAIL: %s\none-row: 0 passed, 1 failed\n' "$1"
	exit 1
}

cd "$GPROFX_SOURCE" || exit 1
mkdir "$scratch/tree"
git ls-files -z | tar --null -T - -cf - | tar -xf - -C "$scratch/tree" || fail 'the tree cannot be copied'
cd "$scratch/tree" || exit 1

# before FILE LINE: puts what comes in before the line.
before() {
	awk -v line="$2" -v text="$(sed 's/\\/\\\\/g')" '$0 == line { print text; found = 1 } { print }
		END { exit !found }' "$1" >"$scratch/new" && cp "$scratch/new" "$1" ||
		fail "$1 has no line $2"
}

# The option: its row, what asks for it, the manual.
before engine/settings.def '#undef ENGINE_KEY' <<'END'
/* Trials. */
ENGINE_OPTION(TRIALS, uint32_t, trials,
              KEY("profiles", "trials", RANGE(1, 9), "3", "how often to try"),
              OPTION("trials", VALUE("N", "one is enough"), INPUT, "try N times; 3 if not given"))

END
before engine/config/config.c '	run->origins = config->origins;' <<'END'
	if (config->settings->trials > 8)
		config->settings->threads = 1;
END
before doc/gprofx.1 '.It Fl -keep-going' <<'END'
.It Fl -trials Ns = Ns Ar number
Try so often.
.It Fl -wiki
List the busiest functions as a table.
END

# The listing: its folder, its row; the manual has it already. Where it stands its emitter says.
before cli/listings.def '#undef LISTING' <<'END'
LISTING_OPTION(WIKI, "wiki", ENGINE_NEVER,
               OPTION("wiki", SWITCH, LISTINGS, "list the busiest functions as a table"))

END
folder=plugins/output-wiki
mkdir -p $folder/tests
cp examples/plugin/output-wiki.c $folder
before $folder/output-wiki.c 'static const struct gprofx_emitter emitter = {.size = sizeof emitter,' <<'END'
static const struct gprofx_listing listings[] = {{.size = sizeof listings[0],
                                                  .name = "table",
                                                  .place = 250,
                                                  .data = GPROFX_DATA_TIMES,
                                                  .subject = "the table",
                                                  .hint = "there is none without samples"}};

END
before $folder/output-wiki.c '                                              .needs = &needs};' <<'END'
                                              .listings = listings,
                                              .listing_count = 1,
END
cp examples/plugin/output-wiki.yaml $folder/plugin.yaml
spdx='# SPDX-License-Identifier: Apache-2.0'
printf '%s\n' "$spdx" 'gprofx_add_plugin(output-wiki SOURCES output-wiki.c)' >$folder/CMakeLists.txt
printf '%s\n' "$spdx" output-wiki: '  # How many functions.' '  top: 10' >$folder/settings.yaml
sed 's/OUTPUT-COUNTS/OUTPUT-WIKI/; s/output-counts/output-wiki/; /^\.Sh SEE/,$d' \
	plugins/output-counts/output-counts.7 >$folder/output-wiki.7
cat >$folder/tests/listing.sh <<'END'
#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --wiki lists a table between the others, and --trials is checked and set.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3
python3 - <<-'END_OF_PROGRAM' || fail 'cannot write the files'
	from profiled import Program
	program = Program(['main', 'work'])
	open('program', 'wb').write(program.bytes())
	open('gmon.out', 'wb').write(program.profile({'work': 3}).bytes())
END_OF_PROGRAM
expect_status 0 "$GPROFX" -b --wiki --no-findings -z -C -p program
expect_in out '| 100.0 || 0.03 ||  || work'
[ "$(sed -n 1p out)" = 'Flat profile:' ] || fail 'the table stands before the flat profile'
expect_match <(tail -n 1 out) 'executions$'
python3 -c 'from profiled import Program; open("calls", "wb").write(Program(["main", "work"]).profile().bytes())'
expect_status 1 "$GPROFX" --wiki program calls
expect_in err 'error[report.no-histogram]: expected a histogram for the table, found none'
expect_in err '  hint: there is none without samples'
expect_status 2 "$GPROFX" --trials=10 program
expect_in err "  hint: one is enough"
expect_status 0 "$GPROFX" --no-config --trials=9 --print-config
expect_in out '  trials: 9 # command line'
expect_status 0 "$GPROFX" --no-config --print-config
expect_in out '  trials: 3 # default'
END
chmod +x $folder/tests/listing.sh

cmake -S . -B build -G Ninja -DGPROFX_WERROR=ON >log 2>&1 && cmake --build build >>log 2>&1 || {
	tail -n 30 log
	fail 'it cannot be built'
}
tests='^(unit\.(cli|config)|cli|config|lint|kit\.(components|howto|manual)|diag\.ids|library|plugin\.output-wiki|compare\.usage)'
ctest --test-dir build -j "$(nproc)" -R "$tests" --output-on-failure >log 2>&1
sed -n '/\*\*\*Failed/,/^$/p' log
awk '/ tests passed, / { failed = $4 } / \.+ +Passed / { passed++ }
	END { if (failed == "") failed = 1; printf "one-row: %d passed, %d failed\n", passed, failed; exit failed > 0 }' log
