// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import {
	GRAPH_MOST,
	GRAPH_NEAR,
	heaviest,
	layoutGraph,
	neighborhood,
	placeInOrder,
	scrollToShow,
} from "../../page/graph-layout.js";

// A graph of [caller, callee, weight], with cycles {node: number}; node -n stands for cycle n.
function graph(rows, cycles = {}) {
	const list = (at, node) => rows.map((_, i) => i).filter((i) => rows[i][at] === node);

	return {
		callers: (node) => list(1, node),
		callees: (node) => list(0, node),
		caller: (arc) => rows[arc][0],
		callee: (arc) => rows[arc][1],
		weight: (arc) => rows[arc][2],
		nodeWeight: (node) => 1 / (1 + Math.abs(node)),
		cycle: (node) => cycles[node] || (node < 0 ? -node : 0),
		isCycle: (node) => node < 0,
		members: (node) => {
			const cycle = node < 0 ? -node : cycles[node];

			return cycle
				? Object.keys(cycles)
						.map(Number)
						.filter((other) => cycles[other] === cycle)
				: [];
		},
	};
}

const size = () => ({ width: 100, height: 40 });

function placed(source, center) {
	const around = neighborhood(source, center);

	return { around, ...layoutGraph(around, source, size) };
}

function overlaps(boxes) {
	return boxes.some((a, i) =>
		boxes
			.slice(0, i)
			.some(
				(b) =>
					a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
			)
	);
}

test("the heaviest of many are found in order", () => {
	assert.deepEqual(
		heaviest([3, 9, 1, 9.5, 4, 9], 3, (value) => value),
		[9.5, 9, 9]
	);
	assert.deepEqual(
		heaviest(["a", "b", "c"], 2, () => 0),
		["a", "b"]
	);
	assert.deepEqual(
		heaviest([], 2, () => 0),
		[]
	);
	assert.deepEqual(
		heaviest([1], 0, (value) => value),
		[]
	);
});

test("two steps to callers and callees are shown, not three", () => {
	const source = graph([
		[0, 1, 9],
		[1, 2, 9],
		[2, 3, 9],
		[3, 4, 9],
		[4, 5, 9],
		[5, 6, 9],
	]);
	const { around, boxes } = placed(source, 3);

	assert.deepEqual([...around.side.keys()].sort(), [1, 2, 3, 4, 5]);
	const y = new Map(boxes.map((box) => [box.node, box.y]));

	for (let node = 1; node < 5; node++)
		assert.ok(y.get(node) < y.get(node + 1), "callers are above");
	assert.deepEqual(around.hidden, { callers: 0, callees: 0, members: 0 });
});

test("of many callers the heaviest are shown, and the others counted", () => {
	const rows = [];

	for (let i = 1; i <= 30; i++)
		rows.push([i, 0, i]);
	const { around } = placed(graph(rows), 0);

	assert.equal(around.hidden.callers, 30 - GRAPH_NEAR);
	assert.ok(around.side.has(30) && around.side.has(31 - GRAPH_NEAR) && !around.side.has(30 - GRAPH_NEAR));
});

test("where there is little room, fewer are shown", () => {
	const source = graph([
		[1, 0, 1],
		[2, 0, 2],
		[3, 0, 3],
		[0, 4, 1],
	]);

	assert.deepEqual([...neighborhood(source, 0, 2).side.keys()], [0, 3, 2, 4]);
	assert.equal(neighborhood(source, 0, 2).hidden.callers, 1);
});

test("there are never too many nodes, and boxes do not overlap", () => {
	const rows = [];

	for (let i = 1; i <= 20; i++) {
		for (let j = 1; j <= 20; j++)
			rows.push([100 * i + j, i, 1], [1000 + i, 100 * j + i, 1]);
		rows.push([i, 0, i], [0, 1000 + i, i]);
	}
	const { around, boxes, arcs } = placed(graph(rows), 0);

	assert.ok(around.side.size <= GRAPH_MOST && around.side.size >= 3 * GRAPH_NEAR);
	assert.equal(boxes.length, around.side.size);
	assert.ok(!overlaps(boxes));
	assert.equal(arcs.length, around.arcs.length);
});

test("arcs between neighbors lead downwards, past layers that they pass", () => {
	// 0 is called by 1 and 2, and 2 calls 1, too; 2 calls 3, which 0 calls.
	const source = graph([
		[1, 0, 5],
		[2, 0, 9],
		[2, 1, 4],
		[0, 3, 8],
		[2, 3, 1],
	]);
	const { boxes, arcs } = placed(source, 0);
	const y = new Map(boxes.map((box) => [box.node, box.y]));

	assert.ok(y.get(2) < y.get(1) && y.get(1) < y.get(0) && y.get(0) < y.get(3));
	const long = arcs.find(({ arc }) => arc === 4);

	assert.equal(long.points.length, 4);
	assert.ok(arcs.every(({ isBack }) => !isBack));
	const centers = boxes.map((box) => [box.x, box.x + box.width, box.y, box.y + box.height]);

	for (const [x, at] of long.points.slice(1, -1))
		assert.ok(
			centers.every(
				([left, right, top, bottom]) => x <= left || x >= right || at <= top || at >= bottom
			)
		);
});

test("members of a cycle are in one frame, with the callers of the cycle outside", () => {
	const source = graph(
		[
			[9, 1, 5],
			[1, 2, 0],
			[2, 3, 0],
			[3, 1, 0],
			[3, 8, 2],
		],
		{ 1: 1, 2: 1, 3: 1 }
	);
	const { boxes, frames, arcs } = placed(source, 2);
	const [frame] = frames;

	assert.equal(frames.length, 1);
	for (const box of boxes) {
		const isInside =
			box.x >= frame.x &&
			box.y >= frame.y &&
			box.x + box.width <= frame.x + frame.width &&
			box.y + box.height <= frame.y + frame.height;

		assert.equal(isInside, [1, 2, 3].includes(box.node));
	}
	assert.deepEqual(
		arcs
			.filter(({ isInside }) => isInside)
			.map(({ arc }) => arc)
			.sort(),
		[1, 2, 3]
	);
	assert.ok(!overlaps(boxes));
});

test("a cycle as center shows its members, of a large one the heaviest", () => {
	const cycles = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [i + 1, 1]));
	const rows = Array.from({ length: 50 }, (_, i) => [i + 1, ((i + 1) % 50) + 1, 0]);
	const { around, boxes } = placed(graph(rows, cycles), -1);

	assert.equal(around.hidden.members, 50 - boxes.length);
	assert.ok(
		boxes.length > 2 && boxes.some((box) => box.node === 1) && !boxes.some((box) => box.node === -1)
	);
});

test("functions that call each other without a known cycle have a place, too", () => {
	const { boxes, arcs } = placed(
		graph([
			[1, 0, 3],
			[2, 1, 2],
			[1, 2, 2],
			[0, 1, 1],
			[0, 0, 5],
		]),
		0
	);

	assert.equal(boxes.length, 3);
	assert.ok(arcs.some(({ isBack }) => isBack));
	assert.ok(!arcs.some(({ arc }) => arc === 4), "a call by itself is no arc");
});

test("a function alone is a picture, too", () => {
	const { boxes, width, height } = placed(graph([]), 5);

	assert.equal(boxes.length, 1);
	assert.ok(width > 100 && height > 40);
});

test("units are as near as may be to where they should be", () => {
	const units = [{ width: 10 }, { width: 10 }, { width: 10 }];

	placeInOrder(units, [0, 0, 1000]);
	assert.equal(units[0].x, -units[1].x);
	assert.equal(units[2].x, 1000);
	placeInOrder(units, [10, 5, 0]);
	assert.equal(units[1].x, 5);
	assert.ok(units[0].x < units[1].x && units[1].x < units[2].x);
});

test("a picture is scrolled only as far as its center needs", () => {
	assert.equal(scrollToShow(100, 200, 600), 0);
	assert.equal(scrollToShow(500, 600, 600), 0);
	assert.equal(scrollToShow(700, 800, 600), 450);
});
