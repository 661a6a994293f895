// SPDX-License-Identifier: Apache-2.0
// Functions without any time, of which a table can have many: one row stands for them.

import { formatExact } from "./format.js";

const LEAST_FOLDED = 3; // rows that are worth one in their place
const TIME_COLUMNS = new Set(["self", "total", "time", "totaltime"]);

// Neither in itself nor in what it called.
export function hasNoTime(model, node) {
	return model.idleNodes()[node] === 1;
}

// Whether such functions are the last rows anyway: by other columns, they are where a reader looks for them.
export function endsWithout(model, keys) {
	return model.hasSelf && keys.length > 0 && keys[0].isDown && TIME_COLUMNS.has(keys[0].column.id);
}

// Rows without those, but one of them that is to be seen, and how many are left out.
export function foldRows(model, rows, kept) {
	const idle = model.idleNodes();
	const shown = new Uint32Array(rows.length);
	let count = 0;

	for (const node of rows)
		if (idle[node] === 0 || node === kept)
			shown[count++] = node;
	const folded = rows.length - count;
	return folded < LEAST_FOLDED ? { shown: rows, folded: 0 } : { shown: shown.slice(0, count), folded };
}

// "57 more functions without samples"
export function sayFolded(model, count, isOpen) {
	const what = (model.byLine ? "line" : "function") + (count === 1 ? "" : "s");
	const of = model.metric.unit === "seconds" ? "samples" : model.metric.name;

	return formatExact(count) + (isOpen ? " " : " more ") + what + " without " + of + (isOpen ? " (hide)" : " (show)");
}
