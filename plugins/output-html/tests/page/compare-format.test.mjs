// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { SideScale, formatRatio, verdictText } from "../../page/compare-format.js";

const seconds = { name: "time", unit: "seconds", ticks: 100 };
const samples = { name: "samples", unit: "samples", ticks: 1 };

test("values and differences are in one unit with equal decimals", () => {
	const scale = new SideScale(3000, seconds, true);

	assert.deepEqual([scale.value(3000), scale.value(1), scale.value(0), scale.unit], ["30.000", "0.010", "0.000", "s"]);
	assert.deepEqual([scale.signed(-1500), scale.signed(7), scale.signed(0)], ["\u221215.000", "+0.070", "0.000"]);
	assert.equal(scale.signedWithUnit(7), "+0.070 s");
	const fine = new SideScale(4, { ...seconds, ticks: 1000000 }, true);

	assert.deepEqual([fine.withUnit(4), fine.withUnit(0.5)], ["4.000 \u00b5s", "0.500 \u00b5s"]);
	assert.equal(new SideScale(2500000, seconds, true).value(2500000), "25,000.0");
	assert.equal(new SideScale(0, seconds, true).withUnit(0), "0.000 s");
});

test("numbers of events are whole, unless they are means", () => {
	const scale = new SideScale(5000, samples, false);

	assert.deepEqual([scale.value(5000), scale.signed(-12), scale.value(2.5)], ["5,000", "\u221212", "2.500"]);
	assert.equal(scale.withUnit(1), "1 samples");
});

test("what is rounded to nothing has no sign, and what is not known is a dash", () => {
	const scale = new SideScale(3000, seconds, true);

	assert.equal(scale.signed(-0.001), "0.000");
	assert.deepEqual([scale.value(NaN), scale.signed(NaN), scale.withUnit(NaN), scale.signedWithUnit(NaN)], Array(4).fill("\u2014"));
});

test("ratios and verdicts", () => {
	assert.deepEqual([formatRatio(4, 9), formatRatio(4, 0), formatRatio(0, 4), formatRatio(1, 5000), formatRatio(1, NaN)],
		["2.250", "0.000", "", "5.0e+3", ""]);
	assert.deepEqual([0, 1, 2, 3].map((verdict) => verdictText(verdict, true)), ["not tested", "none shown", "faster", "slower"]);
	assert.deepEqual([2, 3].map((verdict) => verdictText(verdict, false)), ["less", "more"]);
	assert.deepEqual([[2, -1], [3, 0], [1, 0], [0, -1], [3, 1]].map(([verdict, match]) => verdictText(verdict, true, match)),
		["only base", "only new", "none shown", "not tested", "slower"]);
});
