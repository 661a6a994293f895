// SPDX-License-Identifier: Apache-2.0
// Time by source file, by --output=by-file: an emitter in C++.
//
// Nothing that C++ throws may leave emit(), since the host is C; the descriptor needs nothing but
// constants, so nothing of it is made before it is read.
#include <algorithm>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include <gprofx/emitter.h>

namespace {

struct Row {
	std::string file;
	double ticks;
};

// Functions whose file nobody knows are rows of "?", so that all times add up to the whole.
std::vector<Row> rows_of(const gprofx_report &report)
{
	const gprofx_column &time = *report.graph->columns;
	std::map<std::string, double> files;
	std::vector<Row> rows;

	for (uint32_t function = 0; function < report.functions->count; function++) {
		uint32_t line;
		const char *file = report.services->source(&report, function, &line);
		double ticks = gprofx_real(&time.self, function);

		if (ticks != 0)
			files[file ? file : "?"] += ticks;
	}
	for (const auto &[file, ticks] : files)
		rows.push_back({file, ticks});
	std::stable_sort(rows.begin(), rows.end(),
	                 [](const Row &a, const Row &b) { return a.ticks > b.ticks; });
	return rows;
}

void write(const gprofx_report &report, gprofx_writer *writer)
{
	const gprofx_metric &metric = *report.origin->metrics;
	const double rate = metric.ticks_per_unit > 0 ? metric.ticks_per_unit : 1;
	const std::vector<Row> rows = rows_of(report);
	double whole = 0;

	for (const Row &row : rows)
		whole += row.ticks;
	gprofx_out(writer, "%6s %11s  file\n", "% time", metric.ticks_per_unit > 0 ? metric.unit : "ticks");
	for (const Row &row : rows)
		gprofx_out(writer, "%6.1f %11.2f  %s\n", 100 * row.ticks / whole, row.ticks / rate,
		           row.file.c_str());
}

gprofx_result emit(gprofx *gx, const gprofx_emission *emission, const void *) noexcept
{
	try {
		write(*emission->report, emission->writer);
		return GPROFX_OK;
	} catch (const std::exception &problem) {
		gprofx_diagnostic diagnostic{};

		diagnostic.id = "by-file.failed";
		return gprofx_fail(gx, &diagnostic, "expected to write a table, but: %s", problem.what());
	}
}

constexpr gprofx_needs needs = {
	.size = sizeof(gprofx_needs), .parts = GPROFX_PART_NODES | GPROFX_PART_SOURCES};

constexpr gprofx_emitter emitter = {.size = sizeof(gprofx_emitter),
                                    .format = "by-file",
                                    .extension = "txt",
                                    .emit = emit,
                                    .needs = &needs};

} // namespace

GPROFX_PLUGIN = {GPROFX_ABI, .name = "output-by-file", .version = "1.0",
                 .summary = "Time by source file", .emitter = &emitter};
