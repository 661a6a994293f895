// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import {
	callsByLine,
	dataOfLine,
	endOfLines,
	functionsByLine,
	hottestBetween,
	hottestLines,
	leastOfFile,
	parsePlace,
	rowOfLine,
	sourceFiles,
	sourceRow,
	sourceRows,
	splitCalls,
	wordOf,
} from "../../page/source-lines.js";

const whole = {
	path: 3,
	parts: [{ first: 1, lines: ["a", "b", "c"] }],
	count: 3,
	line: [2, 3],
	calls: [-1, 7],
	ticks: [5, 0],
};
const parts = {
	path: 4,
	parts: [
		{ first: 10, lines: ["x", "y"] },
		{ first: 20, lines: ["z"] },
	],
	count: 30,
	line: [11, 20],
	calls: [1, 1],
	ticks: [1, 9],
};
const textless = { path: 5, parts: null, count: 0, line: [7, 1000000], calls: [2, -1], ticks: [3, 4] };

function all(file) {
	const rows = sourceRows(file);

	return Array.from({ length: rows.count }, (_, i) => sourceRow(file, rows, i));
}

test("a whole file has a row for each line", () => {
	assert.deepEqual(all(whole), [
		{ line: 1, text: "a" },
		{ line: 2, text: "b" },
		{ line: 3, text: "c" },
	]);
});

test("lines that are left out have one row", () => {
	assert.deepEqual(all(parts), [
		{ gap: [1, 9] },
		{ line: 10, text: "x" },
		{ line: 11, text: "y" },
		{ gap: [12, 19] },
		{ line: 20, text: "z" },
		{ gap: [21, 30] },
	]);
});

test("without text there are the lines with data", () => {
	assert.deepEqual(all(textless), [
		{ line: 7, text: null },
		{ line: 1000000, text: null },
	]);
	assert.deepEqual(all({ ...textless, line: [], ticks: [] }), []);
});

test("a line is found in its row, or where it is left out", () => {
	const row = (file, line) => rowOfLine(file, sourceRows(file), line);

	assert.deepEqual([row(whole, 1), row(whole, 3), row(whole, 4), row(whole, 0)], [0, 2, -1, -1]);
	assert.deepEqual(
		[row(parts, 5), row(parts, 11), row(parts, 15), row(parts, 20), row(parts, 30)],
		[0, 2, 3, 4, 5]
	);
	assert.deepEqual([row(textless, 7), row(textless, 8), row(textless, 2000000)], [0, 1, 1]);
});

test("data of a line is found by its number", () => {
	assert.deepEqual(
		[1, 2, 3, 4].map((line) => dataOfLine(whole, line)),
		[-1, 0, 1, -1]
	);
});

test("the hottest lines have time", () => {
	assert.deepEqual(hottestLines(whole, 9), [0]);
	assert.deepEqual(hottestLines(parts, 9), [1, 0]);
	assert.deepEqual(hottestLines(parts, 1), [1]);
});

test("lines of a function end where the next one begins", () => {
	const functions = {
		count: 9,
		name: ["f(int)", "main", "main.cold", "main::{lambda()#1}::operator()()", "maintain", "other", "x", "main", "f(int) [clone .cold]"],
		file: [0, 0, 0, 0, 0, 1, 0, 0, 0],
		line: [2, 10, 10, 14, 30, 12, 11, 40, 3],
	};
	const end = (node) => endOfLines(functions, node, (other) => functions.name[other], (other) => other === 6);

	assert.deepEqual([0, 1, 3, 4, 5, 7].map(end), [10, 30, 30, 40, Infinity, Infinity]);
});

test("the hottest line of a function is one of its own", () => {
	const file = { line: [3, 12, 13, 20, 31], ticks: [50, 4, 9, 9, 70] };

	assert.equal(hottestBetween(file, 10, 30), 2);
	assert.equal(hottestBetween(file, 30, Infinity), 4);
	assert.equal(hottestBetween(file, 14, 20), -1);
	assert.equal(hottestBetween({ line: [3], ticks: [0] }, 1, 9), -1);
	// With what they call: of lines with the same, the one that has more itself.
	const called = { line: [10, 11, 12, 13], ticks: [1, 0, 4, 9], total: [1, 30, 30, 9] };

	assert.equal(hottestBetween(called, 1, 99), 2);
	assert.equal(hottestBetween(called, 13, 99), 3);
	assert.deepEqual(hottestLines(called, 9), [3, 2, 0, 1]);
	assert.deepEqual(hottestLines({ line: [1, 2], ticks: [0, 0], total: [0, 7] }, 9), [1]);
});

test("files are found by the index of their path", () => {
	assert.deepEqual(
		[...sourceFiles({ file: [whole, parts] })],
		[
			[3, 0],
			[4, 1],
		]
	);
	assert.deepEqual([...sourceFiles(null)], []);
});

test("calls are those of the lines of the file", () => {
	const functions = { line: [1, 5, 6, 5], file: [3, 3, 3, 9] };
	const arcs = {
		callee: [1, 2, 2],
		site: { first: [0, 2, 3, 4], node: [1, 2, 1, 3], calls: [4, 1, 9, 2] },
	};

	assert.deepEqual(
		[...callsByLine(functions, arcs, 3)],
		[
			[
				5,
				[
					{ callee: 2, calls: 9 },
					{ callee: 1, calls: 4 },
				],
			],
			[6, [{ callee: 1, calls: 1 }]],
		]
	);
	assert.equal(callsByLine(functions, { ...arcs, site: null }, 3).size, 0);
});

test("source has the last part of a name", () => {
	assert.deepEqual(
		[
			"insert",
			"ns::Table<int, char>::insert(int)",
			"work [a.c]",
			"__solver_MOD_factor",
			"std::vector<int>::~vector()",
			"<cycle 1>",
		].map(wordOf),
		["insert", "Table", "work", "__solver_MOD_factor", "vector", ""]
	);
});

test("words of a line that are callees become links, and the others follow", () => {
	const names = ["insert", "compare", "free"];
	const { pieces, others } = splitCalls(
		"  if (insert(t, reinsert)) insert(x);",
		[
			{ callee: 0, calls: 3 },
			{ callee: 2, calls: 1 },
		],
		(node) => names[node]
	);

	assert.deepEqual(pieces, [
		"  if (",
		{ text: "insert", callee: 0, calls: 3 },
		"(t, reinsert)) ",
		{ text: "insert", callee: 0, calls: 3 },
		"(x);",
	]);
	assert.deepEqual(others, [{ callee: 2, calls: 1 }]);
});

test("places of addresses are lines of files that are there", () => {
	const files = new Map([[7, 0], [8, 1]]);

	assert.deepEqual(parsePlace("8:12", files), { file: 8, line: 12 });
	for (const text of [undefined, "", "8", "8:", ":12", "9:12", "8:0", "8:-1", "8:1e3", "08x:1", "8:12:1", "8:12345678901"])
		assert.equal(parsePlace(text, files), null, String(text));
});

test("functions are found where they begin", () => {
	const functions = { count: 6, file: [3, 3, 4, 3, -1, 3], line: [5, 9, 5, 5, 5, 0] };

	assert.deepEqual([...functionsByLine(functions, 3, (node) => node === 1)], [[5, [0, 3]]]);
});

test("a file has what its lines have, or at least what one of them has with what it calls", () => {
	assert.equal(leastOfFile(parts), 10);
	assert.equal(leastOfFile({ ...whole, total: [30, 40] }), 40);
	assert.equal(leastOfFile({ ...whole, ticks: [25, 25], total: [30, 40] }), 50);
	assert.equal(leastOfFile({ ...whole, line: [], ticks: [], total: [] }), 0);
});
