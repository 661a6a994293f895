// SPDX-License-Identifier: Apache-2.0
// The columns that the table of functions can have.

import { UNKNOWN, formatCount, formatExact, formatShare, formatValue, isKnown, valueScale } from "./format.js";
import { KIND } from "./model.js";
import { shortName } from "./names.js";

export const ESTIMATE_WHY = "estimated: the profile does not say how long each call took";
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

function showSelf(model, node) {
	const ticks = selfOf(model, node);

	if (!isKnown(ticks))
		return unknown(whyNoSelf(model, node));
	return {
		text: formatShare(ticks, model.whole), bar: ticks / model.whole, isZero: ticks === 0, why: formatValue(ticks, model.metric),
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
		inner: model.isCycle(node) ? 0 : Math.min(model.self(node), ticks) / model.graphWhole,
		isEstimated,
		why: formatValue(ticks, model.metric) + (isEstimated ? ", " + ESTIMATE_WHY : ""),
	};
}

// "750+182 k": calls by others and by itself. No calls at all are no reason to write a 0.
function showCalls(model, node) {
	const calls = model.calls(node);
	const own = model.recursive(node);

	if (!isKnown(calls))
		return unknown("not known: calls were not counted");
	if (calls === 0 && !(own > 0))
		return { text: model.is(node, KIND.LINE) ? "" : "0", why: "no call was counted" };
	return {
		text: formatCount(calls) + (own > 0 ? "+" + formatCount(own) : ""),
		why: formatExact(calls) + " calls"
			+ (own > 0 ? ", and " + formatExact(own) + (model.isCycle(node) ? " within the cycle" : " by itself") : ""),
	};
}

function perCall(model, node, ticks) {
	const calls = model.calls(node);

	return calls > 0 && isKnown(ticks) ? ticks / calls : NaN;
}

function showPerCall(model, ticks, isEstimated, why) {
	if (!isKnown(ticks))
		return unknown(why);
	return { text: marked(formatValue(ticks, model.metric, true), isEstimated), isEstimated };
}

const NO_CALLS = "not known: no call was counted, or the profile has no samples";

// One row for each column: where "value" is a number, rows sort by it, the largest first; "width" is in
// pixels, or a share of the rest of the room. "show" gets the characters that there is room for, too.
const COLUMNS = [
	{
		id: "self", title: "self", help: "time in the function's own code, as a share of all", width: 64,
		isThere: (model) => model.hasSelf, value: selfOf, show: showSelf,
	},
	{
		id: "total", title: "total", help: "time in the function and in all that it called", width: 70,
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

			return isKnown(ticks)
				? { text: marked(valueScale(model.whole, model.metric).format(ticks), isEstimated), isEstimated, why: isEstimated ? ESTIMATE_WHY : "" }
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
		id: "calls", title: "calls", help: "calls by others, then + calls by itself", width: 76,
		isThere: (model) => model.counted,
		value: (model, node) => (isKnown(model.calls(node)) ? model.calls(node) : NaN), show: showCalls,
	},
	{
		id: "percall", title: "self/call", help: "self time divided by calls", width: 84,
		isThere: (model) => model.counted && model.hasSelf,
		value: (model, node) => perCall(model, node, selfOf(model, node)),
		show: (model, node) => showPerCall(model, perCall(model, node, selfOf(model, node)), false, NO_CALLS),
	},
	{
		id: "totalpercall", title: "total/call", help: "total time divided by calls", width: 88,
		isThere: (model) => model.counted && model.hasTotal,
		value: (model, node) => perCall(model, node, model.total(node)),
		show: (model, node) => showPerCall(model, perCall(model, node, model.total(node)), model.isTotalEstimated(node), NO_CALLS),
	},
	{
		id: "name", title: "function", help: "the name, without long arguments", width: "2.4fr", isText: true,
		isThere: () => true, value: (model, node) => model.name(node),
		show(model, node, width) {
			const name = model.name(node);
			const text = shortName(name, width);

			return { text, why: text !== name ? name : "", isLink: true };
		},
	},
	{
		id: "at", title: "at", help: "source file and line, or the library", width: "1fr", isText: true,
		isThere: (model) => model.hasPlaces(), value: (model, node) => model.place(node),
		show: (model, node) => ({ text: model.place(node), why: model.file(node) || model.object(node) }),
	},
	{
		id: "object", title: "object", help: "the library that the function is in", width: "0.6fr", isText: true,
		isThere: (model) => model.data.functions.object.some((object) => object >= 0),
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
