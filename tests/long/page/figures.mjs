// SPDX-License-Identifier: Apache-2.0
// What the page shows, against the JSON report of the same run.
import fs from "node:fs";
import { Tab, check, equal } from "./browser.mjs";

const COLUMNS = "self,total,time,totaltime,calls,name,at";
const LISTS = 3;

// Every row of the table, scrolled through from top to bottom.
export function readTable(tab) {
	return tab.page.evaluate(async () => {
		const box = document.querySelector(".functions");
		const rows = new Map();
		const draw = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

		for (let top = 0; ; top += Math.max(100, box.clientHeight - 60)) {
			box.scrollTop = top;
			await draw();
			for (const row of box.querySelectorAll(".row[data-node]")) {
				const cells = {};

				for (const cell of row.querySelectorAll("[role=cell]"))
					cells[cell.classList[1] === "text" ? cell.classList[2] : cell.classList[1]] = [cell.textContent, cell.title];
				rows.set(Number(row.dataset.node), cells);
			}
			if (top >= box.scrollHeight - box.clientHeight)
				break;
		}
		box.scrollTop = 0;
		return [...rows];
	});
}

const isUnknown = (text) => text === "\u2014";
const plain = (text) => text.replace(/^~/, "");

// A share of one decimal.
function checkShare(text, ticks, whole, what) {
	const wanted = 100 * ticks / whole;

	if (text === "<0.1%")
		check(wanted > 0 && wanted < 0.05, `${what}: ${text} for ${wanted}`);
	else
		check(/^\d+\.\d%$/.test(text) && Math.abs(parseFloat(text) - wanted) <= 0.0501, `${what}: ${text} for ${wanted}`);
}

// Exact numbers are in titles: "1,886,528 calls, and 5 by itself".
function checkCalls([text, title], row, what) {
	const [calls, own] = [row.calls, row.recursive_calls].map((value) => (value === null ? null : Number(value)));

	// No call was counted: of a cycle, there was none from outside.
	if (calls === null || (calls === 0 && !own && !row.members)) {
		check(isUnknown(text), `${what}: calls ${text} instead of unknown`);
		return;
	}
	const numbers = (title.match(/\d[\d,]*/g) || ["0"]).map((digits) => Number(digits.replace(/,/g, "")));

	equal(numbers, own > 0 ? [calls, own] : [calls], what + ": calls");
	const units = { "": 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 };
	const [, digits, prefix] = /^([\d.]+)\s*([kMGTPE]?)/.exec(text) || [null, "NaN", ""];

	check(Math.abs(Number(digits) * units[prefix] - calls) <= 0.0051 * calls, `${what}: ${text} for ${calls} calls`);
}

function checkRow(cells, row, report, wholes) {
	const metric = report.metrics[0];
	const isCycle = row.members !== undefined;
	const what = row.name.slice(0, 60);

	if (cells.self) {
		if (isCycle)
			check(isUnknown(cells.self[0]), `${what}: a cycle has no self time`);
		else
			checkShare(cells.self[0], row.self_ticks, wholes.self, what + " self");
	}
	if (cells.total) {
		const isHidden = row.total_ticks === null || row.outside === true || (!isCycle && row.cycle !== null && metric.total_origin !== "measured");

		if (isHidden) {
			check(isUnknown(cells.total[0]), `${what}: total ${cells.total[0]} instead of unknown`);
		} else {
			checkShare(plain(cells.total[0]), row.total_ticks, wholes.self, what + " total");
			equal(cells.total[0].startsWith("~"), metric.total_origin === "estimated" && row.below_ticks > 0, what + ": mark of an estimate");
		}
	}
	if (cells.calls)
		checkCalls(cells.calls, row, what);
}

// Lists of callers and callees: who, and how often.
async function checkLists(tab, data, report, node) {
	const id = data.functions.id[node];

	await tab.go("#f=" + node);
	await tab.page.evaluate(() => {
		for (const button of document.querySelectorAll(".entry .more"))
			button.click();
	});
	await tab.settle();
	for (const [kind, mine, other] of [["callers", "callee", "caller"], ["callees", "caller", "callee"]]) {
		const shown = await tab.page.evaluate((name) => Array.from(document.querySelectorAll(".entry ." + name + " tbody tr"), (row) => {
			const link = row.querySelector("a.name");
			const calls = row.querySelector("td [title]:not(a)");
			const texts = Array.from(row.querySelectorAll("td"), (cell) => cell.querySelector("span[title]")).filter(Boolean);

			return link && { node: Number(/f=(\d+)/.exec(link.getAttribute("href"))[1]), titles: texts.map((text) => text.title), has: Boolean(calls) };
		}).filter(Boolean), kind);
		// Calls of a function by itself are a number of the function.
		const wanted = report.arcs.filter((arc) => arc[mine] === id && arc[other] !== id);

		equal(shown.map((row) => data.functions.id[row.node]).sort((a, b) => a - b), wanted.map((arc) => arc[other]).sort((a, b) => a - b),
			`${data.functions.name[node]}: ${kind}`);
		for (const arc of wanted.filter((row) => row.calls !== null)) {
			const row = shown.find((one) => data.functions.id[one.node] === arc[other]);

			check(row.titles.some((title) => Number(title.replace(/,/g, "")) === Number(arc.calls)),
				`${data.functions.name[node]}: ${kind}: ${row.titles} for ${arc.calls} calls`);
		}
	}
}

// Rows without time are one row at first, which says how many they are, and shows them.
async function checkFolded(tab, rows, shown, data) {
	await tab.go("#cols=" + COLUMNS);
	const some = new Set((await readTable(tab)).map(([node]) => data.functions.id[node]));
	const text = await tab.page.evaluate(() => {
		const box = document.querySelector(".functions");

		box.scrollTop = box.scrollHeight;
		return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(box.querySelector(".fold")?.textContent || ""))));
	});
	const count = Number((/^([\d,]+) more /.exec(text) || [null, "0"])[1].replace(/,/g, ""));

	equal(some.size + count, shown.size, "rows, and those of the row " + text);
	for (const id of shown.keys())
		check(some.has(id) || (!(rows[id].self_ticks > 0) && !(rows[id].below_ticks > 0)), rows[id].name + " has time, and no row");
	await tab.go("#zero=1&cols=" + COLUMNS);
}

export async function checkFigures(browser, one) {
	const report = JSON.parse(fs.readFileSync(one.json, "utf8"));
	const tab = await Tab.open(browser, one.html, { hash: "#zero=1&cols=" + COLUMNS, size: { width: 1600, height: 900 } });
	const data = await tab.data();
	const rows = [...report.functions, ...report.cycles];
	const shown = new Map((await readTable(tab)).map(([node, cells]) => [data.functions.id[node], cells]));
	const wholes = { self: report.functions.reduce((sum, row) => sum + row.self_ticks, 0) };

	await checkFolded(tab, rows, shown, data);
	for (const [id, cells] of shown)
		checkRow(cells, rows[id], report, wholes);
	for (const row of report.functions)
		check(shown.has(row.id) || !(row.self_ticks > 0 || Number(row.calls) > 0), row.name + " is missing");
	const heaviest = [...data.flat].filter((node) => node < data.functions.count).slice(0, LISTS);

	for (const node of heaviest)
		await checkLists(tab, data, report, node);
	await tab.close();
	return shown.size;
}
