// SPDX-License-Identifier: Apache-2.0
// The data of the page (data.md) as plain columns: in the file these are texts, which take half as much room.

import { putShares } from "./shares.js";

const NUMERALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BITS = 5;
const SAMPLE = 16; // bytes of which one is looked at
const MORE = 1 << BITS;
const SHIFT_BITS = 30; // beyond, what shifts cannot do is done with products
const SCALES = Float64Array.from({ length: 80 }, (_, i) => Math.pow(2, i));
const POWERS = Float64Array.from({ length: 23 }, (_, i) => Math.pow(10, i));
const ENCODER = new TextEncoder();
const VALUES = Uint8Array.from({ length: 128 }, (_, i) => Math.max(0, NUMERALS.indexOf(String.fromCharCode(i))));

// Numbers that a text has one after the other, their lowest digits first, each less "offset".
function readNumbers(text, offset = 0) {
	const bytes = ENCODER.encode(text);
	let numbers = new Float64Array(guessCount(bytes));
	let count = 0;

	for (let i = 0; i < bytes.length;) {
		let digit = VALUES[bytes[i++]];
		let number = digit & (MORE - 1);

		// What has few digits is an integer, which is faster.
		for (let shift = BITS; digit >= MORE && shift < SHIFT_BITS; shift += BITS) {
			digit = VALUES[bytes[i++]];
			number |= (digit & (MORE - 1)) << shift;
		}
		if (count === numbers.length)
			numbers = grown(numbers);
		numbers[count] = number - offset;
		for (let shift = SHIFT_BITS; digit >= MORE; shift += BITS) {
			digit = VALUES[bytes[i++]];
			numbers[count] += (digit & (MORE - 1)) * SCALES[shift];
		}
		count++;
	}
	return numbers.subarray(0, count);
}

// About as many numbers as there are, by some of the bytes.
function guessCount(bytes) {
	let count = 1;

	for (let i = 0; i < bytes.length; i += SAMPLE)
		count += VALUES[bytes[i]] < MORE ? 1 : 0;
	return Math.ceil(count * SAMPLE * 1.02);
}

function grown(numbers) {
	const more = new Float64Array(2 * numbers.length);

	more.set(numbers);
	return more;
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
	let count = 0;
	let sign = 1;

	// They take no more room than the numbers that they are made of.
	for (let i = 0; i < numbers.length; i++) {
		const number = numbers[i];
		const digits = Math.floor(number / 2);

		if (number === 2 * digits)
			numbers[count++] = sign * digits;
		else if (digits > 0)
			numbers[count++] = sign * scaled(digits, numbers[++i]);
		else if (numbers[++i] === 0)
			numbers[count++] = NaN;
		sign = number === 1 && numbers[i] > 0 ? -1 : 1;
	}
	return numbers.subarray(0, count);
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
		this.read = isList || column.integers ? readIntegers : readReals;
	}

	// For blocks that the file leaves out: how many numbers all blocks have, and what fills a list from a number on.
	compute(count, fill) {
		this.list = this.list.subarray(0, count);
		this.fill = fill;
	}

	get(i) {
		if (this.left)
			this.need(Math.floor(i / this.every));
		return this.list[i];
	}

	need(block) {
		const text = this.left[block];
		const first = block * this.every;

		if (text === null) {
			if (this.leaves && !this.isRead[block])
				this.fill(first, this.list.subarray(first, first + this.every));
		} else {
			const numbers = this.read(text);

			this.list.set(numbers, first);
			if (block === this.left.length - 1)
				this.list = this.list.subarray(0, first + numbers.length);
			this.left[block] = null;
		}
		if (this.leaves)
			this.isRead[block] = 1;
	}

	// All, as a list.
	finish() {
		for (let i = 0; this.left && i < this.left.length; i++)
			this.need(i);
		return this.list;
	}
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

// The words that texts are made of: those of number i are codes[starts[i]] ... codes[starts[i + 1] - 1].
class Words {
	constructor(words) {
		const joined = words.join("");

		this.isPlain = !/[^ -~]/.test(joined);
		this.codes = new (this.isPlain ? Uint8Array : Uint16Array)(joined.length);
		for (let i = 0; i < joined.length; i++)
			this.codes[i] = joined.charCodeAt(i);
		this.starts = new Uint32Array(words.length + 1);
		for (let i = 0; i < words.length; i++)
			this.starts[i + 1] = this.starts[i] + words[i].length;
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
		this.used = column.block ? readSteps(column.used.steps) : [0];
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
		const { all, ends } = this.join(readNumbers(this.texts[block]), this.column.often + this.used[block]);
		const text = all.text();
		const first = block * this.every || 0;

		for (let i = 0; i < ends.length; i++)
			this.list[first + i] = text.slice(i > 0 ? ends[i - 1] : 0, ends[i]);
		if (block === this.texts.length - 1)
			this.list.length = first + ends.length;
	}

	// The characters of a block, and where its texts end. Words that are used once stand behind the others, in the order
	// of their use: "once" is the next one.
	join(numbers, once) {
		const { codes, starts: wordStarts, isPlain } = this.words;
		const all = new Characters(isPlain);
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
				const word = numbers[i] > 0 ? numbers[i] - 1 : once++;

				other[k] = all.length;
				all.add(codes, wordStarts[word], wordStarts[word + 1]);
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
