// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { Scroll } from "../../page/scroll.js";

function scroll(rows, view = 560) {
	const made = new Scroll(28);

	made.setRows(rows, view);
	return made;
}

test("only rows on the screen, and some around them", () => {
	const all = scroll(100000);

	assert.deepEqual(all.range(), [0, 26]);
	all.moveBar(28 * 500);
	assert.deepEqual(all.range(), [494, 526]);
	assert.equal(all.offset(500), 28 * 500);
	assert.deepEqual(scroll(3).range(), [0, 3]);
	assert.deepEqual(scroll(0).range(), [0, 0]);
});

test("a long table is scaled: every row can be reached", () => {
	const long = scroll(2000000);

	assert.ok(long.height < 17.9e6);
	long.moveBar(long.height - 560);
	assert.equal(long.range()[1], 2000000);
	long.moveBar(long.height / 2);
	assert.ok(Math.abs(long.top - long.whole / 2) < 1000);
	const top = long.top;
	long.moveBar(long.height / 2 + 28);
	assert.equal(long.top, top + 28);
	long.moveBar(0);
	assert.deepEqual(long.range(), [0, 26]);
});

test("rows that are shown are on the screen", () => {
	for (const rows of [100, 100000, 3000000]) {
		const table = scroll(rows);

		for (const row of [0, rows - 1, Math.floor(rows / 2), Math.floor(rows / 2) + 1, Math.floor(rows / 2) - 30, 5]) {
			table.moveBar(table.barFor(row));
			assert.ok(table.top <= row * 28 && row * 28 + 28 <= table.top + 560, rows + " " + row);
			assert.ok(table.offset(row) >= table.barTop - 1 && table.offset(row) + 28 <= table.barTop + 561);
			assert.ok(table.barTop >= 0 && table.barTop <= Math.max(0, table.height - 560));
		}
	}
});

test("what is on the screen does not move", () => {
	const table = scroll(1000);

	table.moveBar(2800);
	assert.equal(table.barFor(105), 2800);
});
