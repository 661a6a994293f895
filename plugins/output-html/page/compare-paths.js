// SPDX-License-Identifier: Apache-2.0
// The calling contexts of both sides as one tree, and which of their differences chance does not explain.

import { VERDICT } from "./compare-format.js";
import { makeFlameTree } from "./flame-layout.js";

const ERRORS = 2; // standard errors that a difference has to exceed
const FRACTIONS = 60; // six digits from two standard errors on

// The probability that chance makes a difference of at least as many standard errors: two-sided, normal, by the continued fraction
// of its tail. 1 for those that are too small anyway.
export function tailOf(errors) {
	const z = Math.abs(errors);
	let fraction = z;

	if (!(z > ERRORS))
		return 1;
	for (let k = FRACTIONS; k > 0; k--)
		fraction = z + k / fraction;
	return Math.sqrt(2 / Math.PI) * Math.exp(-z * z / 2) / fraction;
}

// A verdict for each difference: those that exceed two standard errors, and of which, taken together, no more than a part "rate"
// is expected to be chance (Benjamini and Hochberg). errors: NaN where they are not known.
export function verdictsOf(differences, errors, rate) {
	const count = differences.length;
	const verdicts = new Uint8Array(count).fill(VERDICT.UNTESTED);
	const chance = new Float64Array(count);
	const order = [];

	for (let i = 0; i < count; i++) {
		if (!(errors[i] > 0))
			continue;
		verdicts[i] = VERDICT.EQUAL;
		chance[i] = tailOf(differences[i] / errors[i]);
		order.push(i);
	}
	order.sort((a, b) => chance[a] - chance[b]);
	let last = order.length;

	while (last > 0 && chance[order[last - 1]] > (rate * last) / order.length)
		last--;
	for (const i of order.slice(0, last))
		verdicts[i] = differences[i] < 0 ? VERDICT.LESS : VERDICT.MORE;
	return verdicts;
}

export const WIDTHS = ["new", "base", "larger"];

// Contexts as makeFlameTree() takes them, as wide as the larger side of each context's own value: a sum of these is more than
// either side has.
function largerOf({ parent, base, new: now }) {
	const count = parent.length;
	const self = Float64Array.from(base.self, (value, i) => Math.max(value, now.self[i]));
	const below = new Float64Array(count);
	const cut = Math.max(base.cut, now.cut);
	let total = cut;

	for (let i = count; i-- > 0;) {
		if (parent[i] >= 0)
			below[parent[i]] += self[i] + below[i];
		else
			total += self[i] + below[i];
	}
	return { parent, self, below, total };
}

export class ComparedPaths {
	constructor(model) {
		const { contexts } = model.data;
		const { base, new: now, parent } = contexts;
		const count = parent.length;

		this.model = model;
		this.contexts = contexts;
		this.trees = {};
		this.hasErrors = base.squares !== null && now.squares !== null;
		this.base = Float64Array.from({ length: count }, (_, i) => base.self[i] + base.below[i]);
		this.new = Float64Array.from({ length: count }, (_, i) => now.self[i] + now.below[i]);
		this.errors = new Float64Array(count).fill(NaN);
		// Where paths were left out, one that a side does not have can be among these.
		for (let i = 0; this.hasErrors && i < count; i++)
			if (contexts.bounds === 0 || (this.base[i] > 0 && this.new[i] > 0))
				this.errors[i] = Math.sqrt(base.squares[i] + now.squares[i]);
		const differences = this.new.map((value, i) => value - this.base[i]);

		this.verdicts = verdictsOf(differences, this.errors, model.data.rowRate);
	}

	// The tree as wide as a side, or as the larger one of both.
	tree(width) {
		const { contexts } = this;

		if (!this.trees[width])
			this.trees[width] = makeFlameTree(width === "larger" ? largerOf(contexts) : { parent: contexts.parent, ...contexts[width] });
		return this.trees[width];
	}

	// Nodes of the trees: 0 stands for all contexts.

	value(side, node) {
		return node > 0 ? this[side][node - 1] : this.contexts[side].total;
	}

	error(node) {
		return node > 0 ? this.errors[node - 1] : NaN;
	}

	verdict(node) {
		return node > 0 ? this.verdicts[node - 1] : VERDICT.UNTESTED;
	}

	functionOf(node) {
		return node > 0 ? this.contexts.node[node - 1] : -1;
	}

	name(node) {
		return node > 0 ? this.model.name(this.functionOf(node)) : "all";
	}

	// What a side has in contexts that have no width where the other side decides it.
	without(width) {
		const other = width === "base" ? "new" : "base";
		let ticks = 0;

		if (width === "larger")
			return 0;
		for (let i = 0; i < this[width].length; i++)
			if (!(this[width][i] > 0))
				ticks += this.contexts[other].self[i];
		return ticks;
	}
}
