// SPDX-License-Identifier: Apache-2.0
// The data of a comparison (data.md): functions with a row, their calls, and their names.

import { SideScale, VERDICT, isDifferent, verdictText } from "./compare-format.js";
import { baseName } from "./names.js";
import { Ranks } from "./ranks.js";
import { callerOf } from "./shares.js";
import { numbersOf } from "./unpack.js";

const NOTHING = { base: NaN, new: NaN, error: NaN, low: NaN, high: NaN, verdict: VERDICT.UNTESTED, match: NaN };
const MATCHED_AS_RENAMED = 4;

function namesOf(column) {
	return column.get ? column : { get: (i) => column[i], finish: () => column };
}

export class ComparedModel {
	constructor(data) {
		const { functions, rows } = data;

		this.data = data;
		this.metric = data.metric;
		this.isTime = data.isTime;
		this.count = functions.count;
		this.nodes = functions.nodes;
		this.names = namesOf(functions.name);
		this.lower = new Array(this.nodes);
		this.rowOf = new Int32Array(this.nodes).fill(-1);
		rows.node.forEach((node, row) => {
			this.rowOf[node] = row;
		});
		this.allNodes = Array.from(rows.node);
		this.estimatesTotals = data.estimatesTotals;
		this.hasTotals = rows.total.base.some((value) => !Number.isNaN(value));
		this.counted = [rows.calls.base, rows.calls.new].some((calls) => calls.some((count) => count >= 0));
		this.scale = new SideScale(this.most(), this.metric, this.isTime);
		this.arcs = {
			first: data.arcs.first,
			callee: numbersOf(data.arcs.callee),
			base: { calls: numbersOf(data.arcs.base.calls), total: numbersOf(data.arcs.base.total) },
			new: { calls: numbersOf(data.arcs.new.calls), total: numbersOf(data.arcs.new.total) },
		};
		this.shown = this.allNodes.filter((node) => this.isShown(node));
	}

	most() {
		const { self, total } = this.data.rows;
		let most = 0;

		for (const column of [self.base, self.new, total.base, total.new])
			for (const value of column)
				most = value > most ? value : most;
		return most;
	}

	// Names, as a search and the order of the table need them.

	name(node) {
		return this.names.get(node);
	}

	lowerName(node) {
		if (this.lower[node] === undefined)
			this.lower[node] = this.name(node).toLowerCase();
		return this.lower[node];
	}

	nameRanks() {
		if (!this.ranks) {
			const texts = Array.from({ length: this.nodes }, (_, node) => this.name(node));

			this.ranks = new Ranks(texts, texts.map((_, node) => this.lowerName(node)));
		}
		return this.ranks;
	}

	isCycle(node) {
		return node >= this.count;
	}

	allInlined() {
		return [];
	}

	isNode(node) {
		return Number.isInteger(node) && node >= 0 && node < this.nodes;
	}

	string(index) {
		return index >= 0 ? this.data.strings[index] : "";
	}

	file(node) {
		return this.string(this.data.functions.file[node]);
	}

	object(node) {
		return this.string(this.data.functions.object[node]);
	}

	place(node) {
		const file = this.file(node);
		const line = this.data.functions.line[node];

		return file ? baseName(file) + (line > 0 ? ":" + line : "") : this.object(node);
	}

	// Where a function is only on one side, or has another name on the other.
	note(node) {
		const row = this.rowOf[node];

		if (row < 0)
			return "";
		const match = this.data.rows.match[row];
		const was = this.string(this.data.rows.was[row]);

		if (match <= 0)
			return match < 0 ? "only in the base" : "only in the new profile";
		return match === MATCHED_AS_RENAMED && was ? "was " + was : "";
	}

	// Values of both sides.

	difference(kind, node) {
		const row = this.rowOf[node];
		const columns = this.data.rows[kind];

		if (row < 0)
			return NOTHING;
		return {
			base: columns.base[row],
			new: columns.new[row],
			error: columns.error[row],
			low: columns.low[row],
			high: columns.high[row],
			verdict: columns.verdict[row],
			match: this.data.rows.match[row],
		};
	}

	self(node) {
		return this.difference("self", node);
	}

	total(node) {
		return this.difference("total", node);
	}

	// The verdict of a difference in words.
	say({ verdict, match }) {
		return verdictText(verdict, this.isTime, match);
	}

	// Calls of one run; NaN: not known.
	calls(side, node) {
		const row = this.rowOf[node];

		return row < 0 ? NaN : this.perRun(side, this.data.rows.calls[side][row]);
	}

	callsVerdict(node) {
		const row = this.rowOf[node];

		return row < 0 ? VERDICT.UNTESTED : this.data.rows.calls.verdict[row];
	}

	perRun(side, calls) {
		return calls < 0 ? NaN : calls / this.data[side].runs;
	}

	// Rows with a difference that can be shown, or where that is not known. Estimates are no reason: they differ with anything.
	isShown(node) {
		return differs(this.self(node)) || isDifferent(this.callsVerdict(node))
			|| (!this.estimatesTotals && differs(this.total(node)));
	}

	// Calls between functions: lists of {node, calls: {base, new}, total: {base, new}}, the heaviest on either side first.

	calleesOf(node) {
		const { first } = this.arcs;
		const list = [];

		for (let arc = first[node]; node < this.count && arc < first[node + 1]; arc++)
			list.push(this.arc(arc, this.arcs.callee.get(arc)));
		return list.sort(compareArcs);
	}

	callersOf(node) {
		return this.arcs.callee
			.find(node)
			.map((arc) => this.arc(arc, callerOf(this.arcs.first, arc)))
			.sort(compareArcs);
	}

	arc(arc, node) {
		const of = (side) => ({
			calls: this.perRun(side, this.arcs[side].calls.get(arc)),
			total: this.arcs[side].total.get(arc),
		});

		return { node, base: of("base"), new: of("new") };
	}
}

function differs({ base, new: now, verdict }) {
	return isDifferent(verdict) || (verdict === VERDICT.UNTESTED && !Number.isNaN(base) && base !== now);
}

function weightOf(arc, key) {
	return Math.max(arc.base[key] || 0, arc.new[key] || 0);
}

function compareArcs(a, b) {
	return weightOf(b, "total") - weightOf(a, "total") || weightOf(b, "calls") - weightOf(a, "calls") || a.node - b.node;
}
