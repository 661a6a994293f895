// SPDX-License-Identifier: Apache-2.0
// The selection as gprof's call graph has it: who calls it, itself, and what it calls.

import { CallList, LEAST_REST, estimate, nodeLink, unknownValue } from "./calls.js";
import { clear, el } from "./dom.js";
import { formatChance, formatSampledShare, isChance } from "./chance.js";
import { cutPlace } from "./columns.js";
import { formatCount, formatExact, formatShare, formatValue, isKnown } from "./format.js";
import { KIND } from "./model.js";
import { cutName, shortName } from "./names.js";
import { percent } from "./table.js";

const SHOWN_AT_FIRST = 8; // rows of a list
const SHOWN_MORE = 200; // with each click
const CHARACTERS_AT_LEAST = 14;
const CHARACTER_WIDTH = 7.9; // pixels, of names
const PART_WIDTH = 90; // pixels, of shares of self time
const PLACE_WIDTH = 160; // pixels, of places of subroutines: see function.css
const PLACE_CHARACTERS = 20;
const LONG_NAME = 200;
const ERROR_WHY = "standard error: two of three runs differ by less";

const NOTES = {
	cycle: "These functions call each other, directly or through others, so each is part of what the others do. Only"
		+ " the cycle as a whole has a total; calls inside it are counted, but no time is charged for them.",
	member: ": its functions call each other, so only the cycle as a whole has a total.",
	measured: ": its functions call each other. Stacks measured the total of each; these overlap.",
	outside: "This stands for code outside of all known functions, and for callers that the profile does not know.",
};

export class FunctionView {
	constructor(app) {
		this.app = app;
		this.element = el("section", { class: "entry", id: "entry", "aria-labelledby": "entry-name" });
		this.limits = { callers: SHOWN_AT_FIRST, callees: SHOWN_AT_FIRST, parts: SHOWN_AT_FIRST };
		this.node = -1;
		this.lists = {};
		this.showsWhole = false;
		this.characters = this.allCharacters = CHARACTERS_AT_LEAST;
		new ResizeObserver(() => this.resize()).observe(this.element);
	}

	resize() {
		const before = this.allCharacters;

		this.measure();
		if (this.allCharacters !== before)
			this.draw();
	}

	// Names are as long as there is room for: see function.css.
	measure() {
		const { model } = this.app;
		const width = this.element.clientWidth - 28;
		const column = width >= 620 ? (width - 172) / 2 : width >= 480 ? (width - 12) / 2 : width;
		const figures = (model.hasTotal ? 66 : 0) + (model.counted ? 62 : 0)
			+ (model.counted && (width >= 860 || width < 480) ? 72 : 0);

		this.allCharacters = Math.max(CHARACTERS_AT_LEAST, Math.floor((width - PART_WIDTH) / CHARACTER_WIDTH));
		this.characters = Math.max(CHARACTERS_AT_LEAST, Math.floor((column - figures - 12) / CHARACTER_WIDTH));
	}

	// After a change of the state.
	update() {
		const { model, state } = this.app;
		const shown = state.f + " " + model.metricIndex;

		if (shown === this.shown)
			return;
		this.shown = shown;
		this.limits = { callers: SHOWN_AT_FIRST, callees: SHOWN_AT_FIRST, parts: SHOWN_AT_FIRST };
		this.showsWhole = false;
		this.lists = {};
		this.node = state.f;
		this.draw();
		this.element.scrollTop = 0;
	}

	draw() {
		const { model } = this.app;

		clear(this.element);
		if (!model.isNode(this.node)) {
			this.element.append(el("h2", { id: "entry-name", tabindex: -1 }, "No function"),
				el("p", { class: "quiet" }, "The profile has no function with data."));
			return;
		}
		this.element.append(this.heading(), ...this.notes(), el("div", { class: "entry-body" },
			this.list("callers"), this.itself(), this.list("callees")), this.parts());
	}

	// The subroutines that the compiler inlined, whose code the self time is spent in.
	parts() {
		const { model } = this.app;
		const all = model.selfParts(this.node);
		const limit = this.limits.parts;
		const hasPlaces = all.some((part) => part.place);
		const isShort = all.length > limit + 1;
		const sum = all.reduce((ticks, part) => ticks + part.ticks, 0);
		const whole = Math.max(sum, model.own(this.node));

		if (all.length === 0)
			return "";
		// Light paths are not in the page.
		if (whole - sum > LEAST_REST * whole)
			all.push({ name: "", ticks: whole - sum, isLeft: true });
		const isFew = model.hasSampleTicks && isChance(all[0].ticks, whole);
		return el("section", { class: "parts" }, el("h3", {}, "self time is in these inlined subroutines",
			isFew && el("span", { class: "few", title: "the first share can be " + formatChance(all[0].ticks, whole) },
				" few samples (" + formatCount(Math.max(1, Math.round(whole))) + ")")),
			el("table", { class: "calls", "aria-label": "inlined subroutines" },
				el("thead", {}, el("tr", {},
					el("th", { scope: "col", title: "share of the self time of " + model.name(this.node) }, "of self"),
					el("th", { scope: "col", class: "text" }, "inlined subroutine"),
					hasPlaces && el("th", { scope: "col", class: "text at", title: "the line with most of its samples" }, "most at"))),
				el("tbody", {}, (isShort ? all.slice(0, limit) : all).map((part) => this.part(part, whole, hasPlaces)))),
			isShort && el("button", { type: "button", class: "small more", onclick: () => this.more("parts") },
				"+" + formatExact(all.length - limit) + " more"));
	}

	part({ name, ticks, place, isLeft }, whole, hasPlaces) {
		const { model } = this.app;
		const width = this.allCharacters - (hasPlaces ? Math.ceil(PLACE_WIDTH / CHARACTER_WIDTH) : 0);
		const share = el("td", { class: "bar self", title: formatValue(ticks, model.metric) },
			model.hasSampleTicks ? formatSampledShare(ticks, whole) : formatShare(ticks, whole));
		const text = isLeft ? "not known: paths that are left out" : name ? cutName(name, width) : "own code";

		share.style.setProperty("--share", percent(ticks / whole));
		return el("tr", { class: name ? null : "rest" }, share, el("td", { class: "text" },
			el("span", { class: name ? "name" : "quiet", title: name && text !== name ? name : null }, text)),
		hasPlaces && el("td", { class: "text at" }, place && this.placeOf(place)));
	}

	// A line, which the source view shows if it has its text.
	placeOf({ file, line }) {
		const { model } = this.app;
		const path = model.data.strings[file];
		const text = cutPlace(model.shortFile(path) + ":" + line, PLACE_CHARACTERS);

		if (!model.hasSource(file, line))
			return el("span", { class: "name quiet", title: path }, text);
		return el("a", { class: "name", title: path, href: this.app.href({ f: this.node, v: "source", at: file + ":" + line }) }, text);
	}

	heading() {
		const { model } = this.app;
		const node = this.node;
		const name = model.name(node);
		const isLong = name.length > LONG_NAME;
		const facts = [
			model.place(node),
			model.file(node) && model.object(node),
			model.is(node, KIND.STATIC) && "static",
			model.entry(node) > 0 && "[" + model.entry(node) + "]",
		];

		return el("header", { class: "entry-head" },
			el("h2", { id: "entry-name", tabindex: -1, class: isLong ? "long" : null },
				el("span", { class: "name", title: isLong && !this.showsWhole ? name : null },
					isLong && !this.showsWhole ? shortName(name, LONG_NAME) : name)),
			isLong && el("button", {
				type: "button", class: "small", "aria-expanded": String(this.showsWhole),
				onclick: () => this.toggleName(),
			}, this.showsWhole ? "shorter" : "whole name"),
			el("p", { class: "place", title: model.file(node) || null }, facts.filter(Boolean).join(" \u00b7 ")));
	}

	toggleName() {
		this.showsWhole = !this.showsWhole;
		this.draw();
		this.element.querySelector(".entry-head button").focus();
	}

	notes() {
		const { model } = this.app;
		const node = this.node;
		const cycle = model.cycle(node);
		const notes = [];

		if (model.isCycle(node))
			notes.push([NOTES.cycle]);
		else if (model.isInCycle(node))
			notes.push(["Part of ", nodeLink(this.app, model.wholeOf(node), LONG_NAME), NOTES.member]);
		else if (cycle > 0)
			notes.push(["Part of cycle " + cycle + NOTES.measured]);
		if (model.is(node, KIND.OUTSIDE))
			notes.push([NOTES.outside]);
		return notes.map((note) => el("p", { class: "remark" }, note));
	}

	itself() {
		const title = this.app.model.isCycle(this.node) ? "the cycle" : "itself";
		const rows = [...this.times(), ...this.calls(), ...this.perCall()];

		return el("section", { class: "itself", "aria-label": title }, el("h3", {}, title),
			el("dl", {}, rows.map(([term, value, below]) => el("div", {}, el("dt", {}, term), el("dd", {}, value),
				below && el("dd", { class: "below" }, below)))));
	}

	// Rows with a term, its value, and what is below it.
	times() {
		const { model } = this.app;
		const node = this.node;
		const rows = [];

		if (!model.hasSelf)
			return rows;
		rows.push(["self", ...this.timeOf("self", model.self(node), model.error(node))]);
		rows.push(["total", ...this.timeOf("total", model.total(node))]);
		if (model.values.whole && !model.is(node, KIND.LINE))
			rows.push(["all lines", ...this.timeOf("self", model.own(node))]);
		return rows;
	}

	// The share with its bar, and the value with its error.
	timeOf(kind, ticks, error = NaN) {
		const { model } = this.app;
		const isEstimated = kind === "total" && model.isTotalEstimated(this.node);
		const whole = kind === "total" ? model.graphWhole : model.whole;

		if (!isKnown(ticks))
			return [unknownValue(model.whyNoTotal(this.node))];
		const share = el("span", { class: "share bar " + kind, title: "share of all" }, estimate(formatShare(ticks, whole), isEstimated));
		share.style.setProperty("--share", percent(ticks / whole));
		return [share, [estimate(formatValue(ticks, model.metric), isEstimated), isKnown(error) && error > 0
			&& el("span", { class: "quiet", title: ERROR_WHY }, " \u00b1 " + formatValue(error, model.metric))]];
	}

	calls() {
		const { model } = this.app;
		const calls = model.calls(this.node);
		const own = model.recursive(this.node);
		const exact = (count) => el("span", { title: formatExact(count) }, formatCount(count));
		const rows = [];

		if (!model.is(this.node, KIND.LINE))
			rows.push(["calls", isKnown(calls) ? exact(calls) : unknownValue("no call was counted")]);
		if (own > 0)
			rows.push([model.isCycle(this.node) ? "calls inside" : "by itself", exact(own)]);
		return rows;
	}

	perCall() {
		const { model } = this.app;
		const calls = model.calls(this.node);
		const total = model.total(this.node);
		const rows = [];

		if (!(calls > 0) || !model.hasSelf)
			return rows;
		rows.push(["self/call", formatValue(model.own(this.node) / calls, model.metric, true)]);
		if (isKnown(total))
			rows.push(["total/call",
				estimate(formatValue(total / calls, model.metric, true), model.isTotalEstimated(this.node))]);
		return rows;
	}

	list(kind) {
		if (!this.lists[kind])
			this.lists[kind] = new CallList(this.app, this.node, kind);
		return this.lists[kind].draw(this.limits[kind], this.characters, () => this.more(kind));
	}

	more(kind) {
		const first = this.limits[kind];

		this.limits[kind] += SHOWN_MORE;
		this.draw();
		const row = this.element.querySelectorAll("." + kind + " tbody tr")[first];
		const link = row && row.querySelector("a");
		if (link)
			link.focus();
	}
}
