// SPDX-License-Identifier: Apache-2.0
// Calling contexts with their names and values, as the picture and the list of paths show them.

import { formatShare, formatValue } from "./format.js";
import { makeFlameTree } from "./flame-layout.js";

export class Paths {
	constructor(model) {
		this.model = model;
		this.contexts = model.data.contexts;
		this.tree = makeFlameTree(this.contexts);
		this.metric = model.metrics[0];
		this.isEstimated = this.contexts.estimated;
		this.whole = this.tree.total[0];
	}

	// The function of a node of the tree; -1: of none.
	functionOf(node) {
		return node > 0 ? this.contexts.node[node - 1] : -1;
	}

	isInlined(node) {
		return node > 0 && Boolean(this.contexts.inlined) && this.contexts.inlined[node - 1] !== 0;
	}

	name(node) {
		if (node === 0)
			return this.model.program || "all";
		const name = this.contexts.name ? this.contexts.name[node - 1] : -1;

		return name >= 0 ? this.model.data.strings[name] : this.model.name(this.contexts.node[node - 1]);
	}

	share(node) {
		return formatShare(this.tree.total[node], this.whole);
	}

	value(ticks) {
		return (this.isEstimated ? "~" : "") + formatValue(ticks, this.metric);
	}
}
