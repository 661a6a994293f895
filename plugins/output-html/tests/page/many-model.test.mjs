// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { MANY_ROWS, findOutliers, isTested, manyKinds, manyTable, median, unevenStep } from "../../page/many-model.js";

const base = {
	metrics: [{ name: "time" }],
	values: [{ selfOrigin: "measured", total: 10, self: [1, 2] }],
	files: null,
	slices: null,
	flat: [1, 0],
	functions: { count: 2 },
};
const files = {
	label: ["rank 0", "rank 1", "rank 2", "rank 3"],
	ticks: [100, 100, 100, 300],
	node: [0, 1],
	first: [0, 4, 6],
	file: [0, 1, 2, 3, 0, 1],
	self: [90, 92, 91, 290, 10, 8],
	low: [90, NaN],
	high: [92, NaN],
};
const slices = {
	kinds: 3,
	process: [
		{ number: 10, name: "a", parent: -1 },
		{ number: 0, name: null, parent: 0 },
	],
	thread: [
		{ number: 11, name: null, process: 0, threads: 1 },
		{ number: 12, name: "io", process: 1, threads: 1 },
	],
	phase: [],
	slice: [
		{ process: -1, thread: -1, phase: -1, ticks: 3 },
		{ process: 0, thread: 0, phase: -1, ticks: 5 },
		{ process: 1, thread: 1, phase: -1, ticks: 7 },
	],
	first: [0, 1, 2, 4],
	node: [0, 0, 0, 1],
	self: [3, 5, 6, 1],
	below: [0, 0, 0, 0],
	calls: [0, 4, 2, -1],
	bounds: { process: { node: [1, 0], low: [0, 5], high: [0, 6] } },
};

test("only what there is several of can be compared", () => {
	assert.deepEqual(manyKinds(base), []);
	assert.deepEqual(manyKinds({ ...base, files: { ...files, label: ["one"] } }), []);
	assert.deepEqual(
		manyKinds({ ...base, files, slices }).map(({ kind }) => kind),
		["file", "process", "thread"]
	);
	const metrics = {
		...base,
		metrics: [{ name: "time" }, { name: "cycles" }, { name: "none" }],
		values: [
			base.values[0],
			{ selfOrigin: "measured", total: 100, self: [90, 10] },
			{ selfOrigin: "unknown", total: 0, self: [] },
		],
	};

	assert.deepEqual(
		manyKinds(metrics).map(({ kind }) => kind),
		["metric"]
	);
	const { label, rows } = manyTable(metrics, "metric");

	assert.deepEqual(label, ["time", "cycles"]);
	assert.deepEqual(
		rows.map(({ node, values }) => [node, [...values]]),
		[
			[0, [0.1, 0.9]],
			[1, [0.2, 0.1]],
		]
	);
});

test("values of files are those of the data, 0 where there are none", () => {
	const { label, rows, left } = manyTable({ ...base, files }, "file");

	assert.deepEqual(label, files.label);
	assert.deepEqual(
		rows.map(({ node, values, outliers }) => [node, [...values], outliers]),
		[
			[0, [90, 92, 91, 290], [3]],
			[1, [10, 8, 0, 0], []],
		]
	);
	assert.deepEqual([rows[0].least, rows[0].most, rows[0].sum, left], [90, 290, 563, 0]);
});

test("values of slices are added up, and those of no slice are said", () => {
	const { label, rows, without, total } = manyTable({ ...base, slices }, "process");

	assert.deepEqual(label, ["a 10", "process ?"]);
	assert.deepEqual(
		rows.map(({ node, values }) => [node, [...values]]),
		[
			[1, [0, 1]],
			[0, [5, 6]],
		]
	);
	assert.deepEqual(
		rows.map((row) => [row.outliers, isTested(row)]),
		[
			[[1], true],
			[[], true],
		]
	);
	assert.deepEqual(
		manyTable({ ...base, slices }, "thread").rows.map((row) => [row.outliers, isTested(row)]),
		[
			[[], false],
			[[], false],
		]
	);
	assert.deepEqual([without, [...total]], [3, [5, 7]]);
	assert.deepEqual(manyTable({ ...base, slices }, "thread").label, [
		"thread 11 of a 10",
		"io 12 of process ?",
	]);
	assert.deepEqual(manyTable({ ...base, slices }, "thread").items, [
		{ calls: 4, node: 0, most: 5 },
		{ calls: -1, node: 0, most: 6 },
	]);
	const several = [
		{ number: 11, name: "pool", process: 0, threads: 7 },
		{ number: 0, name: null, process: -1, threads: 0 },
	];
	assert.deepEqual(manyTable({ ...base, slices: { ...slices, thread: several } }, "thread").label, [
		"pool, 7 threads of a 10",
		"not known",
	]);
});

test("rows with outliers come first, and what has no room is counted", () => {
	const count = MANY_ROWS + 5;
	const many = {
		label: ["a", "b", "c", "d"],
		ticks: [0, 0, 0, 0],
		node: [],
		first: [0],
		file: [],
		self: [],
		low: [],
		high: [],
	};

	for (let i = 0; i < count; i++) {
		many.node.push(i);
		many.file.push(0, 1, 2, 3);
		many.self.push(...(i === 77 ? [10, 10, 10, 99] : [500, 500, 510, 510]));
		many.first.push(many.file.length);
		many.low.push(i === 77 ? 10 : 500);
		many.high.push(i === 77 ? 10 : 510);
	}
	const { rows, left } = manyTable({ ...base, files: many }, "file");

	assert.deepEqual([rows[0].node, rows[0].outliers, left], [77, [3], 5]);
	assert.equal(manyTable({ ...base, files: { ...many, left: 30 } }, "file").left, 35, "those that are not in the page");
});

test("values that are far from the middle have another color than those that are near", () => {
	assert.deepEqual(
		[10, 10.5, 12, 14, 19, 25, 31, 1e9].map((value) => unevenStep(value, 10)),
		[0, 0, 1, 2, 3, 4, 5, 5]
	);
	assert.deepEqual(
		[9.5, 8.5, 3, 0].map((value) => unevenStep(value, 10)),
		[0, -1, -5, -5]
	);
	assert.deepEqual([unevenStep(0, 0), unevenStep(1, 0)], [0, 5]);
});

test("the median of an even number is between the middle two", () => {
	assert.deepEqual([median([3, 1, 2]), median([4, 1, 3, 2]), median([])], [2, 2.5, 0]);
});

test("values outside of the bounds are outliers, the farthest first", () => {
	const values = Float64Array.of(100, 101, 99, 100, 300, 0);

	assert.deepEqual(findOutliers({ values, low: 99, high: 101 }, 100), [4, 5]);
	assert.deepEqual(findOutliers({ values, low: 0, high: 300 }, 100), []);
	assert.deepEqual(findOutliers({ values, low: 99.0000001, high: 100.9999999 }, 100), [4, 5], "rounding errors");
	assert.deepEqual(findOutliers({ values, low: NaN, high: NaN }, 100), []);
	assert.deepEqual(findOutliers({ values }, 100), []);
	assert.deepEqual([{ low: 0, high: 0 }, { low: NaN, high: NaN }, {}].map(isTested), [true, false, false]);
});
