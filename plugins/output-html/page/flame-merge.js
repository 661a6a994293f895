// SPDX-License-Identifier: Apache-2.0
// All paths through one function as two trees: what it calls, and what calls it. Their columns are those of
// contexts, but the function itself is above them: "rootSelf" is its own.

// Contexts that a tree gets when it is first asked for them.
class Merger {
	constructor(contexts) {
		this.contexts = contexts;
		this.parent = [];
		this.node = [];
		this.name = [];
		this.inlined = [];
		this.self = [];
		this.total = [];
		this.children = new Map();
	}

	// The child of a merged context (-1: of the function) that is like a context.
	child(parent, like) {
		const { contexts } = this;
		const name = contexts.name ? contexts.name[like] : -1;
		const inlined = contexts.inlined ? contexts.inlined[like] : 0;
		const key = parent + " " + contexts.node[like] + " " + name + " " + inlined;
		let number = this.children.get(key);

		if (number !== undefined)
			return number;
		number = this.parent.length;
		this.children.set(key, number);
		this.parent.push(parent);
		this.node.push(contexts.node[like]);
		this.name.push(name);
		this.inlined.push(inlined);
		this.self.push(0);
		this.total.push(0);
		return number;
	}

	finish(rootSelf, total) {
		const { parent, node, name, inlined, self } = this;

		return {
			parent,
			node,
			name,
			inlined,
			self,
			below: this.total.map((ticks, i) => Math.max(0, ticks - self[i])),
			rootSelf,
			total,
		};
	}
}

function totalOf(contexts, i) {
	return contexts.self[i] + contexts.below[i];
}

// Where a function is in paths, without those below another one of the same function: its time is counted once.
export function outermostOf(contexts, number) {
	const isInside = new Uint8Array(contexts.parent.length);
	const found = [];

	for (let i = 0; i < isInside.length; i++) {
		const parent = contexts.parent[i];

		if (parent >= 0 && isInside[parent])
			isInside[i] = 1;
		else if (contexts.node[i] === number) {
			isInside[i] = 1;
			found.push(i);
		}
	}
	return found;
}

export function mergeCallees(contexts, number) {
	const merger = new Merger(contexts);
	const NONE = -2;
	const merged = new Int32Array(contexts.parent.length).fill(NONE);
	let rootSelf = 0;
	let total = 0;

	for (const i of outermostOf(contexts, number)) {
		merged[i] = -1;
		rootSelf += contexts.self[i];
		total += totalOf(contexts, i);
	}
	// Parents have lower numbers than their children.
	for (let i = 0; i < merged.length; i++) {
		const parent = contexts.parent[i];

		if (merged[i] !== NONE || parent < 0 || merged[parent] === NONE)
			continue;
		merged[i] = merger.child(merged[parent], i);
		merger.self[merged[i]] += contexts.self[i];
		merger.total[merged[i]] += totalOf(contexts, i);
	}
	return merger.finish(rootSelf, total);
}

// The own time of a caller is here what it has at the beginning of paths.
export function mergeCallers(contexts, number) {
	const merger = new Merger(contexts);
	let rootSelf = 0;
	let total = 0;

	for (const i of outermostOf(contexts, number)) {
		const ticks = totalOf(contexts, i);
		let merged = -1;

		total += ticks;
		for (let caller = contexts.parent[i]; caller >= 0; caller = contexts.parent[caller]) {
			merged = merger.child(merged, caller);
			merger.total[merged] += ticks;
		}
		if (merged < 0)
			rootSelf += ticks;
		else
			merger.self[merged] += ticks;
	}
	return merger.finish(rootSelf, total);
}
