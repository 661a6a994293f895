// SPDX-License-Identifier: Apache-2.0
// Which functions the words in the search box find. A search stops after a time and goes on later,
// so that no key makes the page wait.

import { Expression } from "./regex.js";

const LONGEST_QUERY = 200;
const LONGEST_NAME = 4096; // of which an expression sees this much
const AT_ONCE = 256; // functions between two looks at the clock

// What is sought: functions that say whether a node, or a name alone, matches; or the reason why there is none.
function readQuery(model, query) {
	const expression = /^\/(.+?)\/?$/.exec(query);

	if (query.length > LONGEST_QUERY)
		return { error: "at most " + LONGEST_QUERY + " characters" };
	if (!expression) {
		const words = query.toLowerCase().split(/\s+/).filter(Boolean);

		return { test: wordTest(model, words), testName: (name) => words.every((word) => name.toLowerCase().includes(word)) };
	}
	try {
		const sought = new Expression(expression[1]);

		return { test: expressionTest(model, sought), testName: (name) => sought.test(name.slice(0, LONGEST_NAME)) };
	} catch (error) {
		return { error: error.message };
	}
}

// Every word has to be in the name, or in the path of the file or object.
function wordTest(model, words) {
	const inStrings = words.map((word) => model.data.strings.map((text) => text.toLowerCase().includes(word)));
	const { file, object } = model.data.functions;

	return (node) => {
		for (let i = 0; i < words.length; i++) {
			const isInPath = node < model.count && (inStrings[i][file[node]] || inStrings[i][object[node]]);

			if (!isInPath && !model.lowerName(node).includes(words[i]))
				return false;
		}
		return true;
	};
}

function expressionTest(model, expression) {
	const inStrings = model.data.strings.map((text) => expression.test(text.slice(0, LONGEST_NAME)));
	const { file, object } = model.data.functions;

	return (node) => expression.test(model.name(node).slice(0, LONGEST_NAME))
		|| (!model.isCycle(node) && (inStrings[file[node]] || inStrings[object[node]]));
}

export class Search {
	// before: the search that was there, or nothing. What was typed after its words finds no more.
	constructor(model, query, before = null) {
		this.model = model;
		this.query = query.trim();
		this.isActive = this.query !== "" && this.query !== "/";
		this.nodes = new Uint8Array(model.nodes); // 1: matches
		this.inlined = []; // subroutines that match, as those of the model; the heaviest first
		this.names = new Map(); // per name of an inlined subroutine, as an index, whether it matches
		this.error = "";
		this.at = 0;
		this.among = null;
		if (!this.isActive)
			return;
		const { test, testName, error } = readQuery(model, this.query);
		this.error = error || "";
		this.test = test;
		this.testName = testName;
		this.end = model.nodes + model.allInlined().length;
		if (before && before.isActive && before.isDone && this.isMore(before))
			this.among = before.nodes;
	}

	// Whether it is the same words and more.
	isMore(before) {
		return !this.query.startsWith("/") && !before.query.startsWith("/") && this.query.startsWith(before.query);
	}

	get isDone() {
		return !this.isActive || this.error !== "" || this.at >= this.end;
	}

	// Goes on for about a time; true: it is done.
	run(milliseconds) {
		const end = performance.now() + milliseconds;

		while (!this.isDone) {
			const stop = Math.min(this.at + AT_ONCE, this.end);

			for (; this.at < Math.min(stop, this.model.nodes); this.at++)
				if (!this.among || this.among[this.at] === 1)
					this.nodes[this.at] = this.test(this.at) ? 1 : 0;
			// Behind all nodes.
			for (; this.at < stop; this.at++)
				this.testInlined(this.model.allInlined()[this.at - this.model.nodes]);
			if (performance.now() >= end)
				break;
		}
		return this.isDone;
	}

	testInlined(subroutine) {
		const { name } = subroutine;

		if (!this.names.has(name))
			this.names.set(name, this.testName(this.model.data.strings[name]));
		if (this.names.get(name))
			this.inlined.push(subroutine);
	}

	matches(node) {
		return !this.isActive || this.error !== "" || this.nodes[node] === 1;
	}
}

// Number and self time of the functions of a list that match. Cycles are none.
export function sumMatches(search, list) {
	const model = search.model;
	let count = 0;
	let ticks = 0;

	for (const node of list) {
		if (model.isCycle(node) || !search.matches(node))
			continue;
		count++;
		ticks += model.hasSelf ? model.self(node) : 0;
	}
	return { count, ticks };
}
