#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What emitters declare: needs, and what of the report they then see; listings, their places and the data that
# they cannot do without; emitter.unknown-need, report.lacks-parts, report.lacks-contexts.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
# emitter FORMAT BODY MEMBERS [DECLARATIONS]: an emitter in FORMAT.so.
emitter() {
	module "$1" <<-END
		#include "stub.h"
		static enum gprofx_result
		emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options) {
			const struct gprofx_report *report = emission->report;
			struct gprofx_writer *writer = emission->writer;
			(void)gx; (void)options; (void)report; $2
			return GPROFX_OK;
		}
		${4-}
		static const struct gprofx_emitter emitter = {
			.size = sizeof emitter, .format = "$1", .emit = emit, $3};
		GPROFX_PLUGIN = {GPROFX_ABI, .name = "output-$1", .emitter = &emitter};
	END
}
needs() { echo ".needs = &(const struct gprofx_needs){.size = sizeof(struct gprofx_needs), $1}"; }
with='static void with(const void *options, struct gprofx_needs *needs) { (void)options;'

# What is not known is refused, wherever it stands.
refuse() {
	emitter odd '' "$2" "${3-}"
	expect_status 1 "$GPROFX" --plugin=./odd.so --output=odd program
	expect_empty out
	expect_in err 'error[emitter.unknown-need]: '
	expect_in err "odd.so: the emitter needs $1 that this gprofx does not know: bits 0x"
}
refuse 'parts of the report' "$(needs '.parts = 1u << 21')"
refuse 'parts of the report' "$(needs '.also = 1u << 31')"
refuse 'parts of the report for several profiles' "$(needs '.parts_if_several = GPROFX_PART_FLAT')"
refuse slices "$(needs '.slices_if_any = 8')"
refuse traits "$(needs '.traits = 32')"
refuse data '.listing_count = 1, .listings = &(const struct gprofx_listing){
	.size = sizeof(struct gprofx_listing), .name = "x", .data = 16, .subject = "x", .hint = "x"}'
refuse 'parts of the report' '.needs_with = with' "$with needs->parts = 1u << 21; }"
refuse traits '.needs_with = with' "$with needs->traits = 1u << 31; }"
refuse contexts "$(needs '.contexts = 1u << 20')"
refuse contexts '.needs_with = with' "$with needs->contexts = GPROFX_CONTEXTS | 1u << 31; }"

# Whatever other outputs need, no more is seen than was declared.
see='gprofx_out(writer, "%d%d%d%d\n", !!report->graph, !!report->source, !!report->files, !!report->findings);'
lists='gprofx_out(writer, "%u %u %u %u\n", report->graph->flat_count, report->graph->entry_count,
	report->graph->index_count, report->graph->arcs.count);'
saw() {
	expect_status 0 "$GPROFX" --no-findings --plugin=./"$1".so --output="$1" --output=json:json program
	expect_same out <(printf '%s\n' "${@:2}")
}
emitter none "$see" ''
saw none 0000
emitter nodes "$see$lists" "$(needs '.parts = GPROFX_PART_NODES')"
saw nodes 1000 '0 0 0 1'
emitter flat-only "$see$lists" "$(needs '.parts = GPROFX_PART_FLAT')"
saw flat-only 1000 '2 0 0 1'
emitter index-only "$see$lists" '.needs_with = with' "$with needs->parts = GPROFX_PART_INDEX; }"
saw index-only 1000 '0 0 2 1'
emitter rest "$see" "$(needs '.parts = GPROFX_PART_EXECUTED | GPROFX_PART_FILES, .also = GPROFX_PART_FINDINGS')"
saw rest 0111
# Also: seen if it is made, and not made for that.
spread='gprofx_out(writer, "%d\n", report->files->spread != NULL);'
emitter also "$spread" "$(needs '.also = GPROFX_PART_PER_FILE')"
saw also 0
expect_status 0 "$GPROFX" --no-findings --per-file --plugin=./also.so --output=also program
expect_same out <(echo 1)
emitter made "$spread" "$(needs '.parts = GPROFX_PART_PER_FILE')"
saw made 1

# Contexts are there for who asks for them, each in the form that it asks for.
module input-placed <<-'END'
	#include "stub.h"
	/* main, and work below it, called from two places. */
	static enum gprofx_result read_stacks(struct gprofx *gx, const struct gprofx_file *file,
	                                      const struct gprofx_target *target,
	                                      struct gprofx_profile *profile, const void *options) {
		static const uint64_t address[] = {0x401100, 0x401004, 0x401104, 0x401004, 0x401004};
		static const uint64_t weight[] = {1, 2, 4};
		static const uint32_t first[] = {0, 2, 4, 5};
		const struct gprofx_raw_stacks stacks = {.size = sizeof stacks, .count = 3, .first = first,
			.address = address, .weight = weight, .rate = 100, .dimension = "seconds",
			.abbreviation = 's'};
		(void)target, (void)options;
		return profile->builder->stacks(gx, profile, file, NULL, &stacks);
	}
	static const struct gprofx_reader reader = {.size = sizeof reader, .format = "placed", .read = read_stacks};
	GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-placed", .reader = &reader};
END
echo many bytes for the frames >placed
tree='const struct gprofx_report_contexts *contexts = report->contexts;
	gprofx_out(writer, "%s\n", !contexts ? "none" : contexts->is_estimated ? "estimated" : "measured");
	for (uint32_t i = 0; contexts && i < contexts->count; i++)
		gprofx_out(writer, "%d %s %g %d\n", (int)contexts->parent[i],
			report->services->name(report, contexts->node[i]).bytes,
			gprofx_real(&contexts->columns->self, i),
			contexts->place && contexts->place[i] != GPROFX_NO_PLACE ? (int)contexts->place_address[contexts->place[i]] : 0);'
emitter unasked "$tree" "$(needs '.parts = GPROFX_PART_NODES')"
emitter asked "$tree" "$(needs '.contexts = GPROFX_CONTEXTS')"
emitter by-place "$tree" '.needs_with = with' "$with needs->contexts = GPROFX_CONTEXTS_BY_PLACE; }"
emitter measured "$tree" "$(needs '.contexts = GPROFX_CONTEXTS_MEASURED')"
# contexts OUT PROFILE WORD...: what these emitters see of it, each beside the others.
contexts() {
	expect_status 0 "$GPROFX" --no-findings --plugin=./input-placed.so --plugin=./unasked.so --plugin=./asked.so \
		--plugin=./by-place.so "${@:3}" --output=unasked --output=asked --output=by-place program "$2"
	expect_same out "$1"
}
contexts - gmon.out <<-'END'
	none
	estimated
	-1 main 10 0
	0 work 30 0
	estimated
	-1 main 10 0
	0 work 30 0
END
contexts - placed -O placed <<-'END'
	none
	measured
	-1 main 4 0
	0 work 3 0
	measured
	-1 main 4 4198404
	0 work 1 4198656
	0 work 2 4198660
END
# A setting bounds estimated ones.
expect_status 0 "$GPROFX" --no-findings --plugin=./asked.so --set=report.contexts=1 --output=asked program
expect_same out <(printf 'estimated\n-1 main 10 0\n')
# Without stacks there is nothing measured.
expect_status 0 "$GPROFX" --no-findings --plugin=./measured.so --plugin=./input-placed.so -O placed \
	--output=measured program placed
expect_match out '^measured$'
expect_status 1 "$GPROFX" --no-findings --plugin=./measured.so --output=measured program
expect_empty out
expect_in err 'error[report.lacks-contexts]: the format "measured" shows'
expect_in err '  hint: name a profile with call stacks, such as folded stacks, or request an output that shows estimates'

# Listings stand at their places, and those that follow each other are written at once.
listing() { echo "{.size = sizeof(struct gprofx_listing), .name = \"$1\", $2}"; }
listings() { echo ".listings = (const struct gprofx_listing[]){$*}, .listing_count = 3"; }
here='gprofx_out(writer, "here %u\n", emission->listings);'
emitter three "$here" "$(listings "$(listing a '.place = 250')," "$(listing b '.place = -1, .traditional_place = 900')," \
	"$(listing c '.place = 260')")"
# order WORD...: the order of the tables.
order() {
	expect_status 0 "$GPROFX" -b --no-findings --plugin=./three.so "$@" program
	sed -nE 's/^(here [0-9]).*/\1/p; s/^ *(Flat|Call|Index|granularity).*/\1/p' out | grep -v '^gran' | paste -sd' '
}
[ "$(order --output=three -p -q)" = 'here 2 Flat here 5 Index' ] || fail "the order is $(order --output=three -p -q)"
[ "$(order --output=three)" = 'here 7' ] || fail 'several calls for listings that follow each other'
[ "$(order --output=three --output=three)" = 'here 7' ] || fail 'a listing stands there twice'
[ "$(order --output=three -T -C)" = 'here 5 here 2' ] || fail "the traditional order is $(order --output=three -T -C)"
expect_status 0 "$GPROFX" -b --no-findings --plugin=./three.so --output=three:file -p program
expect_same file <(echo here 7)
# Without listings it stands behind all others, as often as it is asked for.
emitter behind "$here" ''
expect_status 0 "$GPROFX" -b --no-findings --plugin=./behind.so --output=behind --output=behind -C program
[ "$(tail -n 2 out | paste -sd' ')" = 'here 0 here 0' ] || fail 'it does not stand behind the counts'

# What a listing cannot do without; the first one by place is reported, samples before calls.
python3 - <<-'END' || fail 'cannot write the profiles'
	from gmonfile import Profile
	open('empty', 'wb').write(Profile().bytes())
END
data='.subject = "the SUBJECT", .hint = "try harder",'
emitter lacks "$here" "$(listings "$(listing a ".place = 9, .data = GPROFX_DATA_CALLS, ${data/SUBJECT/late}")," \
	"$(listing b ".place = 8, .data = GPROFX_DATA_TIMES, ${data/SUBJECT/samples}")," \
	"$(listing c ".place = 7, .data = GPROFX_DATA_CALLS, ${data/SUBJECT/early}")")"
expect_status 1 "$GPROFX" --no-findings --plugin=./lacks.so --output=lacks:file program empty
expect_in err 'error[report.no-histogram]: expected a histogram for the samples, found none'
expect_in err '  hint: try harder'
python3 - <<-'END' || fail 'cannot write the profile'
	from profiled import Program
	program = Program(['main', 'work'])
	open('other', 'wb').write(program.bytes())
	open('samples', 'wb').write(program.profile({'work': 3}).bytes())
END
expect_status 1 "$GPROFX" --no-findings --plugin=./lacks.so --output=lacks other samples
expect_in err 'error[report.no-arcs]: expected arcs for the early, found none'

# What needs the files only is written although the run fails, if it has a place.
word='gprofx_out(writer, "%u files\n", report->files->count);'
files=$(needs '.parts = GPROFX_PART_FILES')
place='.listing_count = 1, .listings = &(const struct gprofx_listing){.size = sizeof(struct gprofx_listing),
	.name = "x", .place = 999}'
emitter early "$word" "$files, $place"
emitter late "$word" "$files"
expect_status 1 "$GPROFX" --no-findings --plugin=./early.so --output=early program gmon.out missing
expect_same out <(echo 1 files)
expect_status 1 "$GPROFX" --no-findings --plugin=./late.so --output=late program gmon.out missing
expect_empty out
emitter with-contexts "$word" "$(needs '.parts = GPROFX_PART_FILES, .contexts = GPROFX_CONTEXTS'), $place"
expect_status 1 "$GPROFX" --no-findings --plugin=./with-contexts.so --output=with-contexts program gmon.out missing
expect_empty out

# An emitter that stands in for a table which is there by default has to do without what is gathered on the way.
emitter counts "$word" "$files"
expect_status 1 "$GPROFX" --no-findings --plugin=./counts.so program empty
expect_in err 'error[report.lacks-parts]: the format "counts" needs data that must be requested before profiles are read'
expect_in err '  hint: request it: --output=counts'
expect_status 0 "$GPROFX" --no-findings --plugin=./counts.so --output=counts program empty
expect_same out <(echo 1 files)
