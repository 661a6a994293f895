// SPDX-License-Identifier: Apache-2.0
// Calling contexts with their names and values, as pictures and the list of paths show them.

import { el } from "./dom.js";
import { formatCount, formatShare, formatValue, glueUnits } from "./format.js";
import { makeFlameTree } from "./flame-layout.js";
import { cutName } from "./names.js";

// Characters of a name in the line above a picture, on a phone, too: cut at its end it would lose what it is the name of.
export const READOUT_NAME = 48;

export class Paths {
	// contexts: as those of the data; root: the function that is above all of them, or -1.
	constructor(model, contexts = model.data.contexts, root = -1) {
		this.model = model;
		this.contexts = contexts;
		this.root = root;
		this.tree = makeFlameTree(contexts);
		this.metric = model.metrics[0];
		this.isEstimated = model.data.contexts.estimated;
		// What shares refer to.
		this.whole = Math.max(model.data.contexts.total, root < 0 ? this.tree.total[0] : 0);
	}

	// The heaviest node of a function, the outermost of equal ones; -1: it is in no path.
	heaviestOf(number) {
		const { total, count } = this.tree;
		const { node } = this.contexts;

		if (!this.heaviest) {
			this.heaviest = new Int32Array(this.model.nodes).fill(-1);
			for (let i = 1; i < count; i++) {
				const best = this.heaviest[node[i - 1]];

				if (best < 0 || total[i] > total[best])
					this.heaviest[node[i - 1]] = i;
			}
		}
		return this.heaviest[number];
	}

	// The function of a node of the tree; -1: of none.
	functionOf(node) {
		return node > 0 ? this.contexts.node[node - 1] : this.root;
	}

	isInlined(node) {
		return node > 0 && Boolean(this.contexts.inlined) && this.contexts.inlined[node - 1] !== 0;
	}

	// The index of the name that a node has in the place of its function's; -1: none.
	ownName(node) {
		return node > 0 && this.contexts.name ? this.contexts.name[node - 1] : -1;
	}

	name(node) {
		const name = this.ownName(node);

		if (name >= 0)
			return this.model.data.strings[name];
		return this.functionOf(node) >= 0
			? this.model.plainName(this.functionOf(node))
			: this.model.program || "all";
	}

	share(node) {
		return formatShare(this.tree.total[node], this.whole);
	}

	value(ticks) {
		return (this.isEstimated ? "~" : "") + formatValue(ticks, this.metric);
	}

	valueAndShare(ticks) {
		return this.value(ticks) + " (" + formatShare(ticks, this.whole) + ")";
	}

	// A frame in words: lines, as elements. "word" says what its time is of; width: of the name, 0: the whole name.
	describe(node, word = "here", width = 0) {
		const number = this.functionOf(node);
		const place = this.place(node);
		const name = this.name(node);
		const shown = width > 0 ? cutName(name, width) : name;
		const figures = this.root >= 0 ? "" : ", itself " + this.valueAndShare(this.tree.self[node]);

		return [
			el(
				"span",
				{ class: "flame-name" },
				el("bdi", { title: shown !== name ? name : null }, shown),
				this.isInlined(node) ? " (inlined in " + this.model.plainName(number) + ")" : ""
			),
			place && el("span", { class: "quiet" }, el("bdi", {}, place)),
			el(
				"span",
				{ class: this.isEstimated ? "est" : null },
				glueUnits(word + " " + this.valueAndShare(this.tree.total[node]) + figures)
			),
			number >= 0 && this.model.metricIndex === 0 && el("span", {}, this.describeAll(node)),
		].filter(Boolean);
	}

	// Where it is: a function, or most of the samples of an inlined subroutine.
	place(node) {
		const { model } = this;
		const number = this.functionOf(node);

		if (!this.isInlined(node))
			return number >= 0 ? model.place(number) : "";
		const place = model.partPlace(number, this.ownName(node));

		return place ? model.shortFile(model.data.strings[place.file]) + ":" + place.line : "";
	}

	describeAll(node) {
		const number = this.functionOf(node);

		if (!this.isInlined(node))
			return this.describeFunction(number);
		const all = this.model.inlined(number, this.ownName(node));

		return all ? glueUnits("in all: self " + this.valueAndShare(all.self) + ", total " + this.valueAndShare(all.total)) : "";
	}

	describeFunction(number) {
		const { model } = this;
		const total = model.total(number);
		const mark = model.isTotalEstimated(number) ? "~" : "";
		const parts = [];

		if (model.own(number) >= 0)
			parts.push(
				"self " +
					formatValue(model.own(number), model.metric) +
					" (" +
					formatShare(model.own(number), model.whole) +
					")"
			);
		if (total >= 0)
			parts.push(
				"total " +
					mark +
					formatValue(total, model.metric) +
					" (" +
					mark +
					formatShare(total, model.graphWhole) +
					")"
			);
		if (model.calls(number) >= 0)
			parts.push(formatCount(model.calls(number)) + " calls");
		return glueUnits("in all: " + parts.join(", "));
	}
}
