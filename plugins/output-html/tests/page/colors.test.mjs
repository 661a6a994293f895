// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { readFileSync } from "node:fs";

import { HEAT_COUNT, HUE_COUNT, heatLimit, heatOf, hueOf } from "../../page/colors.js";

const styles = ["base", "colors"]
	.map((name) => readFileSync(new URL("../../page/" + name + ".css", import.meta.url), "utf8"))
	.join("");

// What the style sheets have for a scheme.
function colorsOf(scheme) {
	const read = (name) =>
		new RegExp("--" + name + ": var\\(--if-light, (#......)\\) var\\(--if-dark, (#......)\\)").exec(
			styles
		)[scheme === "light" ? 1 : 2];
	const list = (name, count) => Array.from({ length: count }, (_, i) => read(name + "-" + i));

	return {
		hues: list("hue", HUE_COUNT),
		heat: [
			...list("heat", HEAT_COUNT),
			...Array.from({ length: HEAT_COUNT - 1 }, (_, i) => read("cool-" + (i + 1))),
		],
		plain: read("hue-none"),
		back: read("back"),
		text: read("text"),
		quiet: read("quiet"),
	};
}

function luminance(color) {
	const [red, green, blue] = [1, 3, 5]
		.map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
		.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));

	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

// As WCAG defines it.
function contrast(a, b) {
	const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);

	return (high + 0.05) / (low + 0.05);
}

test("text can be read on all colors", () => {
	for (const scheme of ["light", "dark"]) {
		const colors = colorsOf(scheme);

		for (const color of [...colors.hues, ...colors.heat, colors.plain, colors.back])
			assert.ok(contrast(color, colors.text) >= 4.5, scheme + " " + color);
		assert.ok(contrast(colors.quiet, colors.back) >= 4.5);
	}
});

test("hues are equally light, so that none looks more important", () => {
	for (const scheme of ["light", "dark"]) {
		const lights = colorsOf(scheme).hues.map(luminance);

		assert.equal(new Set(colorsOf(scheme).hues).size, HUE_COUNT);
		assert.ok((Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05) < 1.2, scheme);
	}
});

test("a text always has the same hue, and texts that are alike do not share one", () => {
	assert.equal(hueOf("src/table.c"), hueOf("src/table.c"));
	const hues = new Set(Array.from({ length: 60 }, (_, i) => hueOf("src/file" + i + ".c")));

	assert.equal(hues.size, HUE_COUNT);
	assert.ok(hueOf("") >= 0 && hueOf("\u00e4\u20ac") < HUE_COUNT);
});

test("a step ends where its limit is", () => {
	for (let step = 1; step < HEAT_COUNT; step++)
		assert.deepEqual(
			[heatOf(heatLimit(step) * 0.999), heatOf(heatLimit(step - 1) * 1.001 + 1e-9)],
			[step, step]
		);
});

test("what has time has another color than what has none", () => {
	assert.deepEqual([0, -1, NaN, 1e-9, 1, 2].map(heatOf), [0, 0, 0, 1, HEAT_COUNT - 1, HEAT_COUNT - 1]);
});
