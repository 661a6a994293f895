// SPDX-License-Identifier: Apache-2.0
// Data of a page of a comparison (data.md), unpacked.

const UNKNOWN = [NaN, NaN, NaN, NaN];

// main calls slow, same and gone, which only the base has; slow calls added, which only the new side has. At 100 Hz, with
// measured stacks; runs: of the new side. Self ticks: slow 400 and 900, same 100 and 104, gone 60, added 50.
export function compared(runs = 1) {
	return {
		format: 1, generator: "gprofx", version: "0", kind: "comparison",
		metric: { name: "time", unit: "seconds", abbreviation: "s", ticks: 100 },
		isTime: true, estimatesTotals: false, rowRate: 0.05, normalization: "none",
		base: { name: "base", runs: 1, ticks: 560 }, new: { name: "new", runs, ticks: 1054 },
		strings: ["/src/util.c", "libx.so", "older"],
		functions: {
			count: 5, nodes: 5, name: ["main", "slow", "same", "gone", "added"], file: [0, 0, -1, -1, -1], object: [-1, -1, 1, -1, -1],
			line: [3, 0, 0, 0, 0],
		},
		rows: {
			node: [1, 3, 4, 2, 0], match: [4, -1, 0, 2, 1], was: [2, -1, -1, -1, -1],
			self: {
				base: [400, 60, 0, 100, 0], new: [900, 0, 50, 104, 0], error: [36, 7.75, 7.07, 14.3, 0],
				low: [429, -75, 36, -24, 0], high: [571, -45, 64, 32, 0], verdict: [3, 2, 3, 1, 1],
			},
			total: {
				base: [400, 60, 0, 100, 560], new: [950, 0, 50, 104, 1054], error: [36.7, 7.75, 7.07, 14.3, 40.2],
				low: [478, -75, 36, -24, 415], high: [622, -45, 64, 32, 573], verdict: [3, 2, 3, 1, 1],
			},
			calls: { base: [10, 1, 0, 7, 0], new: [20, 0, 4, 7, 0], verdict: [1, 2, 1, 1, 1] },
		},
		arcs: {
			first: [0, 3, 4, 4, 4, 4], callee: [2, 1, 3, 4],
			base: { calls: [7, 10, 1, 0], total: [100, 400, 60, 0] }, new: { calls: [7, 20, 0, 4], total: [104, 950, 0, 50] },
		},
		contexts: {
			parent: [-1, 0, 0, 1, 0], node: [0, 1, 2, 4, 3],
			base: { self: [0, 400, 100, 0, 60], below: [560, 0, 0, 0, 0], squares: [560, 400, 100, 0, 60], total: 560, cut: 0 },
			new: { self: [0, 900, 104, 50, 0], below: [1054, 50, 0, 0, 0], squares: [1054, 950, 104, 50, 0], total: 1054, cut: 0 },
			bounds: 0, estimated: false,
		},
	};
}

// The same without errors: of profiles that state sums.
export function untested() {
	const data = compared();

	for (const kind of ["self", "total"]) {
		for (const key of ["error", "low", "high"])
			data.rows[kind][key] = [...UNKNOWN, NaN];
		data.rows[kind].verdict.fill(0);
	}
	data.contexts.base.squares = data.contexts.new.squares = null;
	return data;
}
