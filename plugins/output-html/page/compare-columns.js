// SPDX-License-Identifier: Apache-2.0
// The columns of the table of a comparison.

import { UNKNOWN, formatCount, formatExact } from "./format.js";
import { formatRatio } from "./compare-format.js";
import { cutEnd, cutName } from "./names.js";

const ESTIMATED_WHY = "estimated: the profile does not say how long each call took, so it was not tested";
const VALUE_WIDTH = 92; // pixels

// A column of the values of one side, or of their difference.
function valueColumn(id, title, help, value, isSigned, isEstimate = () => false) {
	return {
		id, title, help, width: VALUE_WIDTH, value,
		isThere: () => true,
		show(model, node) {
			const ticks = value(model, node);
			const isGuessed = isEstimate(model) && ticks !== 0 && !Number.isNaN(ticks);

			return {
				text: (isGuessed ? "~" : "") + (isSigned ? model.scale.signed(ticks) : model.scale.value(ticks)),
				isZero: ticks === 0,
				isEstimated: isGuessed,
				why: isEstimate(model) ? ESTIMATED_WHY : "",
			};
		},
	};
}

function differenceOf({ base, new: now }) {
	return now - base;
}

function intervalText(model, { low, high }) {
	return Number.isNaN(low) ? "the error is not known" : "95\u00a0% interval of the difference: " + model.scale.signed(low)
		+ " to " + model.scale.signedWithUnit(high);
}

const self = (model, node) => model.self(node);
const total = (model, node) => model.total(node);
const isGuess = (model) => model.estimatesTotals;

function ratioColumn(id, title, of) {
	const ratio = (model, node) => {
		const { base, new: now } = of(model, node);

		return base > 0 ? now / base : NaN;
	};

	return {
		id, title, help: "new divided by base", width: 76, isThere: () => true, value: ratio,
		show: (model, node) => ({ text: formatRatio(of(model, node).base, of(model, node).new) }),
	};
}

function verdictColumn(id, title, help, of) {
	return {
		id, title, help, width: 104, isThere: () => true, value: (model, node) => of(model, node).verdict,
		show: (model, node) => ({ text: model.say(of(model, node)), why: intervalText(model, of(model, node)) }),
	};
}

// Of repeated runs, a mean.
export function callsText(calls) {
	return Number.isNaN(calls) ? UNKNOWN : calls < 1e6 ? formatExact(calls) : formatCount(calls);
}

function callsColumn(side) {
	return {
		id: side + "calls", title: side + " calls", help: "calls by other functions in one run, " + side, width: 84,
		isThere: (model) => model.counted,
		value: (model, node) => model.calls(side, node),
		show: (model, node) => ({ text: callsText(model.calls(side, node)), isZero: model.calls(side, node) === 0 }),
	};
}

const ofTotals = (column) => ({ ...column, isThere: (model) => model.hasTotals });
// An estimate has no verdict.
const ofTested = (column) => ({ ...column, isThere: (model) => model.hasTotals && !model.estimatesTotals });

const COMPARED_COLUMNS = [
	valueColumn("base", "base", "self: in the function's own code, in the base", (model, node) => self(model, node).base, false),
	valueColumn("new", "new", "self: in the function's own code, in the new profile", (model, node) => self(model, node).new, false),
	valueColumn("difference", "difference", "self: new less base", (model, node) => differenceOf(self(model, node)), true),
	{
		id: "interval", title: "\u00b1 95 %", help: "half the 95 % interval of the difference", width: 76, isThere: () => true,
		value: (model, node) => (self(model, node).high - self(model, node).low) / 2,
		show(model, node) {
			const { low, high } = self(model, node);

			return { text: model.scale.value((high - low) / 2), why: intervalText(model, { low, high }) };
		},
	},
	ratioColumn("ratio", "ratio", self),
	verdictColumn("verdict", "verdict", "what can be said of the difference of self values", self),
	{
		id: "name", title: "function", help: "the name, without long arguments", isText: true,
		isThere: () => true, value: (model, node) => model.name(node),
		show(model, node, width) {
			const name = model.name(node);
			const note = model.note(node);
			const room = note ? Math.max(width - note.length - 3, Math.min(width, 12)) : width;
			const text = cutName(name, room) + (note ? cutEnd(" (" + note + ")", Math.max(0, width - 1)) : "");

			return { text, why: text !== name ? name + (note ? " (" + note + ")" : "") : "", isLink: true };
		},
	},
	ofTotals(valueColumn("totalbase", "base total", "with all that was called, in the base",
		(model, node) => total(model, node).base, false, isGuess)),
	ofTotals(valueColumn("totalnew", "new total", "with all that was called, in the new profile",
		(model, node) => total(model, node).new, false, isGuess)),
	ofTotals(valueColumn("totaldifference", "difference", "total: new less base",
		(model, node) => differenceOf(total(model, node)), true, isGuess)),
	ofTested(verdictColumn("totalverdict", "of total", "what can be said of the difference of totals", total)),
	callsColumn("base"),
	callsColumn("new"),
	{
		id: "at", title: "at", help: "source file and line, or the library", isText: true,
		isThere: (model) => model.allNodes.some((node) => model.place(node) !== ""),
		value: (model, node) => model.place(node),
		show: (model, node, width) => ({ text: cutEnd(model.place(node), width), why: model.file(node) || model.object(node) }),
	},
];

export function comparedColumns(model) {
	return COMPARED_COLUMNS.filter((column) => column.isThere(model));
}
