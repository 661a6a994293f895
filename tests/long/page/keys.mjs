// SPDX-License-Identifier: Apache-2.0
// The page by keyboard alone: every view, search, order, the way through the calls and back.
import { Tab, check, equal } from "./browser.mjs";

function isShown(tab, id) {
	return tab.page.evaluate((view) => {
		const panel = document.getElementById("panel-" + view);

		return panel !== null && !panel.hidden && panel.getBoundingClientRect().height > 50 && panel.textContent.trim() !== "";
	}, id);
}

const focusOf = (tab) => tab.page.evaluate(() => {
	const element = document.activeElement;

	return element.id || element.className || element.tagName;
});

// Every view, by its digit and by the arrow keys of the tabs.
export async function checkViews(browser, one) {
	const tab = await Tab.open(browser, one.html);
	const views = await tab.views();

	for (const { id, key } of views) {
		await tab.press(key);
		check(await isShown(tab, id), `view ${id} is not shown by key ${key}`);
		equal((await tab.state()).v, id, "view in the address");
	}
	await tab.page.focus("#tab-" + views[views.length - 1].id);
	await tab.press("ArrowRight");
	check(await isShown(tab, views[0].id), "ArrowRight from the last tab");
	await tab.press("ArrowLeft");
	check(await isShown(tab, views[views.length - 1].id), "ArrowLeft from the first tab");
	await tab.close();
	return views.length;
}

// From the beginning of the page, Tab leads to everything, and what has the focus is seen.
export async function checkTabOrder(browser, one) {
	const tab = await Tab.open(browser, one.html);
	const seen = new Set();

	for (let i = 0; i < 80; i++) {
		await tab.press("Tab");
		const at = await tab.page.evaluate(() => {
			const element = document.activeElement;
			const box = element.getBoundingClientRect();
			const places = [element, element.closest(".row"), element.closest("label"), element.querySelector("rect")].filter(Boolean);
			const look = () => places.flatMap((place) => [null, "::before", "::after"].map((part) => {
				const style = getComputedStyle(place, part);

				return [style.outline, style.backgroundColor, style.borderColor, style.boxShadow, style.stroke, style.strokeWidth].join();
			})).join();
			const focused = look();

			element.blur();
			const blurred = look();

			element.focus({ preventScroll: true });
			return {
				where: element === document.body ? "body" : (element.closest("[id]") || element).id,
				isVisible: element === document.body || (box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight),
				isMarked: element === document.body || focused !== blurred,
			};
		});

		check(at.isVisible, `the focus is not seen at ${at.where}`);
		check(at.isMarked, `what has the focus is not marked at ${at.where}`);
		seen.add(at.where);
		if (at.where === "body")
			break;
	}
	for (const where of ["search"])
		check(seen.has(where), `Tab does not lead to ${where}: ${[...seen]}`);
	check([...seen].some((where) => where.startsWith("tab-")) && [...seen].some((where) => where.startsWith("panel-") || where.startsWith("flame")),
		`Tab does not lead to the views: ${[...seen]}`);
	await tab.close();
	return seen.size;
}

const firstRows = (tab, count) => tab.page.evaluate((many) => Array.from(document.querySelectorAll(".functions .row[data-node]"))
	.sort((a, b) => a.getAttribute("aria-rowindex") - b.getAttribute("aria-rowindex")).slice(0, many)
	.map((row) => row.querySelector("a").textContent), count);

// The last row stands for functions without time: it shows them, and hides them again.
async function checkFold(tab) {
	const count = () => tab.page.evaluate(() => Number(document.querySelector(".functions").getAttribute("aria-rowcount")));
	const label = () => tab.page.evaluate(() => document.activeElement.textContent);

	await tab.go("#sort=-self");
	await tab.page.focus(".functions");
	await tab.press("End");
	const few = await count();
	const folded = /^([\d,]+) more .*\(show\)$/.exec(await label());

	if (!folded)
		return;
	await tab.press("Enter");
	equal(await count(), few + Number(folded[1].replace(/,/g, "")), "rows once all are shown");
	equal((await tab.state()).zero, "1", "that all are shown, in the address");
	await tab.press("End");
	check(/\(hide\)$/.test(await label()), "the last row hides them: " + await label());
	await tab.press("Enter");
	equal(await count(), few, "rows once they are hidden");
	// A search finds them.
	await tab.go("#sort=-self&q=/./");
	check(await tab.page.evaluate(() => document.querySelector(".functions .fold") === null), "a search lists what it finds");
	await tab.go("#sort=-self");
}

export async function checkTable(browser, one) {
	const tab = await Tab.open(browser, one.html);
	const data = await tab.data();

	await tab.press("/");
	equal(await focusOf(tab), "search", "focus after /");
	const word = data.functions.name[data.flat[0]].slice(0, 12);

	await tab.type(word);
	const found = await tab.text("#found");

	check(/^\d[\d,]* of [\d,]+ · [<\d.]+% of the [a-z ]+$/.test(found) || /^\d[\d,]* of [\d,]+$/.test(found), "search says " + found);
	check((await firstRows(tab, 1))[0] !== undefined, "search finds " + word);
	equal((await tab.state()).q, word, "search in the address");
	await tab.press("Escape");
	equal((await tab.state()).q, undefined, "search after Esc");
	await tab.type("/^" + word[0] + "[^!]*$/");
	check(!(await tab.page.evaluate(() => document.getElementById("found").classList.contains("failed"))), "a regular expression");
	await tab.press("Escape");
	await tab.page.evaluate(() => document.activeElement.blur());
	const before = await firstRows(tab, 3);
	const cut = await tab.page.evaluate(() => Array.from(document.querySelectorAll(".functions .row:not(.head) .in-at"))
		.filter((cell) => /:\d+$/.test(cell.textContent) && cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent));

	equal(cut, [], "places whose line numbers are cut off");
	const other = await tab.page.$(".functions [data-column=calls]") ? "c" : "t";

	await tab.press(other);
	check(new RegExp("^-?" + (other === "c" ? "calls" : "total")).test((await tab.state()).sort), other + " sorts");
	await tab.press("s");
	const again = await firstRows(tab, 3);

	equal(again, before, "s sorts by self again");
	await tab.press("s");
	check(/aria-sort="ascending"/.test(await tab.page.evaluate(() => document.querySelector(".functions .head").innerHTML)), "s twice reverses");
	await tab.press("s", "j", "j");
	await tab.press("Enter");
	check((await tab.state()).f !== undefined, "Enter selects a row");
	await checkFold(tab);
	await tab.press("?");
	check(await tab.page.evaluate(() => document.querySelector("dialog").open), "? shows the keys");
	await tab.press("Escape", "d");
	equal(await tab.page.evaluate(() => document.documentElement.dataset.scheme), "dark", "d switches the scheme");
	await tab.close();
	return 1;
}

// From main along the heaviest callees to a leaf, and back through the history of the browser.
export async function checkWay(browser, one) {
	const tab = await Tab.open(browser, one.html);
	const data = await tab.data();
	const main = data.functions.name.findIndex((name) => name === "main" || name === "MAIN__");
	const way = [];

	await tab.go("#f=" + main);
	for (;;) {
		way.push(Number((await tab.state()).f));
		const link = (await tab.page.$$(".entry .callees tbody a.name"))[0];
		const next = link && Number(await link.evaluate((element) => /f=(\d+)/.exec(element.getAttribute("href"))[1]));

		if (!link || way.includes(next))
			break;
		await link.focus();
		await tab.press("Enter");
		equal(Number((await tab.state()).f), next, "Enter on a callee selects it");
	}
	const name = async () => tab.text("#entry-name");
	const last = await name();

	check(way.length > 2, "the way from main has " + way.length + " steps");
	for (const node of way.slice(0, -1).reverse()) {
		await tab.press("[");
		await tab.page.waitForFunction((f) => new URLSearchParams(location.hash.slice(1)).get("f") === String(f), {}, node);
		await tab.settle();
	}
	check((await name()).startsWith(data.functions.name[main].slice(0, 20)), "back leads to main");
	for (const node of way.slice(1)) {
		await tab.page.goForward();
		await tab.page.waitForFunction((f) => new URLSearchParams(location.hash.slice(1)).get("f") === String(f), {}, node);
	}
	await tab.settle();
	equal(await name(), last, "forward leads to the leaf again");
	await tab.close();
	return way.length;
}
