// SPDX-License-Identifier: Apache-2.0
// Calling contexts as a tree with positions, and the frames of it that a picture of some width can show.

// Frames narrower than this many pixels are drawn together.
export const FLAME_NARROW = 1;

// Kinds of frames in the list that flameFrames() returns.
export const FLAME_CONTEXT = 0;
export const FLAME_OUTER = 1;
export const FLAME_CUT = 2;
export const FLAME_NARROWS = 3;

function isHeaviestFirst(child, total, first, end) {
	for (let c = first + 1; c < end; c++)
		if (total[child[c]] > total[child[c - 1]])
			return false;
	return true;
}

// Numbers the children of each node, node 0 being above all roots; the heaviest first, in the order of their numbers
// if they are equal.
function sortChildren(parent, total) {
	const count = parent.length;
	const first = new Int32Array(count + 1);
	const child = new Int32Array(count > 0 ? count - 1 : 0);

	for (let i = 1; i < count; i++)
		first[parent[i] + 1]++;
	for (let i = 0; i < count; i++)
		first[i + 1] += first[i];
	const next = first.slice(0, count);

	for (let i = 1; i < count; i++)
		child[next[parent[i]]++] = i;
	for (let i = 0; i < count; i++) {
		if (!isHeaviestFirst(child, total, first[i], first[i + 1]))
			child.subarray(first[i], first[i + 1]).sort((a, b) => total[b] - total[a] || a - b);
	}
	return { first, child };
}

// The tree of contexts. Node 0 stands for all of them, and for "rootSelf" if there is that; node i + 1 for context i. "start" is where a frame begins, in ticks
// from the left; "cut" is what a node has below it that no context has, since contexts were left out.
export function makeFlameTree(contexts) {
	const count = contexts.parent.length + 1;
	const parent = new Int32Array(count);
	const self = new Float64Array(count);
	const total = new Float64Array(count);
	const cut = new Float64Array(count);
	const start = new Float64Array(count);
	const depth = new Int32Array(count);

	parent[0] = -1;
	for (let i = 1; i < count; i++) {
		parent[i] = contexts.parent[i - 1] + 1;
		self[i] = contexts.self[i - 1];
		total[i] = self[i] + contexts.below[i - 1];
		cut[i] += contexts.below[i - 1];
		cut[parent[i]] -= total[i];
	}
	self[0] = contexts.rootSelf || 0;
	// What all contexts stand for can be less than their sum by what was rounded.
	total[0] = Math.max(contexts.total, self[0] - cut[0]);
	cut[0] += total[0] - self[0];
	const { first, child } = sortChildren(parent, total);
	let deepest = 0;

	// Parents have lower numbers than their children.
	for (let i = 0; i < count; i++) {
		let at = start[i];

		// What was cut would otherwise be the rest of rounded numbers.
		if (cut[i] < total[0] * 1e-7)
			cut[i] = 0;
		for (let c = first[i]; c < first[i + 1]; c++) {
			start[child[c]] = at;
			depth[child[c]] = depth[i] + 1;
			at += total[child[c]];
		}
		deepest = Math.max(deepest, depth[i]);
	}
	return { count, parent, first, child, self, total, cut, start, depth, deepest };
}

function addFrame(frames, kind, node, x, width, row, count) {
	frames.kind.push(kind);
	frames.node.push(node);
	frames.x.push(x);
	frames.width.push(width);
	frames.row.push(row);
	frames.count.push(count);
	frames.rows = Math.max(frames.rows, row + 1);
}

// Adds what is directly below a node; returns where the children that have frames of their own are in the list. Children
// that are too narrow follow the others, since the heaviest come first: one frame stands for all of them.
function addChildren(frames, tree, node, zoom, scale) {
	const row = tree.depth[node] + 1;
	let c = tree.first[node];
	const end = tree.first[node + 1];
	let x = (tree.start[node] - tree.start[zoom]) * scale;

	for (; c < end && tree.total[tree.child[c]] * scale >= FLAME_NARROW; c++) {
		const width = tree.total[tree.child[c]] * scale;

		addFrame(frames, FLAME_CONTEXT, tree.child[c], x, width, row, 1);
		x += width;
	}
	const shown = c;
	let narrow = 0;

	for (; c < end; c++)
		narrow += tree.total[tree.child[c]] * scale;
	if (narrow >= FLAME_NARROW)
		addFrame(frames, FLAME_NARROWS, node, x, narrow, row, end - shown);
	x += narrow;
	if (tree.cut[node] * scale >= FLAME_NARROW)
		addFrame(frames, FLAME_CUT, node, x, tree.cut[node] * scale, row, 0);
	return shown;
}

// The frames of a picture that is "width" pixels wide if the frame of node "zoom" takes all of it: columns with a row for
// each frame. Those above the zoomed one take all of the width, too.
export function flameFrames(tree, zoom, width) {
	const frames = { kind: [], node: [], x: [], width: [], row: [], count: [], rows: 0 };
	const scale = tree.total[zoom] > 0 ? width / tree.total[zoom] : 0;

	for (let i = tree.parent[zoom]; i >= 0; i = tree.parent[i])
		addFrame(frames, FLAME_OUTER, i, 0, width, tree.depth[i], 1);
	addFrame(frames, FLAME_CONTEXT, zoom, 0, width, tree.depth[zoom], 1);
	const open = scale > 0 ? [zoom] : [];

	while (open.length > 0) {
		const node = open.pop();
		const shown = addChildren(frames, tree, node, zoom, scale);

		for (let c = shown; c-- > tree.first[node];)
			open.push(tree.child[c]);
	}
	return frames;
}

// The frame at a place of the picture, or -1. "byRow" is of indexFlame().
export function frameAt(frames, byRow, row, x) {
	for (const i of byRow[row] || []) {
		if (x >= frames.x[i] && x < frames.x[i] + frames.width[i])
			return i;
	}
	return -1;
}

// The frames of each row, from left to right.
export function indexFlame(frames) {
	const byRow = Array.from({ length: frames.rows }, () => []);

	for (let i = 0; i < frames.node.length; i++)
		byRow[frames.row[i]].push(i);
	for (const row of byRow)
		row.sort((a, b) => frames.x[a] - frames.x[b]);
	return byRow;
}

// The ticks of all nodes for which isMatch(context) is true, and of what is below them, each once; with the number of
// such nodes, and the marks.
export function matchFlame(tree, isMatch) {
	const mark = new Uint8Array(tree.count);
	const inside = new Uint8Array(tree.count);
	let ticks = 0;
	let count = 0;

	for (let i = 1; i < tree.count; i++) {
		const isBelow = inside[tree.parent[i]] === 1;

		mark[i] = isMatch(i - 1) ? 1 : 0;
		count += mark[i];
		if (mark[i] && !isBelow)
			ticks += tree.total[i];
		inside[i] = mark[i] || isBelow ? 1 : 0;
	}
	return { mark, ticks, count };
}

// The direction of an arrow key; undefined: it is none.
export function flameWay(key, isUpright) {
	const vertical = { ArrowDown: isUpright ? "out" : "in", ArrowUp: isUpright ? "in" : "out" };

	return { ...vertical, ArrowLeft: "before", ArrowRight: "after" }[key];
}

// Where an arrow leads from a node: to the outer one, the heaviest inner one, or the sibling before or after it.
export function flameNeighbor(tree, node, direction) {
	const parent = tree.parent[node];

	if (direction === "out")
		return parent;
	if (direction === "in")
		return tree.first[node] < tree.first[node + 1] ? tree.child[tree.first[node]] : -1;
	if (parent < 0)
		return -1;
	const at = tree.child.subarray(tree.first[parent], tree.first[parent + 1]).indexOf(node);
	const to = tree.first[parent] + at + (direction === "before" ? -1 : 1);

	return to >= tree.first[parent] && to < tree.first[parent + 1] ? tree.child[to] : -1;
}

export function isInsideFrame(tree, node, outer) {
	while (node > outer)
		node = tree.parent[node];
	return node === outer;
}
