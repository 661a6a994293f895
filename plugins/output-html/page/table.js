// SPDX-License-Identifier: Apache-2.0
// The table of functions. Only the rows on the screen are elements.

import { allColumns, chosenColumns, columnCharacters, columnWidths, headingOf, writeColumns } from "./columns.js";
import { clear, el, isMoreThanSampled, setText } from "./dom.js";
import { formatExact, formatNumberOf, formatShare, formatShareInText, formatValue } from "./format.js";
import { endsWithout, foldRows, hasNoTime, sayFolded } from "./fold.js";
import { hasModifier } from "./keys.js";
import { cutName } from "./names.js";
import { defaultSort, nextSort, orderRows, readSort, writeSort } from "./order.js";
import { Scroll } from "./scroll.js";
import { sumMatches } from "./search.js";

const ROW_HEIGHT = 28; // pixels
const TOUCHED_HEIGHT = 36; // where fingers have to hit it
const HEAD_HEIGHT = 30; // as in table.css
const GAP = 4; // between columns, as in table.css
const AROUND_ROW = 22; // pixels beside the cells of a row
export const NARROW = 500; // pixels: what is narrower keeps self, function and calls
const INLINED_MOST = 20; // subroutines that a search lists
const INLINED_NAME = 60; // characters
const OWNER_NAME = 40;
const NARROW_COLUMNS = "self,calls,name";

export class FunctionTable {
	constructor(app) {
		this.app = app;
		this.scroll = new Scroll(matchMedia("(pointer: coarse)").matches ? TOUCHED_HEIGHT : ROW_HEIGHT);
		this.drawn = new Map(); // row number to element
		this.cursor = -1; // row that the keys move
		this.order = [];
		this.sorted = { key: null, rows: [] };
		this.build();
	}

	build() {
		this.head = el("div", { role: "row", class: "row head", "aria-rowindex": 1 });
		this.body = el("div", { role: "rowgroup", class: "rows" });
		this.box = el("div", {
			role: "table", class: "functions", tabindex: 0, "aria-label": "Functions",
			onscroll: () => this.draw(), onclick: (event) => this.click(event), onkeydown: (event) => this.key(event),
		}, el("div", { role: "rowgroup", class: "heads" }, this.head), this.body);
		this.input = el("input", {
			type: "search", class: "search", id: "search", autocomplete: "off", spellcheck: "false",
			placeholder: "name, file, /regex/", "aria-label": "Search functions", "aria-describedby": "found",
			maxlength: 200,
			oninput: () => this.app.go({ q: this.input.value }, true),
			onkeydown: (event) => this.searchKey(event),
		});
		this.found = el("output", { class: "found", id: "found", for: "search" });
		this.menu = el("details", { class: "menu columns-menu" },
			el("summary", {}, "Columns"), el("div", { class: "menu-body", role: "group", "aria-label": "Columns" }));
		this.legend = el("p", { class: "legend" });
		this.inlined = el("ul", { class: "found-inlined", "aria-label": "Inlined subroutines found" });
		this.element = el("section", { class: "list", "aria-label": "Functions" },
			el("div", { class: "toolbar" }, this.input, this.found, this.menu), this.inlined, this.box, this.legend);
		this.box.style.setProperty("--row", this.scroll.rowHeight + "px");
		new ResizeObserver(() => this.resize()).observe(this.box);
	}

	// After a change of the state, of the search, or of the room.
	update() {
		const { model, state, search } = this.app;
		const isNarrow = this.box.clientWidth > 0 && this.box.clientWidth < NARROW && !state.cols;

		this.columns = chosenColumns(model, isNarrow ? NARROW_COLUMNS : state.cols);
		this.keys = readSort(model, state.sort || defaultSort(model));
		this.sort(this.keys);
		const isOther = this.filter(search);
		this.showTop(writeSort(this.keys) + " " + search.query);
		if (this.input.value !== state.q)
			this.input.value = state.q;
		if (isOther) {
			this.putFound();
			this.putInlined();
		}
		if (this.putHead() || isOther)
			this.redraw();
		this.follow();
	}

	// Sets the rows; false: they are the ones before, as where only the selection is another one.
	filter(search) {
		const { model, state } = this.app;
		const { rows } = this.sorted;
		const isAll = !search.isActive || search.error !== "";
		const canFold = isAll && endsWithout(model, this.keys);
		const isOpen = Boolean(state.zero);
		const kept = canFold && !isOpen && model.isNode(state.f) && hasNoTime(model, state.f) ? state.f : -1;
		const before = this.filtered;

		if (before && before.search === search && before.rows === rows && before.isOpen === isOpen && before.kept === kept)
			return false;
		this.matched = isAll ? rows : rows.filter((node) => search.nodes[node] === 1);
		const { shown, folded } = canFold ? foldRows(model, rows, kept) : { shown: this.matched, folded: 0 };
		this.order = isOpen ? this.matched : shown;
		this.folded = folded;
		this.isOpen = isOpen;
		this.rowOf = null;
		// What is not done yet finds more.
		this.filtered = search.isDone ? { search, rows, isOpen, kept } : null;
		return true;
	}

	// With the one that stands for functions without time.
	get rowCount() {
		return this.order.length + (this.folded > 0 ? 1 : 0);
	}

	// Other rows, or another order: what matters is at the top.
	showTop(rows) {
		if (this.topOf !== undefined && this.topOf !== rows) {
			this.box.scrollTop = 0;
			this.cursor = -1;
		}
		this.topOf = rows;
	}

	sort(keys) {
		const { model } = this.app;
		const key = writeSort(keys) + " " + model.metricIndex;

		if (this.sorted.key === key)
			return;
		this.sorted = { key, rows: orderRows(model, model.rows(), keys) };
	}

	putFound() {
		const { model, search } = this.app;
		const { count, ticks } = search.isActive ? sumMatches(search, this.matched) : { count: model.flat.length, ticks: 0 };
		const word = model.byLine ? "line" : "function";
		let text = formatNumberOf(count, word);

		if (search.error)
			text = search.error;
		else if (!search.isDone)
			text = "searching\u2026";
		else if (search.isActive)
			text = formatExact(count) + " of " + formatExact(model.flat.length);
		if (search.isActive && search.isDone && !search.error && model.hasSelf)
			text += " \u00b7 " + formatShare(ticks, model.whole) + " of the " + model.metric.name;
		this.found.classList.toggle("failed", Boolean(search.error));
		setText(this.found, text);
	}

	// Inlined subroutines are no rows, but a search finds them, too: each with its share, and a link to its heaviest frame.
	putInlined() {
		const { model, search } = this.app;
		const found = search.isDone && !search.error && model.metricIndex === 0 ? search.inlined : [];
		const more = found.length - INLINED_MOST;

		clear(this.inlined).append(...found.slice(0, INLINED_MOST).map((subroutine) => this.inlinedRow(subroutine)));
		if (more > 0)
			this.inlined.append(el("li", { class: "quiet" }, "and " + formatNumberOf(more, "inlined subroutine") + " more"));
		this.inlined.hidden = found.length === 0;
	}

	inlinedRow({ node, name, total, context }) {
		const { app } = this;
		const { model } = app;
		const { contexts, strings } = model.data;
		const mark = contexts.estimated ? "~" : "";
		const text = cutName(strings[name], INLINED_NAME);
		const owner = model.plainName(node);

		return el("li", {},
			el("a", {
				href: app.href({ f: node, v: "flame", zoom: context + 1 }), class: "name", title: text !== strings[name] ? strings[name] : null,
			}, text), " inlined: ",
			el("span", { title: mark + formatValue(total, model.metric) }, mark + formatShareInText(total, contexts.total)),
			" of the time, in the code of ",
			el("a", { href: app.href({ f: node }), class: "name", title: cutName(owner, OWNER_NAME) !== owner ? owner : null },
				cutName(owner, OWNER_NAME)));
	}

	// False: it is as before.
	putHead() {
		const { model } = this.app;
		const shown = this.columns.map((column) => headingOf(column, model)) + " " + writeSort(this.keys);

		this.box.setAttribute("aria-rowcount", this.rowCount + 1);
		if (shown === this.shownHead)
			return false;
		this.shownHead = shown;
		this.putMenu();
		const focused = this.head.contains(document.activeElement) ? document.activeElement.dataset.column : "";
		clear(this.head);
		for (const column of this.columns) {
			const at = this.keys.findIndex((key) => key.column === column);
			const isDown = at >= 0 && this.keys[at].isDown;
			const button = el("button", {
				type: "button", title: column.help + "; shift: as a further key", "data-column": column.id,
				onclick: (event) => this.sortBy(column, event.shiftKey),
			}, headingOf(column, model), at >= 0 && el("span", { class: "arrow", "aria-hidden": "true" },
				isDown ? "\u25be" : "\u25b4", this.keys.length > 1 ? String(at + 1) : ""));

			this.head.append(el("span", {
				role: "columnheader", class: column.isText ? "cell text" : "cell",
				"aria-sort": at < 0 ? "none" : isDown ? "descending" : "ascending",
			}, button));
			if (column.id === focused)
				button.focus();
		}
		this.box.setAttribute("aria-colcount", this.columns.length);
		return true;
	}

	putMenu() {
		const { model } = this.app;
		const body = this.menu.lastChild;
		const chosen = new Set(this.columns.map((column) => column.id));

		const all = allColumns(model).filter((column) => column.id !== "name");
		const offered = all.map((column) => headingOf(column, model)).join();
		if (offered !== this.offered) {
			this.offered = offered;
			clear(body);
			for (const column of all)
				body.append(el("label", {},
					el("input", { type: "checkbox", value: column.id, onchange: () => this.choose() }),
					el("span", {}, el("b", {}, headingOf(column, model)), " " + column.help)));
		}
		for (const box of body.querySelectorAll("input"))
			box.checked = chosen.has(box.value);
		setText(this.legend, [
			model.hasTotal && model.totalIsEstimated && chosen.has("total")
				&& "~ estimated: the profile does not say how long each call took",
			isMoreThanSampled() && "shares of sampled time",
		].filter(Boolean).join(" \u00b7 "));
	}

	choose() {
		const ids = Array.from(this.menu.querySelectorAll("input:checked"), (box) => box.value);

		this.app.go({ cols: writeColumns(this.app.model, ids) }, true);
	}

	resize() {
		const isNarrow = this.box.clientWidth < NARROW;

		if (isNarrow !== this.wasNarrow) {
			this.wasNarrow = isNarrow;
			this.update();
		} else {
			this.redraw();
		}
	}

	// All rows anew.
	redraw() {
		const view = Math.max(0, this.box.clientHeight - HEAD_HEIGHT);
		const room = this.box.clientWidth - AROUND_ROW - GAP * (this.columns.length - 1);
		const widths = columnWidths(this.columns, this.app.model, this.sorted.rows, room);

		this.characters = columnCharacters(this.columns, widths);
		this.box.style.setProperty("--columns", widths.map((width) => width + "px").join(" "));

		const hadFocus = this.body.contains(document.activeElement);
		for (const element of this.drawn.values())
			element.remove();
		this.drawn.clear();
		this.scroll.setRows(this.rowCount, view);
		this.body.style.height = this.scroll.height + "px";
		this.cursor = Math.min(this.cursor, this.rowCount - 1);
		this.draw();
		if (hadFocus)
			this.focus();
	}

	draw() {
		this.scroll.moveBar(this.box.scrollTop);
		const [first, end] = this.scroll.range();

		for (const [row, element] of this.drawn)
			if (row < first || row >= end) {
				// The keys go on from here.
				if (element.contains(document.activeElement))
					this.box.focus({ preventScroll: true });
				element.remove();
				this.drawn.delete(row);
			}
		// From the end: elements are in the order of the rows, as they are read aloud.
		for (let row = end - 1; row >= first; row--) {
			let element = this.drawn.get(row);

			if (!element) {
				element = this.drawRow(row);
				this.drawn.set(row, element);
				this.body.insertBefore(element, this.drawn.get(row + 1) || null);
			}
			element.style.transform = "translateY(" + this.scroll.offset(row) + "px)";
		}
		this.body.classList.toggle("empty", this.rowCount === 0);
	}

	drawRow(row) {
		const { model } = this.app;
		const node = this.order[row];
		const element = el("div", { role: "row", class: "row", "aria-rowindex": row + 2 });

		if (row >= this.order.length)
			return this.drawFold(element, row);
		element.dataset.node = node;
		element.classList.toggle("cycle", model.isCycle(node));
		this.columns.forEach((column, i) => {
			element.append(drawCell(column.show(model, node, this.characters[i]), column, node, this.app));
		});
		this.mark(element, row);
		return element;
	}

	// The row that stands for functions without time, or ends them.
	drawFold(element, row) {
		const { app } = this;

		element.classList.add("fold");
		element.append(...this.columns.map((column, i) => el("span", { role: "cell", class: "cell" }, i === 0
			&& el("a", { href: app.href({ zero: this.isOpen ? null : "1" }), onclick: (event) => this.clickFold(event) },
				sayFolded(app.model, this.folded, this.isOpen)))));
		this.mark(element, row);
		return element;
	}

	// Not a step of the history; what is shown then is where the row was.
	clickFold(event) {
		event.preventDefault();
		this.app.go({ zero: this.isOpen ? null : "1" }, true);
		this.focus();
	}

	// Whether it is selected, and where the keys go on from.
	mark(element, row) {
		const link = element.querySelector("a");
		const isSelected = this.order[row] === this.app.state.f;

		element.classList.toggle("selected", isSelected);
		if (isSelected)
			link.setAttribute("aria-current", "true");
		else
			link.removeAttribute("aria-current");
		link.tabIndex = row === Math.max(this.cursor, 0) ? 0 : -1;
	}

	// The selection of all views: marks its row, and shows it if it was made elsewhere.
	follow() {
		const { state } = this.app;

		if (this.shown === state.f)
			return;
		this.shown = state.f;
		const row = this.rowFor(state.f);
		const hadFocus = this.body.contains(document.activeElement);
		if (row >= 0) {
			this.cursor = row;
			this.show(row);
		}
		for (const [number, element] of this.drawn)
			this.mark(element, number);
		if (row >= 0 && hadFocus)
			this.focus();
	}

	rowFor(node) {
		if (!this.rowOf) {
			this.rowOf = new Int32Array(this.app.model.nodes).fill(-1);
			this.order.forEach((candidate, row) => {
				this.rowOf[candidate] = row;
			});
		}
		return node >= 0 && node < this.rowOf.length ? this.rowOf[node] : -1;
	}

	show(row) {
		this.box.scrollTop = this.scroll.barFor(row);
		this.draw();
	}

	click(event) {
		const row = event.target.closest(".row[data-node]");
		const fold = event.target.closest(".row.fold");

		if (fold && !event.target.closest("a"))
			fold.querySelector("a").click();
		// Links are for the whole page; text that was marked is to be copied.
		if (!row || event.target.closest("a") || String(getSelection()) !== "")
			return;
		this.select(Number(row.dataset.node));
	}

	select(node) {
		this.cursor = this.rowFor(node);
		this.app.go({ f: node });
	}

	// Moves the focus by rows; far away: to the first or last one.
	move(step) {
		if (this.rowCount === 0)
			return;
		const from = this.cursor < 0 ? (step > 0 ? -1 : this.rowCount) : this.cursor;
		const to = Math.min(Math.max(from + step, 0), this.rowCount - 1);

		const before = this.drawn.get(this.cursor);
		if (before)
			before.querySelector("a").tabIndex = -1;
		this.cursor = to;
		this.show(to);
		this.focus();
	}

	focus() {
		const element = this.drawn.get(Math.max(this.cursor, 0));

		if (!element) {
			this.box.focus();
			return;
		}
		const link = element.querySelector("a");
		link.tabIndex = 0;
		link.focus({ preventScroll: true });
	}

	key(event) {
		const page = Math.max(1, Math.floor(this.scroll.view / this.scroll.rowHeight) - 1);
		const steps = {
			ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity,
		};

		if (hasModifier(event) || steps[event.key] === undefined)
			return;
		event.preventDefault();
		this.move(steps[event.key]);
	}

	searchKey(event) {
		if (event.key === "ArrowDown" || event.key === "Enter") {
			event.preventDefault();
			if (event.key === "Enter" && this.order.length > 0)
				this.select(this.order[0]);
			this.cursor = -1;
			this.move(1);
		} else if (event.key === "Escape" && this.input.value !== "") {
			event.preventDefault();
			event.stopPropagation();
			this.input.value = "";
			this.app.go({ q: "" }, true);
		}
	}

	sortBy(column, isFurther) {
		this.app.go({ sort: writeSort(nextSort(this.keys, column, isFurther)) }, true);
	}

	// The same for the keys; not by what is not shown.
	sortById(id) {
		const column = this.columns.find((candidate) => candidate.id === id);

		if (column)
			this.sortBy(column, false);
	}
}

function drawCell(shown, column, node, app) {
	const cell = el("span", { role: "cell", class: (column.isText ? "cell text in-" : "cell in-") + column.id });
	const text = shown.isLink ? el("a", { href: app.href({ f: node }), class: "name" }, shown.text) : shown.text;

	if (shown.bar > 0) {
		cell.classList.add("bar");
		cell.style.setProperty("--share", percent(shown.bar));
		if (shown.inner !== undefined)
			cell.style.setProperty("--inner", percent(shown.inner));
	}
	if (shown.isZero)
		cell.classList.add("zero");
	if (shown.why)
		cell.title = shown.why;
	cell.append(shown.isEstimated ? el("span", { class: "est" }, text) : text);
	return cell;
}

export function percent(share) {
	return (100 * Math.min(Math.max(share, 0), 1)).toFixed(2) + "%";
}
