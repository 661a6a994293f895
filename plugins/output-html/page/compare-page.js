// SPDX-License-Identifier: Apache-2.0
// The page of a comparison: the table, the selected function, and the flame graph.

import { ComparedEntry } from "./compare-entry.js";
import { ComparedFlame } from "./compare-flame.js";
import { ComparedTable } from "./compare-table.js";
import { byId, el, setText } from "./dom.js";
import { commandOf, hasModifier } from "./keys.js";
import { shortName } from "./names.js";
import { Search } from "./search.js";
import { State, changedState, formatAddress, parseAddress } from "./state.js";
import { applyScheme, isDark, onSystemScheme, otherScheme } from "./theme.js";

const SEARCH_FIRST = 30; // milliseconds, before the key that was pressed has an effect
const SEARCH_SLICE = 12; // milliseconds between two moments in which the page reacts
const NAME_IN_TITLE = 60; // characters

export class ComparedPage {
	constructor(model) {
		this.model = model;
		this.address = new State(window);
		this.search = new Search(model, "");
		this.title = document.title;
		this.readState();
		this.table = new ComparedTable(this);
		this.entry = new ComparedEntry(this);
		this.flame = model.data.contexts ? new ComparedFlame(this) : null;
		this.build();
		this.address.subscribe(() => {
			this.readState();
			this.update();
		});
	}

	build() {
		this.scheme = el("button", { type: "button", title: "light or dark: d", onclick: () => this.run("scheme") });
		byId("head").append(el("nav", { class: "head-buttons", "aria-label": "Page" }, this.scheme));
		byId("app").append(el("main", { class: "compare-space" }, this.table.element, this.entry.element,
			this.flame ? this.flame.element : ""));
		onSystemScheme(() => this.updateScheme());
		document.addEventListener("keydown", (event) => {
			const command = commandOf(event);

			if (command && this.run(command))
				event.preventDefault();
		});
		document.addEventListener("click", (event) => this.click(event));
	}

	start() {
		this.update();
		document.documentElement.dataset.ready = "1";
	}

	// As those of the other page: see page.js.

	go(change, replaces = false) {
		this.address.go(change, replaces);
	}

	href(change) {
		return formatAddress(changedState({}, change));
	}

	// f is the function that is selected: at first that of the first row.
	readState() {
		const { values } = this.address;
		const { model } = this;
		const f = Number(values.f);
		const isSelected = values.f !== undefined && model.isNode(f);
		const [first = -1] = model.shown.length > 0 ? model.shown : model.allNodes;

		this.state = { q: "", ...values, f: isSelected ? f : first, isSelected };
	}

	update() {
		this.runSearch();
		this.updateScheme();
		this.table.update();
		this.entry.update();
		if (this.flame)
			this.flame.update();
		document.title = this.state.isSelected
			? shortName(this.model.name(this.state.f), NAME_IN_TITLE) + " \u2013 " + this.title : this.title;
	}

	runSearch() {
		if (this.search.query === this.state.q.trim())
			return;
		this.search = new Search(this.model, this.state.q, this.search);
		if (!this.search.run(SEARCH_FIRST))
			setTimeout(() => this.continueSearch(this.search), 0);
	}

	continueSearch(search) {
		if (search !== this.search)
			return;
		if (search.run(SEARCH_SLICE))
			this.update();
		else
			setTimeout(() => this.continueSearch(search), 0);
	}

	updateScheme() {
		applyScheme(this.state);
		setText(this.scheme, isDark(this.state) ? "Light" : "Dark");
	}

	// Links of the document, and those that href() made.
	click(event) {
		const link = event.target.closest('a[href^="#"]');
		const isPlain = event.button === 0 && !hasModifier(event) && !event.shiftKey;

		if (!link || event.defaultPrevented || !isPlain || !link.getAttribute("href").includes("="))
			return;
		event.preventDefault();
		this.go(parseAddress(link.getAttribute("href")));
	}

	// A command of the keyboard; false: there was nothing to do.
	run(command) {
		if (command === "search")
			this.table.input.select();
		else if (command === "down" || command === "up")
			this.table.move(command === "down" ? 1 : -1);
		else if (command === "back" || command === "forward")
			this.address.travel(command);
		else if (command === "scheme")
			this.go(otherScheme(this.state), true);
		else if (command.startsWith("sort-"))
			this.table.sortById(command.slice(5));
		else if (command === "escape")
			return this.flame !== null && this.flame.escape();
		else
			return false;
		return true;
	}
}
