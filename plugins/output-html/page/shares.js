// SPDX-License-Identifier: Apache-2.0
// Values of arcs that are not in the data (data.md), since they follow from it: callers share what a callee has, in
// proportion to their calls.

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

// Computes some of the values from those of the nodes.
function sharesOf(data, arcs, ofNodes) {
	const { cycle, count, nodes } = data.functions;
	const { calls } = data.calls;
	const callsOfArcs = arcs.calls;
	const callerAt = callersOf(arcs);
	// A cycle in place of its members: time is propagated from and to it as a whole.
	const wholeOf = (node) => {
		const whole = node < count && cycle[node] > 0 ? count + cycle[node] - 1 : node;

		return whole < nodes ? whole : node;
	};

	return (first, list) => {
		for (let i = 0; i < list.length; i++) {
			const arc = first + i;
			const caller = callerAt(arc);
			const callee = arcs.callee[arc];
			const whole = wholeOf(callee);
			const some = callsOfArcs.get ? callsOfArcs.get(arc) : callsOfArcs[arc];

			list[i] = some > 0 && caller !== callee && wholeOf(caller) !== whole ? ofNodes[whole] * (some / calls[whole]) : 0;
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
