// SPDX-License-Identifier: Apache-2.0
// What is above the views is in the document already. This gives it what only a script can.

import { byId, el } from "./dom.js";
import { glueUnits } from "./format.js";
import { percent } from "./table.js";

// How much of the bar each part has: their shares refer to what was sampled, and more time can be known.
export function sharesOfBar(shares) {
	const known = shares.map((share) => (share > 0 ? share : 0));
	const all = known.reduce((sum, share) => sum + share, 0);

	return known.map((share) => (all > 0 ? share / all : 0));
}

// The parts of the account of time as one bar.
export function drawAccount() {
	const parts = Array.from(document.querySelectorAll("#account [data-share]"));
	const shares = sharesOfBar(parts.map((part) => Number(part.dataset.share)));
	const bar = el("div", { class: "account-bar", "aria-hidden": "true" });

	for (const [i, part] of parts.entries()) {
		if (!(shares[i] > 0))
			continue;
		const piece = el("span", { class: part.className, title: part.textContent });
		piece.style.width = percent(shares[i]);
		bar.append(piece);
	}
	if (!bar.firstChild)
		return;
	// How long that piece had to be is not known.
	const open = document.querySelector("#account .unsampled.open");
	if (open)
		bar.append(el("span", { class: "bar-end", title: open.textContent }));
	byId("account").before(bar);
}

// The table is in sight: as far as needed, findings keep what they say and hide why, the last one first. A click shows it.
export function makeRoom() {
	const MOST = 0.3; // of the height of the window
	const summary = document.querySelector(".summary");
	const open = Array.from(document.querySelectorAll("#findings details[open]"));

	while (open.length > 0 && summary.clientHeight > MOST * innerHeight)
		open.pop().open = false;
}

// The first function of the list of the heaviest; -1: there is none.
export function heaviestFunction() {
	const link = document.querySelector('#heaviest a[href^="#f="]');
	const node = link ? Number(link.getAttribute("href").slice(3)) : NaN;

	return Number.isInteger(node) ? node : -1;
}

// The sentences of the document, which were written without a thought for narrow screens.
export function glueSentences() {
	for (const part of document.querySelectorAll("#account, #heaviest, #findings, #method")) {
		const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);

		while (texts.nextNode())
			texts.currentNode.data = glueUnits(texts.currentNode.data);
	}
}

// On paper nothing can be opened.
export function openForPrint() {
	let opened = [];

	addEventListener("beforeprint", () => {
		opened = Array.from(document.querySelectorAll("details:not([open])"));
		for (const details of opened)
			details.open = true;
	});
	addEventListener("afterprint", () => {
		for (const details of opened)
			details.open = false;
	});
}

// Buttons in the head of the page.
export function headButtons(buttons) {
	const nav = el("nav", { class: "head-buttons", "aria-label": "Page" }, buttons);

	byId("head").append(nav);
	return nav;
}
