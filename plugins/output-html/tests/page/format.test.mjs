// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { formatCount, formatExact, formatSeconds, formatShare, glueUnits } from "../../page/format.js";
import { formatShareInText, formatValue, valueScale } from "../../page/format.js";

const TIME = { name: "time", unit: "seconds", ticks: 100 };

function check(format, expected) {
	for (const [value, text] of expected)
		assert.equal(format(value), text, String(value));
}

test("counts have three digits and a prefix", () => {
	check(formatCount, [
		[0, "0"], [7, "7"], [999, "999"], [1000, "1.00 k"], [9994, "9.99 k"], [9996, "10.0 k"], [99960, "100 k"], [999499, "999 k"],
		[999500, "1.00 M"], [114e6, "114 M"], [18446744073709551615, "18.4 E"], [1.5, "1.50"], [0.001, "<0.01"],
		[-1, "\u2014"], [NaN, "\u2014"], [Infinity, "\u2014"],
	]);
});

test("exact numbers are grouped", () => {
	check(formatExact, [[0, "0"], [999, "999"], [1000, "1,000"], [1234567, "1,234,567"], [1234.5, "1,234.50"], [-1, "\u2014"]]);
});

test("a share that is there is never zero", () => {
	assert.equal(formatShare(0, 10), "0.0%");
	assert.equal(formatShare(1, 1e6), "<0.1%");
	assert.equal(formatShare(271, 1000), "27.1%");
	assert.equal(formatShare(10, 10), "100.0%");
	assert.equal(formatShare(1, 0), "\u2014");
	assert.equal(formatShare(NaN, 1), "\u2014");
	assert.equal(formatShareInText(271, 1000), "27\u00a0%");
	assert.equal(formatShareInText(9, 1000), "0.9\u00a0%");
	assert.equal(formatShareInText(1, 1e6), "less than 0.1\u00a0%");
	assert.equal(formatShareInText(0, 10), "0\u00a0%");
});

test("times are no finer than samples", () => {
	check((seconds) => formatSeconds(seconds, 0.01), [
		[0, "0 s"], [0.01, "10 ms"], [0.07, "70 ms"], [0.1, "0.10 s"], [0.23, "0.23 s"], [2.52, "2.52 s"], [12.34, "12.3 s"],
		[123.4, "123 s"], [1234, "1,234 s"], [36000, "10.0 h"], [NaN, "\u2014"],
	]);
	check(formatSeconds, [[1.9e-7, "190 ns"], [0.00123, "1.23 ms"], [4.2e-5, "42.0 \u00b5s"], [1e-12, "<0.01 ns"], [0.9996, "1.00 s"]]);
});

test("values have the unit of their metric", () => {
	assert.equal(formatValue(23, TIME), "0.23 s");
	assert.equal(formatValue(0.0023, TIME, true), "23.0 \u00b5s");
	assert.equal(formatValue(2e9, { unit: "cycles", ticks: 1 }), "2.00 G cycles");
	assert.equal(formatValue(2e9, { unit: "cycles", ticks: 0 }), "2.00 G ticks");
	assert.equal(formatValue(-1, TIME), "\u2014");
});

test("a column has one unit", () => {
	const scale = valueScale(252, TIME);

	assert.equal(scale.unit, "s");
	check(scale.format, [[252, "2.52"], [1, "0.01"], [0, "0.00"], [0.1, "<0.01"], [12345678, "123,456.78"], [NaN, "\u2014"]]);
	assert.equal(valueScale(0.5, { unit: "seconds", ticks: 1000 }).unit, "\u00b5s");
	assert.equal(valueScale(1e9, { unit: "bytes", ticks: 1 }).format(5e6), "5.00 M");
});

test("numbers stay with their units", () => {
	assert.equal(glueUnits("~31.4 % of 10.7 M calls, 66.2 ns at 100 Hz"), "~31.4\u00a0% of 10.7\u00a0M calls, 66.2\u00a0ns at 100\u00a0Hz");
	assert.equal(glueUnits("1 second, 2 Main, 3 calls, f 4"), "1 second, 2 Main, 3 calls, f 4");
});
