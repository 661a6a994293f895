// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { ComparedModel } from "../../page/compare-model.js";
import { Search } from "../../page/search.js";
import { compared, untested } from "./compared.mjs";

const namesOf = (model, nodes) => nodes.map((node) => model.name(node));

test("rows without a difference are hidden", () => {
	const model = new ComparedModel(compared());

	assert.deepEqual(namesOf(model, model.shown), ["slow", "gone", "added"]);
	assert.deepEqual(namesOf(model, model.allNodes), ["slow", "gone", "added", "same", "main"]);
});

test("a difference of totals or calls alone is shown", () => {
	for (const [kind, verdict] of [["total", 3], ["calls", 2]]) {
		const data = compared();

		data.rows[kind].verdict[4] = verdict;
		assert.ok(new ComparedModel(data).shown.includes(0), kind);
	}
});

test("what was not tested is shown where the values differ", () => {
	const model = new ComparedModel(untested());

	assert.deepEqual(namesOf(model, model.shown), ["slow", "gone", "added", "same", "main"]);
	const data = untested();

	data.rows.total.base[4] = data.rows.total.new[4] = NaN;
	assert.ok(!new ComparedModel(data).shown.includes(0));
	assert.ok(!new ComparedModel({ ...untested(), estimatesTotals: true }).shown.includes(0));
});

test("values and notes are those of the row of a function", () => {
	const model = new ComparedModel(compared());

	assert.deepEqual(model.self(1), { base: 400, new: 900, error: 36, low: 429, high: 571, verdict: 3, match: 4 });
	assert.equal(model.total(0).new, 1054);
	assert.deepEqual([1, 3, 4, 2].map((node) => model.say(model.self(node))), ["slower", "only base", "only new", "none shown"]);
	assert.deepEqual(["main", "slow", "same", "gone", "added"].map((_, node) => model.note(node)),
		["", "was older", "", "only in the base", "only in the new profile"]);
	assert.deepEqual([0, 1, 2, 3].map((node) => model.place(node)), ["util.c:3", "util.c", "libx.so", ""]);
});

test("a function without a row has no values", () => {
	const data = compared();

	for (const list of [data.rows.node, data.rows.match, data.rows.was])
		list.pop();
	const model = new ComparedModel(data);

	assert.ok(Number.isNaN(model.self(0).base));
	assert.ok(Number.isNaN(model.calls("new", 0)));
	assert.equal(model.note(0), "");
});

test("calls are those of one run, or not known", () => {
	const data = compared(4);

	data.rows.calls.base[0] = -1;
	const model = new ComparedModel(data);

	assert.equal(model.calls("new", 1), 5);
	assert.ok(Number.isNaN(model.calls("base", 1)));
	assert.equal(model.calleesOf(0)[0].new.calls, 5);
});

test("callers and callees have both sides, the heaviest on either first", () => {
	const model = new ComparedModel(compared());

	assert.deepEqual(model.calleesOf(0).map((arc) => [model.name(arc.node), arc.base.total, arc.new.total, arc.base.calls, arc.new.calls]),
		[["slow", 400, 950, 10, 20], ["same", 100, 104, 7, 7], ["gone", 60, 0, 1, 0]]);
	assert.deepEqual(model.callersOf(4).map((arc) => [model.name(arc.node), arc.base.calls, arc.new.calls]), [["slow", 0, 4]]);
	assert.deepEqual(model.callersOf(0), []);
	assert.deepEqual(model.calleesOf(4), []);
});

test("names, files and libraries are found", () => {
	const model = new ComparedModel(compared());
	const found = (query) => {
		const search = new Search(model, query);

		search.run(1000);
		return model.allNodes.filter((node) => search.matches(node)).map((node) => model.name(node));
	};

	assert.deepEqual(found("SLOW"), ["slow"]);
	assert.deepEqual(found("util.c"), ["slow", "main"]);
	assert.deepEqual(found("/^g|x[.]so/"), ["gone", "same"]);
});
