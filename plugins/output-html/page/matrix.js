// SPDX-License-Identifier: Apache-2.0
// Values by function and file, process, thread, phase or metric, as a table. Colors say how far a value
// is from the middle one of its row.

import { clear, el } from "./dom.js";
import { formatExact } from "./format.js";
import { unevenStep } from "./many-model.js";

const MATRIX_COLUMNS = 64;
const MATRIX_ROWS = 60;
// Where there are more columns, values are only read aloud, and shown when pointed at.
const COLUMNS_WITH_TEXT = 8;

function colorClass(step) {
	return step < 0 ? "cool-" + -step : "heat-" + step;
}

export class Matrix {
	// valueOf(value) is a text, and nameOf(row) the element for the name of a function.
	constructor(table, valueOf, nameOf) {
		this.table = table;
		this.valueOf = valueOf;
		this.nameOf = nameOf;
		this.first = 0;
		this.element = el("div", { class: "matrix-view" });
		this.draw();
	}

	draw() {
		const { label, rows } = this.table;
		const end = Math.min(label.length, this.first + MATRIX_COLUMNS);
		const columns = Array.from({ length: end - this.first }, (_, i) => this.first + i);
		const heads = columns.map((item) =>
			el("th", { scope: "col", class: "matrix-label" }, el("span", {}, el("bdi", {}, label[item])))
		);

		clear(this.element).append(
			el(
				"div",
				{ class: "matrix-box", tabindex: "0", role: "region", "aria-label": "Matrix" },
				el(
					"table",
					{ class: "matrix" },
					el("thead", {}, el("tr", {}, el("td"), heads)),
					el(
						"tbody",
						{},
						rows.slice(0, MATRIX_ROWS).map((row) => this.drawRow(row, columns))
					)
				)
			),
			rows.length > MATRIX_ROWS
				? el(
						"p",
						{ class: "view-note" },
						formatExact(rows.length - MATRIX_ROWS) + " functions that differ less are not shown."
					)
				: "",
			label.length > MATRIX_COLUMNS ? this.pages() : ""
		);
	}

	drawRow(row, columns) {
		const isDense = columns.length > COLUMNS_WITH_TEXT;
		const cells = columns.map((item) => {
			const text = this.valueOf(row.values[item]);

			return el(
				"td",
				{
					class:
						colorClass(unevenStep(row.values[item], row.middle)) +
						(row.outliers.includes(item) ? " is-uneven" : ""),
					title: isDense ? this.table.label[item] + ": " + text : null,
				},
				el("span", { class: isDense ? "unseen" : null }, text)
			);
		});

		return el("tr", {}, el("th", { scope: "row" }, this.nameOf(row)), cells);
	}

	pages() {
		const count = this.table.label.length;
		const move = (by) => {
			const last = Math.floor((count - 1) / MATRIX_COLUMNS) * MATRIX_COLUMNS;

			this.first = Math.min(Math.max(0, this.first + by), last);
			this.draw();
		};
		const button = (text, by) => el("button", { type: "button", onclick: () => move(by) }, text);

		return el(
			"p",
			{ class: "view-tools" },
			button("Before", -MATRIX_COLUMNS),
			formatExact(this.first + 1) +
				" to " +
				formatExact(Math.min(count, this.first + MATRIX_COLUMNS)) +
				" of " +
				formatExact(count),
			button("Next", MATRIX_COLUMNS)
		);
	}
}
