// SPDX-License-Identifier: Apache-2.0
// The order of the table's rows: "-self,name" is by self time, the largest first, and those that are
// equal by name.

import { Ranks } from "./ranks.js";
import { allColumns } from "./columns.js";

const MOST_KEYS = 3;

// The keys of an address: [{column, isDown}]. Columns that are not there, or twice, are left out.
export function readSort(model, text) {
	const columns = allColumns(model);
	const keys = [];

	for (const word of text.split(",")) {
		const isDown = word.startsWith("-");
		const column = columns.find((candidate) => candidate.id === word.slice(isDown ? 1 : 0));

		if (column && keys.length < MOST_KEYS && !keys.some((key) => key.column === column))
			keys.push({ column, isDown });
	}
	return keys;
}

export function writeSort(keys) {
	return keys.map((key) => (key.isDown ? "-" : "") + key.column.id).join(",");
}

// The sort of a table that was not asked for one.
export function defaultSort(model) {
	return model.hasSelf ? "-self" : model.counted ? "-calls" : "";
}

// The keys after a click on a heading: the column alone, again in reverse; with shift as a further key.
export function nextSort(keys, column, isFurther) {
	const at = keys.findIndex((key) => key.column === column);
	const isDown = at >= 0 ? !keys[at].isDown : !column.isText && !column.ascends;
	const key = { column, isDown };

	if (!isFurther)
		return [key];
	if (at >= 0)
		return keys.map((old, i) => (i === at ? key : old));
	return keys.slice(0, MOST_KEYS - 1).concat(key);
}

// A number for each row by which rows sort upwards; those without a value are last.
function sortValues(model, rows, { column, isDown }) {
	const values = new Float64Array(rows.length);
	const sign = isDown ? -1 : 1;

	if (column.isText) {
		const { texts, ranks } = textRanks(model, rows, column);

		for (let i = 0; i < rows.length; i++)
			values[i] = texts[i] === "" ? Infinity : sign * ranks[i];
		return values;
	}
	for (let i = 0; i < rows.length; i++) {
		const value = column.value(model, rows[i]);

		values[i] = Number.isNaN(value) ? Infinity : sign * value;
	}
	return values;
}

// The texts of a column, and their places in their order.
function textRanks(model, rows, column) {
	const texts = Array.from(rows, (node) => column.value(model, node));

	if (column.id === "name") {
		const all = model.nameRanks().finish();

		return { texts, ranks: rows.map((node) => all[node]) };
	}
	const some = Array.from(new Set(texts));
	const ranks = new Ranks(some, some.map((text) => text.toLowerCase())).finish();
	const numbers = new Map(some.map((text, i) => [text, ranks[i]]));
	return { texts, ranks: texts.map((text) => numbers.get(text)) };
}

// Rows in the order of the keys; those that are equal keep theirs.
export function orderRows(model, rows, keys) {
	// As at first, if the emitter found that rows come in this order.
	if (keys.length === 1 && keys[0].column.id === "self" && keys[0].isDown && model.values.isSorted && rows === model.allRows)
		return rows;
	const columns = keys.map((key) => sortValues(model, rows, key));

	// They are where rows come in the order of the flat profile.
	if (columns.length === 1 && isSorted(columns[0]))
		return rows;
	const order = Uint32Array.from(rows, (_, i) => i);

	if (columns.length === 1) {
		const first = columns[0];

		order.sort((a, b) => compare(first[a], first[b]) || a - b);
	} else if (columns.length > 1) {
		order.sort((a, b) => {
			for (const values of columns)
				if (values[a] !== values[b])
					return compare(values[a], values[b]);
			return a - b;
		});
	}
	return order.map((i) => rows[i]);
}

function isSorted(values) {
	for (let i = 1; i < values.length; i++)
		if (values[i] < values[i - 1])
			return false;
	return true;
}

// Infinity less infinity is no number.
function compare(a, b) {
	return a < b ? -1 : a > b ? 1 : 0;
}
