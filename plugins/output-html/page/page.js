// SPDX-License-Identifier: Apache-2.0
// The page as a whole: one selection, and the views that show it.

import { byId, el, setText } from "./dom.js";
import { shortName } from "./names.js";
import { FunctionTable } from "./table.js";
import { FunctionView } from "./function.js";
import { Search } from "./search.js";
import { State, changedState, formatAddress, parseAddress } from "./state.js";
import { Split } from "./split.js";
import { Views } from "./views.js";
import { applyScheme, isDark, onSystemScheme, otherScheme } from "./theme.js";
import { commandOf, hasModifier, keyHelp, keyLine } from "./keys.js";
import { drawAccount, glueSentences, headButtons, heaviestFunction, makeRoom, openForPrint } from "./summary.js";

const SEARCH_AT_ONCE = 30; // milliseconds, before the key that was pressed has an effect
const SLICE = 12; // milliseconds between two moments in which the page reacts
const PREPARE_AFTER = 300; // milliseconds
const TITLE_WIDTH = 60; // characters
const ONE_COLUMN = "(max-width: 899px)"; // as in layout.css

// What views get: the model, the state, and how to change it. state has all keys of the address as
// texts, but f, the node that is selected, and metric are numbers, and q and v are always there.
export class Page {
	constructor(model, views) {
		this.model = model;
		this.address = new State(window);
		this.search = new Search(model, "");
		this.first = heaviestFunction();
		this.title = document.title;
		this.readState();
		this.table = new FunctionTable(this);
		this.entry = new FunctionView(this);
		this.views = new Views(this, views);
		this.split = new Split(this);
		this.build();
		this.address.subscribe(() => this.changed());
	}

	// Changes keys of the state; null: as if it was never set. replaces: without an entry in the history.
	go(change, replaces = false) {
		// Another function is not looked at in a line of the one before.
		this.address.go("f" in change && !("at" in change) ? { ...change, at: null } : change, replaces);
	}

	// The address of a link that changes the state: a click leaves the other keys as they are.
	href(change) {
		return formatAddress(changedState({}, change));
	}

	announce(text) {
		setText(this.live, text);
	}

	build() {
		this.live = el("div", { class: "unseen", role: "status", "aria-live": "polite" });
		this.help = keyHelp(this.views.views);
		this.scheme = el("button", { type: "button", onclick: () => this.run("scheme") });
		this.close = el("button", { type: "button", class: "close", onclick: () => this.closeSheet() },
			"\u2190 Functions");
		this.back = this.button("back", "\u2039", "Back", "back: [");
		this.forward = this.button("forward", "\u203a", "Forward", "forward: ]");
		this.detail = el("div", { class: "detail" },
			el("div", { class: "detail-bar" }, this.close,
				el("span", { class: "history" }, this.back, this.forward)),
			this.entry.element, this.views.element);
		headButtons([this.metricSwitch(), this.scheme,
			this.button("help", "?", "Keys and words", "keys and words: ?")]);
		byId("app").append(el("main", { class: "workspace" }, this.table.element, this.split.element, this.detail),
			el("footer", { class: "key-line", "aria-label": "Keys" }, keyLine(this.views.views),
				el("button", { type: "button", class: "link", onclick: () => this.run("help") },
					el("kbd", {}, "?"), " all keys")),
			this.live, this.help);
		this.oneColumn = matchMedia(ONE_COLUMN);
		this.oneColumn.addEventListener("change", () => this.updateSheet());
		onSystemScheme(() => this.updateScheme());
		document.addEventListener("keydown", (event) => this.key(event));
		document.addEventListener("click", (event) => this.click(event));
		openForPrint();
		drawAccount();
		glueSentences();
		makeRoom();
	}

	// A button with a sign, for a command of the keyboard.
	button(command, sign, label, title) {
		return el("button", { type: "button", "aria-label": label, title, onclick: () => this.run(command) }, sign);
	}

	metricSwitch() {
		const { metrics } = this.model;

		if (metrics.length < 2)
			return null;
		this.metrics = el("select", {
			"aria-label": "Metric", onchange: () => this.go({ metric: this.metrics.value }),
		}, metrics.map((metric, i) => el("option", { value: String(i) }, metric.name)));
		return this.metrics;
	}

	start() {
		this.zoom = this.state.zoom;
		// Before the first changes: afterwards, everything would be laid out for it once more.
		this.entry.measure();
		this.update();
		document.documentElement.dataset.ready = "1";
		setTimeout(() => this.prepare(), PREPARE_AFTER);
	}

	// What the first key in the search box, the first sort by names, or a walk along calls would wait for.
	prepare() {
		if (!this.model.readNames(SLICE) || !this.model.nameRanks().run(SLICE)) {
			setTimeout(() => this.prepare(), SLICE);
			return;
		}
		this.model.allInlined();
		this.model.readNumbers();
		setTimeout(() => this.model.arcsInto(), SLICE);
	}

	readState() {
		const { values } = this.address;
		const { model } = this;
		const f = Number(values.f);
		const metric = Number(values.metric);
		const isSelected = values.f !== undefined && model.isNode(f);

		this.state = {
			q: "", v: "", ...values,
			f: isSelected ? f : model.isNode(this.first) ? this.first : model.flat.length > 0 ? model.flat[0] : -1,
			metric: Number.isInteger(metric) && metric > 0 && metric < model.metrics.length ? metric : 0,
			isSelected,
		};
		if (this.state.metric !== model.metricIndex)
			model.setMetric(this.state.metric);
	}

	changed() {
		this.readState();
		this.update();
	}

	update() {
		this.runSearch();
		this.updateScheme();
		this.split.update();
		// A zoom is seen at once; the lists beside it follow it into the next picture.
		if (this.zoom === this.state.zoom) {
			this.updateLists();
			this.views.update();
		} else {
			this.zoom = this.state.zoom;
			this.views.update();
			requestAnimationFrame(() => setTimeout(() => this.updateLists(), 0));
		}
		this.back.disabled = !this.address.canTravel("back");
		this.forward.disabled = !this.address.canTravel("forward");
		if (this.metrics)
			this.metrics.value = String(this.state.metric);
		this.say();
	}

	updateLists() {
		this.table.update();
		this.entry.update();
		this.updateSheet();
	}

	// The search of the state. If it takes longer, it goes on between events.
	runSearch() {
		if (this.search.query === this.state.q.trim())
			return;
		this.search = new Search(this.model, this.state.q, this.search);
		if (!this.search.run(SEARCH_AT_ONCE))
			setTimeout(() => this.continueSearch(this.search), 0);
	}

	continueSearch(search) {
		if (search !== this.search)
			return;
		if (search.run(SLICE)) {
			this.table.update();
			this.views.update();
		} else {
			setTimeout(() => this.continueSearch(search), 0);
		}
	}

	say() {
		const { model, state } = this;

		if (this.said !== undefined && this.said !== state.f)
			this.announce(model.isNode(state.f) ? "selected: " + model.name(state.f) : "");
		this.said = state.f;
		document.title = state.isSelected
			? shortName(model.name(state.f), TITLE_WIDTH) + " \u2013 " + this.title : this.title;
	}

	updateScheme() {
		applyScheme(this.state);
		setText(this.scheme, isDark(this.state) ? "Light" : "Dark");
		this.scheme.title = "light or dark: d";
	}

	// On small screens the selection is a sheet over the table.
	updateSheet() {
		const isOpen = this.oneColumn.matches && (this.state.isSelected || this.state.v !== "");
		const wasOpen = this.detail.classList.contains("open");

		this.detail.classList.toggle("open", isOpen);
		document.documentElement.classList.toggle("has-sheet", isOpen);
		this.table.element.inert = isOpen;
		if (isOpen) {
			this.detail.setAttribute("role", "dialog");
			this.detail.setAttribute("aria-label", "Selection");
		} else {
			this.detail.removeAttribute("role");
			this.detail.removeAttribute("aria-label");
		}
		if (isOpen && !wasOpen)
			this.close.focus({ preventScroll: true });
		else if (wasOpen && !isOpen && this.oneColumn.matches)
			this.table.focus();
	}

	closeSheet() {
		this.go({ f: null, v: null });
	}

	// Links of the document, and those that href() made.
	click(event) {
		const link = event.target.closest('a[href^="#"]');

		for (const menu of document.querySelectorAll("details.menu[open]"))
			if (!menu.contains(event.target))
				menu.open = false;
		const isPlain = event.button === 0 && !hasModifier(event) && !event.shiftKey;
		if (!link || event.defaultPrevented || !isPlain)
			return;
		event.preventDefault();
		const target = link.getAttribute("href");
		if (target.includes("=")) {
			this.go(parseAddress(target));
			this.showWorkspace();
		} else {
			this.showPlace(byId(target.slice(1)));
		}
	}

	// An element of the document, which a view may have taken in.
	showPlace(element) {
		if (!element)
			return;
		if (element.closest("#method")) {
			this.go({ v: "method" });
			this.showWorkspace();
		}
		element.scrollIntoView({ block: "nearest" });
	}

	// What was selected above is shown below.
	showWorkspace() {
		const box = byId("app").getBoundingClientRect();

		if (box.top > innerHeight / 2 && !this.oneColumn.matches)
			byId("app").scrollIntoView({ block: "start" });
	}

	key(event) {
		const command = commandOf(event);

		if (command && !this.help.open && this.run(command))
			event.preventDefault();
	}

	// A command of the keyboard; false: there was nothing to do.
	run(command) {
		const { table } = this;

		if (command.startsWith("view-"))
			this.views.show(command.slice(5));
		else if (command.startsWith("sort-"))
			table.sortById(command.slice(5));
		else if (command === "search")
			table.input.select();
		else if (command === "down" || command === "up")
			table.move(command === "down" ? 1 : -1);
		else if (command === "back" || command === "forward")
			this.address.travel(command);
		else if (command === "scheme")
			this.go(otherScheme(this.state), true);
		else if (command === "help")
			this.help.showModal();
		else if (command === "escape")
			return this.escape();
		return true;
	}

	// Closes what is open, the innermost first.
	escape() {
		const menu = document.querySelector("details.menu[open]");

		if (menu) {
			menu.open = false;
			menu.querySelector("summary").focus();
			return true;
		}
		if (this.views.escape())
			return true;
		if (this.detail.classList.contains("open")) {
			this.closeSheet();
			return true;
		}
		return false;
	}
}
