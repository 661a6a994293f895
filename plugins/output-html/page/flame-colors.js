// SPDX-License-Identifier: Apache-2.0
// What colors frames have, and what these mean: the names of colors are those of colors.css.

import { HEAT_COUNT, HUE_COUNT, heatLimit, heatOf, hueOf } from "./colors.js";
import { baseName } from "./names.js";
import { formatNumberOf, formatShareInText } from "./format.js";

const HUE_NONE = "hue-none";
// From a hue that is taken to the next one; each of the twelve comes once.
const HUE_STEP = 5;

// Hues of texts, the heaviest first: each the one that it has in every page, unless a heavier one has it.
// There are no more than hues.
export function assignHues(keys) {
	const hues = new Map();
	const taken = new Set();

	for (const key of keys.slice(0, HUE_COUNT)) {
		let hue = hueOf(key);

		while (taken.has(hue))
			hue = (hue + HUE_STEP) % HUE_COUNT;
		taken.add(hue);
		hues.set(key, hue);
	}
	return hues;
}

// What a name begins with: functions of a library often share it.
export function prefixOf(name) {
	const part = /^[^A-Za-z0-9]*[A-Za-z0-9]+/.exec(name);

	return part ? part[0] : name;
}

export class FrameColors {
	constructor(paths) {
		this.paths = paths;
		this.coloring = "";
	}

	// The same meaning of colors for paths of another tree.
	like(paths) {
		const colors = new FrameColors(paths);

		Object.assign(colors, { coloring: this.coloring, hues: this.hues, scale: this.scale, ofNode: [] });
		return colors;
	}

	// Files or objects, if most of the time has one; else self time.
	usual() {
		if (this.usualColoring)
			return this.usualColoring;
		const { tree, whole } = this.paths;

		this.usualColoring = ["file", "object"].find((coloring) => {
			let ticks = 0;

			for (let node = 1; node < tree.count; node++)
				if (tree.self[node] > 0 && this.keyOf(node, coloring))
					ticks += tree.self[node];
			return ticks > whole / 2;
		}) || "self";
		return this.usualColoring;
	}

	// Whether that is another one than before.
	set(coloring) {
		if (coloring === this.coloring)
			return false;
		this.coloring = coloring;
		this.ofNode = [];
		this.ticks = new Map();
		this.scale = coloring === "self" ? this.most : 0;
		if (coloring !== "self")
			this.addUp();
		return true;
	}

	// Those whose frames cover most of the picture have hues.
	addUp() {
		const { tree } = this.paths;

		for (let node = 1; node < tree.count; node++) {
			const key = this.keyOf(node, this.coloring);

			this.ticks.set(key, (this.ticks.get(key) || 0) + tree.total[node]);
		}
		this.keys = [...this.ticks.keys()]
			.filter((key) => key !== "")
			.sort((a, b) => this.ticks.get(b) - this.ticks.get(a));
		this.hues = assignHues(this.keys);
	}

	// The most self time that a frame has.
	get most() {
		return this.paths.tree.self.reduce((most, ticks) => Math.max(most, ticks), 0);
	}

	// What decides the hue of a node; "": nothing does.
	keyOf(node, coloring) {
		const { model } = this.paths;
		const number = this.paths.functionOf(node);

		if (number < 0 || model.isCycle(number))
			return "";
		if (coloring === "file")
			return model.file(number);
		if (coloring === "object")
			return model.object(number) || (model.hasObjects() ? model.program : "");
		return prefixOf(this.paths.name(node));
	}

	of(node) {
		if (!this.ofNode[node])
			this.ofNode[node] = this.find(node);
		return this.ofNode[node];
	}

	find(node) {
		const { tree } = this.paths;

		if (this.coloring === "self")
			return "heat-" + heatOf(tree.self[node] / this.scale);
		const hue = this.hues.get(this.keyOf(node, this.coloring));

		return hue === undefined ? HUE_NONE : "hue-" + hue;
	}

	// [{ color, text }], the heaviest first.
	legend() {
		if (this.coloring === "self")
			return this.heatLegend();
		const rows = [...this.hues].map(([key, hue]) => ({ color: "hue-" + hue, text: this.nameOf(key) }));
		const others = this.keys.length - rows.length;

		if (others > 0)
			rows.push({ color: HUE_NONE, text: formatNumberOf(others, "other") });
		else if (this.ticks.get("") > 0)
			rows.push({ color: HUE_NONE, text: "not known" });
		return rows;
	}

	// The largest share of each step.
	heatLegend() {
		const { whole } = this.paths;
		const rows = [{ color: "heat-0", text: "no time itself" }];

		for (let step = 1; step < HEAT_COUNT && this.scale > 0; step++) {
			const share = (heatLimit(step) * this.scale) / whole;

			rows.push({ color: "heat-" + step, text: "up to " + formatShareInText(share, 1) });
		}
		return rows;
	}

	nameOf(key) {
		return this.coloring === "file" ? this.paths.model.shortFile(key) : baseName(key);
	}
}
