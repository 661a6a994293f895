#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What emitters declare that they need, and what of the report they then see; emitter.unknown-need.
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
refuse 'parts of the report' "$(needs '.parts = 1u << 14')"
refuse 'parts of the report' "$(needs '.also = 1u << 31')"
refuse traits "$(needs '.traits = 8')"
refuse 'parts of the report' '.needs_with = with' "$with needs->parts = 1u << 20; }"
refuse traits '.needs_with = with' "$with needs->traits = 1u << 31; }"

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
