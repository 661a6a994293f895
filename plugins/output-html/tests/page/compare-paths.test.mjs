// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { BY_FUNCTION, BY_PATH, DifferenceColors } from "../../page/compare-colors.js";
import { VERDICT } from "../../page/compare-format.js";
import { ComparedModel } from "../../page/compare-model.js";
import { ComparedPaths, tailOf, verdictsOf } from "../../page/compare-paths.js";
import { compared, untested } from "./compared.mjs";

const { UNTESTED, EQUAL, LESS, MORE } = VERDICT;

test("the tail is that of the normal distribution", () => {
	// Two-sided, from tables.
	for (const [errors, chance] of [[2.5758293, 0.01], [3.2905267, 0.001], [-4.8916385, 1e-6]])
		assert.ok(Math.abs(tailOf(errors) / chance - 1) < 1e-5, errors + ": " + tailOf(errors));
	assert.deepEqual([tailOf(2), tailOf(0), tailOf(-1.9)], [1, 1, 1]);
});

test("a difference has a verdict only beyond two standard errors", () => {
	assert.deepEqual(Array.from(verdictsOf([5, -5, 2, 0, 3, 0], [1, 1, 1, 1, NaN, 0], 0.05)), [MORE, LESS, EQUAL, EQUAL, UNTESTED, UNTESTED]);
});

// 2.2 errors are rare alone, but not among a hundred.
test("of many differences the largest one has to be larger", () => {
	const others = Array(99).fill(0.5);
	const errors = Array(100).fill(1);

	assert.equal(verdictsOf([2.2], [1], 0.05)[0], MORE);
	assert.equal(verdictsOf([2.2, ...others], errors, 0.05)[0], EQUAL);
	assert.equal(verdictsOf([4, ...others], errors, 0.05)[0], MORE);
});

// Chance alone: of paths that do not differ, hardly any page has one with a color.
test("chance is no difference", () => {
	let seed = 1;
	const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
	const normal = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
	let pages = 0;

	for (let i = 0; i < 400; i++)
		pages += verdictsOf(Array.from({ length: 200 }, normal), Array(200).fill(1), 0.05).some((verdict) => verdict > EQUAL) ? 1 : 0;
	// 5 in 100 expected; the standard error is 1.1.
	assert.ok(pages < 400 * 0.09 && pages > 0, String(pages));
});

test("a tree is as wide as a side, or as the larger one", () => {
	const paths = new ComparedPaths(new ComparedModel(compared()));
	const widths = (width) => Array.from(paths.tree(width).total);

	// All, main, slow, same, added below slow, gone.
	assert.deepEqual(widths("base"), [560, 560, 400, 100, 0, 60]);
	assert.deepEqual(widths("new"), [1054, 1054, 950, 104, 50, 0]);
	assert.deepEqual(widths("larger"), [1114, 1114, 950, 104, 50, 60]);
	assert.ok(widths("larger").slice(1).every((width) => width > 0), "a path of one side is not visible");
	assert.deepEqual([paths.without("new"), paths.without("base"), paths.without("larger")], [60, 50, 0]);
});

test("paths have the values of both sides and their verdicts", () => {
	const paths = new ComparedPaths(new ComparedModel(compared()));

	assert.deepEqual([0, 1, 2, 3, 4, 5].map((node) => paths.verdict(node)), [UNTESTED, MORE, MORE, EQUAL, MORE, LESS]);
	assert.deepEqual([paths.value("base", 0), paths.value("new", 0), paths.value("base", 5), paths.value("new", 4)], [560, 1054, 60, 50]);
	assert.equal(paths.error(2), Math.sqrt(400 + 950));
	assert.deepEqual([paths.name(0), paths.name(5)], ["all", "gone"]);
});

test("a path that can have been left out of a side is no difference", () => {
	const data = compared();

	data.contexts.bounds = 1;
	const paths = new ComparedPaths(new ComparedModel(data));

	assert.deepEqual([2, 3, 4, 5].map((node) => paths.verdict(node)), [MORE, EQUAL, UNTESTED, UNTESTED]);
});

test("colors are by difference, in two hues, and neutral where chance explains it", () => {
	const colors = new DifferenceColors(new ComparedPaths(new ComparedModel(compared())), BY_PATH);

	assert.deepEqual([1, 2, 3, 4, 5].map((node) => colors.of(node)), ["heat-5", "heat-5", "hue-none", "heat-2", "cool-2"]);
	const texts = colors.legend().map(({ text }) => text);

	assert.equal(texts.length, 11);
	assert.deepEqual([texts[0], texts[9], texts[10]], ["more, up to 5.500 s", "less, up to 5.500 s", "chance explains the difference"]);
});

test("paths without errors are neutral, and the legend says why", () => {
	const paths = new ComparedPaths(new ComparedModel(untested()));
	const colors = new DifferenceColors(paths, BY_PATH);

	assert.equal(paths.hasErrors, false);
	assert.deepEqual([1, 2, 3, 4, 5].map((node) => colors.of(node)), Array(5).fill("untested"));
	assert.deepEqual(colors.legend().map(({ text }) => text), ["not tested: the error is not known"]);
});

test("colors can be those of the functions' own values, which were tested", () => {
	const data = compared();

	data.contexts.estimated = true;
	data.contexts.new.squares = null;
	const paths = new ComparedPaths(new ComparedModel(data));
	const colors = new DifferenceColors(paths, BY_FUNCTION);

	assert.deepEqual([1, 2, 3, 4, 5].map((node) => colors.of(node)), ["hue-none", "heat-5", "hue-none", "heat-2", "cool-2"]);
	assert.equal(colors.legend()[0].text, "more in self, up to 5.000 s");
	assert.equal(colors.mark, "");
	assert.equal(new DifferenceColors(paths, BY_PATH).mark, "~");
});
