// SPDX-License-Identifier: Apache-2.0
// The places of many texts in their order. Comparing 100,000 long names takes longer than a click
// may: the work is done in small steps, while nothing else is to be done.

const RUN = 4096; // texts that are sorted at once

// Without regard to case first. Comparing by the rules of a language takes ten times as long.
export class Ranks {
	// lower: the same texts in lower case.
	constructor(texts, lower) {
		this.texts = texts;
		this.lower = lower;
		this.order = Uint32Array.from(texts, (_, i) => i);
		this.other = new Uint32Array(texts.length);
		this.size = 0; // of the runs that are sorted
		this.at = 0; // where the next run starts
		this.ranks = null; // per text its place, once all is done
	}

	compare(a, b) {
		const { lower, texts } = this;

		if (lower[a] !== lower[b])
			return lower[a] < lower[b] ? -1 : 1;
		return texts[a] < texts[b] ? -1 : texts[a] > texts[b] ? 1 : a - b;
	}

	// Goes on for about a time; true: it is done.
	run(milliseconds) {
		const end = performance.now() + milliseconds;

		do {
			if (this.ranks)
				return true;
			this.step();
		} while (performance.now() < end);
		return this.ranks !== null;
	}

	// The places, at once.
	finish() {
		while (!this.ranks)
			this.step();
		return this.ranks;
	}

	// Sorts a run, or merges two; when all are, they are twice as long.
	step() {
		const count = this.texts.length;

		if (this.size >= count && this.size > 0 || count === 0) {
			this.ranks = new Uint32Array(count);
			this.order.forEach((text, rank) => {
				this.ranks[text] = rank;
			});
			return;
		}
		if (this.size === 0) {
			this.order.subarray(this.at, this.at + RUN).sort((a, b) => this.compare(a, b));
			this.at += RUN;
		} else {
			this.merge(this.at, Math.min(this.at + this.size, count), Math.min(this.at + 2 * this.size, count));
			this.at += 2 * this.size;
		}
		if (this.at < count)
			return;
		this.at = 0;
		if (this.size > 0)
			[this.order, this.other] = [this.other, this.order];
		this.size = this.size === 0 ? RUN : 2 * this.size;
	}

	merge(first, middle, end) {
		const { order, other } = this;
		let a = first;
		let b = middle;

		for (let to = first; to < end; to++)
			other[to] = b >= end || (a < middle && this.compare(order[a], order[b]) <= 0) ? order[a++] : order[b++];
	}
}
