// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { unpack } from "../../page/unpack.js";

const NUMERALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function packed(...numbers) {
	return numbers.map((number) => {
		let text = "";

		for (number = BigInt(number); number >= 32n; number /= 32n)
			text += NUMERALS[Number(number % 32n) + 32];
		return text + NUMERALS[Number(number)];
	}).join("");
}

test("integers of all sizes", () => {
	const numbers = [-1, 0, 31, 32, 1e6, 2 ** 30 - 1, 2 ** 30, 2 ** 35, Number.MAX_SAFE_INTEGER];

	assert.deepEqual(unpack({ integers: packed(...numbers.map((number) => BigInt(number) + 1n)) }), numbers);
	assert.deepEqual(unpack({ integers: packed(1n << 64n) }), [2 ** 64]);
	assert.deepEqual(unpack({ integers: "" }), []);
});

test("steps", () => {
	assert.deepEqual(unpack({ steps: packed(0, 5, 0, 1000) }), [0, 5, 5, 1005]);
});

test("reals", () => {
	const text = packed(2 * 7, 2 * 123456789 + 1, 2 * 9, 2 * 5 + 1, 2 * 3 + 1, 1, 1, 2 * 4, 1, 0, 2 * 15 + 1, 2 * 1, 1, 1, 2 * 25 + 1, 2 * 1,
		2 * 1 + 1, 2 * 30, 0);

	assert.deepEqual(Array.from(unpack({ reals: text })), [7, 0.123456789, 5000, -4, NaN, 1.5, -2.5, 1e-30, 0]);
});

test("texts share words, and begins and ends with the text before", () => {
	const words = ["::", "f", "a", "(int)", "\u00e4b"];
	const texts = packed(4 * 4, 0, 1, 2, 0, 4 + 3, 2, 1, 0, 0, 4, 2);

	assert.deepEqual(unpack({ words, often: 2, texts }), ["a::f(int)", "a::\u00e4b(int)", "", "f"]);
	assert.deepEqual(unpack({ words: [], often: 0, texts: packed(0, 0) }), ["", ""]);
	const long = "x".repeat(5000);
	assert.deepEqual(unpack({ words: [long, "y"], often: 0, texts: packed(4, 0, 4 + 1, 1, 0, 1, 2) }), [long, long + "y", long + "y"]);
});

test("what is no column stays, and columns are found everywhere", () => {
	assert.deepEqual(unpack({ a: [1, null], b: [{ c: { integers: packed(3) }, d: null }], e: "integers" }),
		{ a: [1, null], b: [{ c: [2], d: null }], e: "integers" });
});
