// SPDX-License-Identifier: Apache-2.0
// The columns that the table of functions can have.

import { UNKNOWN, formatCount, formatExact, formatShare, formatValue, isKnown, valueScale } from "./format.js";
import { KIND } from "./model.js";
import { cutEnd, cutName } from "./names.js";

export const ESTIMATE_WHY = "estimated: the profile does not say how long each call took";
const NO_CALLS_WHY = "not known: no call was counted, as of main and of code compiled without -pg";
const LONGEST_CALLS = 9; // characters

// What a cell shows: its text; "bar" and "inner", shares from 0 to 1 that are drawn behind it; whether
// it is an estimate, or zero; and "why", which explains it.

function unknown(why) {
	return { text: UNKNOWN, why };
}

function whyNoSelf(model, node) {
	return model.isCycle(node) ? "the self time of a cycle is that of its members" : "the profile has no samples";
}

function selfOf(model, node) {
	return model.isCycle(node) ? NaN : model.self(node);
}

function ownOf(model, node) {
	return model.isCycle(node) ? NaN : model.own(node);
}

function showSelf(model, node) {
	const ticks = selfOf(model, node);

	if (!isKnown(ticks))
		return unknown(whyNoSelf(model, node));
	return {
		text: formatShare(ticks, model.whole),
		bar: ticks / model.whole,
		isZero: ticks === 0,
		why: formatValue(ticks, model.metric),
	};
}

// A mark before what is an estimate.
function marked(text, isEstimated) {
	return isEstimated ? "~" + text : text;
}

function showTotal(model, node) {
	const ticks = model.total(node);
	const isEstimated = model.isTotalEstimated(node);

	if (!isKnown(ticks))
		return unknown("not known: " + model.whyNoTotal(node));
	return {
		text: marked(formatShare(ticks, model.graphWhole), isEstimated),
		bar: ticks / model.graphWhole,
		isZero: ticks === 0,
		inner: model.isCycle(node) ? 0 : Math.min(model.own(node), ticks) / model.graphWhole,
		isEstimated,
		why: formatValue(ticks, model.metric) + (isEstimated ? ", " + ESTIMATE_WHY : ""),
	};
}

// "750+182 k": calls by others and by itself; only the former if both have no room.
function showCalls(model, node) {
	const calls = model.calls(node);
	const own = model.recursive(node);

	// Most lines are not where a function begins, so nothing calls them.
	if (model.is(node, KIND.LINE) && !(calls > 0) && !(own > 0))
		return { text: "", why: "no call was counted" };
	if (!isKnown(calls))
		return unknown(NO_CALLS_WHY);
	if (calls === 0 && !(own > 0))
		return { text: "0", why: "no call was counted" };
	const others = formatCount(calls);
	const where = model.isCycle(node) ? " within the cycle" : " by itself";
	const both = others + (own > 0 ? "+" + formatCount(own) : "");

	return {
		text: both.length <= LONGEST_CALLS ? both : others,
		why: formatExact(calls) + " calls" + (own > 0 ? ", and " + formatExact(own) + where : ""),
	};
}

function perCall(model, node, ticks) {
	const calls = model.calls(node);

	return calls > 0 && isKnown(ticks) ? ticks / calls : NaN;
}

function selfPerCall(model, node) {
	return perCall(model, node, ownOf(model, node));
}

function totalPerCall(model, node) {
	return perCall(model, node, model.total(node));
}

function showPerCall(model, ticks, isEstimated) {
	if (!isKnown(ticks))
		return unknown("not known: no call was counted, or the profile has no samples");
	return { text: marked(formatValue(ticks, model.metric, true), isEstimated), isEstimated };
}

// "stl_al\u2026:1880": the line says more than the middle of a name.
export function cutPlace(place, width) {
	const colon = place.lastIndexOf(":");
	const line = colon > 0 ? place.slice(colon) : "";
	const room = Math.max(0, Math.floor(width) - line.length - 1);

	return place.length <= width || !line ? place : cutEnd(place.slice(0, colon), room + 1) + line;
}

// One row for each column: where "value" is a number, rows sort by it, the largest first; "width" is in
// pixels; columns of text share the rest. "show" gets the characters that there is room for, too.
const COLUMNS = [
	{
		id: "self", title: "self", help: "time in the function's own code, as a share of all", width: 64,
		isThere: (model) => model.hasSelf, value: selfOf, show: showSelf,
	},
	{
		id: "total", title: "total", help: "time in the function and in all that it called", width: 76,
		isThere: (model) => model.hasTotal, value: (model, node) => model.total(node), show: showTotal,
	},
	{
		id: "time", title: "self", help: "time in the function's own code", width: 84,
		isThere: (model) => model.hasSelf, value: selfOf,
		heading: (model) => "self, " + valueScale(model.whole, model.metric).unit,
		show(model, node) {
			const ticks = selfOf(model, node);

			return isKnown(ticks) ? { text: valueScale(model.whole, model.metric).format(ticks) }
				: unknown(whyNoSelf(model, node));
		},
	},
	{
		id: "totaltime", title: "total", help: "time in the function and in all that it called", width: 84,
		isThere: (model) => model.hasTotal, value: (model, node) => model.total(node),
		heading: (model) => "total, " + valueScale(model.whole, model.metric).unit,
		show(model, node) {
			const ticks = model.total(node);
			const isEstimated = model.isTotalEstimated(node);
			const text = marked(valueScale(model.whole, model.metric).format(ticks), isEstimated);

			return isKnown(ticks) ? { text, isEstimated, why: isEstimated ? ESTIMATE_WHY : "" }
				: unknown("not known: " + model.whyNoTotal(node));
		},
	},
	{
		id: "error", title: "\u00b1", help: "standard error of self: two of three runs differ by less", width: 84,
		isThere: (model) => model.hasSelf && Boolean(model.values.selfSquares),
		value: (model, node) => (model.isCycle(node) ? NaN : model.error(node)),
		show(model, node) {
			const ticks = model.isCycle(node) ? NaN : model.error(node);

			return isKnown(ticks) ? { text: formatValue(ticks, model.metric) } : unknown(whyNoSelf(model, node));
		},
	},
	{
		id: "calls", title: "calls", help: "calls by others, then + calls by itself", width: 84,
		isThere: (model) => model.counted,
		value: (model, node) => (isKnown(model.calls(node)) ? model.calls(node) : NaN), show: showCalls,
	},
	{
		id: "percall", title: "self/call", help: "self time divided by calls by others", width: 84,
		isThere: (model) => model.counted && model.hasSelf,
		value: selfPerCall,
		show: (model, node) => showPerCall(model, selfPerCall(model, node), false),
	},
	{
		id: "totalpercall", title: "total/call", help: "total time divided by calls by others", width: 88,
		isThere: (model) => model.counted && model.hasTotal,
		value: totalPerCall,
		show: (model, node) => showPerCall(model, totalPerCall(model, node), model.isTotalEstimated(node)),
	},
	{
		id: "name", title: "function", help: "the name, without long arguments", isText: true,
		isThere: () => true, value: (model, node) => model.name(node),
		show(model, node, width) {
			const name = model.name(node);
			const text = cutName(name, width);

			return {
				// The place of a line is in a column of its own.
				text: model.byLine ? text.replace(/ \(\u2026\)$/, "") : text,
				why: text !== name ? name : "",
				isLink: true,
			};
		},
	},
	{
		id: "at", title: "at", help: "source file and line, or the library", isText: true,
		isThere: (model) => model.hasPlaces(), value: (model, node) => model.place(node),
		show: (model, node, width) => ({
			text: cutPlace(model.place(node), width), why: model.file(node) || model.object(node),
		}),
	},
	{
		id: "object", title: "object", help: "the library that the function is in", isText: true,
		isThere: (model) => model.hasObjects(),
		value: (model, node) => model.object(node),
		show: (model, node) => ({ text: model.object(node) || model.program }),
	},
	{
		id: "entry", title: "[N]", help: "number of the entry in gprof's call graph", width: 64, ascends: true,
		isThere: (model) => model.arcCount > 0,
		value: (model, node) => model.entry(node) || NaN,
		show: (model, node) => ({ text: model.entry(node) > 0 ? "[" + model.entry(node) + "]" : "" }),
	},
];

const DEFAULT = ["self", "total", "calls", "name", "at"];

export function allColumns(model) {
	return COLUMNS.filter((column) => column.isThere(model));
}

export function headingOf(column, model) {
	return column.heading ? column.heading(model) : column.title;
}

const SAMPLED = 200; // rows whose texts decide how wide columns are
const AROUND_TEXT = 12; // pixels, beside the text of a cell
const LEAST_NAME = 110; // pixels
const LEAST_TEXT = 8; // characters
const MOST_TEXT = 0.35; // of the room of all texts, if the names need the rest

// How wide a character of a column of text is, in pixels.
function characterWidth(column) {
	return column.id === "name" ? 7.9 : 7.3;
}

// The width of each column in pixels: the names get what numbers and other texts leave.
export function columnWidths(columns, model, rows, room) {
	const some = rows.slice(0, SAMPLED);
	const needOf = (column) => AROUND_TEXT + Math.ceil(characterWidth(column)
		* some.reduce((most, node) => Math.max(most, column.value(model, node).length), LEAST_TEXT));
	const texts = columns.filter((column) => column.isText && column.id !== "name");
	const rest = columns.reduce((left, column) => left - (column.isText ? 0 : column.width), room);
	const widths = new Map(texts.map((column) => [column, needOf(column)]));
	const wanted = texts.reduce((sum, column) => sum + widths.get(column), 0);
	const name = columns.find((column) => column.id === "name");
	const left = Math.max(MOST_TEXT * rest, rest - needOf(name), 0);

	for (const column of texts)
		widths.set(column, Math.floor(widths.get(column) * Math.min(1, left / wanted)));
	const ofName = texts.reduce((sum, column) => sum - widths.get(column), rest);
	widths.set(name, Math.max(Math.min(LEAST_NAME, needOf(name)), ofName));
	return columns.map((column) => (column.isText ? widths.get(column) : column.width));
}

// How many characters fit into each column.
export function columnCharacters(columns, widths) {
	return columns.map((column, i) => Math.floor((widths[i] - AROUND_TEXT) / characterWidth(column) + 0.01));
}

// The columns of an address: "self,calls,name". The name is always there.
export function chosenColumns(model, text) {
	const ids = text ? text.split(",") : DEFAULT;

	return allColumns(model).filter((column) => column.id === "name" || ids.includes(column.id));
}

// How a choice is written; "": as without one.
export function writeColumns(model, ids) {
	const there = allColumns(model).map((column) => column.id);
	const write = (list) => there.filter((id) => id === "name" || list.includes(id)).join(",");

	return write(ids) === write(DEFAULT) ? "" : write(ids);
}
