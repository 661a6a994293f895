// SPDX-License-Identifier: Apache-2.0
// What axe finds, and what a screen reader gets.
import fs from "node:fs";
import path from "node:path";
import { NARROW, Tab, WIDE, check, equal } from "./browser.mjs";

// Links of the page are to states of it, not to places in it.
const LEFT_OUT = { "skip-link": { enabled: false } };
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

async function findFaults(tab, source) {
	await tab.page.evaluate(source);
	return tab.page.evaluate(async (tags, rules) => {
		const found = await window.axe.run(document, { runOnly: { type: "tag", values: tags }, rules, resultTypes: ["violations"] });

		return found.violations.map((rule) => rule.id + ": " + rule.nodes.slice(0, 3).map((node) => node.target.join(" ") + " "
			+ node.failureSummary.split("\n")[1].trim()).join("; "));
	}, TAGS, LEFT_OUT);
}

export async function checkAxe(browser, one, npm) {
	const source = fs.readFileSync(path.join(npm, "node_modules", "axe-core", "axe.min.js"), "utf8");
	const faults = [];
	let looked = 0;

	for (const scheme of ["light", "dark"]) {
		for (const size of [WIDE, NARROW]) {
			const tab = await Tab.open(browser, one.html, { scheme, size });
			const look = async (what) => {
				faults.push(...(await findFaults(tab, source)).map((fault) => `${what}, ${scheme}, ${size.width}: ${fault}`));
				looked++;
			};

			await look("table");
			for (const { id } of await tab.views()) {
				await tab.go("#f=" + one.node + "&v=" + id);
				await look("view " + id);
			}
			await tab.go("#f=" + one.node + "&v=flame&as=around");
			await look("paths around a function");
			await tab.go("#f=" + one.node + "&v=flame&as=list");
			await look("list of paths");
			await tab.go("#f=" + one.node + "&v=many&form=matrix");
			await look("matrix");
			await tab.page.evaluate(() => document.querySelector("dialog").showModal());
			await look("keys");
			await tab.close();
		}
	}
	equal(faults, [], "axe");
	return looked;
}

// A page is readable at a width if nothing but boxes that scroll is wider.
export async function checkWidths(browser, one) {
	for (const width of [390, 600, 899, 900, 1280, 1920]) {
		const tab = await Tab.open(browser, one.html, { size: { width, height: 800 } });

		for (const { id } of [{ id: "" }, ...await tab.views()]) {
			await tab.go("#f=" + one.node + "&v=" + id);
			const wide = await tab.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);

			check(wide[0] <= wide[1], `view ${id}: ${wide[0]} pixels on a screen of ${width}`);
		}
		await tab.close();
	}
	return 6;
}

function flatten(node, depth, rows) {
	rows.push("  ".repeat(depth) + node.role + (node.name ? " '" + node.name.slice(0, 60) + "'" : ""));
	for (const child of node.children || [])
		flatten(child, depth + 1, rows);
	return rows;
}

function find(node, isIt) {
	if (isIt(node))
		return node;
	for (const child of node.children || []) {
		const found = find(child, isIt);

		if (found)
			return found;
	}
	return null;
}

// The table as a screen reader has it: named, with headers, rows and cells in their order.
export async function checkTree(browser, one, say) {
	const tab = await Tab.open(browser, one.html);
	const tree = await tab.page.accessibility.snapshot({ interestingOnly: false });
	const table = find(tree, (node) => node.role === "table" && node.name === "Functions");

	check(table, "there is a table named Functions");
	const rows = [];
	const collect = (node) => {
		if (node.role === "row")
			rows.push(node);
		else
			(node.children || []).forEach(collect);
	};

	collect(table);
	const cells = (row, role) => row.children.filter((cell) => cell.role === role);
	const heads = cells(rows[0], "columnheader").map((cell) => cell.name);

	check(heads.includes("function") && heads.length > 2, "headers: " + heads);
	for (const row of rows.slice(1))
		equal(cells(row, "cell").length, heads.length, "cells of a row");
	const names = rows.slice(1).map((row) => find(row, (node) => node.role === "link")?.name);
	const shown = await tab.page.evaluate(() => Array.from(document.querySelectorAll(".functions .rows .row"))
		.sort((a, b) => a.getAttribute("aria-rowindex") - b.getAttribute("aria-rowindex")).map((row) => row.querySelector("a").textContent));

	equal(names.map((name) => name.replace(/^\u21ba ?/, "")), shown, "links of rows, in the order of the screen");
	for (const role of ["main", "heading", "tablist", "tabpanel"])
		check(find(tree, (node) => node.role === role), "there is a " + role);
	say(flatten({ ...table, children: rows.slice(0, 3) }, 0, []).filter((line) => !/StaticText|InlineTextBox|generic|none/.test(line)).join("\n"));
	await tab.close();
	return rows.length;
}
