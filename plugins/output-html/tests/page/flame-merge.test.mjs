// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { mergeCallees, mergeCallers, outermostOf } from "../../page/flame-merge.js";
import { makeFlameTree } from "../../page/flame-layout.js";

// Functions: 0 main, 1 a, 2 b, 3 f, 4 g. main calls a, which calls f, and b, which calls f; f calls g, which calls f again.
//                     main a      f      g     f(in g)  b      f      g     inlined g of f
const contexts = {
	parent: [-1, 0, 1, 2, 3, 0, 5, 6, 6],
	node: [0, 1, 3, 4, 3, 2, 3, 4, 4],
	self: [1, 2, 3, 4, 5, 6, 7, 8, 9],
	below: [44, 12, 9, 5, 0, 24, 17, 0, 0],
	name: [-1, -1, -1, -1, -1, -1, -1, -1, 7],
	inlined: [0, 0, 0, 0, 0, 0, 0, 0, 1],
	total: 45,
};

test("of a function in itself the outer one counts", () => {
	assert.deepEqual(outermostOf(contexts, 3), [2, 6]);
	assert.deepEqual(outermostOf(contexts, 9), []);
});

test("what a function calls is added up over all paths", () => {
	const merged = mergeCallees(contexts, 3);

	assert.deepEqual(merged.parent, [-1, 0, -1]);
	assert.deepEqual(merged.node, [4, 3, 4]);
	assert.deepEqual(merged.inlined, [0, 0, 1]);
	assert.deepEqual(merged.self, [12, 5, 9]);
	assert.deepEqual([merged.rootSelf, merged.total], [10, 36]);
	const tree = makeFlameTree(merged);

	assert.deepEqual([...tree.total], [36, 17, 5, 9]);
	assert.ok(
		tree.cut.every((ticks) => ticks === 0),
		"nothing was cut"
	);
});

test("callers have the time of the paths through them", () => {
	const merged = mergeCallers(contexts, 3);
	const tree = makeFlameTree(merged);

	assert.deepEqual(merged.parent, [-1, 0, -1, 2]);
	assert.deepEqual(merged.node, [1, 0, 2, 0]);
	assert.deepEqual([...tree.total], [36, 12, 12, 24, 24]);
	assert.deepEqual(merged.rootSelf, 0);
	assert.ok(
		tree.cut.every((ticks) => ticks === 0),
		"nothing was cut"
	);
});

test("a function that nobody calls has no callers, and all of its time", () => {
	const merged = mergeCallers(contexts, 0);

	assert.deepEqual([merged.parent.length, merged.rootSelf, merged.total], [0, 45, 45]);
});

test("a function that is on no path has nothing", () => {
	assert.equal(mergeCallees(contexts, 9).total, 0);
	assert.equal(mergeCallers(contexts, 9).total, 0);
});

test("what was cut below a function stays cut", () => {
	const cut = {
		parent: [-1, 0],
		node: [1, 2],
		self: [1, 2],
		below: [9, 0],
		name: null,
		inlined: null,
		total: 10,
	};

	assert.deepEqual([...makeFlameTree(mergeCallees(cut, 1)).cut], [7, 0]);
});
