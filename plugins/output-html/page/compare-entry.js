// SPDX-License-Identifier: Apache-2.0
// The selected function between its callers and its callees, with the values of both sides beside each other.

import { callsText } from "./compare-columns.js";
import { formatRatio, isDifferent } from "./compare-format.js";
import { clear, el } from "./dom.js";
import { formatExact } from "./format.js";
import { cutName } from "./names.js";

const SHOWN_FIRST = 8; // rows of a list
const SHOWN_NEXT = 200; // with each click
const NAME_WIDTH = 40; // characters
const HEADS = [["base", "total in the base"], ["new", "total in the new profile"], ["difference", "new less base"], ["ratio", "new divided by base"]];

export class ComparedEntry {
	constructor(app) {
		this.app = app;
		this.element = el("section", { class: "entry", id: "entry", "aria-labelledby": "entry-name" });
		this.limits = {};
		this.node = -2;
	}

	update() {
		const { state } = this.app;

		if (state.f === this.node)
			return;
		this.node = state.f;
		this.limits = { callers: SHOWN_FIRST, callees: SHOWN_FIRST };
		this.draw();
	}

	draw() {
		const { model } = this.app;
		const { node } = this;

		clear(this.element);
		if (!model.isNode(node)) {
			this.element.append(el("h2", { id: "entry-name" }, "No function"),
				el("p", { class: "quiet" }, "Select a function to see its callers and callees on both sides."));
			return;
		}
		const name = model.name(node);

		this.element.append(
			el("div", { class: "entry-head" },
				el("h2", { id: "entry-name", class: name.length > 200 ? "name long" : "name" }, name),
				el("span", { class: "place" }, [model.note(node), model.place(node)].filter(Boolean).join(" \u00b7 "))),
			this.summary("self", model.self(node)),
			model.hasTotals ? this.summary("total", model.total(node)) : "",
			el("table", { class: "calls both-sides", "aria-label": "callers and callees" }, this.heading(),
				this.group("callers", "called by", model.callersOf(node)),
				el("tbody", { class: "this-function" }, this.row({
					node,
					base: { total: model.total(node).base, calls: model.calls("base", node) },
					new: { total: model.total(node).new, calls: model.calls("new", node) },
				}, true)),
				this.group("callees", "calls", model.calleesOf(node))),
			el("p", { class: "quiet small-text" }, "Values of callers and callees were not tested.")
		);
	}

	// One sentence: both values, and what can be said of their difference.
	summary(word, difference) {
		const { model } = this.app;
		const { scale } = model;
		const { base, new: now, low, high, verdict } = difference;
		const isGuess = word === "total" && model.estimatesTotals;
		const mark = isGuess ? "~" : "";
		const range = Number.isNaN(low) ? "" : " (95\u00a0%: " + scale.signed(low) + " to " + scale.signedWithUnit(high) + ")";

		if (Number.isNaN(base) || Number.isNaN(now))
			return el("p", { class: "values" }, word + ": not known");
		return el("p", { class: "values" }, word + ": ",
			el("span", { class: isGuess ? "est" : null }, mark + scale.withUnit(base) + " \u2192 " + mark + scale.withUnit(now)),
			", ", el("span", { class: isGuess ? "est" : null }, mark + scale.signedWithUnit(now - base)), range, ", ",
			el(isDifferent(verdict) ? "strong" : "span", {}, model.say(difference)));
	}

	heading() {
		const { model } = this.app;
		const heads = [...(model.hasTotals ? HEADS : []), ...(model.counted ? [["base calls", "in one run"], ["new calls", "in one run"]] : [])];

		return el("thead", {}, el("tr", {},
			heads.map(([text, title]) => el("th", { scope: "col", title }, text)),
			el("th", { scope: "col", class: "text" }, "function")));
	}

	group(key, title, rows) {
		const limit = this.limits[key];
		const isLong = rows.length > limit + 1;
		const shown = isLong ? rows.slice(0, limit) : rows;
		const columns = this.columnCount;

		return el("tbody", {},
			el("tr", {}, el("th", { colspan: columns, scope: "rowgroup", class: "text group" }, title + (rows.length === 0 ? ": none known" : ""))),
			shown.map((row) => this.row(row, false)),
			isLong && el("tr", {}, el("td", { colspan: columns, class: "text" },
				el("button", { type: "button", class: "small", onclick: () => this.more(key) },
					"+" + formatExact(rows.length - limit) + " more"))));
	}

	get columnCount() {
		const { model } = this.app;

		return 1 + (model.hasTotals ? HEADS.length : 0) + (model.counted ? 2 : 0);
	}

	more(key) {
		this.limits[key] += SHOWN_NEXT;
		this.draw();
	}

	row({ node, base, new: now }, isSelf) {
		const { app } = this;
		const { model } = app;
		const { scale } = model;
		const name = model.name(node);
		const mark = (ticks, text) => (model.estimatesTotals && ticks !== 0 && !Number.isNaN(ticks) ? el("span", { class: "est" }, "~" + text) : text);
		const difference = now.total - base.total;

		return el("tr", {},
			model.hasTotals && [
				el("td", {}, mark(base.total, scale.value(base.total))),
				el("td", {}, mark(now.total, scale.value(now.total))),
				el("td", {}, mark(difference, scale.signed(difference))),
				el("td", {}, formatRatio(base.total, now.total)),
			],
			model.counted && [base, now].map(({ calls }) => el("td", {}, callsText(calls))),
			el("td", { class: "text" }, isSelf
				? el("strong", { class: "name", title: name }, cutName(name, NAME_WIDTH))
				: el("a", { class: "name", href: app.href({ f: node }), title: name }, cutName(name, NAME_WIDTH))));
	}
}
