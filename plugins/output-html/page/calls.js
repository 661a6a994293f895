// SPDX-License-Identifier: Apache-2.0
// The lists beside the selected function: its callers, its callees, or the members of a cycle.

import { ESTIMATE_WHY } from "./columns.js";
import { el } from "./dom.js";
import { UNKNOWN, formatCount, formatExact, formatNumberOf } from "./format.js";
import { formatShare, formatValue, isKnown } from "./format.js";
import { KIND } from "./model.js";
import { cutName } from "./names.js";
import { percent } from "./table.js";

const SITES_SHOWN = 3;
export const LEAST_REST = 0.0005; // of a total, which no caller is charged with
const NO_TIME = "calls inside a cycle or by the function itself are charged with no time of their own";
const DIVIDED_WHY = "estimated: calls that several places can have made were divided evenly";
const REST_WHY = "no caller is known: where the program starts, signal handlers, callers without profiling";

// How a call was found in the code that was never recorded.
const FOUND = [
	[1, "a call in the code that never happened"],
	[4, "a jump to its entry that never happened"],
	[8, "a call through a PLT stub that never happened"],
	[16, "a call through the GOT that never happened"],
	[2, "a call through a pointer that never happened"],
	[32, "its address is taken in the code, which is no call"],
];

// A value that is not known, with the reason for who points at it or gets there by keyboard.
export function unknownValue(why) {
	return el("span", {
		class: "unknown", tabindex: 0, role: "img", "aria-label": "not known: " + why, "data-why": why,
	}, UNKNOWN);
}

export function estimate(text, isEstimated, why = ESTIMATE_WHY) {
	return isEstimated ? el("span", { class: "est", title: why }, "~" + text) : text;
}

// A name that selects its node, in about as many characters.
export function nodeLink(app, node, characters) {
	const name = app.model.name(node);
	const text = cutName(name, characters);

	// Where there is less room than for these, its style cuts it further.
	return el("a", { href: app.href({ f: node }), class: "name", title: name }, text);
}

// Rows of lists: an arc, or a member of a cycle, or the rest of the time. Shares of time refer to
// "total", shares of calls to "allCalls" of the row. A row is made when it is asked for: of thousands, few are shown.
class Rows {
	// make(i): row i, for i below count; the heaviest first, and those without a time last.
	constructor(count, make) {
		this.count = count;
		this.make = make;
		this.rest = null;
		this.restAt = -1;
	}

	get length() {
		return this.count + (this.rest ? 1 : 0);
	}

	// One more row, in its place.
	insertByTime(rest) {
		let [low, high] = [0, this.count];

		while (low < high) {
			const middle = (low + high) >> 1;

			if (this.make(middle).time > rest.time)
				low = middle + 1;
			else
				high = middle;
		}
		this.rest = rest;
		this.restAt = low;
	}

	row(i) {
		if (this.rest && i >= this.restAt)
			return i === this.restAt ? this.rest : this.make(i - 1);
		return this.make(i);
	}

	first(count) {
		return Array.from({ length: Math.min(count, this.length) }, (_, i) => this.row(i));
	}

	some(test) {
		for (let i = 0; i < this.count; i++)
			if (test(this.make(i)))
				return true;
		return false;
	}
}

function callerRows(model, node) {
	const whole = model.wholeOf(node);
	const total = model.total(whole);
	const arcs = model.arcsTo(node);
	const rows = new Rows(arcs.length, (i) => ({
		arc: arcs[i], node: model.caller(arcs[i]), time: model.arcTime(arcs[i]), calls: model.arcCalls(arcs[i]), allCalls: model.calls(whole),
	}));
	const charged = arcs.reduce((sum, arc) => sum + (model.arcTime(arc) || 0), 0);
	const rest = total - charged;

	if (rows.length > 0 && node === whole && isKnown(total) && rest > LEAST_REST * total)
		rows.insertByTime({ text: "not known", time: rest, isRest: true, why: REST_WHY });
	return { rows, total, of: "the total of " + model.name(whole) };
}

function calleeRows(model, node) {
	const total = model.total(node);
	const own = model.own(node);
	const arcs = model.arcsFrom(node);
	const rows = new Rows(arcs.length, (i) => ({
		arc: arcs[i], node: model.callee(arcs[i]), time: model.arcTime(arcs[i]), calls: model.arcCalls(arcs[i]),
		allCalls: model.calls(model.wholeOf(model.callee(arcs[i]))),
	}));

	if (rows.length > 0 && isKnown(total) && own > 0)
		rows.insertByTime({ text: "own code", time: own, isRest: true, isMeasured: true, why: "self time" });
	return { rows, total: isKnown(total) ? total : model.known(node), of: "the total of " + model.name(node) };
}

function memberRows(model, node) {
	const members = model.members(node);
	const rows = new Rows(members.length, (i) => ({
		node: members[i], time: model.hasTotal ? model.known(members[i]) : NaN, calls: model.calls(members[i]), isMember: true,
	}));

	return { rows, total: model.total(node), of: "the total of " + model.name(node) };
}

// What a list of a node is called, and its rows.
function listOf(model, node, kind) {
	if (kind === "callers")
		return { title: "called by", ...callerRows(model, node) };
	return model.isCycle(node) ? { title: "members", ...memberRows(model, node) }
		: { title: "calls", ...calleeRows(model, node) };
}

function foundWords(found) {
	return FOUND.find(([bit]) => (found & bit) !== 0)[1];
}

function whyNone(model, kind) {
	if (!model.counted && !model.hasTotal)
		return "The profile does not say what called what.";
	if (model.measured)
		return "All stacks that it is in " + (kind === "callers" ? "begin" : "end") + " with it.";
	if (kind === "callers")
		return "No caller is known: the program starts here, or the caller was not compiled for profiling.";
	return "It calls nothing that is in the profile.";
}

// One of the lists.
export class CallList {
	constructor(app, node, kind) {
		this.app = app;
		this.node = node;
		this.kind = kind;
		Object.assign(this, listOf(app.model, node, kind));
		this.hasTime = app.model.hasTotal && this.total > 0;
		this.hasParts = app.model.counted && this.rows.some((row) => this.hasPart(row));
	}

	// Whether a row has calls that are a part of the called function's. Recursive ones, and those within a
	// cycle, are not among these.
	hasPart(row) {
		const { model } = this.app;

		return row.arc !== undefined && row.allCalls > 0 && !this.isOwn(row)
			&& (model.measured || !model.isWithin(row.arc));
	}

	// Up to a limit. characters: for names; more: what shows further rows.
	draw(limit, characters, more) {
		this.characters = characters;
		const { count } = this.rows;
		const isShort = this.rows.length > limit + 1;
		const section = el("section", { class: this.kind },
			el("h3", {}, this.title, " ", el("span", { class: "count" }, count > 0 ? formatExact(count) : "")));

		if (this.rows.length === 0) {
			section.append(el("p", { class: "quiet" }, this.none()));
			return section;
		}
		section.append(el("table", { class: "calls", "aria-label": this.title }, this.head(),
			el("tbody", {}, this.rows.first(isShort ? limit : this.rows.length).map((row) => this.row(row)))));
		if (isShort)
			section.append(el("button", { type: "button", class: "small more", onclick: more },
				"+" + formatExact(this.rows.length - limit) + " more"));
		return section;
	}

	none() {
		const { model } = this.app;

		if (!model.is(this.node, KIND.LINE))
			return whyNone(model, this.kind);
		return ["See ", nodeLink(this.app, model.functionOf(this.node), this.characters),
			", the function that the line is in."];
	}

	head() {
		const { model } = this.app;

		return el("thead", {}, el("tr", {},
			this.hasTime && el("th", { scope: "col", title: "share of " + this.of }, "of total"),
			el("th", { scope: "col", class: "text" }, "function"),
			model.counted && el("th", { scope: "col" }, "calls"),
			this.hasParts && el("th", {
				scope: "col", class: "part", title: "share of all calls of the called function",
			}, "of its calls")));
	}

	row(row) {
		const { model } = this.app;
		const isArc = row.arc !== undefined;
		const found = isArc ? model.arcFound(row.arc) : 0;
		const isDivided = isArc && model.isDivided(row.arc);

		return el("tr", { class: found ? "static" : row.isRest ? "rest" : null },
			this.hasTime && this.timeCell(row),
			el("td", { class: "text" }, this.name(row), this.sites(row),
				found > 0 && el("span", { class: "quiet small-text" }, " " + foundWords(found))),
			model.counted && el("td", {}, row.isRest ? "" : this.callsOf(row, isDivided)),
			this.hasParts && el("td", { class: "part" },
				this.hasPart(row) ? estimate(formatShare(row.calls, row.allCalls), isDivided, DIVIDED_WHY) : ""));
	}

	// Whether a row is that of recursion.
	isOwn(row) {
		return row.arc !== undefined && row.node === this.node;
	}

	name(row) {
		if (row.isRest)
			return el("span", { class: "quiet", title: row.why }, row.text);
		if (this.isOwn(row))
			return el("span", { title: "calls by itself: recursion" }, "itself");
		return nodeLink(this.app, row.node, this.characters);
	}

	timeCell(row) {
		const { model } = this.app;
		// Of a member that got no time from outside, what is there was measured.
		const isEstimated = !row.isMeasured && row.time > 0
			&& (row.isMember ? model.isTotalEstimated(row.node) : model.totalIsEstimated);

		if (!isKnown(row.time))
			return el("td", {}, unknownValue(NO_TIME));
		const cell = el("td", {
			class: row.isMeasured ? "bar self" : "bar", title: formatValue(row.time, model.metric),
		}, estimate(formatShare(row.time, this.total), isEstimated));
		cell.style.setProperty("--share", percent(row.time / this.total));
		return cell;
	}

	callsOf(row, isDivided) {
		if (!isKnown(row.calls))
			return unknownValue("these calls were not counted");
		if (isDivided)
			return estimate(formatCount(row.calls), true, DIVIDED_WHY);
		return el("span", { title: formatExact(row.calls) }, formatCount(row.calls));
	}

	// "at line 41: 1.1 M, line 57: 96 k": where a caller makes its calls.
	sites(row) {
		const sites = row.arc !== undefined ? this.app.model.sites(row.arc) : [];
		const more = sites.length - SITES_SHOWN;

		if (sites.length === 0)
			return null;
		return el("span", { class: "sites" }, "at ", sites.slice(0, SITES_SHOWN).map((site, i) => [
			i > 0 ? ", " : "",
			el("a", { href: this.app.href({ f: site.node }) }, "line " + site.line),
			sites.length > 1 ? ": " + formatCount(site.calls) : "",
		]), more > 0 ? ", and " + formatNumberOf(more, "line") + " more" : "");
	}
}
