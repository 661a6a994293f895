// SPDX-License-Identifier: Apache-2.0
// Colors of frames by difference: one hue for more, another for less, and none where chance explains it. What they look like
// is in colors.css.

import { HEAT_COUNT, heatLimit, heatOf, readColors } from "./colors.js";
import { VERDICT, isDifferent } from "./compare-format.js";
import { makeHatch } from "./flame-picture.js";

const EQUAL_COLOR = "hue-none";
export const UNTESTED_COLOR = "untested";
const HUES = { [VERDICT.MORE]: "heat-", [VERDICT.LESS]: "cool-" };

// Colors by what: of the path itself, or of the self value of its function on all paths.
export const BY_PATH = "path";
export const BY_FUNCTION = "function";

export class DifferenceColors {
	constructor(paths, by) {
		this.paths = paths;
		this.by = by;
		this.most = 0;
		this.mark = by === BY_PATH && paths.contexts.estimated ? "~" : "";
		this.found = new Set(); // verdicts that frames have
		for (let node = 1; node <= paths.contexts.parent.length; node++) {
			const { difference, verdict } = this.about(node);

			this.found.add(verdict);
			if (isDifferent(verdict))
				this.most = Math.max(this.most, Math.abs(difference));
		}
	}

	about(node) {
		const { paths } = this;

		if (this.by === BY_PATH)
			return { difference: paths.value("new", node) - paths.value("base", node), verdict: paths.verdict(node) };
		const number = paths.functionOf(node);
		const { base, new: now, verdict } = number >= 0 ? paths.model.self(number) : { base: NaN, new: NaN, verdict: VERDICT.UNTESTED };

		return { difference: now - base, verdict };
	}

	of(node) {
		const { difference, verdict } = this.about(node);

		if (verdict === VERDICT.EQUAL)
			return EQUAL_COLOR;
		if (!isDifferent(verdict))
			return UNTESTED_COLOR;
		return HUES[verdict] + Math.max(1, heatOf(Math.abs(difference) / this.most));
	}

	// [{ color, text }], from the largest "more" to the largest "less".
	legend() {
		const { scale } = this.paths.model;
		const rows = [];
		const of = this.by === BY_PATH ? "" : " in self";
		const upTo = (step) => scale.withUnit(heatLimit(step) * this.most);

		for (let step = HEAT_COUNT - 1; step > 0 && this.found.has(VERDICT.MORE); step--)
			rows.push({ color: "heat-" + step, text: "more" + of + ", up to " + upTo(step) });
		for (let step = 1; step < HEAT_COUNT && this.found.has(VERDICT.LESS); step++)
			rows.push({ color: "cool-" + step, text: "less" + of + ", up to " + upTo(step) });
		if (this.found.has(VERDICT.EQUAL))
			rows.push({ color: EQUAL_COLOR, text: "chance explains the difference" });
		if (this.found.has(VERDICT.UNTESTED))
			rows.push({ color: UNTESTED_COLOR, text: "not tested: the error is not known" });
		return rows;
	}
}

// The colors of the scheme that is shown, with the pattern of what was not tested.
export function readDifferenceColors() {
	const style = getComputedStyle(document.body);
	const colors = readColors();

	for (let step = 1; step < HEAT_COUNT; step++)
		colors["cool-" + step] = style.getPropertyValue("--cool-" + step).trim();
	colors[UNTESTED_COLOR] = makeHatch(document.createElement("canvas").getContext("2d"), colors[EQUAL_COLOR], colors.back);
	return colors;
}
