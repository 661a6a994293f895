// SPDX-License-Identifier: Apache-2.0
// Values of two sides, and their differences, as people read them.

import { UNKNOWN, formatExact, unitOf } from "./format.js";

const SIZES = [["s", 1], ["ms", 1e-3], ["\u00b5s", 1e-6], ["ns", 1e-9]];
const MINUS = "\u2212";
const MANY = 1000;

// As enum gprofx_verdict.
export const VERDICT = { UNTESTED: 0, EQUAL: 1, LESS: 2, MORE: 3 };

export function isDifferent(verdict) {
	return verdict === VERDICT.LESS || verdict === VERDICT.MORE;
}

// match: as that of the row, by which what one side only has is neither faster nor slower.
export function verdictText(verdict, isTime, match) {
	if (isDifferent(verdict) && match <= 0)
		return match < 0 ? "only base" : "only new";
	if (verdict === VERDICT.LESS)
		return isTime ? "faster" : "less";
	if (verdict === VERDICT.MORE)
		return isTime ? "slower" : "more";
	return verdict === VERDICT.EQUAL ? "none shown" : "not tested";
}

// The new value divided by that of the base; nothing where that is 0.
export function formatRatio(base, now) {
	if (!(base > 0) || Number.isNaN(now))
		return "";
	return now / base < MANY ? (now / base).toFixed(3) : (now / base).toExponential(1);
}

// All values in one unit with equal decimals, so that they compare.
export class SideScale {
	// most: the largest value, in ticks.
	constructor(most, metric, isTime) {
		this.isWhole = !isTime && metric.ticks <= 1;
		this.unit = unitOf(metric);
		this.size = metric.ticks || 1;
		if (isTime) {
			const [unit, size] = SIZES.find((row) => most / metric.ticks >= row[1]) || SIZES[most > 0 ? SIZES.length - 1 : 0];

			this.unit = unit;
			this.size = metric.ticks * size;
		}
		this.decimals = most / this.size < 1e4 ? 3 : most / this.size < 1e6 ? 1 : 0;
	}

	value(ticks) {
		const value = Math.abs(ticks) / this.size;

		if (Number.isNaN(value))
			return UNKNOWN;
		if (this.isWhole && Number.isInteger(value))
			return formatExact(value);
		const [whole, fraction] = value.toFixed(this.decimals).split(".");

		return formatExact(Number(whole)) + (fraction ? "." + fraction : "");
	}

	// What is nothing once it is rounded has no sign.
	signed(ticks) {
		const text = this.value(ticks);

		if (text === UNKNOWN || !/[1-9]/.test(text))
			return text;
		return (ticks < 0 ? MINUS : "+") + text;
	}

	withUnit(ticks) {
		return Number.isNaN(ticks) ? UNKNOWN : this.value(ticks) + " " + this.unit;
	}

	signedWithUnit(ticks) {
		return Number.isNaN(ticks) ? UNKNOWN : this.signed(ticks) + " " + this.unit;
	}
}
