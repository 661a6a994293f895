// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { Model } from "../../page/model.js";
import { Texts } from "../../page/unpack.js";
import { example, large } from "./example.mjs";

const [MAIN, A, B, C, CYCLE] = [0, 1, 2, 3, 4];

test("values of nodes", () => {
	const model = new Model(example());

	assert.equal(model.self(A), 4);
	assert.equal(model.selfShare(A), 0.4);
	assert.equal(model.error(A), 2);
	assert.equal(model.total(MAIN), 10);
	assert.equal(model.total(B), 7.5);
	assert.ok(model.isTotalEstimated(B));
	assert.equal(model.calls(B), 2);
	assert.equal(model.recursive(CYCLE), 10);
	assert.equal(model.entry(CYCLE), 4);
});

test("only the cycle has a total, not its members", () => {
	const model = new Model(example());

	assert.equal(model.total(CYCLE), 6);
	assert.ok(Number.isNaN(model.total(A)));
	assert.match(model.whyNoTotal(A), /cycle/);
	assert.equal(model.wholeOf(C), CYCLE);
	assert.equal(model.wholeOf(CYCLE), CYCLE);
	assert.equal(model.wholeOf(MAIN), MAIN);
	assert.deepEqual(model.members(CYCLE), [A, C]);
	assert.ok(!model.isTotalEstimated(CYCLE));
});

test("measured members of a cycle have totals", () => {
	const data = example();

	data.measured = true;
	data.functions.nodes = 4;
	data.functions.name.pop();
	data.cycleArcs = null;
	data.values[0].totalOrigin = "measured";
	const model = new Model(data);
	assert.equal(model.total(A), 4);
	assert.equal(model.cycleNode(1), -1);
	assert.ok(!model.isTotalEstimated(B));
	assert.equal(model.arcTime(2), 0);
});

test("callers and callees, the heaviest first", () => {
	const model = new Model(example());
	const callers = (node) => Array.from(model.arcsTo(node), (arc) => model.caller(arc));
	const callees = (node) => Array.from(model.arcsFrom(node), (arc) => model.callee(arc));

	assert.deepEqual(callers(A), [B, MAIN, C]);
	assert.deepEqual(callers(CYCLE), [B, MAIN]);
	assert.deepEqual(callers(MAIN), []);
	assert.deepEqual(callees(MAIN), [B, A]);
	assert.deepEqual(callees(C), [A]);
	assert.deepEqual(callees(CYCLE), []);
	assert.deepEqual(Array.from(model.arcsTo(CYCLE), (arc) => [model.arcCalls(arc), model.arcTime(arc)]), [[3, 4.5], [1, 1.5]]);
});

test("arcs that are ranked in the data are not sorted again", () => {
	const data = example();
	const callees = (model) => Array.from(model.arcsFrom(MAIN), (arc) => model.callee(arc));

	data.arcs.ranked = 2;
	assert.deepEqual(callees(new Model(data)), [A, B]);
	data.arcs.ranked = 3;
	assert.deepEqual(callees(new Model(data)), [B, A]);
	// They are by the first metric's times.
	data.arcs.ranked = 2;
	data.metrics.push(data.metrics[0]);
	data.values.push(data.values[0]);
	data.arcs.values.push(data.arcs.values[0]);
	data.cycleArcs.values.push(data.cycleArcs.values[0]);
	const model = new Model(data);
	model.setMetric(1);
	assert.deepEqual(callees(model), [B, A]);
});

test("calls within a cycle have no time", () => {
	const model = new Model(example());
	const within = model.arcsTo(A)[2];

	assert.ok(model.isWithin(within));
	assert.ok(Number.isNaN(model.arcTime(within)));
	assert.equal(model.arcCalls(within), 5);
});

test("the arcs of each function are those of its caller", () => {
	const data = large(1000);
	const model = new Model(data);
	let count = 0;

	for (let node = 0; node < 1000; node++) {
		for (const arc of model.arcsFrom(node))
			assert.equal(model.caller(arc), node);
		for (const arc of model.arcsTo(node))
			assert.equal(model.callee(arc), node);
		count += model.arcsTo(node).length;
		const times = Array.from(model.arcsTo(node), (arc) => model.arcTime(arc));
		assert.deepEqual(times, times.slice().sort((a, b) => b - a));
	}
	assert.equal(count, data.arcs.callee.length);
});

test("places are as short as they can be", () => {
	const model = new Model(example());

	assert.equal(model.place(MAIN), "one/util.c:10");
	assert.equal(model.place(B), "two/util.c:5");
	assert.equal(model.place(C), "libx.so");
	assert.equal(model.place(CYCLE), "");
	assert.ok(model.hasPlaces());
});

test("another metric has other values, and other orders", () => {
	const data = example();

	data.metrics.push({ name: "misses", unit: "misses", abbreviation: "", ticks: 1 });
	data.values.push({ ...data.values[0], totalOrigin: "unknown", total: 20, self: [2, 8, 6, 4, 12], below: null });
	data.arcs.values.push({ self: [9, 1, 0, 0, 0], below: [0, 0, 0, 0, 0] });
	data.cycleArcs.values.push({ self: [9, 0], below: [0, 0] });
	const model = new Model(data);
	model.setMetric(1);
	assert.equal(model.self(A), 8);
	assert.ok(!model.hasTotal);
	assert.match(model.whyNoTotal(MAIN), /called/);
	model.setMetric(7);
	assert.equal(model.metricIndex, 0);
});

test("without samples, and without calls", () => {
	const data = example();

	data.timed = false;
	data.values[0].total = 0;
	let model = new Model(data);
	assert.ok(!model.hasSelf && !model.hasTotal);
	assert.ok(Number.isNaN(model.self(A)) && Number.isNaN(model.total(B)));
	assert.deepEqual(Array.from(model.arcsTo(A), (arc) => model.caller(arc)), [C, B, MAIN]);

	const flat = { ...example(), counted: false, arcs: null, cycleArcs: null };
	flat.values[0].below = null;
	flat.values[0].totalOrigin = "unknown";
	model = new Model(flat);
	assert.equal(model.calls(A), -1);
	assert.equal(model.arcCount, 0);
	assert.deepEqual(Array.from(model.arcsTo(A)), []);
	assert.deepEqual(Array.from(model.arcsFrom(A)), []);
	assert.equal(model.self(A), 4);
});

test("lines of source are call sites", () => {
	const data = example();

	data.functions.kind[C] |= 32;
	data.functions.cycle = [0, 0, 0, 0, 0];
	data.functions.nodes = 4;
	data.arcs.site = { first: [0, 2, 2, 2, 2, 2], node: [0, 3], calls: [1, 7] };
	data.functions.line[3] = 12;
	data.values[0].whole = [3, 4, 3, 0];
	const model = new Model(data);
	assert.deepEqual(model.sites(0), [{ node: 3, line: 12, calls: 7 }, { node: 0, line: 10, calls: 1 }]);
	assert.deepEqual(model.sites(1), []);
	assert.equal(model.total(MAIN), 12);
	assert.match(model.whyNoTotal(C), /line/);
});

test("lines are in the function before them", () => {
	const data = example();

	data.functions.kind[B] |= 32;
	data.functions.kind[C] |= 32;
	data.values[0].whole = [1, 9, 0, 0];
	const model = new Model(data);
	assert.equal(model.functionOf(C), A);
	assert.equal(model.functionOf(A), A);
	assert.equal(model.own(A), 9);
	assert.equal(model.self(A), 4);
});

test("self time is in inlined subroutines", () => {
	const data = example();

	assert.deepEqual(new Model(data).selfParts(A), []);
	data.strings.push("std::less", "std::hash");
	data.contexts = {
		parent: [-1, 0, 1, 2, 0, 4], node: [MAIN, A, A, A, B, A], name: [-1, -1, 3, 4, -1, 4], inlined: [0, 0, 1, 1, 0, 1],
		self: [1, 1, 0, 2, 3, 1], below: [9, 2, 2, 0, 1, 0], total: 10, cut: 0, bounds: 0, estimated: true,
	};
	const model = new Model(data);
	assert.deepEqual(model.selfParts(A), [{ name: "std::hash", ticks: 3, place: null }, { name: "", ticks: 1, place: null }]);
	assert.deepEqual(model.selfParts(B), []);
	assert.deepEqual(model.selfParts(C), []);
	data.contexts.inlined = data.contexts.inlined.map(() => 0);
	data.contexts.name.fill(-1);
	assert.deepEqual(new Model(data).selfParts(A), []);
	data.contexts.inlined = data.contexts.name = null;
	assert.deepEqual(new Model(data).selfParts(A), []);
});

test("inlined subroutines have the place that is first of theirs", () => {
	const data = example();

	data.strings.push("std::less", "std::hash", "/usr/include/functional");
	data.contexts = {
		parent: [-1, 0, 1, 1], node: [MAIN, A, A, A], name: [-1, -1, 3, 4], inlined: [0, 0, 1, 1],
		self: [1, 1, 2, 4], below: [9, 6, 0, 0], total: 10, cut: 0, bounds: 0, estimated: true,
	};
	data.parts = { node: [A, A, A, B], name: [4, 4, -1, 3], file: [5, 0, 0, 5], line: [7, 8, 9, 10] };
	data.source = { file: [{ path: 5, parts: [{ first: 1, lines: ["a"] }, { first: 6, lines: ["b", "c"] }] }, { path: 0, parts: null }] };
	const model = new Model(data);
	assert.deepEqual(model.selfParts(A).map(({ place }) => place), [{ file: 5, line: 7 }, null, { file: 0, line: 9 }]);
	assert.equal(model.shortFile("/usr/include/functional"), "functional");
	assert.deepEqual([1, 2, 5, 6, 7, 8].map((line) => model.hasSource(5, line)), [true, false, false, true, true, false]);
	// Without its text, or without the file.
	assert.deepEqual([0, 1, -1].map((file) => model.hasSource(file, 7)), [false, false, false]);
	assert.equal(new Model(example()).hasSource(0, 1), false);
});

test("names of lines are also there without their places", () => {
	const model = new Model(example());

	model.byLine = true;
	model.names = new Texts(["f (a.c:3 @ 4011a0)", "g(int) (dir/b.c:12 @ 10)", "h(int)", "i (x)"]);
	assert.deepEqual([0, 1, 2, 3].map((node) => model.plainName(node)), ["f", "g(int)", "h(int)", "i (x)"]);
	model.byLine = false;
	assert.equal(model.plainName(0), "f (a.c:3 @ 4011a0)");
});
