// SPDX-License-Identifier: Apache-2.0
// The view of values by file, process, thread, phase or metric: a strip for each function, with a tick for each of them.

import { clear, el, setText, svg } from "./dom.js";
import { formatCount, formatExact, formatShare, formatValue } from "./format.js";
import { heatOf } from "./colors.js";
import { manyKinds, manyTable } from "./many-model.js";
import { viewOf } from "./view.js";

const STRIPS_FIRST = 12;
const STRIPS_MORE = 40;
const STRIP_WIDTH = 1000;
const STRIP_HEIGHT = 24;
const STRIP_BINS = 250;
const LABELS_MOST = 3;
const MATRIX_COLUMNS = 64;
const MATRIX_ROWS = 40;

class ManyView {
	constructor(host, app) {
		this.app = app;
		this.kinds = manyKinds(app.model.data);
		this.tables = new Map();
		this.shown = STRIPS_FIRST;
		this.column = 0;
		this.buttons = new Map();
		this.note = el("p", { class: "view-note" });
		this.body = el("div", { class: "many" });
		host.append(
			el(
				"div",
				{ class: "view-tools" },
				this.choice(
					"Compare by",
					this.kinds.map(({ kind, title }) => ["by:" + kind, title, { by: kind }])
				),
				this.choice("Form", [
					["as:strips", "Strips", { form: null }],
					["as:matrix", "Matrix", { form: "matrix" }],
				])
			),
			this.note,
			this.body
		);
	}

	choice(label, rows) {
		return el(
			"div",
			{ class: "choice", role: "group", "aria-label": label },
			rows.map(([key, text, change]) => {
				const button = el(
					"button",
					{ type: "button", "aria-pressed": "false", onclick: () => this.app.go(change) },
					text
				);

				this.buttons.set(key, button);
				return button;
			})
		);
	}

	update() {
		const { state } = this.app;
		const by = state.by;
		const kind = this.kinds.find((row) => row.kind === by) || this.kinds[0];
		const isMatrix = state.form === "matrix";
		const selected = state.f;
		const key = [kind.kind, isMatrix, selected].join(" ");

		if (key === this.key)
			return;
		this.key = key;
		for (const [name, button] of this.buttons)
			button.setAttribute(
				"aria-pressed",
				String(name === "by:" + kind.kind || name === (isMatrix ? "as:matrix" : "as:strips"))
			);
		if (!this.tables.has(kind.kind))
			this.tables.set(kind.kind, manyTable(this.app.model.data, kind.kind));
		this.kind = kind;
		this.table = this.tables.get(kind.kind);
		this.selected = selected;
		this.draw(isMatrix);
	}

	value(value) {
		return this.table.isShare ? formatShare(value, 1) : formatValue(value, this.app.model.metrics[0]);
	}

	draw(isMatrix) {
		const { table, kind } = this;
		const uneven = table.rows.filter((row) => row.outliers.length > 0).length;
		const parts = table.isShare
			? [
					"Each tick is the share of a function of one metric, in its own code. Functions whose shares differ most come first.",
				]
			: [
					"Each tick is the self time of a function in one " +
						kind.one +
						", on a scale from 0 to the most. " +
						(uneven === 0
							? "No " + kind.one + " differs by more than chance. "
							: formatExact(uneven) +
								(uneven === 1 ? " function is" : " functions are") +
								" uneven by more than chance; they come first. "),
				];

		if (table.without > 0)
			parts.push(this.value(table.without) + " are of no " + kind.one + ".");
		setText(this.note, parts.join(""));
		clear(this.body);
		this.drawSelected();
		if (isMatrix)
			this.drawMatrix();
		else
			this.drawStrips();
	}

	drawStrips() {
		const list = el("ol", { class: "strips" });

		if (this.table.total)
			list.append(
				el(
					"li",
					{ class: "strip strip-all" },
					el("span", { class: "strip-name" }, "all functions"),
					...this.stripParts(measureTotals(this.table.total))
				)
			);
		for (const row of this.table.rows.slice(0, this.shown))
			list.append(this.strip(row));
		this.body.append(list);
		const left = this.table.rows.length - this.shown;

		if (left > 0) {
			this.body.append(
				el(
					"button",
					{
						type: "button",
						onclick: () => {
							this.shown += STRIPS_MORE;
							this.draw(false);
						},
					},
					formatCount(Math.min(left, STRIPS_MORE)) + " more"
				)
			);
		}
		if (this.table.left > 0)
			this.body.append(
				el(
					"p",
					{ class: "quiet" },
					formatCount(this.table.left) + " functions that differ less are not shown."
				)
			);
	}

	nameOf(row) {
		const { model } = this.app;

		return el(
			"a",
			{
				class: "strip-name",
				href: this.app.href({ f: row.node }),
				"aria-current": row.node === this.selected ? "true" : null,
			},
			el("bdi", null, model.name(row.node))
		);
	}

	strip(row) {
		return el(
			"li",
			{ class: "strip" + (row.outliers.length > 0 ? " is-uneven" : "") },
			this.nameOf(row),
			...this.stripParts(row)
		);
	}

	stripParts(row) {
		const labels =
			row.outliers.length > 0
				? row.outliers.slice(0, LABELS_MOST)
				: this.table.isShare
					? byValue(row.values).slice(0, 2)
					: [];
		const said = labels.map((item) => this.table.label[item] + " " + this.value(row.values[item]));

		if (row.outliers.length > LABELS_MOST)
			said.push(formatCount(row.outliers.length - LABELS_MOST) + " more");
		return [
			drawStrip(row),
			el(
				"span",
				{ class: "strip-range" },
				this.value(row.least) +
					" \u2026 " +
					this.value(row.most) +
					(this.table.isShare ? "" : ", mean " + this.value(row.mean))
			),
			el("span", { class: "strip-labels" }, el("bdi", null, said.join(" \u00b7 "))),
		];
	}

	// All values of the selected function, the largest first.
	drawSelected() {
		const row = this.table.rows.find((one) => one.node === this.selected);

		if (!row)
			return;
		const cells = byValue(row.values).map((item) =>
			el(
				"tr",
				{ class: row.outliers.includes(item) ? "is-uneven" : null },
				el("th", { scope: "row" }, el("bdi", null, this.table.label[item])),
				el("td", { class: "num" }, this.value(row.values[item])),
				el(
					"td",
					{ class: "num" },
					this.table.total ? formatShare(row.values[item], this.table.total[item]) : ""
				),
				el(
					"td",
					null,
					row.outliers.includes(item)
						? row.values[item] > row.mean
							? "more than the others"
							: "less than the others"
						: ""
				)
			)
		);

		this.body.append(
			el(
				"details",
				{ class: "strip-selected" },
				el(
					"summary",
					null,
					el("bdi", null, this.app.model.name(row.node)),
					": all " + formatExact(row.values.length) + " values"
				),
				el(
					"div",
					{ class: "strip-values", tabindex: "0", role: "region", "aria-label": "Values" },
					el(
						"table",
						null,
						el(
							"thead",
							null,
							el(
								"tr",
								null,
								el("th", { scope: "col" }, this.kind.one),
								el("th", { scope: "col", class: "num" }, "self"),
								el(
									"th",
									{ scope: "col", class: "num" },
									this.table.total ? "share of it" : ""
								),
								el("th", { scope: "col" }, "")
							)
						),
						el("tbody", null, cells)
					)
				)
			)
		);
	}

	drawMatrix() {
		const { label, rows } = this.table;
		const end = Math.min(label.length, this.column + MATRIX_COLUMNS);
		const columns = Array.from({ length: end - this.column }, (_, i) => this.column + i);
		const head = el(
			"tr",
			null,
			el("th", { scope: "col" }, "function"),
			columns.map((item) =>
				el(
					"th",
					{ scope: "col", class: "matrix-label" },
					el("span", null, el("bdi", null, label[item]))
				)
			)
		);
		const body = rows.slice(0, MATRIX_ROWS).map((row) =>
			el(
				"tr",
				null,
				el("th", { scope: "row" }, this.nameOf(row)),
				columns.map((item) =>
					el(
						"td",
						{
							class:
								"heat-" +
								heatOf(row.most > 0 ? row.values[item] / row.most : 0) +
								(row.outliers.includes(item) ? " is-uneven" : ""),
							title:
								this.app.model.name(row.node) +
								", " +
								label[item] +
								": " +
								this.value(row.values[item]),
						},
						el(
							"span",
							{ class: columns.length > 8 ? "hidden-text" : null },
							this.value(row.values[item])
						)
					)
				)
			)
		);

		this.body.append(
			el(
				"p",
				{ class: "quiet" },
				"The darker, the nearer to the most of its row. A frame: it differs by more than chance."
			),
			el(
				"div",
				{ class: "matrix-box", tabindex: "0", role: "region", "aria-label": "Matrix" },
				el("table", { class: "matrix" }, el("thead", null, head), el("tbody", null, body))
			)
		);
		if (label.length > MATRIX_COLUMNS)
			this.body.append(this.pages());
	}

	pages() {
		const count = this.table.label.length;
		const move = (by) => {
			this.column = Math.min(
				Math.max(0, this.column + by),
				Math.floor((count - 1) / MATRIX_COLUMNS) * MATRIX_COLUMNS
			);
			this.draw(true);
		};

		return el(
			"p",
			{ class: "view-tools" },
			el("button", { type: "button", onclick: () => move(-MATRIX_COLUMNS) }, "Before"),
			formatExact(this.column + 1) +
				" to " +
				formatExact(Math.min(count, this.column + MATRIX_COLUMNS)) +
				" of " +
				formatExact(count),
			el("button", { type: "button", onclick: () => move(MATRIX_COLUMNS) }, "Next")
		);
	}
}

function byValue(values) {
	return Array.from(values, (_, item) => item).sort((a, b) => values[b] - values[a] || a - b);
}

function measureTotals(total) {
	const values = Array.from(total);

	return {
		values: total,
		outliers: [],
		least: Math.min(...values),
		most: Math.max(...values),
		mean: values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length),
	};
}

// Ticks at equal places are one, which is the longer the more there are.
function drawTicks(values, items, most, kind) {
	const bins = new Map();

	for (const item of items) {
		const bin = most > 0 ? Math.round((values[item] / most) * STRIP_BINS) : 0;

		bins.set(bin, (bins.get(bin) || 0) + 1);
	}
	const highest = Math.max(1, ...bins.values());
	let way = "";

	for (const [bin, count] of bins) {
		const height = STRIP_HEIGHT * (0.35 + 0.65 * Math.sqrt(count / highest));

		way +=
			"M" +
			(4 + (bin / STRIP_BINS) * (STRIP_WIDTH - 8)).toFixed(1) +
			" " +
			STRIP_HEIGHT +
			"v-" +
			height.toFixed(1);
	}
	return svg("path", { class: kind, d: way, "vector-effect": "non-scaling-stroke" });
}

function drawStrip(row) {
	const far = new Set(row.outliers);
	const items = Array.from(row.values, (_, item) => item);

	return svg(
		"svg",
		{
			class: "strip-picture",
			viewBox: "0 0 " + STRIP_WIDTH + " " + (STRIP_HEIGHT + 1),
			preserveAspectRatio: "none",
			"aria-hidden": "true",
		},
		svg("path", {
			class: "strip-axis",
			d: "M0 " + STRIP_HEIGHT + "h" + STRIP_WIDTH,
			"vector-effect": "non-scaling-stroke",
		}),
		drawTicks(
			row.values,
			items.filter((item) => !far.has(item)),
			row.most,
			"strip-tick"
		),
		drawTicks(row.values, row.outliers, row.most, "strip-far")
	);
}

export const manyView = viewOf(
	{ id: "many", title: "Compare", key: "4", available: (model) => manyKinds(model.data).length > 0 },
	ManyView
);
