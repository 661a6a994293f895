// SPDX-License-Identifier: Apache-2.0
// Values of functions by file, process, thread or phase: as rows with a value for each, the most uneven first.

import { columnAt } from "./shares.js";

// Functions that are compared: the pictures of more would not be looked at.
export const MANY_ROWS = 200;
// How much of a value can be a rounding error.
const ROUNDING = 1e-8;
// By how much values differ in steps: 1.1, 1.25, 1.5, 2 and 3 times.
const UNEVEN_LIMITS = [1.1, 1.25, 1.5, 2, 3].map(Math.log);

function processName(slices, index) {
	const process = slices.process[index];
	const number = process.number > 0 ? String(process.number) : "?";

	return process.name ? process.name + " " + number : "process " + number;
}

function ownName({ name, number, threads }) {
	if (threads === 0)
		return "not known";
	if (threads > 1)
		return (name ? name + ", " : "") + threads + " threads";
	return (name ? name + " " : "thread ") + (number > 0 ? number : "?");
}

function threadName(slices, index) {
	const thread = slices.thread[index];
	const name = ownName(thread);

	return slices.process.length > 1 && thread.process >= 0
		? name + " of " + processName(slices, thread.process)
		: name;
}

function phaseName(slices, index) {
	const phase = slices.phase[index];

	return phase.name || "phase " + phase.number;
}

const SLICES = [
	{ kind: "process", bit: 1, title: "Processes", one: "process", name: processName },
	{ kind: "thread", bit: 2, title: "Threads", one: "thread", name: threadName },
	{ kind: "phase", bit: 4, title: "Phases", one: "phase", name: phaseName },
];

// What values can be compared by: [{ kind, title, one }].
export function manyKinds(data) {
	const kinds = [];

	if (data.files && data.files.label.length > 1)
		kinds.push({ kind: "file", title: "Files", one: "file" });
	for (const row of SLICES) {
		if (data.slices && (data.slices.kinds & row.bit) !== 0 && data.slices[row.kind].length > 1)
			kinds.push({ kind: row.kind, title: row.title, one: row.one });
	}
	if (metricsOf(data).length > 1)
		kinds.push({ kind: "metric", title: "Metrics", one: "metric" });
	return kinds;
}

// Metrics with values.
function metricsOf(data) {
	return data.metrics
		.map((_, index) => index)
		.filter((index) => data.values[index].selfOrigin !== "unknown" && data.values[index].total > 0);
}

// Shares of each metric: what is not in the same unit cannot be compared otherwise.
function byMetric(data) {
	const metrics = metricsOf(data);
	const rows = Array.from(data.flat)
		.filter((node) => node < data.functions.count)
		.map((node) => ({
			node,
			values: Float64Array.from(
				metrics,
				(index) => columnAt(data.values[index].self, node) / data.values[index].total
			),
		}));

	return { label: metrics.map((index) => data.metrics[index].name), total: null, isShare: true, rows };
}

function byFile(data) {
	const { label, ticks, node, first, file, self, low, high } = data.files;
	const rows = Array.from(node, (number, row) => {
		const values = new Float64Array(label.length);

		for (let i = first[row]; i < first[row + 1]; i++)
			values[file[i]] += self[i];
		return { node: number, values, low: low[row], high: high[row] };
	});

	return { label, total: Float64Array.from(ticks), rows, left: data.files.left };
}

// What each item has of all functions: { calls: -1: not known, node: its heaviest function, -1: none }.
function itemsOf(slices, count, byNode, row) {
	const items = Array.from({ length: count }, () => ({ calls: 0, node: -1, most: 0 }));

	slices.slice.forEach((slice, number) => {
		for (let i = slices.first[number]; slice[row.kind] >= 0 && i < slices.first[number + 1]; i++) {
			const item = items[slice[row.kind]];

			item.calls = slices.calls[i] < 0 || item.calls < 0 ? -1 : item.calls + slices.calls[i];
		}
	});
	for (const [node, values] of byNode) {
		values.forEach((value, index) => {
			if (value > items[index].most)
				Object.assign(items[index], { node, most: value });
		});
	}
	return items;
}

// What chance explains, by function; undefined: not known.
function boundsOf(table) {
	const rows = Array.from(table ? table.node : [], (node, i) => [node, { low: table.low[i], high: table.high[i] }]);

	return new Map(rows);
}

function bySlice(data, row) {
	const { slices } = data;
	const count = slices[row.kind].length;
	const total = new Float64Array(count);
	const byNode = new Map();
	const bounds = boundsOf(slices.bounds[row.kind]);
	let without = 0;

	slices.slice.forEach((slice, number) => {
		const item = slice[row.kind];

		if (item < 0) {
			without += slice.ticks;
			return;
		}
		total[item] += slice.ticks;
		for (let i = slices.first[number]; i < slices.first[number + 1]; i++) {
			if (!(slices.self[i] > 0))
				continue;
			if (!byNode.has(slices.node[i]))
				byNode.set(slices.node[i], new Float64Array(count));
			byNode.get(slices.node[i])[item] += slices.self[i];
		}
	});
	return {
		label: slices[row.kind].map((_, index) => row.name(slices, index)),
		total,
		without,
		items: itemsOf(slices, count, byNode, row),
		rows: [...byNode].map(([node, values]) => ({ node, values, ...bounds.get(node) })),
	};
}

export function median(values) {
	const sorted = Float64Array.from(values).sort();
	const middle = sorted.length >> 1;

	if (sorted.length === 0)
		return 0;
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// Whether it is known which values of a row chance explains.
export function isTested(row) {
	return row.low <= row.high;
}

// The values that differ from the others by more than chance explains: items, the farthest from the middle first.
// Sums of values have rounding errors.
export function findOutliers({ values, low, high }, center) {
	const found = [];

	values.forEach((value, item) => {
		if (value < low * (1 - ROUNDING) || value > high * (1 + ROUNDING))
			found.push(item);
	});
	return found.sort((a, b) => Math.abs(values[b] - center) - Math.abs(values[a] - center) || a - b);
}

// A row with what its values have in common.
export function sumUp(row) {
	const values = row.values;
	const least = values.reduce((one, other) => Math.min(one, other), Infinity);
	const most = values.reduce((one, other) => Math.max(one, other), 0);
	const sum = values.reduce((one, other) => one + other, 0);
	const mean = sum / Math.max(1, values.length);
	const middle = median(values);

	return { ...row, least, most, sum, mean, middle, outliers: findOutliers(row, middle), uneven: most - mean };
}

// How far a value is from the middle one: 0, 1 (a little), ... 5 (three times as much), or below 0.
export function unevenStep(value, middle) {
	if (value === middle)
		return 0;
	const times = Math.abs(Math.log(value / middle));
	const step = UNEVEN_LIMITS.filter((limit) => times > limit).length;

	return value > middle || step === 0 ? step : -step;
}

// A table: labels of columns, ticks of each, for threads and the like also their calls and heaviest functions ("items"), and a row for each function with its values, their sum, and the columns
// that differ. Rows with outliers come first, and those first whose largest value is farthest above the mean: that is the time
// for which the others wait, if they do. "left" rows have no room.
export function manyTable(data, kind) {
	const slice = SLICES.find((row) => row.kind === kind);
	const table = kind === "metric" ? byMetric(data) : slice ? bySlice(data, slice) : byFile(data);
	const rows = table.rows.map((row) => sumUp(row)).filter((row) => row.most > 0);

	rows.sort(
		(a, b) =>
			Number(b.outliers.length > 0) - Number(a.outliers.length > 0) ||
			b.uneven - a.uneven ||
			a.node - b.node
	);
	return {
		label: table.label,
		total: table.total,
		without: table.without || 0,
		items: table.items || null,
		isShare: table.isShare === true,
		rows: rows.slice(0, MANY_ROWS),
		left: Math.max(0, rows.length - MANY_ROWS) + (table.left || 0),
	};
}
