// SPDX-License-Identifier: Apache-2.0
// The data of the page (data.md) as plain columns: in the file these are texts, which take half as much room.

import { putShares } from "./shares.js";

const NUMERALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BITS = 5;
const MORE = 1 << BITS;
const SHIFT_BITS = 30; // beyond, what shifts cannot do is done with products
const SCALES = Float64Array.from({ length: 80 }, (_, i) => Math.pow(2, i));
const POWERS = Float64Array.from({ length: 23 }, (_, i) => Math.pow(10, i));
const ENCODER = new TextEncoder();
const VALUES = Uint8Array.from({ length: 128 }, (_, i) => Math.max(0, NUMERALS.indexOf(String.fromCharCode(i))));

// Numbers that a text has one after the other, their lowest digits first, each less "offset": into a list from "count" on.
// Returns where they end.
function readInto(text, offset, numbers, count) {
	for (let i = 0; i < text.length;) {
		let digit = VALUES[text.charCodeAt(i++)];
		let number = digit & (MORE - 1);

		// What has few digits is an integer, which is faster.
		for (let shift = BITS; digit >= MORE && shift < SHIFT_BITS; shift += BITS) {
			digit = VALUES[text.charCodeAt(i++)];
			number |= (digit & (MORE - 1)) << shift;
		}
		numbers[count] = number - offset;
		for (let shift = SHIFT_BITS; digit >= MORE; shift += BITS) {
			digit = VALUES[text.charCodeAt(i++)];
			numbers[count] += (digit & (MORE - 1)) * SCALES[shift];
		}
		count++;
	}
	return count;
}

function readNumbers(text, offset = 0) {
	const numbers = new Float64Array(text.length);

	return numbers.slice(0, readInto(text, offset, numbers, 0));
}

// An integer as it is in a text.
function digitsOf(number) {
	let text = "";

	for (; number >= MORE; number = Math.floor(number / MORE))
		text += NUMERALS[number % MORE + MORE];
	return text + NUMERALS[number];
}

// What finds a number in a text, and not one that only ends with its digits.
function numberFinder(number) {
	return new RegExp("(?:^|[A-Za-f])" + digitsOf(number).replace(/[+]/g, "\\+"));
}

function readIntegers(text) {
	return readNumbers(text, 1);
}

function readSteps(text) {
	const numbers = readNumbers(text);

	for (let i = 1; i < numbers.length; i++)
		numbers[i] += numbers[i - 1];
	return numbers;
}

// Digits times a power of ten: the one that is nearest, as far as powers are exact.
function scaled(digits, power) {
	const size = power >> 1;

	if (size >= POWERS.length)
		return Number(digits + "e" + (power & 1 ? size : -size));
	return power & 1 ? digits * POWERS[size] : digits / POWERS[size];
}

function readReals(text) {
	const numbers = readNumbers(text);

	return numbers.subarray(0, putReals(numbers, numbers.length, numbers, 0));
}

// The reals that some numbers make, into a list from "to" on, which can be their own: they take no more room. Returns where
// they end.
function putReals(numbers, end, reals, to) {
	let sign = 1;

	for (let i = 0; i < end; i++) {
		const number = numbers[i];
		const digits = Math.floor(number / 2);

		if (number === 2 * digits)
			reals[to++] = sign * digits;
		else if (digits > 0)
			reals[to++] = sign * scaled(digits, numbers[++i]);
		else if (numbers[++i] === 0)
			reals[to++] = NaN;
		sign = number === 1 && numbers[i] > 0 ? -1 : 1;
	}
	return to;
}

// Numbers of which some are needed: the page reads their blocks when it asks for them.
export class Numbers {
	// column: as in the file, or a list.
	constructor(column) {
		const isList = !column.block;
		const blocks = isList ? [] : column.integers || column.reals;

		this.list = isList ? column : new Float64Array(column.block * blocks.length);
		this.every = isList ? 1 : column.block;
		this.left = isList ? null : Array.from(blocks); // blocks that have not been read
		this.leaves = blocks.includes(null);
		this.isRead = this.leaves ? new Uint8Array(blocks.length) : null;
		this.isReal = !isList && !column.integers;
	}

	// For blocks that the file leaves out: how many numbers all blocks have, and what fills a list from a number on.
	compute(count, fill) {
		this.list = this.list.subarray(0, count);
		this.fill = fill;
	}

	get(i) {
		if (this.left) {
			const block = Math.floor(i / this.every);

			// What is computed needs numbers from everywhere: one after the other, and not more than are asked for.
			if (this.leaves && this.left[block] === null && !this.isRead[block])
				this.fill(i, this.list.subarray(i, i + 1));
			else
				this.need(block);
		}
		return this.list[i];
	}

	// Reads the blocks of a range, which is faster than one number after the other.
	readRange(first, end) {
		for (let i = first; this.left && i < end; i += this.every - i % this.every)
			this.need(Math.floor(i / this.every));
	}

	// How many: the last block says it.
	get length() {
		if (this.left && this.left.length > 0)
			this.need(this.left.length - 1);
		return this.list.length;
	}

	// The places of an integer, upwards. Blocks that have not been read are, if its digits are in them.
	find(number) {
		const found = [];
		const finder = numberFinder(number + 1);
		const count = this.length;

		for (let first = 0, block = 0; first < count; first += this.left ? this.every : count, block++) {
			const text = this.left ? this.left[block] : null;

			if (text !== null && !finder.test(text))
				continue;
			if (text !== null)
				this.need(block);
			const end = this.left ? Math.min(first + this.every, count) : count;
			for (let i = first; i < end; i++)
				if (this.list[i] === number)
					found.push(i);
		}
		return found;
	}

	need(block) {
		const text = this.left[block];
		const first = block * this.every;

		if (text === null) {
			if (this.leaves && !this.isRead[block])
				this.fill(first, this.list.subarray(first, first + this.every));
		} else {
			const end = this.isReal ? this.readReals(text, first) : readInto(text, 1, this.list, first);

			if (block === this.left.length - 1)
				this.list = this.list.subarray(0, end);
			this.left[block] = null;
		}
		if (this.leaves)
			this.isRead[block] = 1;
	}

	readReals(text, first) {
		// A real is made of four numbers at most.
		if (!this.parts)
			this.parts = new Float64Array(4 * this.every);
		return putReals(this.parts, readInto(text, 0, this.parts, 0), this.list, first);
	}

	// All, as a list.
	finish() {
		for (let i = 0; this.left && i < this.left.length; i++)
			this.need(i);
		this.left = null;
		return this.list;
	}
}

// Such columns can be long, and few of them are shown. column: as in the file, a list, or what they are already.
export function numbersOf(column) {
	return column instanceof Numbers ? column : new Numbers(column);
}

// Characters one after the other, which become one text at the end: adding up strings takes much longer.
class Characters {
	constructor(isPlain) {
		this.Array = isPlain ? Uint8Array : Uint16Array;
		this.decoder = new TextDecoder(isPlain ? "utf-8" : "utf-16le", { ignoreBOM: true });
		this.codes = new this.Array(4096);
		this.length = 0;
	}

	// Some of the codes of a list, or of its own.
	add(codes, first, end) {
		let own = this.codes;
		let to = this.length;

		if (to + end - first > own.length) {
			own = new this.Array(2 * (to + end - first));
			own.set(this.codes);
			// Of a list that was its own, too: what is read is the same in both.
			this.codes = own;
		}
		for (let i = first; i < end; i++)
			own[to++] = codes[i];
		this.length = to;
	}

	text() {
		return this.decoder.decode(this.codes.subarray(0, this.length));
	}
}

const LINE_END = 10;

// The words that texts are made of, the lines of a text: those of number i are codes[starts[i]] ... codes[starts[i + 1] - 2].
class Words {
	constructor(lines) {
		const bytes = ENCODER.encode(lines);

		// Where all characters are bytes, these are their codes.
		this.isPlain = bytes.length === lines.length;
		this.codes = this.isPlain ? bytes : Uint16Array.from({ length: lines.length }, (_, i) => lines.charCodeAt(i));
		this.starts = [0];
		for (let i = 0; i < this.codes.length; i++)
			if (this.codes[i] === LINE_END)
				this.starts.push(i + 1);
		this.starts.push(this.codes.length + 1);
	}
}

// Texts that share words, and those at their start and end with the text before. Texts are read when they are asked
// for, with those of their block: a page shows few of its names.
export class Texts {
	// column: as in the file, or a list.
	constructor(column) {
		const isList = Array.isArray(column);

		this.column = column;
		this.texts = isList ? [] : column.block ? column.texts : [column.texts];
		this.every = column.block || Infinity;
		this.list = isList ? column : column.block ? new Array(this.every * this.texts.length) : [];
		this.once = column.block ? column.once : [column.once]; // per block, the words that are used only there
		this.next = 0; // block that may not have been read
	}

	get(i) {
		if (this.list[i] === undefined)
			this.readBlock(Math.floor(i / this.every));
		return this.list[i];
	}

	// Goes on for about a time; true: all are read.
	run(milliseconds) {
		const end = performance.now() + milliseconds;

		while (this.next < this.texts.length && performance.now() < end)
			this.readNext();
		return this.next >= this.texts.length;
	}

	// All, as a list.
	finish() {
		while (this.next < this.texts.length)
			this.readNext();
		return this.list;
	}

	readNext() {
		if (this.list[this.next * this.every || 0] === undefined)
			this.readBlock(this.next);
		this.next++;
	}

	readBlock(block) {
		if (!this.words)
			this.words = new Words(this.column.words);
		const { all, ends } = this.join(readNumbers(this.texts[block]), new Words(this.once[block]));
		const text = all.text();
		const first = block * this.every || 0;

		for (let i = 0; i < ends.length; i++)
			this.list[first + i] = text.slice(i > 0 ? ends[i - 1] : 0, ends[i]);
		if (block === this.texts.length - 1)
			this.list.length = first + ends.length;
	}

	// The characters of a block, and where its texts end. Words that are used once are in the order of their use.
	join(numbers, once) {
		const { words } = this;
		const all = new Characters(words.isPlain && once.isPlain);
		let used = 0;
		const ends = [];
		// Where words of the last text start, and where the last one ends.
		let [starts, count] = [new Uint32Array(256), 0];
		let other = new Uint32Array(256);

		for (let i = 0; i < numbers.length;) {
			const head = numbers[i++];
			const before = head & 1 ? numbers[i++] : 0;
			const behind = head & 2 ? numbers[i++] : 0;
			const between = before + Math.floor(head / 4);
			let moved = all.length - starts[0];

			if (other.length <= between + behind)
				other = new Uint32Array(2 * (between + behind));
			for (let k = 0; k < before; k++)
				other[k] = starts[k] + moved;
			all.add(all.codes, starts[0], starts[before]);
			for (let k = before; k < between; k++, i++) {
				const from = numbers[i] > 0 ? words : once;
				const word = numbers[i] > 0 ? numbers[i] - 1 : used++;

				other[k] = all.length;
				all.add(from.codes, from.starts[word], from.starts[word + 1] - 1);
			}
			moved = all.length - starts[count - behind];
			for (let k = 0; k < behind; k++)
				other[between + k] = starts[count - behind + k] + moved;
			all.add(all.codes, starts[count - behind], starts[count]);
			count = between + behind;
			other[count] = all.length;
			ends.push(all.length);
			[starts, other] = [other, starts];
		}
		return { all, ends };
	}
}

// What reads a column; null: it is none.
function readerOf(value) {
	if (value === null || typeof value !== "object" || Array.isArray(value))
		return null;
	if (Array.isArray(value.texts))
		return () => new Texts(value);
	if (typeof value.texts === "string")
		return () => new Texts(value).finish();
	if (Array.isArray(value.integers) || Array.isArray(value.reals))
		return () => new Numbers(value);
	if (typeof value.all === "number")
		return () => new Float64Array(value.count).fill(value.all);
	if (typeof value.integers === "string")
		return () => readIntegers(value.integers);
	if (typeof value.steps === "string")
		return () => readSteps(value.steps);
	if (typeof value.reals === "string")
		return () => readReals(value.reals);
	return null;
}

// The data with columns as lists, or as Numbers and Texts. They are read when they are first asked for: much
// is not needed to show a page.
export function unpack(data) {
	const result = unpackValue(data);

	if (result !== null && typeof result === "object")
		putShares(result);
	return result;
}

function unpackValue(data) {
	if (Array.isArray(data))
		return data.length > 0 && typeof data[0] === "object" ? data.map(unpackValue) : data;
	if (data === null || typeof data !== "object")
		return data;
	const readAll = readerOf(data);
	const result = {};

	if (readAll)
		return readAll();

	for (const key of Object.keys(data)) {
		const read = readerOf(data[key]);
		let list = null;

		if (read)
			Object.defineProperty(result, key, { get: () => list || (list = read()), enumerable: true });
		else
			result[key] = unpackValue(data[key]);
	}
	return result;
}
