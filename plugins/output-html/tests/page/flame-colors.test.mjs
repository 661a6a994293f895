// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { FrameColors, assignHues, prefixOf } from "../../page/flame-colors.js";
import { HUE_COUNT, hueOf } from "../../page/colors.js";

const keys = Array.from({ length: 30 }, (_, i) => "src/file" + i + ".c");

// Contexts of functions 0, 1, ... with these self times, all below one root without a file.
function pathsOf(self, files) {
	const model = {
		program: "prog",
		isCycle: () => false,
		hasObjects: () => false,
		object: () => "",
		shortFile: (path) => path.replace("src/", ""),
		file: (node) => files[node] || "",
	};
	const tree = {
		count: self.length + 1,
		self: [0, ...self],
		total: [self.reduce((sum, ticks) => sum + ticks, 0), ...self],
	};

	return { model, tree, whole: tree.total[0], functionOf: (node) => node - 1, name: (node) => "f" + node };
}

test("no two of the heaviest have the same hue", () => {
	const hues = assignHues(keys);

	assert.equal(hues.size, HUE_COUNT);
	assert.equal(new Set(hues.values()).size, HUE_COUNT);
	assert.equal(hues.get(keys[0]), hueOf(keys[0]));
});

test("a text keeps its hue in another page, unless a heavier one has it", () => {
	for (const key of keys)
		assert.equal(assignHues([key]).get(key), hueOf(key));
});

test("what has no hue of its own is said to be one of the others", () => {
	const colors = new FrameColors(
		pathsOf(
			keys.map((_, i) => 100 - i),
			keys
		)
	);

	assert.equal(colors.usual(), "file");
	assert.equal(colors.set("file"), true);
	assert.equal(colors.set("file"), false);
	const legend = colors.legend();

	assert.equal(legend.length, HUE_COUNT + 1);
	assert.deepEqual(legend[0], { color: colors.of(1), text: "file0.c" });
	assert.deepEqual(legend[HUE_COUNT], { color: colors.of(30), text: "18 others" });
	assert.equal(colors.of(0), "hue-none");
});

test("colors are by file only if most of the time has one", () => {
	assert.equal(new FrameColors(pathsOf([40, 60], ["a.c"])).usual(), "self");
	const colors = new FrameColors(pathsOf([60, 40], ["a.c"]));

	assert.equal(colors.usual(), "file");
	colors.set("file");
	assert.deepEqual(
		colors.legend().map(({ text }) => text),
		["a.c", "not known"]
	);
});

test("colors by self time have steps", () => {
	const colors = new FrameColors(pathsOf([1000, 1, 0], []));

	colors.set("self");
	assert.equal(new Set([1, 2, 3].map((node) => colors.of(node))).size, 3);
	const legend = colors.legend();

	assert.deepEqual(legend[0], { color: colors.of(3), text: "no time itself" });
	assert.deepEqual(legend[legend.length - 1], { color: colors.of(1), text: "up to 100\u00a0%" });
});

test("a name begins with its first word", () => {
	assert.deepEqual(
		["str_find", "_ZN3foo", "std::map<int>::find", "operator", "<cycle 1>", "***"].map(prefixOf),
		["str", "_ZN3foo", "std", "operator", "<cycle", "***"]
	);
});
