// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { Model } from "../../page/model.js";
import { endsWithout, foldRows, hasNoTime, sayFolded } from "../../page/fold.js";
import { readSort } from "../../page/order.js";
import { example, large } from "./example.mjs";

// A program of which only the first functions have time.
function idle(count, busy) {
	const data = large(count);

	for (const values of data.values) {
		values.self = values.self.map((ticks, node) => (node < busy ? 5 : 0));
		values.below = values.below && values.below.map(() => 0);
		values.whole = null;
	}
	return new Model(data);
}

test("functions with time, or that called such, stay", () => {
	const model = new Model(example());
	const rows = Uint32Array.from([...model.flat, 4]);

	assert.deepEqual(Array.from(rows, (node) => hasNoTime(model, node)), rows.length === 5 ? [false, false, false, false, false] : []);
	assert.deepEqual(foldRows(model, rows, -1), { shown: rows, folded: 0 });
});

test("many functions without time are one row", () => {
	const model = idle(100, 40);
	const rows = Uint32Array.from({ length: 100 }, (_, node) => node);

	assert.equal(foldRows(model, rows, -1).folded, 60);
	assert.equal(foldRows(model, rows, -1).shown.length, 40);
	// What is selected is to be seen.
	assert.equal(foldRows(model, rows, 70).folded, 59);
	assert.ok(foldRows(model, rows, 70).shown.includes(70));
	assert.equal(foldRows(model, rows, 7).folded, 60);
	// Two are not worth a row.
	assert.deepEqual(foldRows(idle(100, 98), rows, -1), { shown: rows, folded: 0 });
});

test("what the emitter found idle is folded without a look at all values", () => {
	const data = large(100);
	const find = () => new Model(data).idleNodes();
	const found = find();

	data.values[0].idle = [...found].flatMap((mark, node) => (mark ? [node] : []));
	assert.deepEqual(find(), found);
	data.values[0].idle = [1, 7];
	assert.equal(find().reduce((sum, mark) => sum + mark), 2);
	// Without inclusive values, those are meant that have none of their own.
	data.values[0].totalOrigin = "unknown";
	assert.deepEqual([...find()], data.values[0].self.map((ticks) => (ticks > 0 ? 0 : 1)));
});

test("where they are not the last rows, they stay where they are", () => {
	const model = new Model(example());
	const ends = (sort) => endsWithout(model, readSort(model, sort));

	assert.deepEqual(["-self", "-total", "-self,name"].map(ends), [true, true, true]);
	assert.deepEqual(["self", "-calls", "name", ""].map(ends), [false, false, false, false]);
});

test("the row says how many, of what, and what a click does", () => {
	const model = idle(100, 40);

	assert.match(sayFolded(model, 1234, false), /^1,234 more functions without [a-z ]+ \(show\)$/);
	assert.match(sayFolded(model, 57, true), /^57 functions without [a-z ]+ \(hide\)$/);
	assert.equal(sayFolded({ byLine: true, metric: { unit: "seconds", name: "time" } }, 1, false), "1 more line without samples (show)");
});
