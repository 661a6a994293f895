// SPDX-License-Identifier: Apache-2.0
// Lines of a source file as rows, with what is known of them and the calls that they make.

import { numbersOf } from "./unpack.js";

// Files of data.source by the index of their path.
export function sourceFiles(source) {
	return new Map((source ? source.file : []).map((file, number) => [file.path, number]));
}

// A place of an address, "FILE:LINE" with the number of the path: { file, line }; null: it is none of these files.
export function parsePlace(text, files) {
	const place = /^(\d{1,9}):(\d{1,9})$/.exec(text || "");
	const file = place ? Number(place[1]) : -1;

	return files.has(file) && Number(place[2]) > 0 ? { file, line: Number(place[2]) } : null;
}

// The rows that a file has on the screen: lines of text; a row for lines that are left out between parts; and, without
// text, only lines with data. Rows are found by their numbers, so that a long file costs nothing.
export function sourceRows(file) {
	const parts = [];
	let count = 0;
	let next = 1;
	const add = (part) => {
		parts.push({ ...part, at: count });
		count += part.size;
	};

	if (!file.parts) {
		add({ size: file.line.length, isData: true });
		return { parts, count };
	}
	for (const part of file.parts) {
		if (part.first > next)
			add({ size: 1, first: next, last: part.first - 1, isGap: true });
		add({ size: part.lines.length, first: part.first, lines: part.lines });
		next = part.first + part.lines.length;
	}
	if (file.count >= next)
		add({ size: 1, first: next, last: file.count, isGap: true });
	return { parts, count };
}

function partOf(rows, number) {
	let low = 0;
	let high = rows.parts.length - 1;

	while (low < high) {
		const middle = (low + high + 1) >> 1;

		if (rows.parts[middle].at <= number)
			low = middle;
		else
			high = middle - 1;
	}
	return rows.parts[low];
}

// A row: { line, text } with "text" null where it is not known, or { gap: [first, last] }.
export function sourceRow(file, rows, number) {
	const part = partOf(rows, number);

	if (part.isGap)
		return { gap: [part.first, part.last] };
	if (part.isData)
		return { line: file.line[number], text: null };
	return { line: part.first + number - part.at, text: part.lines[number - part.at] };
}

// The row that a line is in, or is left out in; -1: the file has no such row.
export function rowOfLine(file, rows, line) {
	for (const part of rows.parts) {
		if (part.isData) {
			const at = lowerBound(file.line, line);

			return at < file.line.length ? at : file.line.length - 1;
		}
		if (part.isGap && line >= part.first && line <= part.last)
			return part.at;
		if (!part.isGap && line >= part.first && line < part.first + part.size)
			return part.at + line - part.first;
	}
	return -1;
}

function lowerBound(sorted, value) {
	let low = 0;
	let high = sorted.length;

	while (low < high) {
		const middle = (low + high) >> 1;

		if (sorted[middle] < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// Where the data of a line is in the columns of a file, or -1.
export function dataOfLine(file, line) {
	const at = lowerBound(file.line, line);

	return file.line[at] === line ? at : -1;
}

// Ticks of all lines of a file. With what they call, it is at least what one of them has: lines call each other.
export function leastOfFile(file) {
	const own = file.ticks.reduce((sum, ticks) => sum + ticks, 0);

	return file.total ? file.total.reduce((most, ticks) => Math.max(most, ticks), own) : own;
}

// Up to "most" places in the columns of a file, of lines with time, the hottest first; then those that only call what
// takes it.
export function hottestLines(file, most) {
	const total = file.total || file.ticks;
	const found = [];

	for (let i = 0; i < file.ticks.length; i++) {
		if (file.ticks[i] > 0 || total[i] > 0)
			found.push(i);
	}
	return found
		.sort((a, b) => file.ticks[b] - file.ticks[a] || total[b] - total[a] || a - b)
		.slice(0, most);
}

// Where the lines of a function end: at the next function of the file that is not a part of this one, as a lambda, a loop
// that threads share, or a clone is. "nameOf" is of nodes, and "isLine" says which of them are lines.
export function endOfLines(functions, node, nameOf, isLine) {
	const name = nameOf(node);
	const own = functions.line[node];
	let end = Infinity;

	for (let i = 0; i < functions.count; i++) {
		const line = functions.line[i];

		if (functions.file[i] !== functions.file[node] || line <= own || line >= end || isLine(i))
			continue;
		const other = nameOf(i);
		if (!other.startsWith(name) || !/[.: ]/.test(other.charAt(name.length)))
			end = line;
	}
	return end;
}

// The place in the columns of a file of the line with the most time, from "first" up to "end": with what it calls, if that
// is known, and of those the one with the most of its own; -1: none has time.
export function hottestBetween(file, first, end) {
	const total = file.total || file.ticks;
	let found = -1;

	for (let i = lowerBound(file.line, first); i < file.line.length && file.line[i] < end; i++) {
		const most = found >= 0 ? total[found] : 0;

		if (total[i] > most || (total[i] === most && most > 0 && file.ticks[i] > file.ticks[found]))
			found = i;
	}
	return found;
}

// The functions that begin at lines of a file, by number of line: lists of nodes. "isLine" says which nodes are none.
export function functionsByLine(functions, path, isLine) {
	const found = new Map();

	for (let i = 0; i < functions.count; i++) {
		const line = functions.line[i];

		if (functions.file[i] !== path || !(line > 0) || isLine(i))
			continue;
		if (!found.has(line))
			found.set(line, []);
		found.get(line).push(i);
	}
	return found;
}

// The calls that lines of a file make, by number of line: lists of { callee, calls }, most calls first. Known only where
// lines are symbols; "functions" and "arcs" are those of the data.
export function callsByLine(functions, arcs, path) {
	const found = new Map();

	if (!arcs.site)
		return found;
	const callees = numbersOf(arcs.callee).finish();

	for (let arc = 0; arc < callees.length; arc++) {
		for (let s = arcs.site.first[arc]; s < arcs.site.first[arc + 1]; s++) {
			const node = arcs.site.node[s];
			const line = functions.line[node];

			if (functions.file[node] !== path || !(line > 0))
				continue;
			if (!found.has(line))
				found.set(line, new Map());
			const calls = found.get(line);

			calls.set(callees[arc], (calls.get(callees[arc]) || 0) + arcs.site.calls[s]);
		}
	}
	for (const [line, calls] of found)
		found.set(
			line,
			[...calls].map(([callee, count]) => ({ callee, calls: count })).sort((a, b) => b.calls - a.calls)
		);
	return found;
}

// The name by which source calls a function: without scopes, arguments and files.
export function wordOf(name) {
	const plain = name
		.replace(/ \[.*$/, "")
		.replace(/\(.*$/, "")
		.replace(/<.*$/, "");
	const word = /([A-Za-z_$~][\w$]*)[^\w$]*$/.exec(plain);

	return word ? word[1] : "";
}

// Pieces of a line of text: texts, and { text, callee } where a word is the name of a callee. Callees whose names are not in the
// line are returned as "others": macros and pointers call them.
export function splitCalls(text, calls, nameOf) {
	const pieces = [];
	const others = [];
	const wanted = new Map();

	for (const call of calls) {
		const word = wordOf(nameOf(call.callee));

		if (word !== "" && !wanted.has(word))
			wanted.set(word, call);
		else
			others.push(call);
	}
	let at = 0;
	const seen = new Set();

	for (const match of text.matchAll(/[A-Za-z_$][\w$]*/g)) {
		const call = wanted.get(match[0]);

		if (!call)
			continue;
		pieces.push(text.slice(at, match.index), { text: match[0], ...call });
		seen.add(match[0]);
		at = match.index + match[0].length;
	}
	pieces.push(text.slice(at));
	for (const [word, call] of wanted) {
		if (!seen.has(word))
			others.push(call);
	}
	return { pieces: pieces.filter((piece) => piece !== ""), others };
}
