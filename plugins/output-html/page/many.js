// SPDX-License-Identifier: Apache-2.0
// The view of values by file, process, thread, phase or metric: a strip for each function, or a matrix.

import { clear, el, setText } from "./dom.js";
import { formatCount, formatExact, formatNumberOf, formatShare, formatValue } from "./format.js";
import { valueScale } from "./format.js";
import { isTested, manyKinds, manyTable, sumUp } from "./many-model.js";
import { Choice } from "./choice.js";
import { Matrix } from "./matrix.js";
import { drawStrip } from "./strips.js";
import { viewOf } from "./view.js";

const MANY_FORMS = [
	["strips", "Strips"],
	["matrix", "Matrix"],
];
const STRIPS_FIRST = 12;
const STRIPS_MORE = 40;
const LABELS_MOST = 3;
const ITEMS_MOST = 100;

class ManyView {
	constructor(host, app) {
		this.app = app;
		this.kinds = manyKinds(app.model.data);
		this.tables = new Map();
		this.shown = STRIPS_FIRST;
		this.note = el("p", { class: "view-note" });
		this.body = el("div", { class: "many" });
		this.by = new Choice(
			"Compare",
			this.kinds.map(({ kind, title }) => [kind, title]),
			(kind) => app.go({ by: kind })
		);
		this.form = new Choice("Form", MANY_FORMS, (form) =>
			app.go({ form: form === "strips" ? null : form })
		);
		host.append(
			el("div", { class: "view-tools" }, this.by.element, this.form.element),
			this.note,
			this.body
		);
	}

	update() {
		const { state } = this.app;
		const kind = this.kinds.find((row) => row.kind === state.by) || this.kinds[0];
		const form = state.form === "matrix" ? "matrix" : "strips";
		const key = [kind.kind, form, state.f].join(" ");

		if (key === this.key)
			return;
		this.key = key;
		this.by.set(kind.kind);
		this.form.set(form);
		if (!this.tables.has(kind.kind))
			this.tables.set(kind.kind, manyTable(this.app.model.data, kind.kind));
		this.kind = kind;
		this.table = this.tables.get(kind.kind);
		this.selected = state.f;
		this.draw(form);
	}

	get isOfFirstMetric() {
		return !this.table.isShare;
	}

	value(value) {
		return this.table.isShare ? formatShare(value, 1) : formatValue(value, this.app.model.metrics[0]);
	}

	draw(form) {
		const { table } = this;

		setText(this.note, this.say(form));
		clear(this.body);
		this.drawItems();
		this.drawSelected();
		if (form === "matrix")
			this.body.append(
				new Matrix(
					table,
					(value) => this.value(value),
					(row) => this.nameOf(row)
				).element
			);
		else
			this.drawStrips();
		if (table.left > 0)
			this.body.append(
				el(
					"p",
					{ class: "view-note" },
					formatNumberOf(table.left, "function") + " that differ less are not shown."
				)
			);
	}

	// What is seen, in words.
	say(form) {
		const { table, kind } = this;
		const uneven = table.rows.filter((row) => row.outliers.length > 0).length;
		const parts = [];

		if (form === "matrix")
			parts.push(
				"Orange is more than the middle value of the row, blue is less; a frame: by more than chance."
			);
		else if (table.isShare)
			parts.push("Each tick is the share of a function of one metric, in its own code.");
		else
			parts.push(
				"Each tick is the self time of a function in one " + kind.one + ", from 0 to the most."
			);
		if (table.isShare)
			parts.push("Functions whose shares differ most come first.");
		else if (!table.rows.some(isTested))
			parts.push("It is not known which differences chance explains.");
		else if (uneven === 0)
			parts.push("No " + kind.one + " differs by more than chance.");
		else
			parts.push(
				formatNumberOf(uneven, "function") +
					(uneven === 1 ? " is" : " are") +
					" more uneven than chance explains, and first."
			);
		if (table.without > 0)
			parts.push(this.value(table.without) + " are of no " + kind.one + ".");
		return parts.join(" ");
	}

	drawStrips() {
		const list = el("ol", { class: "strips" });
		const left = this.table.rows.length - this.shown;
		const more = () => {
			this.shown += STRIPS_MORE;
			this.draw("strips");
		};

		if (this.table.total)
			list.append(
				el(
					"li",
					{ class: "strip strip-all" },
					el("span", { class: "strip-name" }, "all functions"),
					...this.stripParts(sumUp({ values: this.table.total }))
				)
			);
		for (const row of this.table.rows.slice(0, this.shown))
			list.append(
				el(
					"li",
					{ class: row.outliers.length > 0 ? "strip is-uneven" : "strip" },
					this.nameOf(row),
					...this.stripParts(row)
				)
			);
		this.body.append(list);
		if (left > 0)
			this.body.append(
				el(
					"button",
					{ type: "button", onclick: more },
					formatCount(Math.min(left, STRIPS_MORE)) + " more functions"
				)
			);
	}

	// The threads, or what else is compared, the heaviest first.
	drawItems() {
		const { items, total, label } = this.table;

		if (!items)
			return;
		const whole = total.reduce((one, other) => one + other, this.table.without);
		const order = byValue(total);
		const rest = order.slice(ITEMS_MOST);
		const hasCalls = items.some((item) => item.calls > 0);
		const rows = order.slice(0, ITEMS_MOST).map((index) => {
			const { calls, node } = items[index];

			return el(
				"tr",
				{},
				el("th", { scope: "row" }, el("bdi", {}, label[index])),
				el("td", { class: "num" }, this.value(total[index])),
				el("td", { class: "num" }, formatShare(total[index], whole)),
				hasCalls && el("td", { class: "num" }, calls >= 0 ? formatCount(calls) : ""),
				el("td", {}, node >= 0 ? this.nameOf({ node }) : "")
			);
		});

		if (rest.length > 0) {
			const ticks = rest.reduce((sum, index) => sum + total[index], 0);

			rows.push(
				el(
					"tr",
					{},
					el("th", { scope: "row" }, formatCount(rest.length) + " more"),
					el("td", { class: "num" }, this.value(ticks)),
					el("td", { class: "num" }, formatShare(ticks, whole)),
					hasCalls && el("td"),
					el("td")
				)
			);
		}
		this.body.append(
			foldedTable(
				items.length <= STRIPS_FIRST,
				[this.kind.title + ": all " + formatExact(items.length)],
				this.kind.title,
				[
					head(this.kind.one),
					head("self", "num"),
					head("share of all", "num"),
					hasCalls && head("calls", "num"),
					head("heaviest function"),
				],
				rows
			)
		);
	}

	nameOf(row) {
		return el(
			"a",
			{
				class: "strip-name",
				title: this.app.model.name(row.node),
				href: this.app.href({ f: row.node }),
				"aria-current": row.node === this.selected ? "true" : null,
			},
			el("bdi", {}, this.app.model.name(row.node))
		);
	}

	// How the values of a row are written: in the unit of the largest, by which they compare.
	formatOf(row) {
		if (this.table.isShare)
			return (value) => this.value(value);
		const { unit, format } = valueScale(row.most, this.app.model.metrics[0]);

		return (value) => (value > 0 ? format(value) + "\u00a0" + unit : "0");
	}

	stripParts(row) {
		const labels = this.table.isShare
			? byValue(row.values).slice(0, 2)
			: row.outliers.slice(0, LABELS_MOST);
		const format = this.formatOf(row);
		const said = labels.map((item) => this.table.label[item] + ": " + format(row.values[item]));
		const [least, mean, most] = [row.least, row.mean, row.most].map(format);

		if (row.outliers.length > LABELS_MOST)
			said.push(formatCount(row.outliers.length - LABELS_MOST) + " more");
		return [
			drawStrip(row),
			el(
				"span",
				{ class: "strip-range" },
				least === most ? most : least + " \u2026 " + most,
				this.table.isShare || least === most ? "" : ", mean " + mean
			),
			el("span", { class: "strip-labels" }, el("bdi", {}, said.join(" \u00b7 "))),
		];
	}

	// All values of the selected function, the largest first.
	drawSelected() {
		const row = this.table.rows.find((one) => one.node === this.selected);
		const { total, label } = this.table;

		if (!row)
			return;
		const cells = byValue(row.values).map((item) => {
			const isFar = row.outliers.includes(item);
			const what = row.values[item] > row.middle ? "more than the others" : "less than the others";

			return el(
				"tr",
				{ class: isFar ? "is-uneven" : null },
				el("th", { scope: "row" }, el("bdi", {}, label[item])),
				el("td", { class: "num" }, this.value(row.values[item])),
				total && el("td", { class: "num" }, formatShare(row.values[item], total[item])),
				el("td", {}, isFar ? what : "")
			);
		});
		this.body.append(
			foldedTable(
				false,
				[el("bdi", {}, this.app.model.name(row.node)), ": all " + formatExact(row.values.length) + " values"],
				"Values",
				[head(this.kind.one), head("self", "num"), total && head("share of it", "num"), el("td")],
				cells
			)
		);
	}
}

// A table under a line that opens and closes it, in a box of its own that scrolls.
function foldedTable(isOpen, summary, label, heads, rows) {
	return el(
		"details",
		{ class: "strip-selected", open: isOpen },
		el("summary", {}, summary),
		el(
			"div",
			{ class: "strip-values", tabindex: "0", role: "region", "aria-label": label },
			el("table", {}, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows))
		)
	);
}

function head(text, kind) {
	return el("th", { scope: "col", class: kind || null }, text);
}

function byValue(values) {
	return Array.from(values, (_, item) => item).sort((a, b) => values[b] - values[a] || a - b);
}

export const manyView = viewOf(
	{ id: "many", title: "Compare", available: (model) => manyKinds(model.data).length > 0 },
	ManyView
);
