// SPDX-License-Identifier: Apache-2.0
// Values of arcs that are not in the data (data.md), since they follow from it: callers share what a callee has, in
// proportion to their calls.

// A number of a column, which is a list or has its blocks.
export function columnAt(column, i) {
	return column.get ? column.get(i) : column[i];
}

// The row of each arc's caller: for arcs of functions from the list of their first arcs.
function callersOf(arcs) {
	if (arcs.caller)
		return (arc) => arcs.caller[arc];
	let caller = 0;

	return (arc) => {
		if (arcs.first[caller] > arc)
			caller = callerOf(arcs.first, arc);
		while (arcs.first[caller + 1] <= arc)
			caller++;
		return caller;
	};
}

// The function of an arc: the last one whose first arc is not behind it.
export function callerOf(first, arc) {
	let [low, high] = [0, first.length - 1];

	while (high - low > 1) {
		const middle = (low + high) >> 1;

		if (first[middle] <= arc)
			low = middle;
		else
			high = middle;
	}
	return low;
}

// Whether an arc is one of a function's.
export function isOwnArc(first, node, arc) {
	return first[node] <= arc && arc < first[node + 1];
}

// Computes some of the values from those of the nodes.
function sharesOf(data, arcs, ofNodes) {
	const { count, nodes } = data.functions;
	let callerAt = null;

	return (first, list) => {
		const { calls } = data.calls;
		const { cycle } = data.functions;
		// A cycle in place of its members: time is propagated from and to it as a whole.
		const wholeOf = (node) => {
			const whole = node < count && cycle[node] > 0 ? count + cycle[node] - 1 : node;

			return whole < nodes ? whole : node;
		};

		// Callers are not looked for where it is enough to know whether a function calls itself.
		const isInside = (arc, callee, whole) => {
			if (whole === callee && !arcs.caller)
				return isOwnArc(arcs.first, callee, arc);
			callerAt = callerAt || callersOf(arcs);
			return wholeOf(callerAt(arc)) === whole;
		};

		for (let i = 0; i < list.length; i++) {
			const callee = columnAt(arcs.callee, first + i);
			const whole = wholeOf(callee);
			const some = columnAt(arcs.calls, first + i);

			list[i] = some > 0 && !isInside(first + i, callee, whole) ? columnAt(ofNodes, whole) * (some / columnAt(calls, whole)) : 0;
		}
	};
}

// Lets all columns of values of arcs compute what they do not have.
export function putShares(data) {
	for (const arcs of [data.arcs, data.cycleArcs]) {
		for (let m = 0; arcs && arcs.values && m < arcs.values.length; m++) {
			for (const key of ["self", "below"]) {
				const column = arcs.values[m][key];

				if (column && column.leaves)
					column.compute(arcs.callee.length, sharesOf(data, arcs, data.values[m][key]));
			}
		}
	}
}
