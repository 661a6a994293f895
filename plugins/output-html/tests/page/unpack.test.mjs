// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { Numbers, Texts, unpack } from "../../page/unpack.js";

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

	assert.deepEqual([...unpack({ integers: packed(...numbers.map((number) => BigInt(number) + 1n)) })], numbers);
	assert.deepEqual([...unpack({ integers: packed(1n << 64n) })], [2 ** 64]);
	assert.deepEqual([...unpack({ integers: "" })], []);
	const many = Array.from({ length: 1000 }, (_, i) => i % 7);
	assert.deepEqual([...unpack({ integers: packed(...many.map((number) => number + 1)) })], many);
});

test("steps", () => {
	assert.deepEqual([...unpack({ steps: packed(0, 5, 0, 1000) })], [0, 5, 5, 1005]);
});

test("reals", () => {
	const text = packed(2 * 7, 2 * 123456789 + 1, 2 * 9, 2 * 5 + 1, 2 * 3 + 1, 1, 1, 2 * 4, 1, 0, 2 * 15 + 1, 2 * 1, 1, 1, 2 * 25 + 1, 2 * 1,
		2 * 1 + 1, 2 * 30, 0);

	assert.deepEqual(Array.from(unpack({ reals: text })), [7, 0.123456789, 5000, -4, NaN, 1.5, -2.5, 1e-30, 0]);
});

test("texts share words, and begins and ends with the text before", () => {
	const words = "::\nf";
	const once = "a\n(int)\n\u00e4b";
	const texts = packed(4 * 4, 0, 1, 2, 0, 4 + 3, 2, 1, 0, 0, 4, 2);

	assert.deepEqual(unpack({ words, once, texts }), ["a::f(int)", "a::\u00e4b(int)", "", "f"]);
	assert.deepEqual(unpack({ words: "", once: "", texts: packed(0, 0) }), ["", ""]);
	const long = "x".repeat(5000);
	assert.deepEqual(unpack({ words: "", once: long + "\ny", texts: packed(4, 0, 4 + 1, 1, 0, 1, 2) }), [long, long + "y", long + "y"]);
});

test("blocks of texts are read when one of them is asked for", () => {
	const column = { words: "f", block: 2, texts: [packed(8, 1, 0, 4 + 1, 1, 0), packed(8, 1, 0, 5, 1, 0)], once: ["a\nb", "c\nd"] };
	const texts = unpack(column);

	assert.equal(texts.get(3), "fd");
	assert.deepEqual(Object.keys(texts.list), ["2", "3"]);
	assert.equal(texts.run(1000), true);
	assert.deepEqual(texts.finish(), ["fa", "fb", "fc", "fd"]);
	const odd = new Texts({ ...column, texts: [column.texts[0], packed(4, 0)], once: ["a\nb", "\u00e4"] });
	assert.equal(odd.run(-1), false);
	assert.deepEqual(odd.finish(), ["fa", "fb", "\u00e4"]);
	assert.deepEqual(new Texts({ words: "", block: 2, texts: [], once: [] }).finish(), []);
	assert.equal(new Texts(["x"]).get(0), "x");
	assert.deepEqual(new Texts(["x"]).finish(), ["x"]);
});

test("blocks of numbers are read when one of them is asked for", () => {
	const integers = unpack({ block: 2, integers: [packed(1, 2), packed(3, 4), packed(5)] });

	assert.equal(integers.get(2), 2);
	assert.deepEqual([...integers.list], [0, 0, 2, 3, 0, 0]);
	assert.equal(integers.get(4), 4);
	assert.deepEqual([...integers.finish()], [0, 1, 2, 3, 4]);
	assert.deepEqual([...unpack({ block: 2, reals: [packed(15, 2, 2), packed(1, 0)] }).finish()], [0.7, 1, NaN]);
	assert.deepEqual([...new Numbers({ block: 2, reals: [""] }).finish()], []);
	assert.deepEqual(new Numbers([7]).finish(), [7]);
	assert.equal(new Numbers([7]).get(0), 7);
});

test("numbers of more digits than an integer has are read as well", () => {
	const numbers = [2n ** 31n, 2n ** 32n + 5n, 2n ** 40n - 1n, 2n ** 53n, 2n ** 63n];

	assert.deepEqual([...unpack({ steps: packed(numbers[3]) })], [2 ** 53]);
	assert.deepEqual([...unpack({ integers: packed(...numbers) })], numbers.map((number) => Number(number) - 1));
});

test("integers that are all the same have one number in the file", () => {
	assert.deepEqual([...unpack({ all: -1, count: 3 })], [-1, -1, -1]);
	assert.deepEqual([...unpack({ all: 2 ** 40, count: 1 })], [2 ** 40]);
});

test("integers are found, and only blocks with their digits are read", () => {
	const column = { block: 2, integers: [packed(34, 5), packed(2, 2), packed(66, 1), packed(2)] };
	const numbers = unpack(column);

	assert.deepEqual(numbers.find(1), [2, 3, 6]);
	// Digits of 34 and 66 end with that of 2 and 3.
	assert.notEqual(numbers.left[0], null);
	assert.notEqual(numbers.left[2], null);
	assert.deepEqual(numbers.find(33), [0]);
	assert.deepEqual(numbers.find(7), []);
	assert.equal(numbers.length, 7);
	numbers.finish();
	assert.deepEqual(numbers.find(1), [2, 3, 6]);
	assert.deepEqual(new Numbers([4, 5, 4]).find(4), [0, 2]);
	assert.deepEqual(new Numbers([]).find(4), []);
	const plus = unpack({ block: 2, integers: [packed(62, 1), packed(62)] });
	assert.deepEqual(plus.find(61), [0, 2]);
});

test("a range of numbers is read by blocks", () => {
	const numbers = unpack({ block: 2, integers: [packed(1, 2), packed(3, 4), packed(5, 6), packed(7)] });

	numbers.readRange(3, 5);
	assert.deepEqual([...numbers.list], [0, 0, 2, 3, 4, 5, 0, 0]);
	numbers.readRange(0, 7);
	assert.deepEqual([...numbers.list], [0, 1, 2, 3, 4, 5, 6]);
});

// main -> f -> g <-> h, and g by itself; g and h are the cycle, node 4.
function withCycle(values) {
	const arcs = { callee: [1, 2, 3, 2, 2], calls: { block: 2, integers: [packed(5, 3), packed(9, 5), packed(3)] } };

	return unpack({
		functions: { count: 4, nodes: 5, cycle: [0, 0, 1, 1, 1] },
		calls: { calls: [-1, 4, 2, 8, 2] },
		values: [{ self: [1, 8, 6, 4, 10], below: [30, 14, 2, 1, 4] }],
		arcs: { ...arcs, first: [0, 1, 2, 4, 5], values: [values] },
		cycleArcs: { caller: [1], callee: [4], calls: [2], values: [{ self: [10], below: [4] }] },
	});
}

test("values that the file leaves out are the callee's, by calls; none within cycles", () => {
	const { arcs } = withCycle({ self: { block: 2, reals: [null, null, null] }, below: { block: 2, reals: [packed(6, 8), null, packed(10)] } });

	assert.equal(arcs.values[0].self.get(4), 0);
	assert.deepEqual([...arcs.values[0].self.finish()], [8, 10, 0, 0, 0]);
	assert.equal(arcs.values[0].self.get(1), 10);
	assert.deepEqual([...arcs.values[0].below.finish()], [3, 4, 0, 0, 5]);
});

test("what is no column stays, columns are found everywhere, and stay once they are read", () => {
	const data = unpack({ a: [1, null], b: [{ c: { integers: packed(3) }, d: null }], e: "integers" });

	assert.equal(JSON.stringify({ ...data, b: [{ c: [...data.b[0].c], d: data.b[0].d }] }), '{"a":[1,null],"b":[{"c":[2],"d":null}],"e":"integers"}');
	assert.equal(data.b[0].c, data.b[0].c);
});
