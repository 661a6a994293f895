// SPDX-License-Identifier: Apache-2.0
// The selection as gprof's call graph has it: who calls it, itself, and what it calls.

import { ESTIMATE_WHY } from "./columns.js";
import { clear, el } from "./dom.js";
import { UNKNOWN, formatCount, formatExact, formatNumberOf, formatShare, formatValue, isKnown, isTime } from "./format.js";
import { KIND } from "./model.js";
import { shortName } from "./names.js";
import { percent } from "./table.js";

const SHOWN_AT_FIRST = 8; // rows of a list
const SHOWN_MORE = 200; // with each click
const SITES_SHOWN = 3;
const CHARACTERS_AT_LEAST = 14;
const CHARACTER_WIDTH = 7.9; // pixels, of names
const LONG_NAME = 200;

// How a call was found in the code that was never recorded.
const FOUND = [
	[1, "a call in the code that never happened"], [4, "a jump to its entry that never happened"],
	[8, "a call through a PLT stub that never happened"], [16, "a call through the GOT that never happened"],
	[2, "a call through a pointer that never happened"], [32, "its address is taken in the code, which is no call"],
];

// A value that is not known, with the reason for who points at it or gets there by keyboard.
function unknownValue(why) {
	return el("span", { class: "unknown", tabindex: 0, role: "img", "aria-label": "not known: " + why, "data-why": why }, UNKNOWN);
}

function estimate(text, isEstimated) {
	return isEstimated ? el("span", { class: "est", title: ESTIMATE_WHY }, "~" + text) : text;
}

export class FunctionView {
	constructor(app) {
		this.app = app;
		this.element = el("section", { class: "entry", id: "entry", "aria-labelledby": "entry-name" });
		this.limits = { callers: SHOWN_AT_FIRST, callees: SHOWN_AT_FIRST };
		this.node = -1;
		this.characters = CHARACTERS_AT_LEAST;
		new ResizeObserver(() => this.resize()).observe(this.element);
	}

	// Names are as long as there is room for: see function.css.
	resize() {
		const before = this.characters;
		const width = this.element.clientWidth - 28;
		const column = width >= 620 ? (width - 172) / 2 : width >= 480 ? (width - 12) / 2 : width;
		const figures = (this.app.model.hasTotal ? 66 : 0) + (this.app.model.counted ? 62 : 0)
			+ (this.app.model.counted && (width >= 860 || width < 480) ? 62 : 0);

		this.characters = Math.max(CHARACTERS_AT_LEAST, Math.floor((column - figures - 12) / CHARACTER_WIDTH));
		if (this.characters !== before)
			this.draw();
	}

	// After a change of the state.
	update() {
		const { model, state } = this.app;
		const shown = state.f + " " + model.metricIndex;

		if (shown === this.shown)
			return;
		this.shown = shown;
		this.limits = { callers: SHOWN_AT_FIRST, callees: SHOWN_AT_FIRST };
		this.showsWhole = false;
		this.node = state.f;
		this.draw();
		this.element.scrollTop = 0;
	}

	draw() {
		const { model } = this.app;

		clear(this.element);
		if (!model.isNode(this.node)) {
			this.element.append(el("h2", { id: "entry-name", tabindex: -1 }, "No function"),
				el("p", { class: "quiet" }, model.nodes === 0 ? "The profile has no function with data." : "Select one in the table."));
			return;
		}
		this.element.append(this.heading(), ...this.notes(), el("div", { class: "entry-body" },
			this.callers(), this.itself(), model.isCycle(this.node) ? this.members() : this.callees()));
	}

	heading() {
		const { model } = this.app;
		const node = this.node;
		const name = model.name(node);
		const text = name.length > LONG_NAME && !this.showsWhole ? shortName(name, LONG_NAME) : name;
		const facts = [model.place(node)];

		if (model.file(node) && model.object(node))
			facts.push(model.object(node));
		if (model.is(node, KIND.STATIC))
			facts.push("static");
		if (model.entry(node) > 0)
			facts.push("[" + model.entry(node) + "]");
		return el("header", { class: "entry-head" },
			el("h2", { id: "entry-name", tabindex: -1, class: name.length > LONG_NAME ? "long" : null },
				el("span", { class: "name" }, text)),
			name.length > LONG_NAME && el("button", {
				type: "button", class: "small", "aria-expanded": String(Boolean(this.showsWhole)),
				onclick: () => {
					this.showsWhole = !this.showsWhole;
					this.draw();
				},
			}, this.showsWhole ? "shorter" : "whole name"),
			el("p", { class: "place", title: model.file(node) || null }, facts.filter(Boolean).join(" \u00b7 ")));
	}

	notes() {
		const { model } = this.app;
		const node = this.node;
		const cycle = model.cycle(node);
		const notes = [];

		if (model.isCycle(node))
			notes.push(el("p", { class: "remark" }, "These functions call each other, directly or through others, so each is part of"
				+ " what the others do. Only the cycle as a whole has a total; calls inside it are counted, but no time is charged for them."));
		else if (model.isInCycle(node))
			notes.push(el("p", { class: "remark" }, "Part of ", this.link(model.wholeOf(node)),
				": its functions call each other, so only the cycle as a whole has a total."));
		else if (cycle > 0)
			notes.push(el("p", { class: "remark" }, "Part of cycle " + cycle
				+ ": its functions call each other. Stacks measured the total of each; these overlap."));
		if (model.is(node, KIND.OUTSIDE))
			notes.push(el("p", { class: "remark" }, "This stands for code outside of all known functions, and for callers that the profile does not know."));
		return notes;
	}

	link(node) {
		const { app } = this;
		const name = app.model.name(node);
		const text = shortName(name, this.characters);

		return el("a", { href: app.href({ f: node }), class: "name", title: text !== name ? name : null }, text);
	}

	itself() {
		const { model } = this.app;
		const node = this.node;
		const isCycle = model.isCycle(node);
		const calls = model.calls(node);
		const own = model.recursive(node);
		const list = el("dl", {});
		const add = (term, value, below) => list.append(el("div", {}, el("dt", {}, term), el("dd", {}, value), below && el("dd", { class: "below" }, below)));

		if (model.hasSelf)
			add("self", ...this.timeOf("self", model.self(node), model.whole, false, "", model.error(node)));
		if (model.hasSelf)
			add("total", ...this.timeOf("total", model.total(node), model.graphWhole, model.isTotalEstimated(node), model.whyNoTotal(node)));
		if (model.hasSelf && model.values.whole && !model.is(node, KIND.LINE))
			add("all lines", ...this.timeOf("self", model.own(node), model.whole, false, ""));
		if (!model.is(node, KIND.LINE))
			add("calls", isKnown(calls) ? el("span", { title: formatExact(calls) }, formatCount(calls)) : unknownValue("calls were not counted"));
		if (own > 0)
			add(isCycle ? "calls inside" : "by itself", el("span", { title: formatExact(own) }, formatCount(own)));
		if (calls > 0 && model.hasSelf) {
			add("self/call", formatValue(model.own(node) / calls, model.metric, true));
			if (isKnown(model.total(node)))
				add("total/call", estimate(formatValue(model.total(node) / calls, model.metric, true), model.isTotalEstimated(node)));
		}
		return el("section", { class: "itself", "aria-label": "The function itself" }, el("h3", {}, isCycle ? "the cycle" : "itself"), list);
	}

	// The share with its bar, and below it the value with its error.
	timeOf(kind, ticks, whole, isEstimated, why, error = NaN) {
		const { model } = this.app;

		if (!isKnown(ticks))
			return [unknownValue(why)];
		const share = el("span", { class: "share bar " + kind }, estimate(formatShare(ticks, whole), isEstimated));
		share.style.setProperty("--share", percent(ticks / whole));
		return [share, [estimate(formatValue(ticks, model.metric), isEstimated), isKnown(error) && error > 0
			&& el("span", { class: "quiet", title: "standard error: two of three runs differ by less" }, " \u00b1 " + formatValue(error, model.metric))]];
	}

	callers() {
		const { model } = this.app;
		const whole = model.wholeOf(this.node);
		const total = model.total(whole);
		const rows = [];
		let charged = 0;

		for (const arc of model.arcsTo(this.node)) {
			const time = model.arcTime(arc);

			charged += isKnown(time) ? time : 0;
			rows.push({ arc, node: model.caller(arc), time, calls: model.arcCalls(arc), allCalls: model.calls(whole) });
		}
		if (rows.length > 0 && this.node === whole && isKnown(total) && total - charged > 0.0005 * total)
			insertByTime(rows, { text: "not known", time: total - charged, isRest: true,
				why: "what nobody is known to call: where the program starts, signal handlers, callers without profiling" });
		return this.list("callers", "called by", rows, total, this.node === whole ? "" : model.name(whole));
	}

	callees() {
		const { model } = this.app;
		const total = model.total(this.node);
		const self = model.own(this.node);
		const rows = [];

		for (const arc of model.arcsFrom(this.node)) {
			const node = model.callee(arc);

			rows.push({ arc, node, time: model.arcTime(arc), calls: model.arcCalls(arc), allCalls: model.calls(model.wholeOf(node)) });
		}
		if (rows.length > 0 && isKnown(total) && self > 0)
			insertByTime(rows, { text: "own code", time: self, isRest: true, isMeasured: true, why: "self time" });
		return this.list("callees", "calls", rows, isKnown(total) ? total : model.known(this.node), "");
	}

	members() {
		const { model } = this.app;
		const total = model.total(this.node);
		const rows = model.members(this.node).map((node) => ({
			node, time: model.hasTotal ? model.known(node) : NaN, calls: model.calls(node), isMember: true,
		}));

		return this.list("callees", "members", rows, total, "");
	}

	// partOf: the name of the cycle that shares refer to.
	list(kind, title, rows, total, partOf) {
		const { model } = this.app;
		const limit = this.limits[kind];
		const isShort = rows.length > limit + 1;
		const shown = isShort ? rows.slice(0, limit) : rows;
		const count = rows.filter((row) => !row.isRest).length;
		const hasTime = model.hasTotal && total > 0;
		const hasParts = model.counted && rows.some((row) => row.allCalls > 0);
		const heading = el("h3", {}, title, " ", el("span", { class: "count" }, count > 0 ? formatExact(count) : ""));
		const section = el("section", { class: kind }, heading);

		if (rows.length === 0) {
			section.append(el("p", { class: "quiet" }, model.is(this.node, KIND.LINE)
				? ["See ", this.link(model.functionOf(this.node)), ", the function that the line is in."] : whyNone(model, kind)));
			return section;
		}
		section.append(el("table", { class: "calls", "aria-label": title },
			el("thead", {}, el("tr", {},
				hasTime && el("th", { scope: "col", title: partOf ? "share of the time of " + partOf : "share of the total of " + model.name(this.node) },
					isTime(model.metric) ? "time" : "share"),
				el("th", { scope: "col", class: "text" }, "function"),
				model.counted && el("th", { scope: "col" }, "calls"),
				hasParts && el("th", { scope: "col", class: "part", title: "share of all calls of the called function" }, "of all"))),
			el("tbody", {}, shown.map((row) => this.row(row, total, hasTime, hasParts)))));
		if (isShort)
			section.append(el("button", {
				type: "button", class: "small more", onclick: () => this.more(kind),
			}, "+" + formatExact(rows.length - limit) + " more"));
		return section;
	}

	more(kind) {
		this.limits[kind] += SHOWN_MORE;
		this.draw();
		// The first row that is new.
		const links = this.element.querySelectorAll("." + kind + " tbody a");
		const link = links[Math.min(this.limits[kind] - SHOWN_MORE, links.length - 1)];
		if (link)
			link.focus();
	}

	row(row, total, hasTime, hasParts) {
		const { model } = this.app;
		const found = row.arc !== undefined ? model.arcFound(row.arc) : 0;
		const isOwn = row.arc !== undefined && model.caller(row.arc) === model.callee(row.arc);
		const isDivided = row.arc !== undefined && model.isDivided(row.arc);
		const name = row.isRest ? el("span", { class: "quiet", title: row.why }, row.text)
			: isOwn ? el("span", { title: "calls by itself: recursion" }, "itself") : this.link(row.node);

		return el("tr", { class: found ? "static" : row.isRest ? "rest" : null },
			hasTime && this.timeCell(row, total),
			el("td", { class: "text" }, name, this.sites(row), found > 0 && el("span", { class: "quiet small-text" }, " " + foundWords(found))),
			model.counted && el("td", {}, row.isRest ? "" : this.countOf(row.calls, isDivided)),
			hasParts && el("td", { class: "part" }, row.allCalls > 0 && !isOwn && !(row.arc !== undefined && model.isWithin(row.arc))
				? estimate(formatShare(row.calls, row.allCalls), isDivided) : ""));
	}

	timeCell(row, total) {
		const { model } = this.app;
		// Of a member that got no time from outside, what is there was measured.
		const isEstimated = !row.isMeasured && row.time > 0 && (row.isMember ? model.isTotalEstimated(row.node) : model.totalIsEstimated);

		if (!isKnown(row.time))
			return el("td", {}, unknownValue("calls inside a cycle or by the function itself are charged with no time of their own"));
		const cell = el("td", { class: row.isMeasured ? "bar self" : "bar", title: formatValue(row.time, model.metric) },
			estimate(formatShare(row.time, total), isEstimated));
		cell.style.setProperty("--share", percent(row.time / total));
		return cell;
	}

	countOf(calls, isDivided) {
		if (!isKnown(calls))
			return unknownValue("these calls were not counted");
		const text = formatCount(calls);

		return isDivided ? el("span", { class: "est", title: "estimated: calls that several places can have made were divided evenly" }, "~" + text)
			: el("span", { title: formatExact(calls) }, text);
	}

	// "line 41: 1.1 M, line 57: 96 k": where a caller makes its calls.
	sites(row) {
		const sites = row.arc !== undefined ? this.app.model.sites(row.arc) : [];

		if (sites.length === 0)
			return null;
		const words = sites.slice(0, SITES_SHOWN).map((site, i) => [i > 0 ? ", " : "",
			el("a", { href: this.app.href({ f: site.node }) }, "line " + site.line), sites.length > 1 ? ": " + formatCount(site.calls) : ""]);
		return el("span", { class: "sites" }, "at ", words, sites.length > SITES_SHOWN ? ", and " + formatNumberOf(sites.length - SITES_SHOWN, "line") + " more" : "");
	}
}

function insertByTime(rows, row) {
	const at = rows.findIndex((other) => !(other.time > row.time));

	rows.splice(at < 0 ? rows.length : at, 0, row);
}

function foundWords(found) {
	return FOUND.find(([bit]) => (found & bit) !== 0)[1];
}

function whyNone(model, kind) {
	if (!model.counted && !model.hasTotal)
		return "The profile does not say what called what.";
	if (model.measured)
		return kind === "callers" ? "All stacks that it is in begin with it." : "All stacks that it is in end with it.";
	if (kind === "callers")
		return "No caller is known: the program starts here, or the caller was not compiled for profiling.";
	return "It calls nothing that is in the profile.";
}
