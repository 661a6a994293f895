// SPDX-License-Identifier: Apache-2.0
// node run.mjs CASES: checks pages in a browser. CASES is a file that page.py writes.
import fs from "node:fs";
import { checkAxe, checkTree, checkWidths } from "./access.mjs";
import { checkFigures } from "./figures.mjs";
import { checkFlame, checkGraph, checkMany, checkSource } from "./views.mjs";
import { checkTable, checkTabOrder, checkViews, checkWay } from "./keys.mjs";
import { checkHostile } from "./hostile.mjs";
import { checkPaper, checkWithoutScripts } from "./paper.mjs";
import { measureSpeed } from "./speed.mjs";
import { startBrowser } from "./browser.mjs";
import { takePictures } from "./pictures.mjs";

const CHECKS = {
	views: checkViews, tabs: checkTabOrder, table: checkTable, way: checkWay, flame: checkFlame, graph: checkGraph, source: checkSource, many: checkMany, figures: checkFigures,
	axe: checkAxe, widths: checkWidths, tree: checkTree, paper: checkPaper, scripts: checkWithoutScripts, hostile: checkHostile,
	speed: measureSpeed, pictures: takePictures,
};

const job = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const say = (text) => process.stdout.write(text + "\n");
// What a check needs beside the browser and the case.
const more = { axe: job.npm, tree: say, speed: say, pictures: job.pictures };
let browser = await startBrowser(job.npm);
let passed = 0;
let failed = 0;

// A browser that ends by itself, as where memory is short, is started again once.
async function run(name, one) {
	try {
		return await CHECKS[name](browser, one, more[name]);
	} catch (error) {
		if (browser.connected)
			throw error;
		say(`${one.name}, ${name}: the browser ended, once more: ${error.message}`);
		browser = await startBrowser(job.npm);
		return CHECKS[name](browser, one, more[name]);
	}
}

for (const one of job.cases) {
	for (const name of one.checks) {
		try {
			const count = await run(name, one);

			passed++;
			say(`${one.name}, ${name}: passed (${count})`);
		} catch (error) {
			failed++;
			say(`${one.name}, ${name}: FAILED: ${error.name === "Error" ? error.message : error.stack.split("\n").slice(0, 4).join("\n")}`);
		}
	}
}
await browser.close();
say(`browser: ${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
