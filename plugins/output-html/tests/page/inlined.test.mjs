// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { sumInlined } from "../../page/inlined.js";
import { Model } from "../../page/model.js";
import { Search } from "../../page/search.js";
import { example } from "./example.mjs";

const [MAIN, A, B] = [0, 1, 2];
const [LESS, HASH] = [3, 4];

// main (with hash, which has less, which has hash again), which calls a (with less), twice.
function withInlined() {
	const data = example();

	data.strings.push("std::less<int>", "std::hash");
	data.contexts = {
		parent: [-1, 0, 1, 2, 0, 4, 3, 6], node: [MAIN, MAIN, MAIN, MAIN, A, A, A, A], name: [-1, HASH, LESS, HASH, -1, LESS, -1, LESS],
		inlined: [0, 1, 1, 1, 0, 1, 0, 1], self: [1, 2, 1, 3, 0, 4, 1, 8], below: [19, 13, 12, 9, 4, 0, 8, 0],
		total: 20, cut: 0, bounds: 0, estimated: false,
	};
	return data;
}

function find(query) {
	const model = new Model(withInlined());
	const search = new Search(model, query);

	while (!search.run(1000));
	return { model, search, found: search.inlined.map(({ node, name }) => [node, name]) };
}

test("each subroutine has its time in each function, what is inside of itself once", () => {
	const sums = new Model(withInlined()).allInlined();

	assert.deepEqual(sums, [
		{ node: MAIN, name: HASH, self: 5, total: 15, context: 1 },
		{ node: MAIN, name: LESS, self: 1, total: 13, context: 2 },
		{ node: A, name: LESS, self: 12, total: 12, context: 7 },
	]);
});

test("without contexts, or names in them, there are none", () => {
	const data = withInlined();

	assert.equal(sumInlined(null).size, 0);
	data.contexts.inlined = data.contexts.name = null;
	assert.equal(sumInlined(data.contexts).size, 0);
	assert.deepEqual(new Model(example()).allInlined(), []);
});

test("a search finds them beside functions, the heaviest first", () => {
	assert.deepEqual(find("LESS").found, [[MAIN, LESS], [A, LESS]]);
	assert.deepEqual(find("std").found, [[MAIN, HASH], [MAIN, LESS], [A, LESS]]);
	assert.deepEqual(find("int std").found, [[MAIN, LESS], [A, LESS]]);
	assert.deepEqual(find("int hash").found, []);
	assert.deepEqual(find("/^std::h/").found, [[MAIN, HASH]]);
	assert.deepEqual(find("main").found, []);
	assert.deepEqual(find("/(/").found, []);
	assert.deepEqual(find("").found, []);
});

test("a search says which names of frames match, and functions are found as before", () => {
	const { search } = find("less");

	assert.deepEqual([LESS, HASH].map((name) => search.names.get(name)), [true, false]);
	assert.ok(!search.nodes.includes(1));
	assert.deepEqual(Array.from(find("b").search.nodes).slice(MAIN, B + 1), [0, 0, 1]);
});
