// SPDX-License-Identifier: Apache-2.0
// Long names of functions and paths, without what distinguishes them least.

const OPENING = "<([{";
const CLOSING = ">)]}";
const ELLIPSIS = "\u2026";
const SCOPES = ELLIPSIS + "::"; // outer scopes that a name is without

// Brackets that are none: of operators, and of arrows.
function isSign(name, at) {
	if (name[at] === ">" && name[at - 1] === "-")
		return true;
	return "<>".includes(name[at])
		&& /(^|[^A-Za-z0-9_])operator[<>-]*$/.test(name.slice(Math.max(0, at - 12), at));
}

// A name with dots in place of what its outermost brackets of some kinds contain, so that it shows
// that something is missing: "std::vector<…>::push_back(…)".
function withoutContents(name, kinds) {
	const open = [];
	let hidden = 0;
	let text = "";

	for (let at = 0; at < name.length; at++) {
		const c = name[at];
		const bracket = isSign(name, at) ? -1 : OPENING.indexOf(c);
		const last = open[open.length - 1];

		if (last && c === last.close && !isSign(name, at)) {
			hidden -= last.hides ? 1 : 0;
			open.pop();
		}
		if (hidden === 0)
			text += c;
		if (bracket >= 0) {
			const hides = kinds.includes(c) && !isKept(name, at);

			if (hides && hidden === 0)
				text += ELLIPSIS;
			hidden += hides ? 1 : 0;
			open.push({ close: CLOSING[bracket], hides });
		}
	}
	// A bracket that does not end: rather the whole name.
	return open.length > 0 ? name : text;
}

// Brackets that contain nothing, or have a name of their own: "(anonymous namespace)".
function isKept(name, at) {
	return CLOSING.includes(name[at + 1]) || name.startsWith("(anonymous", at);
}

// Hostile names are longer than anything that is shown.
const LONGEST = 4096;

// Where the scopes of a name end that others are in: behind each "::" outside of brackets.
function scopeEnds(name) {
	const ends = [];
	let depth = 0;

	for (let at = 0; at < name.length; at++) {
		if (isSign(name, at))
			continue;
		if (OPENING.includes(name[at]))
			depth++;
		else if (CLOSING.includes(name[at]))
			depth--;
		else if (depth === 0 && name.startsWith("::", at))
			ends.push(at + 2);
	}
	return ends;
}

// The name without outer scopes, as many as have to go.
function withoutScopes(name, width) {
	let text = name;

	for (const end of scopeEnds(name)) {
		if (text.length <= width)
			break;
		text = SCOPES + name.slice(end);
	}
	// That something is missing shows without the empty parentheses, too.
	return text.length > width && text.startsWith(ELLIPSIS) ? text.replace("(" + ELLIPSIS + ")", "") : text;
}

// A name in about "width" characters: it loses parameters, then arguments of templates, then outer
// scopes, as far as needed. What is too long even so is for the caller to cut.
export function shortName(name, width) {
	let text = name;

	// Of "<cycle 1>" and "[profiling overhead]" nothing would be left.
	if (name.length > LONGEST || /^(<[^<>]*>|\[[^[\]]*\])$/.test(name))
		return name;
	for (const kinds of ["(", "<(", "<([{"]) {
		if (text.length <= width)
			return text;
		text = withoutContents(name, kinds);
	}
	return withoutScopes(text, width);
}

// What people see as one character: a code point with the marks on it. No more of these than any script has.
const SEEN_AS_ONE = /[^]\p{M}{0,4}/gu;
const SEEN_LONGEST = 10; // UTF-16 units

export function charactersOf(text) {
	return text.match(SEEN_AS_ONE) || [];
}

// The first and last characters of a text, so many of each, with dots between them; the text itself if that has no more.
function cutMiddle(text, first, last) {
	const width = first + 1 + last;

	if (text.length <= width)
		return text;
	const begin = charactersOf(text.slice(0, width * SEEN_LONGEST));

	if (begin.length <= width && begin.join("").length === text.length)
		return text;
	const end = last > 0 ? charactersOf(text.slice(-last * SEEN_LONGEST)).slice(-last) : [];

	return begin.slice(0, first).join("") + ELLIPSIS + end.join("");
}

// A text in so many characters, without its end.
export function cutEnd(text, width) {
	return cutMiddle(text, Math.max(0, width - 1), 0);
}

// A short name in "width" characters, if possible without what qualifies it. Where room is short, dots are enough of the scopes.
function shortestName(name, width) {
	const short = shortName(name, width);
	const text = short.length > width ? short.replace(/( const| \[\u2026\])+$/, "") : short;
	const own = text.length > width && text.startsWith(SCOPES) ? text.slice(SCOPES.length) : text;

	return own === text || own.length > width ? own : ELLIPSIS + own;
}

// A name that is still too long loses its middle: many names differ only at their end.
export function cutName(name, width) {
	const text = shortestName(name, width);
	const end = Math.floor((width - 1) * 0.4);

	return width < 8 ? text : cutMiddle(text, width - 1 - end, end);
}

// The same where names in the neighborhood begin alike, and room can be for less than a word.
export function cutNameEnd(name, width) {
	return cutEnd(shortestName(name, width), width);
}

export function baseName(path) {
	const slash = path.lastIndexOf("/");

	return slash >= 0 && slash + 1 < path.length ? path.slice(slash + 1) : path;
}

const MOST_FOLDERS = 64;

// Paths without as many folders as may be, so that no two of them look the same: a map from path
// to its end. Each round adds a folder to those that are still equal.
export function shortPaths(paths) {
	const short = new Map();
	let open = Array.from(new Set(paths));

	for (let folders = 1; open.length > 0; folders++) {
		const times = new Map();

		for (const path of open) {
			const end = folders > MOST_FOLDERS ? path : path.split("/").slice(-folders).join("/");

			short.set(path, end);
			times.set(end, (times.get(end) || 0) + 1);
		}
		open = open.filter((path) => short.get(path) !== path && times.get(short.get(path)) > 1);
	}
	return short;
}
