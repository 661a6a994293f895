// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { Ranks } from "../../page/ranks.js";
import { lcg } from "./example.mjs";

function ranksOf(texts) {
	return new Ranks(texts, texts.map((text) => text.toLowerCase()));
}

test("places of texts, without regard to case first", () => {
	assert.deepEqual(Array.from(ranksOf(["b", "A", "a", "B", "ab"]).finish()), [4, 0, 1, 3, 2]);
	assert.deepEqual(Array.from(ranksOf(["x", "x"]).finish()), [0, 1]);
	assert.deepEqual(Array.from(ranksOf([]).finish()), []);
});

test("of any number, in small steps", () => {
	for (const count of [1, 4095, 4096, 4097, 8192, 20000]) {
		const random = lcg(count);
		const texts = Array.from({ length: count }, () => "name" + random(count));
		const ranks = ranksOf(texts);
		let steps = 1;

		while (!ranks.run(-1))
			steps++;
		assert.ok(steps >= Math.ceil(count / 4096));
		const sorted = [];
		ranks.finish().forEach((rank, text) => {
			sorted[rank] = texts[text];
		});
		assert.deepEqual(sorted, texts.slice().sort());
	}
});
