// SPDX-License-Identifier: Apache-2.0
// The modules as the build needs them: it makes one script of all, in the order of CMakeLists.txt.

import assert from "node:assert/strict";
import fs from "node:fs";
import test from "node:test";

const folder = new URL("../../page/", import.meta.url);
const build = fs.readFileSync(new URL("../../CMakeLists.txt", import.meta.url), "utf8");
const listed = /set\(scripts\s+([^)]*)\)/.exec(build)[1].trim().split(/\s+/);
const texts = new Map(listed.map((name) => [name, fs.readFileSync(new URL(name, folder), "utf8")]));

test("every script is in the page", () => {
	const there = fs.readdirSync(folder).filter((name) => name.endsWith(".js"));

	assert.deepEqual(there.sort(), listed.slice().sort());
});

test("names at the top level are unique in all files", () => {
	const owners = new Map();

	for (const [name, text] of texts)
		for (const [, declared] of text.matchAll(/^(?:export )?(?:async )?(?:const|let|var|class|function\*?) (\w+)/gm)) {
			assert.equal(owners.get(declared), undefined, declared + " is in " + name + " and " + owners.get(declared));
			owners.set(declared, name);
		}
	assert.ok(owners.size > 50);
});

test("several names are not declared at once at the top level", () => {
	for (const [name, text] of texts)
		assert.doesNotMatch(text, /^(?:export )?(?:const|let|var) (?:\W|\w+ = [^("{[]*, \w+ = )/m, name);
});

test("imports are on one line, and the names are exported", () => {
	for (const [name, text] of texts)
		for (const [line] of text.matchAll(/^import .*$/gm)) {
			const [, names, from] = /^import \{ ([\w, ]+) \} from "\.\/([\w-]+\.js)";$/.exec(line) || assert.fail(name + ": " + line);

			assert.ok(listed.includes(from), name + " imports " + from);
			for (const imported of names.split(", "))
				assert.match(texts.get(from), new RegExp("^export (const|class|function) " + imported + "\\b", "m"), name + ": " + imported);
		}
});

test("only the last file does something by itself", () => {
	for (const [name, text] of texts)
		if (name !== listed[listed.length - 1])
			for (const line of text.split("\n"))
				assert.match(line, /^$|^[\t})\]]|^\/\/|^(export )?(const|class|function) |^import /, name + ": " + line);
});
