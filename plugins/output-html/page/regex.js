// SPDX-License-Identifier: Apache-2.0
// Regular expressions in time proportional to the text. Those of the browser can take hours for a
// short text, and nothing can stop them; names come from anywhere, and so can the address of the page.
//
// All states that an expression can be in are followed at once, and sets of them that occur are
// kept with what each character makes of them. What needs memory of the text, \1 and (?=...), is
// refused.

const MOST_STATES = 2000; // of one expression, after repetitions are written out
const MOST_SETS = 2000; // that are kept
const MOST_DEPTH = 100; // of parentheses
const END = -1; // in place of a character
const ASCII = 128; // characters with a place in the table
const UNKNOWN_SET = -1; // not computed yet
const MATCHED = -2; // in place of a set

// Kinds of states. Those that do not consume a character say in "next" and "other" where to go on.
const CHARACTER = 0;
const SPLIT = 1;
const START = 2;
const FINISH = 3;
const BOUNDARY = 4;
const INSIDE = 5;
const MATCH = 6;

// Whether ranges are a single character.
function isOne(ranges) {
	return ranges.length === 1 && ranges[0][0] === ranges[0][1];
}

function isWord(code) {
	return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);
}

const DIGITS = [[48, 57]];
const WORDS = [[48, 57], [65, 90], [95, 95], [97, 122]];
const BLANKS = [[9, 13], [32, 32], [160, 160]];
const LAST = 0xffff;

function inverted(ranges) {
	const sorted = ranges.slice().sort((a, b) => a[0] - b[0]);
	const others = [];
	let from = 0;

	for (const [low, high] of sorted) {
		if (low > from)
			others.push([from, low - 1]);
		from = Math.max(from, high + 1);
	}
	if (from <= LAST)
		others.push([from, LAST]);
	return others;
}

const CLASSES = {
	d: DIGITS, w: WORDS, s: BLANKS, D: inverted(DIGITS), W: inverted(WORDS), S: inverted(BLANKS),
};
const CONTROLS = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 };

// Reads an expression into a tree.
class Reader {
	constructor(text) {
		this.text = text;
		this.at = 0;
		this.depth = 0;
	}

	peek() {
		return this.text[this.at];
	}

	take(expected) {
		if (!this.text.startsWith(expected, this.at))
			return false;
		this.at += expected.length;
		return true;
	}

	fail(message) {
		throw new SyntaxError(message);
	}

	read() {
		const tree = this.alternatives();

		if (this.at < this.text.length)
			this.fail("unexpected )");
		return tree;
	}

	alternatives() {
		const all = [this.sequence()];

		while (this.take("|"))
			all.push(this.sequence());
		return all.length === 1 ? all[0] : { any: all };
	}

	sequence() {
		const all = [];

		while (this.at < this.text.length && this.peek() !== "|" && this.peek() !== ")")
			all.push(this.repeated());
		return { all };
	}

	repeated() {
		let part = this.atom();

		for (;;) {
			const bounds = this.bounds();

			if (!bounds)
				return part;
			// A repetition that takes as little as possible finds the same names.
			this.take("?");
			part = { part, least: bounds[0], most: bounds[1] };
		}
	}

	bounds() {
		const counted = /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(this.text.slice(this.at, this.at + 12));

		if (this.take("*"))
			return [0, Infinity];
		if (this.take("+"))
			return [1, Infinity];
		if (this.take("?"))
			return [0, 1];
		if (!counted)
			return null;
		this.at += counted[0].length;
		const least = Number(counted[1]);
		const most = !counted[2] ? least : counted[3] === "" ? Infinity : Number(counted[3]);
		if (most < least)
			this.fail("numbers out of order in {}");
		return [least, most];
	}

	atom() {
		if (this.take("("))
			return this.group();
		if (this.take("["))
			return this.set();
		if (this.take("\\"))
			return this.escaped();
		if (this.take("."))
			return { ranges: inverted([[10, 10], [13, 13]]) };
		if (this.take("^"))
			return { look: START };
		if (this.take("$"))
			return { look: FINISH };
		if ("*+?".includes(this.peek()))
			this.fail("nothing to repeat before " + this.peek());
		const code = this.text.charCodeAt(this.at++);
		return { ranges: [[code, code]] };
	}

	group() {
		if (this.take("?") && !this.take(":"))
			this.fail("groups that begin with (? are not supported, except (?:");
		if (++this.depth > MOST_DEPTH)
			this.fail("too many parentheses");
		const tree = this.alternatives();
		this.depth--;
		if (!this.take(")"))
			this.fail("missing )");
		return tree;
	}

	escaped() {
		const c = this.peek();

		if (c === "b" || c === "B") {
			this.at++;
			return { look: c === "b" ? BOUNDARY : INSIDE };
		}
		return { ranges: this.escape() };
	}

	// What follows a backslash, as ranges.
	escape() {
		const hex = /^(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4})/.exec(this.text.slice(this.at, this.at + 5));
		const c = this.peek();

		if (c === undefined)
			this.fail("\\ at the end");
		if (/[1-9kpP]/.test(c))
			this.fail("\\" + c + " is not supported");
		this.at += hex ? hex[0].length : 1;
		if (CLASSES[c])
			return CLASSES[c];
		const code = hex ? parseInt(hex[0].slice(1), 16) : CONTROLS[c] !== undefined ? CONTROLS[c] : c.charCodeAt(0);
		return [[code, code]];
	}

	set() {
		const isInverted = this.take("^");
		const ranges = [];

		while (!this.take("]")) {
			const low = this.member();

			if (this.peek() === "-" && this.text[this.at + 1] !== "]" && isOne(low)) {
				this.at++;
				const high = this.member();

				if (high.length !== 1 || high[0][0] < low[0][0])
					this.fail("range out of order in []");
				ranges.push([low[0][0], high[0][1]]);
			} else {
				ranges.push(...low);
			}
		}
		return { ranges, isInverted };
	}

	member() {
		if (this.at >= this.text.length)
			this.fail("missing ]");
		if (this.take("\\b"))
			return [[8, 8]];
		if (this.take("\\"))
			return this.escape();
		const code = this.text.charCodeAt(this.at++);
		return [[code, code]];
	}
}

// Makes states of a tree, from its end: each part gets the state to go on with.
class Writer {
	constructor() {
		this.states = [{ kind: MATCH }];
	}

	add(state) {
		if (this.states.length >= MOST_STATES)
			throw new SyntaxError("the expression is too long");
		this.states.push(state);
		return this.states.length - 1;
	}

	write(tree, next) {
		if (tree.all)
			return tree.all.reduceRight((after, part) => this.write(part, after), next);
		if (tree.any)
			return tree.any.map((part) => this.write(part, next))
				.reduceRight((other, first) => this.add({ kind: SPLIT, next: first, other }));
		if (tree.ranges)
			return this.add({ kind: CHARACTER, ranges: tree.ranges, isInverted: tree.isInverted, next });
		if (tree.look !== undefined)
			return this.add({ kind: tree.look, next });
		return this.writeRepeated(tree, next);
	}

	writeRepeated({ part, least, most }, next) {
		let after = next;

		if (most === Infinity) {
			after = this.add({ kind: SPLIT, next: 0, other: next });
			this.states[after].next = this.write(part, after);
		} else {
			for (let i = least; i < most; i++)
				after = this.add({ kind: SPLIT, next: this.write(part, after), other: next });
		}
		for (let i = 0; i < least; i++)
			after = this.write(part, after);
		return after;
	}
}

// An expression. Upper and lower case are the same unless it has upper case itself.
export class Expression {
	constructor(source) {
		const writer = new Writer();

		this.ignoresCase = !/[A-Z]/.test(source.replace(/\\[A-Z]/g, ""));
		this.first = writer.write(new Reader(source).read(), 0);
		this.states = writer.states;
		this.seen = new Uint32Array(this.states.length);
		this.round = 0;
		this.forget();
	}

	// Whether it matches anywhere in a text.
	test(text) {
		let set = this.start;
		let table = this.table;

		for (let at = 0; at < text.length; at++) {
			const code = text.charCodeAt(at);
			let next = code < ASCII ? table[set * ASCII + code] : UNKNOWN_SET;

			if (next === UNKNOWN_SET) {
				next = this.step(set, code);
				table = this.table;
			}
			if (next === MATCHED)
				return true;
			set = next;
		}
		return this.step(set, END) === MATCHED;
	}

	forget() {
		this.sets = [];
		this.numbers = new Map();
		this.table = new Int32Array(64 * ASCII).fill(UNKNOWN_SET);
		this.start = this.setOf([], START);
	}

	// The number of a set of states before a character; "before" says what the one before it was.
	setOf(states, before) {
		const key = before + ":" + states.join();
		let number = this.numbers.get(key);

		if (number !== undefined)
			return number;
		number = this.sets.length;
		if ((number + 1) * ASCII > this.table.length) {
			const table = new Int32Array(2 * this.table.length).fill(UNKNOWN_SET);

			table.set(this.table);
			this.table = table;
		}
		this.sets.push({ states, before, others: new Map() });
		this.numbers.set(key, number);
		return number;
	}

	step(number, code) {
		const set = this.sets[number];
		const known = code < 0 || code >= ASCII ? set.others.get(code) : undefined;

		if (known !== undefined)
			return known;
		if (this.sets.length >= MOST_SETS) {
			this.forget();
			return this.follow(set, code);
		}
		const next = this.follow(set, code);
		if (code >= 0 && code < ASCII)
			this.table[number * ASCII + code] = next;
		else if (set.others.size < MOST_SETS)
			set.others.set(code, next);
		return next;
	}

	follow(set, code) {
		const open = [this.first, ...set.states];
		const next = [];

		this.round++;
		while (open.length > 0) {
			const number = open.pop();
			const state = this.states[number];

			if (this.seen[number] === this.round)
				continue;
			this.seen[number] = this.round;
			if (state.kind === MATCH)
				return MATCHED;
			if (state.kind === SPLIT)
				open.push(state.other, state.next);
			else if (state.kind === CHARACTER) {
				if (this.takes(state, code))
					next.push(state.next);
			} else if (holds(state.kind, set.before, code)) {
				open.push(state.next);
			}
		}
		if (code === END)
			return this.start; // any set: it is not a match
		next.sort((a, b) => a - b);
		const states = next.filter((state, i) => i === 0 || state !== next[i - 1]);
		return this.setOf(states, isWord(code) ? BOUNDARY : INSIDE);
	}

	takes({ ranges, isInverted }, code) {
		if (code === END)
			return false;
		let isIn = inRanges(ranges, code);
		if (!isIn && this.ignoresCase) {
			const c = String.fromCharCode(code);

			isIn = inRanges(ranges, c.toLowerCase().charCodeAt(0)) || inRanges(ranges, c.toUpperCase().charCodeAt(0));
		}
		return isIn !== Boolean(isInverted);
	}
}

function inRanges(ranges, code) {
	return ranges.some((range) => code >= range[0] && code <= range[1]);
}

// before: START, BOUNDARY after a character of a word, INSIDE after another one.
function holds(kind, before, code) {
	const isBoundary = (before === BOUNDARY) !== isWord(code);

	return kind === START ? before === START
		: kind === FINISH ? code === END
			: kind === BOUNDARY ? isBoundary : !isBoundary;
}
