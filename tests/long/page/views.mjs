// SPDX-License-Identifier: Apache-2.0
// Each view by its keys.
import { Tab, check, equal } from "./browser.mjs";

export async function checkFlame(browser, one) {
	const tab = await Tab.open(browser, one.html, { hash: "#v=flame" });

	if (!(await tab.page.$("#panel-flame"))) {
		await tab.close();
		return 0;
	}
	await tab.page.focus(".flame-box");
	await tab.press("Home");
	const readout = () => tab.text("#flame-readout");
	const root = await readout();

	await tab.press("ArrowDown", "ArrowDown");
	const inner = await readout();

	check(inner !== root && /here/.test(inner), `arrows lead from ${root} to ${inner}`);
	await tab.press("Enter");
	const zoomed = await tab.state();

	check(Number(zoomed.zoom) > 0 && zoomed.f !== undefined, "Enter zooms and selects");
	await tab.press("Escape");
	check((await tab.state()).zoom !== zoomed.zoom, "Esc goes out");
	await tab.press("Escape", "Escape");
	equal((await tab.state()).zoom, undefined, "zoom after Esc");
	await tab.page.select("#flame-color", "self");
	await tab.settle();
	check(/no time itself/.test(await tab.text("#panel-flame .swatches")), "the legend follows the colors");
	await tab.go("#f=" + one.node + "&v=flame&as=around");
	await tab.page.focus(".around .flame-box");
	const own = await tab.text("#entry-name");

	await tab.press("ArrowUp");
	check(/through here/.test(await readout()), "ArrowUp leads to a caller: " + await readout());
	await tab.press("ArrowDown", "ArrowDown");
	check(await tab.page.evaluate(() => document.activeElement === document.querySelectorAll(".around .flame-box")[1]),
		"ArrowDown leads from callers to callees");
	const itself = await readout();

	await tab.press("ArrowDown");
	// Calls within a cycle are on no path.
	if ((await readout()) !== itself) {
		await tab.press("Enter");
		check((await tab.text("#entry-name")) !== own, "Enter selects a callee");
	}
	await tab.go("#v=flame&as=list");
	await tab.page.focus("[role=treeitem][tabindex='0']");
	const count = () => tab.page.evaluate(() => document.querySelectorAll("[role=treeitem]").length);
	const label = () => tab.page.evaluate(() => document.activeElement.innerText);
	const first = await label();

	await tab.press("ArrowRight");
	check((await label()) !== first, "ArrowRight goes into an open row");
	await tab.press("ArrowRight");
	check((await count()) > 1, "rows open");
	await tab.press("Enter");
	check((await tab.state()).f !== undefined, "Enter selects the function of a row");
	await tab.press("ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft");
	equal(await label(), first, "ArrowLeft leads out");
	await tab.close();
	return 1;
}

export async function checkGraph(browser, one) {
	const tab = await Tab.open(browser, one.html, { hash: "#v=graph" });

	if (!(await tab.page.$("#panel-graph"))) {
		await tab.close();
		return 0;
	}
	await tab.page.evaluate(() => document.querySelector(".graph-node[tabindex='0']").focus());
	const label = () => tab.page.evaluate(() => document.activeElement.getAttribute("href"));
	const center = await label();

	await tab.press("ArrowUp");
	let other = await label();

	if (other === center) {
		await tab.press("ArrowDown");
		other = await label();
	}
	check(other !== null && other !== center, `arrows lead from ${center} to another function`);
	await tab.press("Enter");
	equal(await tab.page.evaluate(() => document.querySelector(".graph-node.is-center").getAttribute("href")), other, "Enter makes it the center");
	await tab.close();
	return 1;
}

// From inlined subroutines to their lines, and on to another function.
async function checkParts(tab, data) {
	const at = data.parts ? data.parts.node.findIndex((_, i) => data.source.file.some((file) => file.parts && file.path === data.parts.file[i])) : -1;

	if (at < 0)
		return 0;
	await tab.go("#f=" + data.parts.node[at] + "&v=flame");
	const text = await tab.page.$eval(".parts .at a", (link) => {
		link.click();
		return link.textContent;
	});

	await tab.settle();
	const { at: place } = await tab.state();
	const [file, line] = place.split(":").map(Number);

	check(text.endsWith(":" + line), `the link ${text} leads to ${place}`);
	equal(await tab.text(".source-title"), data.strings[file], "the file of the subroutine");
	equal(await tab.text(".source-row.is-shown .source-number"), String(line), "the line of the subroutine");
	check(/%/.test(await tab.text(".source-row.is-shown .source-share")), `line ${line} has no time`);
	await tab.page.evaluate((own) => Array.from(document.querySelectorAll(".functions a.name"))
		.find((link) => link.getAttribute("href") !== own).click(), "#f=" + data.parts.node[at]);
	await tab.settle();
	equal((await tab.state()).at, undefined, "the line, once another function is selected");
	return 1;
}

export async function checkSource(browser, one) {
	const tab = await Tab.open(browser, one.html, { hash: "#f=" + one.node + "&v=source" });

	if (!(await tab.page.$("#panel-source"))) {
		await tab.close();
		return 0;
	}
	const data = await tab.data();
	const file = data.source.file.find((candidate) => candidate.path === data.functions.file[one.node]);
	const title = await tab.text(".source-title");

	equal(title, data.strings[file.path], "the file of the function");
	const readRows = () => tab.page.evaluate(() => Array.from(document.querySelectorAll(".source-pad .source-row"), (row) => {
		const cells = Array.from(row.querySelectorAll("[role=cell]"), (cell) => cell.textContent);

		return { time: cells[0], count: cells[1], line: Number(cells[2]), text: cells[3], isShown: row.classList.contains("is-shown") };
	}));
	const line = data.functions.line[one.node];
	const shown = (await readRows()).find((row) => row.isShown);

	// The function's line with the most time; without any, the one that it begins at, and why.
	check(shown && shown.line >= line, `line ${line} is not shown`);
	if (data.timed)
		check(/%/.test(shown.time) || (shown.line === line && / time/.test(await tab.text(".source-note"))),
			`line ${shown.line} has no time, and nothing says why`);
	const hot = file.line.map((_, at) => at).filter((at) => file.ticks[at] > 0);
	const places = hot.sort((a, b) => file.ticks[b] - file.ticks[a] || a - b).slice(0, 20);
	// The one that is next is the hottest of all unless a hot line is shown already.
	const hottest = file.line[places[(places.findIndex((at) => file.line[at] === shown.line) + 1) % places.length]];

	if (places.length > 0) {
		await tab.page.focus(".source-hot button:last-child");
		await tab.press("Enter");
		const rows = await readRows();
		const next = rows.find((row) => row.line === hottest);

		check(next && next.isShown && /%/.test(next.time), `the next hottest line is not shown: ${hottest}`);
		for (const row of rows) {
			const at = file.line.indexOf(row.line);

			equal(/%/.test(row.time), at >= 0 && file.ticks[at] > 0, `line ${row.line} has time`);
			equal(row.count !== "", at >= 0 && file.calls[at] >= 0, `line ${row.line} has a count`);
		}
	}
	const link = await tab.page.$(".source-text a");

	if (data.arcs.site && data.arcs.callee.length > 0 && link) {
		const next = await link.evaluate((element) => Number(/f=(\d+)/.exec(element.getAttribute("href"))[1]));

		await link.focus();
		await tab.press("Enter");
		equal(Number((await tab.state()).f), next, "Enter on a call selects what is called");
	}
	const parts = await checkParts(tab, data);

	await tab.close();
	return 1 + parts;
}

export async function checkMany(browser, one) {
	const tab = await Tab.open(browser, one.html, { hash: "#v=many" });

	if (!(await tab.page.$("#panel-many"))) {
		await tab.close();
		return 0;
	}
	const data = await tab.data();

	for (const button of await tab.page.$$("#panel-many .choice button")) {
		await button.focus();
		await tab.press("Enter");
		check(await tab.page.evaluate(() => document.querySelectorAll(".strip, .matrix tbody tr").length > 0), "there are rows");
	}
	// A function of which some files differ stands before those that are even.
	await tab.go("#v=many");
	const uneven = await tab.page.evaluate(() => Array.from(document.querySelectorAll(".strip:not(.strip-all)"), (row) => row.classList.contains("is-uneven")));

	equal(uneven, uneven.slice().sort((a, b) => Number(b) - Number(a)), "uneven functions come first");
	const link = (await tab.page.$$(".strip a"))[0];

	await link.focus();
	await tab.press("Enter");
	const node = Number((await tab.state()).f);
	const shown = await tab.page.evaluate(() => {
		document.querySelector(".strip-selected").open = true;
		return Array.from(document.querySelectorAll(".strip-values tbody tr"), (row) => [row.querySelector("th").textContent, row.querySelector("td").textContent]);
	});

	if (data.files && data.files.label.length > 1) {
		const row = data.files.node.indexOf(node);

		equal(shown.length, data.files.label.length, "values of the selected function");
		for (let i = data.files.first[row]; i < data.files.first[row + 1]; i++)
			check(shown.some(([label]) => label === data.files.label[data.files.file[i]]), "there is " + data.files.label[data.files.file[i]]);
	}
	await tab.close();
	return uneven.length;
}
