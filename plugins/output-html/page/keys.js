// SPDX-License-Identifier: Apache-2.0
// What keys do, wherever the focus is; and the list of them.

import { el } from "./dom.js";

// Words for the list, and which command a key is. Keys of views are those that the views name.
const KEYS = [
	{ keys: ["/"], command: "search", help: "search functions" },
	{ keys: ["j", "k"], shown: "j k or \u2193 \u2191", help: "next, previous row" },
	{ keys: ["Enter"], help: "select the row" },
	{ keys: ["[", "]"], shown: "[ ] or Alt+\u2190 \u2192", help: "back, forward" },
	{ keys: ["s", "t", "c"], help: "sort by self, total, calls; again: reverse" },
	{ keys: ["d"], command: "scheme", help: "light or dark" },
	{ keys: ["?"], command: "help", help: "this list" },
	{ keys: ["Esc"], help: "close, leave, or zoom out" },
];

const COMMANDS = {
	"/": "search", j: "down", k: "up", "[": "back", "]": "forward", s: "sort-self", t: "sort-total", c: "sort-calls",
	d: "scheme", "?": "help", Escape: "escape",
};

const TERMS = [
	["self", "time in the function's own code"],
	["total", "time in the function and in all that it called, directly or through others"],
	["calls", "how often it was called; after a + by itself"],
	["estimated", "~ and italics with dots below: computed from other numbers by a rule that can be wrong"],
	["inlined", "the compiler put a copy of the subroutine's code into the function that calls it: its time is part of that function's,"
		+ " and its calls are not counted"],
	["here", "in pictures of paths: what the function took on this path, from the first function down to it"],
	["in all", "the same function on all paths together, as in the table; it is more where the function is called in other ways, too"],
	["cycle", "functions that call each other; only all of them together have a total"],
];

// Keys of the browser and of the system have one, not those of the page.
export function hasModifier(event) {
	return event.ctrlKey || event.metaKey || event.altKey;
}

function isTyping(target) {
	return target.closest("input:not([type=checkbox]), select, textarea") !== null;
}

// The command of a key, or ""; those with a meaning of their own where the focus is are left alone.
export function commandOf(event) {
	if (event.defaultPrevented || hasModifier(event) || (isTyping(event.target) && event.key !== "Escape"))
		return "";
	if (/^[1-9]$/.test(event.key))
		return "view-" + event.key;
	return COMMANDS[event.key] || "";
}

export function keyHelp(views) {
	const rows = KEYS.slice();

	rows.splice(4, 0, { keys: views.map((view) => view.key), shown: views.map((view) => view.key).join(" "),
		help: views.map((view) => view.title.toLowerCase()).join(", ") });
	const dialog = el("dialog", { class: "help", "aria-labelledby": "help-title" },
		el("header", {}, el("h2", { id: "help-title" }, "Keys and words"),
			el("button", { type: "button", onclick: () => dialog.close() }, "Close")),
		el("dl", { class: "keys" }, rows.filter((row) => row.keys.length > 0).map((row) => el("div", {},
			el("dt", {}, row.shown ? el("kbd", {}, row.shown) : row.keys.map((key) => el("kbd", {}, key))),
			el("dd", {}, row.help)))),
		el("dl", { class: "terms" }, TERMS.map(([term, meaning]) => (
			el("div", {}, el("dt", {}, term), el("dd", {}, meaning))))),
		el("p", { class: "quiet" }, "Each view has an address: copy it from the browser to send what you see."));

	return dialog;
}

// The line below the page.
export function keyLine(views) {
	const hints = [["/", "search"], ["j k", "rows"], ["Enter", "select"], ["[ ]", "back, forward"],
		[views.map((view) => view.key).join(" "), "views"]];

	return hints.map(([key, word]) => el("span", {}, el("kbd", {}, key), " " + word));
}
