// SPDX-License-Identifier: Apache-2.0
// Inlined subroutines, which are no functions of their own: each in the function whose code it is part of.

// Map from "node name" to { node, name, self, total, context }: ticks of all its contexts, what is inside of another one of
// the same counted once, and the heaviest of them.
export function sumInlined(contexts) {
	const sums = new Map();

	if (!contexts || !contexts.inlined || !contexts.name)
		return sums;
	const { parent, self, below } = contexts;
	const rows = rowsOfInlined(contexts, sums);
	const { child, next } = linkContexts(parent);
	const around = new Map(); // per row how many contexts of it are around
	let at = child[parent.length];

	// Down, then to the next one, or up until there is one.
	while (at >= 0) {
		const row = rows[at];

		if (row) {
			row.total += around.get(row) > 0 ? 0 : self[at] + below[at];
			around.set(row, (around.get(row) || 0) + 1);
		}
		if (child[at] >= 0) {
			at = child[at];
			continue;
		}
		while (at >= 0 && next[at] < 0) {
			leaveContext(rows[at], around);
			at = parent[at];
		}
		if (at >= 0) {
			leaveContext(rows[at], around);
			at = next[at];
		}
	}
	return sums;
}

function leaveContext(row, around) {
	if (row)
		around.set(row, around.get(row) - 1);
}

// The row of each context; undefined: it is none of an inlined subroutine.
function rowsOfInlined({ node, name, inlined, self, below }, sums) {
	const rows = new Array(node.length);

	for (let i = 0; i < node.length; i++) {
		if (inlined[i] === 0 || name[i] < 0)
			continue;
		const key = node[i] + " " + name[i];
		const row = sums.get(key) || { node: node[i], name: name[i], self: 0, total: 0, context: i };

		sums.set(key, row);
		rows[i] = row;
		row.self += self[i];
		if (self[i] + below[i] > self[row.context] + below[row.context])
			row.context = i;
	}
	return rows;
}

// The first child of each context, behind them the first root, and the next sibling; -1: none.
function linkContexts(parent) {
	const count = parent.length;
	const child = new Int32Array(count + 1).fill(-1);
	const next = new Int32Array(count).fill(-1);

	for (let i = count - 1; i >= 0; i--) {
		const above = parent[i] < 0 ? count : parent[i];

		next[i] = child[above];
		child[above] = i;
	}
	return { child, next };
}
