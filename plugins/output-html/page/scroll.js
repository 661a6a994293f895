// SPDX-License-Identifier: Apache-2.0
// Which rows of a long table are on the screen. Browsers have a limit for the height of an element:
// beyond it, a step of the scroll bar stands for more than its own height.

const MOST_HEIGHT = 14000000; // pixels; Firefox ends at 17.9 million
const AROUND = 6; // rows above and below those on the screen

export class Scroll {
	constructor(rowHeight) {
		this.rowHeight = rowHeight;
		this.rows = 0;
		this.view = 0;
		this.top = 0; // where the screen begins in the table as it would be
		this.barTop = 0; // where the scroll bar is
	}

	get whole() {
		return this.rows * this.rowHeight;
	}

	// The height of the element that is scrolled.
	get height() {
		return Math.min(this.whole, MOST_HEIGHT);
	}

	get isScaled() {
		return this.whole > MOST_HEIGHT;
	}

	setRows(rows, view) {
		this.rows = rows;
		this.view = view;
	}

	// The scroll bar moved. A small step, as of a wheel, moves rows by as much; a large one is to
	// another part of the table.
	moveBar(barTop) {
		const step = barTop - this.barTop;
		const mostBar = Math.max(0, this.height - this.view);
		const mostTop = Math.max(0, this.whole - this.view);

		this.barTop = barTop;
		if (!this.isScaled)
			this.top = barTop;
		else if (barTop <= 0 || barTop >= mostBar)
			this.top = barTop <= 0 ? 0 : mostTop;
		else if (Math.abs(step) <= this.view)
			this.top += step;
		else
			this.top = barTop / mostBar * mostTop;
		this.top = Math.min(Math.max(this.top, 0), mostTop);
	}

	// Where the scroll bar has to be so that a row is on the screen; what it is now if it is.
	barFor(row) {
		const from = row * this.rowHeight;
		const mostBar = Math.max(0, this.height - this.view);
		const mostTop = Math.max(0, this.whole - this.view);

		if (from >= this.top && from + this.rowHeight <= this.top + this.view)
			return this.barTop;
		if (from < this.top && this.top - from <= this.view)
			this.top = from;
		else if (from > this.top && from - this.top <= 2 * this.view)
			this.top = from + this.rowHeight - this.view;
		else
			this.top = from - this.view / 3;
		this.top = Math.min(Math.max(this.top, 0), mostTop);
		this.barTop = this.isScaled ? Math.round(this.top / mostTop * mostBar) : this.top;
		return this.barTop;
	}

	// The first row to draw, and the one after the last.
	range() {
		const first = Math.floor(this.top / this.rowHeight) - AROUND;
		const end = Math.ceil((this.top + this.view) / this.rowHeight) + AROUND;

		return [Math.max(0, first), Math.min(this.rows, end)];
	}

	// Where a row is in the element that is scrolled.
	offset(row) {
		return row * this.rowHeight - this.top + this.barTop;
	}
}
