// SPDX-License-Identifier: Apache-2.0
// Data of pages, as the emitter writes them (data.md), unpacked.

// main calls a once and b twice, b calls a three times, a and c call each other five times; a and c are
// a cycle. At 100 Hz; ticks of itself: main 1, a 4, b 3, c 2.
export function example() {
	return {
		format: 2, generator: "gprofx", version: "0", program: "prog", timed: true, counted: true, measured: false, byLine: false,
		command: ["prog", "gmon.out"],
		metrics: [{ name: "time", unit: "seconds", abbreviation: "s", ticks: 100 }],
		strings: ["/src/one/util.c", "/src/two/util.c", "libx.so"],
		functions: {
			count: 4, nodes: 5, name: ["main", "a", "b", "c", "<cycle 1>"], file: [0, 0, 1, -1], object: [-1, -1, -1, 2],
			line: [10, 20, 5, 0], cycle: [0, 1, 0, 1, 1], entry: [1, 3, 2, 5, 4], kind: [5, 5, 7, 5, 1], id: [0, 1, 2, 3, 4],
		},
		values: [{
			selfOrigin: "measured", totalOrigin: "estimated", total: 10, graphTotal: 10, self: [1, 4, 3, 2, 6], below: [9, 0, 4.5, 0, 0],
			whole: null, selfSquares: [1, 4, 3, 2, 6],
		}],
		calls: { calls: [0, 4, 2, 0, 4], recursive: [0, 0, 0, 0, 10] },
		flat: [1, 2, 3, 0],
		arcs: {
			first: [0, 2, 3, 4, 5], callee: [1, 2, 3, 1, 1], calls: [1, 2, 5, 3, 5],
			values: [{ self: [1.5, 3, 0, 4.5, 0], below: [0, 4.5, 0, 0, 0] }], found: null, divided: null, site: null,
		},
		cycleArcs: { caller: [0, 2], callee: [4, 4], calls: [1, 3], values: [{ self: [1.5, 4.5], below: [0, 0] }] },
		contexts: null, source: null, files: null, slices: null,
	};
}

// A program of any size, the same for equal sizes: some functions take most of the time, each calls
// those after it. options: arcsEach, longNames, one(): how one function differs.
export function large(count, arcsEach = 5) {
	const data = example();
	const ids = Array.from({ length: count }, (_, i) => i);
	const random = lcg(count);
	const self = ids.map((i) => Math.floor(1e6 / (1 + ((i * 7919) % count))) * (i % 3 === 0 ? 1 : 0));
	const arcs = { first: [0], callee: [], calls: [], values: [{ self: [], below: [] }], found: null, divided: null, site: null };
	const whole = self.reduce((sum, ticks) => sum + ticks, 0);

	for (const i of ids) {
		for (let k = 0; k < arcsEach && i + 1 < count; k++) {
			arcs.callee.push(i + 1 + random(count - i - 1));
			arcs.calls.push(1 + random(100000));
			arcs.values[0].self.push(random(1000) / 10);
			arcs.values[0].below.push(random(1000) / 10);
		}
		arcs.first.push(arcs.callee.length);
	}
	return {
		...data,
		program: "large",
		strings: Array.from({ length: 1000 }, (_, i) => "/src/module" + (i % 37) + "/part" + i + ".cc"),
		functions: {
			count, nodes: count,
			name: ids.map((i) => "space" + (i % 97) + "::Class" + (i % 1009) + "<int, std::string>::method_" + i + "(int, char const*)"),
			file: ids.map((i) => i % 1000), object: ids.map(() => -1), line: ids.map((i) => 1 + (i % 5000)), cycle: ids.map(() => 0),
			entry: ids.map((i) => i + 1), kind: ids.map(() => 5), id: ids,
		},
		values: [{
			selfOrigin: "measured", totalOrigin: "estimated", total: whole, graphTotal: whole, self,
			below: ids.map((i) => (whole - self[i]) * Math.pow(1 - i / count, 8)), whole: null, selfSquares: self,
		}],
		calls: { calls: ids.map((i) => (i * 31) % 1000003), recursive: ids.map(() => 0) },
		flat: ids.slice().sort((a, b) => self[b] - self[a] || a - b),
		arcs,
		cycleArcs: null,
	};
}

// Numbers below a limit, the same ones for an equal seed.
export function lcg(seed) {
	let state = seed % 2147483647 + 1;

	return (limit) => {
		state = (state * 48271) % 2147483647;
		return state % limit;
	};
}
