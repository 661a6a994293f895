// SPDX-License-Identifier: Apache-2.0
// The modules as the build needs them: it makes one script of those of a page, in the order of CMakeLists.txt.

import assert from "node:assert/strict";
import fs from "node:fs";
import test from "node:test";

const folder = new URL("../../page/", import.meta.url);
const build = fs.readFileSync(new URL("../../CMakeLists.txt", import.meta.url), "utf8");
const pages = ["scripts", "compare_scripts"].map((name) => new RegExp("set\\(" + name + "\\s+([^)]*)\\)").exec(build)[1].trim().split(/\s+/));
const listed = [...new Set(pages.flat())];
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
			const [, imports, from] = /^import \{ ([\w, ]+) \} from "\.\/([\w-]+\.js)";$/.exec(line) || assert.fail(name + ": " + line);

			for (const page of pages.filter((names) => names.includes(name)))
				assert.ok(page.includes(from), name + " imports " + from);
			for (const imported of imports.split(", "))
				assert.match(texts.get(from), new RegExp("^export (const|class|function) " + imported + "\\b", "m"), name + ": " + imported);
		}
});

function importsOf(name) {
	return [...texts.get(name).matchAll(/^import .* from "\.\/([\w-]+\.js)";$/gm)].map(([, from]) => from);
}

test("a page has no script that it does not use", () => {
	for (const page of pages) {
		const used = new Set([page[page.length - 1]]);

		for (const name of used)
			importsOf(name).forEach((from) => used.add(from));
		assert.deepEqual(page.filter((name) => !used.has(name)), []);
	}
});

// Constants of others are used as a script is read.
test("scripts of a comparison are behind those that they import", () => {
	for (const page of pages)
		for (const name of page.filter((candidate) => candidate.startsWith("compare-")))
			for (const from of importsOf(name))
				assert.ok(page.indexOf(from) < page.indexOf(name), name + " is before " + from);
});

test("a class is behind the one that it extends", () => {
	for (const page of pages)
		for (const name of page)
			for (const [, base] of texts.get(name).matchAll(/^export class \w+ extends (\w+)/gm)) {
				const at = page.findIndex((other) => texts.get(other).includes("export class " + base + " "));

				assert.ok(at >= 0 && at < page.indexOf(name), name);
			}
});

test("only the last file does something by itself", () => {
	const last = pages.map((page) => page[page.length - 1]);

	for (const [name, text] of texts)
		if (!last.includes(name))
			for (const line of text.split("\n"))
				assert.match(line, /^$|^[\t})\]]|^\/\/|^(export )?(const|class|function) |^import /, name + ": " + line);
});
