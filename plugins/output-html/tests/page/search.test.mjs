// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { Model } from "../../page/model.js";
import { Search, sumMatches } from "../../page/search.js";
import { example, large } from "./example.mjs";

function find(model, query) {
	const search = new Search(model, query);

	search.run(60000);
	assert.ok(search.isDone);
	return search;
}

function namesFound(query) {
	const model = new Model(example());
	const search = find(model, query);

	return model.names.finish().filter((_, node) => search.matches(node));
}

test("words in any order, in names and paths", () => {
	assert.deepEqual(namesFound("MAI"), ["main"]);
	assert.deepEqual(namesFound("one util"), ["main", "a"]);
	assert.deepEqual(namesFound("util.c a one main"), ["main"]);
	assert.deepEqual(namesFound("libx"), ["c"]);
	assert.deepEqual(namesFound("cycle"), ["<cycle 1>"]);
	assert.deepEqual(namesFound("nothing"), []);
	assert.deepEqual(namesFound("  "), ["main", "a", "b", "c", "<cycle 1>"]);
});

test("expressions", () => {
	assert.deepEqual(namesFound("/^[ab]$/"), ["a", "b"]);
	assert.deepEqual(namesFound("/^[ab]$"), ["a", "b"]);
	assert.deepEqual(namesFound("/two|main"), ["main", "b"]);
});

test("what is wrong with an expression is said, and hides no function", () => {
	const search = find(new Model(example()), "/(/");

	assert.match(search.error, /missing \)/);
	assert.ok(search.matches(0));
	assert.notEqual(find(new Model(example()), "x".repeat(201)).error, "");
});

test("number and time of the matches", () => {
	const model = new Model(example());

	assert.deepEqual(sumMatches(find(model, "util"), [...model.flat, 4]), { count: 3, ticks: 8 });
	assert.deepEqual(sumMatches(find(model, ""), [...model.flat, 4]), { count: 4, ticks: 10 });
});

test("a search in pieces finds the same", () => {
	const model = new Model(large(3000));
	const search = new Search(model, "class7 method");
	let pieces = 1;

	while (!search.run(-1))
		pieces++;
	assert.ok(pieces > 5);
	assert.deepEqual(search.nodes, find(model, "method class7").nodes);
	assert.equal(sumMatches(search, model.flat).count, model.names.finish().filter((name) => name.includes("Class7")).length);
});
