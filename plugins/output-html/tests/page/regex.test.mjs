// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { Expression } from "../../page/regex.js";
import { lcg } from "./example.mjs";

const ATOMS = ["a", "b", "c", ".", "[ab]", "[^a]", "\\w", "\\W", "\\b", "\\B", "^", "$", "(a|bc)", "(?:b|)",
	"\\d", "[a-c0]", "\\.", "\\x61", "[\\d-]"];
const REPEATS = ["", "", "", "*", "+", "?", "{2}", "{1,2}", "{0,}", "*?"];

function randomPattern(random) {
	let pattern = "";

	for (let i = random(5); i >= 0; i--) {
		pattern += ATOMS[random(ATOMS.length)];
		if (!/(\\b|\\B|\^|\$)$/.test(pattern))
			pattern += REPEATS[random(REPEATS.length)];
		if (random(8) === 0)
			pattern += "|";
	}
	return pattern;
}

test("matches what the browser's expressions match", () => {
	const random = lcg(7);
	let matches = 0;

	for (let i = 0; i < 4000; i++) {
		const pattern = randomPattern(random);
		const expected = new RegExp(pattern, "i");
		const found = new Expression(pattern);

		for (let k = 0; k < 10; k++) {
			const text = Array.from({ length: random(7) }, () => "abc0. A-"[random(8)]).join("");

			assert.equal(found.test(text), expected.test(text), "/" + pattern + "/ in '" + text + "'");
			matches += expected.test(text);
		}
	}
	assert.ok(matches > 5000 && matches < 35000);
});

test("upper case counts where it is used", () => {
	assert.ok(new Expression("node").test("TreeNode"));
	assert.ok(!new Expression("Node").test("treenode"));
	assert.ok(new Expression("\\W").test("a b"));
	assert.ok(!new Expression("[^a]").test("A"));
	assert.ok(new Expression("\u00e9").test("\u00c9"));
});

test("what takes exponential time elsewhere ends here", () => {
	for (const pattern of ["(a+)+$", "^(a|a)*$", "(.*)*x", "(a|aa)+b", ".*.*.*.*.*y", "(a{0,20}){20}b"])
		assert.ok(!new Expression(pattern).test("a".repeat(3000) + "c"), pattern);
});

test("what is not supported, or too much, is refused", () => {
	for (const pattern of ["(?=a)", "(?<n>a)", "\\1", "(", ")", "[a", "[b-a]", "a{2,1}", "*a", "\\", "a{5000}",
		"(".repeat(101) + ")".repeat(101), "((a{99}){99}){99}", "\\pL"])
		assert.throws(() => new Expression(pattern), SyntaxError, pattern);
});

test("more sets of states than are kept", () => {
	const expression = new Expression("(a|b)*a(a|b){14}x");
	const random = lcg(3);
	const text = Array.from({ length: 4000 }, () => "ab"[random(2)]).join("");

	assert.ok(!expression.test(text));
	assert.ok(expression.test(text + "a" + "b".repeat(14) + "x"));
});
