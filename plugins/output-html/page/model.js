// SPDX-License-Identifier: Apache-2.0
// The data of the page (data.md) as views ask for it.

import { isKnown } from "./format.js";
import { sumInlined } from "./inlined.js";
import { Ranks } from "./ranks.js";
import { callerOf, isOwnArc } from "./shares.js";
import { Numbers, Texts, numbersOf } from "./unpack.js";
import { shortPaths } from "./names.js";

const MANY_ARCS = 100; // of a function
const FEW_LOOKS = 3; // for the callers of a function, before a list of all is made

export const KIND = { SHOWN: 1, STATIC: 2, FUNCTION: 4, OUTSIDE: 8, FILE: 16, LINE: 32, INDIRECT: 64 };

// Per function with time in inlined subroutines its ticks by their names, as indexes; -1: its own code.
function findSelfParts(contexts) {
	const parts = new Map();

	// Most programs have none, and many contexts.
	if (!contexts || !contexts.inlined || !contexts.inlined.some((flag) => flag !== 0))
		return parts;
	for (let i = 0; i < contexts.node.length; i++) {
		const node = contexts.node[i];
		const own = parts.get(node) || new Map();
		const name = contexts.name[i];

		if (contexts.self[i] > 0)
			own.set(name, (own.get(name) || 0) + contexts.self[i]);
		parts.set(node, own);
	}
	for (const [node, own] of parts)
		if (own.size === 0 || (own.size === 1 && own.has(-1)))
			parts.delete(node);
	return parts;
}

// The lines of such parts, the first of equal names: Map from "node name" to { file, line }.
function findPlaces(parts) {
	const places = new Map();

	for (let i = 0; parts && i < parts.node.length; i++) {
		const key = parts.node[i] + " " + parts.name[i];

		if (!places.has(key))
			places.set(key, { file: parts.file[i], line: parts.line[i] });
	}
	return places;
}

function marksOf(list, count) {
	const marks = new Uint8Array(count);

	for (let i = 0; i < list.length; i++)
		marks[list[i]] = 1;
	return marks;
}

function arcsOf(first, node) {
	return Uint32Array.from({ length: first[node + 1] - first[node] }, (_, i) => first[node] + i);
}

function valuesOf(arcs, metric) {
	const { self, below } = arcs.values[metric];

	return { self: numbersOf(self), below: numbersOf(below) };
}

export class Model {
	constructor(data) {
		const functions = data.functions;

		this.data = data;
		this.program = data.program;
		this.metrics = data.metrics;
		this.timed = data.timed;
		this.counted = data.counted;
		this.measured = data.measured;
		this.byLine = data.byLine;
		this.count = functions.count;
		this.nodes = functions.nodes;
		this.names = functions.name instanceof Texts ? functions.name : new Texts(functions.name);
		this.lower = new Array(functions.nodes);
		this.flat = data.flat;
		this.callees = data.arcs ? numbersOf(data.arcs.callee) : new Numbers([]);
		this.calleesOfCycleArcs = data.cycleArcs ? numbersOf(data.cycleArcs.callee) : new Numbers([]);
		this.arcCount = this.callees.length;
		this.entries = numbersOf(functions.entry);
		this.callsOfNodes = numbersOf(data.calls.calls);
		this.callsOfArcs = data.arcs ? numbersOf(data.arcs.calls) : null;
		this.callsOfCycleArcs = data.cycleArcs ? numbersOf(data.cycleArcs.calls) : null;
		this.looks = 0;
		this.setMetric(0);
	}

	// All values are those of one metric.
	setMetric(index) {
		const arcs = this.data.arcs;

		this.metricIndex = index < this.metrics.length ? index : 0;
		this.metric = this.metrics[this.metricIndex];
		this.values = this.data.values[this.metricIndex];
		for (const key of ["self", "below", "selfSquares", "whole"])
			this[key + "Values"] = this.values[key] ? numbersOf(this.values[key]) : null;
		this.whole = this.values.total;
		this.graphWhole = this.values.graphTotal;
		this.hasSelf = this.timed && this.values.selfOrigin !== "unknown" && this.whole > 0;
		this.hasTotal = this.hasSelf && this.values.totalOrigin !== "unknown"
			&& this.belowValues !== null && this.graphWhole > 0;
		this.totalIsEstimated = this.values.totalOrigin === "estimated";
		this.arcValues = arcs ? valuesOf(arcs, this.metricIndex) : null;
		this.cycleArcValues = this.data.cycleArcs ? valuesOf(this.data.cycleArcs, this.metricIndex) : null;
		this.sortedArcs = new Map();
	}

	// Functions in the order of the flat profile, and cycles: always the same list.
	rows() {
		if (!this.allRows) {
			const functions = this.flat.length;

			this.allRows = new Uint32Array(functions + this.nodes - this.count);
			this.allRows.set(this.flat);
			for (let i = functions; i < this.allRows.length; i++)
				this.allRows[i] = this.count + i - functions;
		}
		return this.allRows;
	}

	// Per node 1 if there is nothing in itself nor below.
	idleNodes() {
		const { values } = this;

		if (!this.idle || this.idle.of !== values) {
			this.idle = { of: values, marks: this.hasTotal && values.idle ? marksOf(values.idle, this.nodes) : this.findIdle() };
		}
		return this.idle.marks;
	}

	findIdle() {
		const marks = new Uint8Array(this.nodes);

		for (let node = 0; node < this.nodes; node++)
			marks[node] = this.self(node) > 0 || this.known(node) > 0 ? 0 : 1;
		return marks;
	}

	isNode(node) {
		return Number.isInteger(node) && node >= 0 && node < this.nodes;
	}

	isCycle(node) {
		return node >= this.count;
	}

	is(node, kind) {
		return node < this.count && (this.data.functions.kind[node] & kind) !== 0;
	}

	name(node) {
		return this.names.get(node);
	}

	// The name in lower case.
	lowerName(node) {
		if (this.lower[node] === undefined)
			this.lower[node] = this.name(node).toLowerCase();
		return this.lower[node];
	}

	// Reads names for about a time; true: it has all of them.
	readNames(milliseconds) {
		return this.names.run(milliseconds);
	}

	// Reads the numbers that a table sorts by.
	readNumbers() {
		for (const numbers of [this.selfValues, this.belowValues, this.callsOfNodes])
			if (numbers)
				numbers.finish();
	}

	// The places of the names in their order.
	nameRanks() {
		if (!this.ranksOfNames) {
			const names = this.names.finish();

			this.ranksOfNames = new Ranks(names, names.map((_, node) => this.lowerName(node)));
		}
		return this.ranksOfNames;
	}

	// Without the place that names have in reports by line, where it is shown anyway.
	plainName(node) {
		return this.byLine ? this.name(node).replace(/ \([^()]*:\d+ @ [0-9a-f]+\)$/, "") : this.name(node);
	}

	file(node) {
		const file = this.isCycle(node) ? -1 : this.data.functions.file[node];

		return file >= 0 ? this.data.strings[file] : "";
	}

	object(node) {
		const object = this.isCycle(node) ? -1 : this.data.functions.object[node];

		return object >= 0 ? this.data.strings[object] : "";
	}

	line(node) {
		return this.isCycle(node) ? 0 : this.data.functions.line[node];
	}

	entry(node) {
		return this.entries.get(node);
	}

	// The file without as many folders as may be.
	shortFile(path) {
		if (!this.paths) {
			const { functions, parts } = this.data;
			const files = new Set(functions.file);

			for (const file of parts ? parts.file : [])
				files.add(file);
			this.paths = shortPaths(Array.from(files).filter((file) => file >= 0).map((file) => this.data.strings[file]));
		}
		return this.paths.get(path) || path;
	}

	// "table.c:41", or the object; "": not known.
	place(node) {
		const file = this.file(node);
		const line = this.line(node);

		if (!file)
			return this.object(node);
		return this.shortFile(file) + (line > 0 ? ":" + line : "");
	}

	// Whether the source view has the text of a line; file: its number among the texts.
	hasSource(file, line) {
		if (!this.sources)
			this.sources = new Map((this.data.source ? this.data.source.file : []).map(({ path, parts }) => [path, parts || []]));
		return (this.sources.get(file) || []).some(({ first, lines }) => line >= first && line < first + lines.length);
	}

	hasPlaces() {
		return this.hasFiles() || this.hasObjects();
	}

	// Each change of the state asks, and the answer can be at the end of long columns.
	hasFiles() {
		if (this.someFile === undefined)
			this.someFile = this.data.functions.file.some((index) => index >= 0);
		return this.someFile;
	}

	hasObjects() {
		if (this.someObject === undefined)
			this.someObject = this.data.functions.object.some((index) => index >= 0);
		return this.someObject;
	}

	// The number of the cycle that a function is in; 0: none.
	cycle(node) {
		return this.data.functions.cycle[node];
	}

	// The node of a cycle; -1: it is none, since inclusive values were measured.
	cycleNode(number) {
		const node = this.count + number - 1;

		return number > 0 && node < this.nodes ? node : -1;
	}

	// A cycle in place of its members: times are propagated from and to it as a whole.
	wholeOf(node) {
		const cycle = this.isCycle(node) ? -1 : this.cycleNode(this.cycle(node));

		return cycle >= 0 ? cycle : node;
	}

	isInCycle(node) {
		return this.wholeOf(node) !== node;
	}

	members(cycleNode) {
		const number = cycleNode - this.count + 1;
		const members = [];

		for (let i = 0; i < this.count; i++)
			if (this.data.functions.cycle[i] === number)
				members.push(i);
		return members.sort((a, b) => this.known(b) - this.known(a) || this.calls(b) - this.calls(a) || a - b);
	}

	// Ticks of a node itself.
	self(node) {
		return this.hasSelf ? this.selfValues.get(node) : NaN;
	}

	// Standard error of self, in ticks; NaN: not known.
	error(node) {
		const squares = this.selfSquaresValues;

		return this.hasSelf && squares ? Math.sqrt(squares.get(node)) : NaN;
	}

	// Whether ticks are numbers of samples: each weighs one.
	get hasSampleTicks() {
		const squares = this.selfSquaresValues;
		const first = this.flat[0];

		return this.hasSelf && squares !== null && first !== undefined && this.selfValues.get(first) === squares.get(first);
	}

	// The same of a function with all its lines, which have ticks of their own in reports by line.
	own(node) {
		return this.hasSelf && this.wholeValues ? this.wholeValues.get(node) : this.self(node);
	}

	// What is known of a node's inclusive value, of which there can be more.
	known(node) {
		return this.hasTotal ? this.own(node) + this.belowValues.get(node) : this.self(node);
	}

	// The function that a line is in: they are in the order of their addresses.
	functionOf(line) {
		let node = line;

		while (node > 0 && this.is(node, KIND.LINE))
			node--;
		return node;
	}

	// The inclusive value, in ticks; NaN: not known.
	total(node) {
		return this.hasTotal && !this.whyNoTotal(node) ? this.known(node) : NaN;
	}

	// Why the inclusive value of a node is not known, as the end of a sentence; "": it is.
	whyNoTotal(node) {
		if (!this.timed || !this.hasSelf)
			return "the profile has no samples";
		if (!this.hasTotal)
			return "the profile does not say what called what";
		if (this.isInCycle(node))
			return "the function is in a cycle, which has a total as a whole";
		if (this.is(node, KIND.LINE))
			return "of a line it is not known what it called";
		if (this.is(node, KIND.OUTSIDE | KIND.INDIRECT))
			return "this stands for code outside of all functions";
		return "";
	}

	// Where nothing was propagated, the total is what was measured.
	isTotalEstimated(node) {
		return this.totalIsEstimated && this.belowValues !== null && this.belowValues.get(node) > 0;
	}

	// What the self time of a function is, where subroutines were inlined into it: [{name, ticks, place}], the heaviest first;
	// the name of its own code is "", and the place, null or {file, line}, where most of it is. None, if nothing was inlined
	// where it has time.
	selfParts(node) {
		if (!this.parts)
			this.parts = findSelfParts(this.data.contexts);
		const parts = this.metricIndex === 0 ? this.parts.get(node) : null;

		return parts ? Array.from(parts, ([name, ticks]) => ({
			name: name < 0 ? "" : this.data.strings[name], ticks, place: this.partPlace(node, name),
		})).sort((a, b) => b.ticks - a.ticks || (a.name < b.name ? -1 : 1)) : [];
	}

	// Where most of the samples of such a part are, by the index of its name; null: not known.
	partPlace(node, name) {
		if (!this.partPlaces)
			this.partPlaces = findPlaces(this.data.parts);
		return this.partPlaces.get(node + " " + name) || null;
	}

	// The inlined subroutines of all functions, with times of the first metric; the heaviest first.
	allInlined() {
		if (!this.inlinedList)
			this.inlinedList = Array.from(this.inlinedSums().values()).sort((a, b) => b.total - a.total || a.context - b.context);
		return this.inlinedList;
	}

	// One of them; undefined: it is none. name: as an index.
	inlined(node, name) {
		return this.inlinedSums().get(node + " " + name);
	}

	inlinedSums() {
		if (!this.sumsOfInlined)
			this.sumsOfInlined = sumInlined(this.data.contexts);
		return this.sumsOfInlined;
	}

	selfShare(node) {
		return this.self(node) / this.whole;
	}

	totalShare(node) {
		return this.total(node) / this.graphWhole;
	}

	// Calls by other functions; of a cycle, from outside. -1: not known.
	calls(node) {
		return this.counted ? this.callsOfNodes.get(node) : -1;
	}

	// Calls by itself; of a cycle, between its members. -1: not known.
	recursive(node) {
		return this.counted ? this.data.calls.recursive[node] : -1;
	}

	// Arcs. Those of cycles follow those of functions: their numbers are from arcCount on.

	caller(arc) {
		if (arc >= this.arcCount)
			return this.data.cycleArcs.caller[arc - this.arcCount];
		return callerOf(this.data.arcs.first, arc);
	}

	callee(arc) {
		return arc >= this.arcCount ? this.calleesOfCycleArcs.get(arc - this.arcCount) : this.callees.get(arc);
	}

	arcCalls(arc) {
		if (!this.counted)
			return -1;
		return arc >= this.arcCount ? this.callsOfCycleArcs.get(arc - this.arcCount) : this.callsOfArcs.get(arc);
	}

	// What a caller is charged with for the time of a callee; NaN: not known.
	arcTime(arc) {
		if (!this.hasTotal || this.isWithin(arc))
			return NaN;
		if (arc >= this.arcCount)
			return this.cycleArcValues.self.get(arc - this.arcCount) + this.cycleArcValues.below.get(arc - this.arcCount);
		return this.arcValues.self.get(arc) + this.arcValues.below.get(arc);
	}

	// Calls by a function itself, and within a cycle, propagate no time unless it was measured.
	isWithin(arc) {
		if (arc >= this.arcCount || this.measured)
			return false;
		const callee = this.callee(arc);
		const cycle = this.cycle(callee);

		return isOwnArc(this.data.arcs.first, callee, arc) || (cycle > 0 && this.cycle(this.caller(arc)) === cycle);
	}

	// How a call was found in the code that was never recorded: bits; 0: it was recorded.
	arcFound(arc) {
		const found = arc < this.arcCount ? this.data.arcs.found : null;

		return found ? found[arc] : 0;
	}

	isDivided(arc) {
		const divided = arc < this.arcCount ? this.data.arcs.divided : null;

		return divided ? divided[arc] !== 0 : false;
	}

	// The lines that make the calls of an arc, the most frequent ones first: [{line, calls}].
	sites(arc) {
		const sites = arc < this.arcCount ? this.data.arcs.site : null;
		const found = [];

		for (let i = sites ? sites.first[arc] : 0; sites && i < sites.first[arc + 1]; i++)
			found.push({ node: sites.node[i], line: this.line(sites.node[i]), calls: sites.calls[i] });
		return found.sort((a, b) => b.calls - a.calls || a.line - b.line);
	}

	// Arcs by callee: those into node n are item[first[n]] … item[first[n + 1] - 1].
	arcsInto() {
		if (this.into)
			return this.into;
		const lists = [this.callees.finish(), this.calleesOfCycleArcs.finish()];
		const first = new Uint32Array(this.nodes + 1);
		const item = new Uint32Array(lists[0].length + lists[1].length);

		for (const callees of lists)
			for (let i = 0; i < callees.length; i++)
				first[callees[i] + 1]++;
		for (let node = 0; node < this.nodes; node++)
			first[node + 1] += first[node];
		const next = first.slice();
		let arc = 0;
		for (const callees of lists)
			for (let i = 0; i < callees.length; i++)
				item[next[callees[i]]++] = arc++;
		this.into = { first, item };
		return this.into;
	}

	findArcsInto(node) {
		const ofCycles = this.calleesOfCycleArcs.find(node).map((arc) => this.arcCount + arc);

		return Uint32Array.from([...this.callees.find(node), ...ofCycles]);
	}

	// Arcs into a node, the heaviest first. Do not change the array.
	arcsTo(node) {
		return this.sorted(2 * node, () => {
			// The list of all takes longer than to look for those of a few.
			if (!this.into && this.looks++ < FEW_LOOKS)
				return this.findArcsInto(node);
			const { first, item } = this.arcsInto();

			return item.slice(first[node], first[node + 1]);
		});
	}

	// Whether the arcs out of a node are in that order in the data.
	isRanked(node) {
		const { arcs } = this.data;

		return this.metricIndex === 0 && this.hasTotal && arcs && !this.isCycle(node) && arcs.first[node + 1] - arcs.first[node] >= arcs.ranked;
	}

	// Arcs out of a function, the heaviest first; none out of a cycle. Do not change the array.
	arcsFrom(node) {
		if (this.isRanked(node))
			return arcsOf(this.data.arcs.first, node);
		return this.sorted(2 * node + 1, () => {
			const first = this.data.arcs ? this.data.arcs.first : null;
			const count = first && !this.isCycle(node) ? first[node + 1] - first[node] : 0;

			if (count === 0)
				return new Uint32Array(0);
			if (count >= MANY_ARCS)
				for (const numbers of [this.callees, this.callsOfArcs, this.arcValues.self, this.arcValues.below])
					numbers.readRange(first[node], first[node + 1]);
			return arcsOf(first, node);
		});
	}

	sorted(key, find) {
		let arcs = this.sortedArcs.get(key);

		if (arcs)
			return arcs;
		const found = find();
		const weight = new Float64Array(found.length);
		for (let i = 0; i < found.length; i++) {
			const time = this.arcTime(found[i]);

			weight[i] = isKnown(time) ? time : -1;
		}
		const order = Uint32Array.from(found, (_, i) => i);
		order.sort((a, b) => weight[b] - weight[a] || this.arcCalls(found[b]) - this.arcCalls(found[a]) || found[a] - found[b]);
		arcs = order.map((i) => found[i]);
		// What was looked at is looked at again, but not all of it.
		if (this.sortedArcs.size >= 256)
			this.sortedArcs.clear();
		this.sortedArcs.set(key, arcs);
		return arcs;
	}
}
