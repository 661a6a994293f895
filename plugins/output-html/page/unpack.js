// SPDX-License-Identifier: Apache-2.0
// The data of the page (data.md) as plain columns: in the file these are texts, which take half as much room.

const NUMERALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BITS = 5;
const MORE = 1 << BITS;
const SHIFT_BITS = 30; // beyond, what shifts cannot do is done with products
const SCALES = Float64Array.from({ length: 80 }, (_, i) => Math.pow(2, i));
const POWERS = Float64Array.from({ length: 23 }, (_, i) => Math.pow(10, i));
const VALUES = Uint8Array.from({ length: 128 }, (_, i) => Math.max(0, NUMERALS.indexOf(String.fromCharCode(i))));

// Numbers that a text has one after the other, their lowest digits first.
function readNumbers(text) {
	const numbers = new Float64Array(text.length);
	let count = 0;
	let number = 0;
	let shift = 0;

	for (let i = 0; i < text.length; i++) {
		const digit = VALUES[text.charCodeAt(i)];
		const part = digit & (MORE - 1);

		if (shift < SHIFT_BITS)
			number |= part << shift;
		else
			number += part * SCALES[shift];
		shift += BITS;
		if (digit < MORE) {
			numbers[count++] = number;
			number = 0;
			shift = 0;
		}
	}
	return numbers.subarray(0, count);
}

function readIntegers(text) {
	const numbers = readNumbers(text);
	const integers = new Array(numbers.length);

	for (let i = 0; i < numbers.length; i++)
		integers[i] = numbers[i] - 1;
	return integers;
}

function readSteps(text) {
	const numbers = readNumbers(text);
	const sums = new Array(numbers.length);
	let sum = 0;

	for (let i = 0; i < numbers.length; i++) {
		sum += numbers[i];
		sums[i] = sum;
	}
	return sums;
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
	const reals = new Float64Array(numbers.length);
	let count = 0;
	let sign = 1;

	for (let i = 0; i < numbers.length; i++) {
		const number = numbers[i];
		const digits = Math.floor(number / 2);

		if (number === 2 * digits)
			reals[count++] = sign * digits;
		else if (digits > 0)
			reals[count++] = sign * scaled(digits, numbers[++i]);
		else if (numbers[++i] === 0)
			reals[count++] = NaN;
		sign = number === 1 && numbers[i] > 0 ? -1 : 1;
	}
	return reals.slice(0, count);
}

// Characters one after the other, which become one text at the end: adding up strings takes much longer.
class Characters {
	constructor(isPlain) {
		this.Array = isPlain ? Uint8Array : Uint16Array;
		this.encoding = isPlain ? "utf-8" : "utf-16le";
		this.codes = new this.Array(4096);
		this.length = 0;
	}

	makeRoom(count) {
		const old = this.codes;

		if (this.length + count <= old.length)
			return;
		this.codes = new this.Array(2 * (this.length + count));
		this.codes.set(old);
	}

	// Some of the codes of a list, or of its own.
	add(codes, first, end) {
		const own = this.codes;
		let to = this.length;

		for (let i = first; i < end; i++)
			own[to++] = codes[i];
		this.length = to;
	}

	addText(text) {
		this.makeRoom(text.length);
		for (let i = 0; i < text.length; i++)
			this.codes[this.length++] = text.charCodeAt(i);
	}

	text() {
		return new TextDecoder(this.encoding, { ignoreBOM: true }).decode(this.codes.subarray(0, this.length));
	}
}

// Texts share words, and those at their start and end with the text before.
function readTexts({ words, often, texts }) {
	const numbers = readNumbers(texts);
	const isPlain = words.every((word) => /^[ -~]*$/.test(word));
	const all = new Characters(isPlain);
	const pool = new Characters(isPlain);
	const wordStarts = new Uint32Array(words.length + 1);
	const textStarts = [0];
	// Words that are used once stand behind the others, in the order of their use.
	let once = often;
	// Where words of the last text start, and where the last one ends.
	let [starts, count] = [new Uint32Array(256), 0];
	let other = new Uint32Array(256);

	words.forEach((word, i) => {
		pool.addText(word);
		wordStarts[i + 1] = pool.length;
	});
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
		all.makeRoom(starts[count] - starts[0]);
		all.add(all.codes, starts[0], starts[before]);
		for (let k = before; k < between; k++, i++) {
			const word = numbers[i] > 0 ? numbers[i] - 1 : once++;

			other[k] = all.length;
			all.makeRoom(wordStarts[word + 1] - wordStarts[word]);
			all.add(pool.codes, wordStarts[word], wordStarts[word + 1]);
		}
		moved = all.length - starts[count - behind];
		for (let k = 0; k < behind; k++)
			other[between + k] = starts[count - behind + k] + moved;
		all.makeRoom(starts[count] - starts[count - behind]);
		all.add(all.codes, starts[count - behind], starts[count]);
		count = between + behind;
		other[count] = all.length;
		textStarts.push(all.length);
		[starts, other] = [other, starts];
	}
	const text = all.text();

	return textStarts.slice(1).map((end, i) => text.slice(textStarts[i], end));
}

// Replaces columns in all of the data by lists.
export function unpack(data) {
	if (Array.isArray(data)) {
		if (typeof data[0] === "object")
			data.forEach((value, i) => {
				data[i] = unpack(value);
			});
		return data;
	}
	if (data === null || typeof data !== "object")
		return data;
	if (typeof data.integers === "string")
		return readIntegers(data.integers);
	if (typeof data.steps === "string")
		return readSteps(data.steps);
	if (typeof data.reals === "string")
		return readReals(data.reals);
	if (typeof data.texts === "string")
		return readTexts(data);
	for (const key of Object.keys(data))
		data[key] = unpack(data[key]);
	return data;
}
