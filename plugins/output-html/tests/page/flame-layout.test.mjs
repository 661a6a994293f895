// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import {
	FLAME_CONTEXT,
	FLAME_CUT,
	FLAME_NARROWS,
	FLAME_OUTER,
	flameFrames,
	flameNeighbor,
	frameAt,
	indexFlame,
	isInsideFrame,
	makeFlameTree,
	matchFlame,
} from "../../page/flame-layout.js";
import { Model } from "../../page/model.js";
import { Paths } from "../../page/paths.js";
import { example } from "./example.mjs";

// main 100 (self 10): a 50 (b 20), c 30, 10 cut; another root r 5; 15 are in no context.
const contexts = {
	parent: [-1, 0, 0, 1, -1],
	node: [0, 2, 1, 3, 4],
	self: [10, 30, 30, 20, 5],
	below: [90, 20, 0, 0, 0],
	total: 120,
};

function rowsOf(frames) {
	return frames.node.map((node, i) => [frames.kind[i], node, frames.x[i], frames.width[i], frames.row[i]]);
}

test("frames are in the order of their time, and what was cut comes after them", () => {
	const tree = makeFlameTree(contexts);

	assert.deepEqual([...tree.total], [120, 100, 50, 30, 20, 5]);
	assert.deepEqual([...tree.start], [0, 0, 0, 50, 0, 100]);
	assert.deepEqual([...tree.depth], [0, 1, 2, 2, 3, 2 - 1]);
	assert.deepEqual([...tree.cut], [15, 10, 0, 0, 0, 0]);
	assert.equal(tree.deepest, 3);
});

test("siblings are sorted by time, whatever their numbers are", () => {
	const tree = makeFlameTree({
		parent: [-1, 0, 0, 0],
		node: [0, 1, 2, 3],
		self: [0, 1, 7, 7],
		below: [15, 0, 0, 0],
		total: 15,
	});

	assert.deepEqual([...tree.child.subarray(tree.first[1], tree.first[2])], [3, 4, 2]);
	assert.deepEqual([...tree.start], [0, 0, 14, 0, 7]);
});

test("a picture of the whole has each frame at its place", () => {
	const frames = flameFrames(makeFlameTree(contexts), 0, 240);

	assert.deepEqual(rowsOf(frames), [
		[FLAME_CONTEXT, 0, 0, 240, 0],
		[FLAME_CONTEXT, 1, 0, 200, 1],
		[FLAME_CONTEXT, 5, 200, 10, 1],
		[FLAME_CUT, 0, 210, 30, 1],
		[FLAME_CONTEXT, 2, 0, 100, 2],
		[FLAME_CONTEXT, 3, 100, 60, 2],
		[FLAME_CUT, 1, 160, 20, 2],
		[FLAME_CONTEXT, 4, 0, 40, 3],
	]);
	assert.equal(frames.rows, 4);
});

test("a zoomed frame and those around it take all of the width", () => {
	const frames = flameFrames(makeFlameTree(contexts), 2, 100);

	assert.deepEqual(rowsOf(frames), [
		[FLAME_OUTER, 1, 0, 100, 1],
		[FLAME_OUTER, 0, 0, 100, 0],
		[FLAME_CONTEXT, 2, 0, 100, 2],
		[FLAME_CONTEXT, 4, 0, 40, 3],
	]);
});

test("frames too narrow to see are one, whose children are not looked at", () => {
	const count = 1000;
	const parent = [-1];
	const self = [0];
	const below = [2 * count];

	for (let i = 0; i < count; i++) {
		parent.push(0, 2 * i + 1);
		self.push(1, 1);
		below.push(1, 0);
	}
	const frames = flameFrames(
		makeFlameTree({ parent, node: parent, self, below, total: 2 * count }),
		0,
		500
	);

	assert.deepEqual(frames.kind, [FLAME_CONTEXT, FLAME_CONTEXT, FLAME_NARROWS]);
	assert.deepEqual(frames.count, [1, 1, count]);
	assert.equal(frames.width[2], 500);
});

test("a frame is found by its place", () => {
	const frames = flameFrames(makeFlameTree(contexts), 0, 240);
	const byRow = indexFlame(frames);
	const at = (row, x) => {
		const frame = frameAt(frames, byRow, row, x);

		return frame < 0 ? -1 : frames.node[frame];
	};

	assert.deepEqual(
		[at(0, 239), at(1, 199), at(1, 200), at(2, 100), at(3, 39), at(3, 40), at(9, 0), at(-1, 0)],
		[0, 1, 5, 3, 4, -1, -1, -1]
	);
});

test("matches inside of matches are counted once", () => {
	const tree = makeFlameTree(contexts);
	const found = matchFlame(tree, (context) => [1, 3, 4].includes(context));

	assert.deepEqual([found.ticks, found.count, [...found.mark]], [55, 3, [0, 0, 1, 0, 1, 1]]);
	assert.equal(matchFlame(tree, () => false).count, 0);
	assert.equal(matchFlame(tree, () => true).ticks, 105);
});

test("the heaviest frame of a function is the outermost of equal ones", () => {
	const data = example();

	data.contexts = { parent: [-1, 0, 1, 0], node: [2, 2, 1, 1], self: [0, 0, 4, 5], below: [9, 4, 0, 0], total: 9, estimated: false };
	const paths = new Paths(new Model(data));

	assert.deepEqual([2, 1, 3].map((node) => paths.heaviestOf(node)), [1, 4, -1]);
});

test("arrows lead to neighbors", () => {
	const tree = makeFlameTree(contexts);
	const way = (node) =>
		["out", "in", "before", "after"].map((direction) => flameNeighbor(tree, node, direction));

	assert.deepEqual(way(0), [-1, 1, -1, -1]);
	assert.deepEqual(way(1), [0, 2, -1, 5]);
	assert.deepEqual(way(3), [1, -1, 2, -1]);
});

test("a frame is inside of another one", () => {
	const tree = makeFlameTree(contexts);

	assert.deepEqual(
		[
			[4, 2],
			[4, 0],
			[4, 4],
			[4, 3],
			[2, 4],
		].map(([node, outer]) => isInsideFrame(tree, node, outer)),
		[true, true, true, false, false]
	);
});

test("there are no frames without time, and none of nothing", () => {
	const empty = flameFrames(makeFlameTree({ parent: [], node: [], self: [], below: [], total: 0 }), 0, 100);

	assert.deepEqual(empty.node, [0]);
	const zero = flameFrames(
		makeFlameTree({ parent: [-1], node: [0], self: [0], below: [0], total: 0 }),
		0,
		100
	);

	assert.deepEqual(zero.node, [0]);
});

test("a deep tree is no recursion", () => {
	const count = 100000;
	const parent = Array.from({ length: count }, (_, i) => i - 1);
	const tree = makeFlameTree({
		parent,
		node: parent.map(() => 0),
		self: parent.map((_, i) => (i === count - 1 ? 1 : 0)),
		below: parent.map((_, i) => (i === count - 1 ? 0 : 1)),
		total: 1,
	});

	assert.equal(flameFrames(tree, 0, 100).rows, count + 1);
});
