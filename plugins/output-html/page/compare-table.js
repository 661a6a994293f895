// SPDX-License-Identifier: Apache-2.0
// The table of a comparison: those rows first that differ; the others if they are asked for.

import { comparedColumns } from "./compare-columns.js";
import { VERDICT } from "./compare-format.js";
import { el, setText } from "./dom.js";
import { formatNumberOf } from "./format.js";
import { orderRows, writeSort } from "./order.js";
import { FunctionTable, NARROW } from "./table.js";

const NARROW_ONES = ["difference", "verdict", "name"];
const ROW_CLASSES = { [VERDICT.LESS]: "is-less", [VERDICT.MORE]: "is-more" };

export class ComparedTable extends FunctionTable {
	build() {
		super.build();
		this.all = el("input", { type: "checkbox", id: "all", onchange: () => this.app.go({ all: this.all.checked ? "1" : null }) });
		this.element.style.setProperty("--row", this.scroll.rowHeight + "px");
		this.menu.replaceWith(el("label", { class: "all-rows" }, this.all, " also without a difference"));
	}

	// The keys of an address: as those of order.js, of the columns of this table.
	readKeys(text) {
		return text.split(",").flatMap((word) => {
			const isDown = word.startsWith("-");
			const column = this.columns.find((candidate) => candidate.id === word.slice(isDown ? 1 : 0));

			return column ? [{ column, isDown }] : [];
		});
	}

	update() {
		const { model, state, search } = this.app;

		const isNarrow = this.box.clientWidth > 0 && this.box.clientWidth < NARROW;

		// Another width is then a reason to draw all rows anew.
		this.wasNarrow = isNarrow;
		this.columns = comparedColumns(model).filter((column) => !isNarrow || NARROW_ONES.includes(column.id));
		this.keys = this.readKeys(state.sort || "");
		this.all.checked = Boolean(state.all);
		this.sort(this.keys);
		const isOther = this.filter(search);
		this.showTop(writeSort(this.keys) + " " + search.query);
		if (this.input.value !== state.q)
			this.input.value = state.q;
		if (isOther) {
			this.element.style.setProperty("--row-count", this.rowCount);
			this.putFound();
		}
		if (this.putHead() || isOther)
			this.redraw();
		this.follow();
	}

	// Without keys in the order of the comparison: verdicts first, the largest difference first.
	sort(keys) {
		const { model, state } = this.app;
		const key = writeSort(keys) + " " + Boolean(state.all);

		if (this.sorted.key === key)
			return;
		this.sorted = { key, rows: orderRows(model, state.all ? model.allNodes : model.shown, keys) };
	}

	filter(search) {
		const { rows } = this.sorted;

		if (this.filtered && this.filtered.search === search && this.filtered.rows === rows)
			return false;
		this.order = this.matched = !search.isActive || search.error !== "" ? rows : rows.filter((node) => search.nodes[node] === 1);
		this.folded = 0;
		this.rowOf = null;
		this.filtered = search.isDone ? { search, rows } : null;
		return true;
	}

	putFound() {
		const { model, search, state } = this.app;
		const hidden = state.all ? 0 : model.allNodes.length - model.shown.length;
		const found = formatNumberOf(this.order.length, "function");
		const text = search.error || (search.isDone ? found : "searching\u2026");

		this.found.classList.toggle("failed", Boolean(search.error));
		setText(this.found, text + (hidden > 0 ? " \u00b7 " + formatNumberOf(hidden, "other") + " without a difference that can be shown" : ""));
	}

	putMenu() {
		setText(this.legend, this.app.model.estimatesTotals && this.app.model.hasTotals
			? "~ estimated: the profile does not say how long each call took; not tested" : "");
	}

	drawRow(row) {
		const element = super.drawRow(row);
		const { verdict, match } = this.app.model.self(this.order[row]);

		// What one side only has is in the table, but can be the other side's by another name.
		if (ROW_CLASSES[verdict] && match > 0)
			element.classList.add(ROW_CLASSES[verdict]);
		return element;
	}

	// What the keys sort by: differences.
	sortById(id) {
		super.sortById({ self: "difference", total: "totaldifference", calls: "newcalls" }[id]);
	}
}
