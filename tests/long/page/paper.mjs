// SPDX-License-Identifier: Apache-2.0
// The page on paper, and without scripts: account, heaviest functions, findings, and the table of fifty.
import { Tab, check } from "./browser.mjs";

const PARTS = ["head", "account", "heaviest", "fifty", "method"];

// Of those that have a text: not every profile has an account.
const partsOf = (tab) => tab.page.evaluate((ids) => ids.filter((id) => document.getElementById(id).textContent.trim() !== ""), PARTS);

const visible = (tab) => tab.page.evaluate(() => Array.from(document.querySelectorAll("[id]"))
	.filter((element) => element.checkVisibility() && element.getBoundingClientRect().height > 0).map((element) => element.id));

export async function checkPaper(browser, one) {
	const tab = await Tab.open(browser, one.html, { scheme: "dark" });

	await tab.page.emulateMediaType("print");
	const shown = await visible(tab);

	for (const part of await partsOf(tab))
		check(shown.includes(part), part + " is not printed");
	check(!shown.includes("app"), "views are printed");
	const colors = await tab.page.evaluate(() => getComputedStyle(document.body).color);

	check(/rgba?\((\d|[0-9]\d), /.test(colors), "text on paper is " + colors);
	const pdf = await tab.page.pdf({ format: "A4" });

	check(pdf.length > 5000, "the paper is empty");
	await tab.close();
	return 1;
}

export async function checkWithoutScripts(browser, one) {
	const tab = await Tab.open(browser, one.html, { scripts: false });
	const shown = await visible(tab);

	for (const part of await partsOf(tab))
		check(shown.includes(part), part + " is not there without scripts");
	const rows = await tab.page.evaluate(() => document.querySelectorAll("#fifty tbody tr").length);

	check(rows > 0 && rows <= 50, rows + " rows without scripts");
	check(/JavaScript/.test(await tab.page.evaluate(() => document.querySelector("noscript").innerText || document.querySelector("noscript").textContent)),
		"there is a sentence about it");
	await tab.page.close();
	return rows;
}
