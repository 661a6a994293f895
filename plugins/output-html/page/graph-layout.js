// SPDX-License-Identifier: Apache-2.0
// The neighborhood of a function in the call graph: which nodes it has, and where they are in a picture.

// Bounds of a neighborhood: nodes of all, those of a step to callers or to callees, and members of the center's cycle.
export const GRAPH_MOST = 40;
export const GRAPH_NEAR = 8;
export const GRAPH_MEMBERS = 8;
const GRAPH_STEPS = 2;

// Distances in pixels.
const GRAPH_GAP = 18;
const GRAPH_LAYER_GAP = 44;
const GRAPH_PAD = 10;
const GRAPH_CAPTION = 18;
const GRAPH_THREAD = 10;
const GRAPH_SWEEPS = 12;

// The heaviest "most" of these, the heaviest first and earlier ones before equal ones.
export function heaviest(items, most, weight) {
	const best = [];

	for (const item of items) {
		const own = weight(item);

		if (most <= 0 || (best.length === most && !(own > best[most - 1].own)))
			continue;
		let at = best.length;

		while (at > 0 && own > best[at - 1].own)
			at--;
		best.splice(at, 0, { item, own });
		best.length = Math.min(best.length, most);
	}
	return best.map((entry) => entry.item);
}

// Members of the center's cycle, the center first, as far as there is room.
function centerOf(source, center) {
	const members = source.members(center).filter((node) => node !== center);
	const isCycle = source.isCycle(center);
	const chosen = heaviest(members, GRAPH_MEMBERS - (isCycle ? 0 : 1), source.nodeWeight);

	return { nodes: isCycle ? chosen : [center, ...chosen], more: members.length - chosen.length };
}

// Neighbors of some nodes that are not yet there, with the weight of the arcs between them.
function neighborsOf(source, nodes, direction, isThere) {
	const weights = new Map();

	for (const node of nodes) {
		for (const arc of direction < 0 ? source.callers(node) : source.callees(node)) {
			const other = direction < 0 ? source.caller(arc) : source.callee(arc);

			if (!isThere(other))
				weights.set(other, (weights.get(other) || 0) + source.weight(arc));
		}
	}
	return weights;
}

function arcsBetween(source, side) {
	const arcs = [];

	for (const node of side.keys()) {
		for (const arc of source.callees(node)) {
			if (side.has(source.callee(arc)) && source.callee(arc) !== node)
				arcs.push(arc);
		}
	}
	return arcs;
}

// Nodes and arcs around a center. "source" has callers(node) and callees(node), which are numbers of arcs; caller(arc),
// callee(arc), weight(arc), nodeWeight(node), members(node) of its cycle, and isCycle(node). "near" bounds the nodes of each
// step on each side. Of the result, "side" is -1 for callers, 0 for the center with its cycle, and 1 for callees.
export function neighborhood(source, center, near = GRAPH_NEAR) {
	const { nodes, more } = centerOf(source, center);
	const side = new Map(nodes.map((node) => [node, 0]));
	const inCycle = new Set([...nodes, ...source.members(center)]);
	const hidden = { callers: 0, callees: 0, members: more };
	const edge = { callers: nodes, callees: nodes };

	for (let step = 0; step < GRAPH_STEPS; step++) {
		for (const [word, direction] of [
			["callers", -1],
			["callees", 1],
		]) {
			const weights = neighborsOf(
				source,
				edge[word],
				direction,
				(node) => side.has(node) || inCycle.has(node)
			);
			const room = Math.min(near, GRAPH_MOST - side.size);

			edge[word] = heaviest(weights.keys(), room, (node) => weights.get(node));
			if (step === 0)
				hidden[word] = weights.size - edge[word].length;
			for (const node of edge[word])
				side.set(node, direction);
		}
	}
	return { center, side, arcs: arcsBetween(source, side), hidden };
}

// Members of one cycle are a unit; every other node is one by itself.
function makeUnits(around, source) {
	const unitOf = new Map();
	const byCycle = new Map();
	const units = [];

	for (const [node, side] of around.side) {
		const cycle = source.cycle(node);
		let unit = cycle > 0 ? byCycle.get(cycle) : undefined;

		if (!unit) {
			unit = { number: units.length, nodes: [], side, cycle, layer: side, above: [], below: [] };
			units.push(unit);
			if (cycle > 0)
				byCycle.set(cycle, unit);
		}
		unit.nodes.push(node);
		unitOf.set(node, unit);
	}
	return { units, unitOf };
}

// The longest way from the center, among units of one side; calls that would lead back are not followed.
function findLayers(units, out, direction) {
	const state = new Map();
	const visit = (unit) => {
		if (unit.side === 0)
			return 0;
		if (state.has(unit))
			return state.get(unit);
		state.set(unit, null);
		let layer = direction;

		for (const next of out.get(unit) || []) {
			const found = next.side === 0 || next.side === direction ? visit(next) : null;

			if (found !== null)
				layer = direction < 0 ? Math.min(layer, found - 1) : Math.max(layer, found + 1);
		}
		unit.layer = layer;
		state.set(unit, layer);
		return layer;
	};

	for (const unit of units) {
		if (unit.side === direction)
			visit(unit);
	}
}

function lists(pairs) {
	const map = new Map();

	for (const [from, to] of pairs)
		map.set(from, [...(map.get(from) || []), to]);
	return map;
}

// Places the boxes of a unit: one, or those of a cycle, which is a block with up to three columns.
function placeInside(unit, sizeOf) {
	const sizes = unit.nodes.map(sizeOf);

	if (unit.cycle === 0) {
		unit.width = sizes[0].width;
		unit.height = sizes[0].height;
		unit.boxes = [{ node: unit.nodes[0], dx: 0, dy: 0, ...sizes[0] }];
		return;
	}
	const columns = Math.min(3, Math.ceil(Math.sqrt(sizes.length)));
	const width = Math.max(...sizes.map((size) => size.width));
	const height = sizes[0].height;

	unit.boxes = sizes.map((size, i) => ({
		node: unit.nodes[i],
		dx: GRAPH_PAD + (i % columns) * (width + GRAPH_GAP) + (width - size.width) / 2,
		dy: GRAPH_CAPTION + GRAPH_PAD + Math.floor(i / columns) * (height + 2 * GRAPH_GAP),
		...size,
	}));
	const rows = Math.ceil(sizes.length / columns);

	unit.width = 2 * GRAPH_PAD + columns * width + (columns - 1) * GRAPH_GAP;
	unit.height = GRAPH_CAPTION + 2 * GRAPH_PAD + rows * height + (rows - 1) * 2 * GRAPH_GAP;
}

// A link between units; where it passes layers, threads hold a place for it there.
function threadLinks(layers, units, links) {
	for (const link of links) {
		let last = link.from;

		link.way = [last];
		for (let layer = link.from.layer + 1; layer < link.to.layer; layer++) {
			const thread = {
				isThread: true,
				layer,
				width: GRAPH_THREAD,
				height: 0,
				above: [],
				below: [],
				boxes: [],
			};

			layers[layer].push(thread);
			last.below.push(thread);
			thread.above.push(last);
			link.way.push(thread);
			last = thread;
		}
		last.below.push(link.to);
		link.to.above.push(last);
		link.way.push(link.to);
	}
}

function countCrossings(layers) {
	let crossings = 0;

	for (let l = 0; l + 1 < layers.length; l++) {
		const place = new Map(layers[l + 1].map((unit, i) => [unit, i]));
		const ends = [];

		for (const unit of layers[l])
			ends.push(...unit.below.map((other) => place.get(other)).sort((a, b) => a - b));
		for (let i = 0; i < ends.length; i++) {
			for (let j = i + 1; j < ends.length; j++)
				crossings += ends[i] > ends[j] ? 1 : 0;
		}
	}
	return crossings;
}

// Orders each layer by the middle of its neighbors, downwards and upwards in turn, and keeps what has the fewest crossings.
function orderLayers(layers) {
	let best = layers.map((layer) => layer.slice());
	let fewest = countCrossings(layers);

	for (let sweep = 0; sweep < GRAPH_SWEEPS && fewest > 0; sweep++) {
		const isDown = sweep % 2 === 0;

		for (let i = 1; i < layers.length; i++) {
			const l = isDown ? i : layers.length - 1 - i;
			const place = new Map(layers[isDown ? l - 1 : l + 1].map((unit, p) => [unit, p]));
			const middle = new Map(
				layers[l].map((unit, p) => {
					const near = isDown ? unit.above : unit.below;

					return [
						unit,
						near.length > 0
							? near.reduce((sum, other) => sum + place.get(other), 0) / near.length
							: p,
					];
				})
			);

			layers[l].sort((a, b) => middle.get(a) - middle.get(b));
		}
		const crossings = countCrossings(layers);

		if (crossings < fewest) {
			fewest = crossings;
			best = layers.map((layer) => layer.slice());
		}
	}
	return best;
}

// Moves the units of a layer as near to where they should be as their order and their widths allow: the sum of the squares of
// what is missing is the least. Units that would overlap form blocks, which move together.
export function placeInOrder(units, wanted) {
	const blocks = [];
	let offset = 0;

	units.forEach((unit, i) => {
		if (i > 0)
			offset += (units[i - 1].width + unit.width) / 2 + GRAPH_GAP;
		let block = { sum: wanted[i] - offset, count: 1 };

		while (
			blocks.length > 0 &&
			blocks[blocks.length - 1].sum / blocks[blocks.length - 1].count >= block.sum / block.count
		) {
			const before = blocks.pop();

			block = { sum: before.sum + block.sum, count: before.count + block.count };
		}
		blocks.push(block);
	});
	const at = [];

	for (const block of blocks) {
		for (let i = 0; i < block.count; i++)
			at.push(block.sum / block.count);
	}
	offset = 0;
	units.forEach((unit, i) => {
		if (i > 0)
			offset += (units[i - 1].width + unit.width) / 2 + GRAPH_GAP;
		unit.x = at[i] + offset;
	});
}

function placeLayers(layers) {
	for (const layer of layers)
		placeInOrder(
			layer,
			layer.map(() => 0)
		);
	for (let sweep = 0; sweep < GRAPH_SWEEPS; sweep++) {
		const order = sweep % 2 === 0 ? layers : layers.slice().reverse();

		for (const layer of order) {
			placeInOrder(
				layer,
				layer.map((unit) => {
					const near = [...unit.above, ...unit.below];

					return near.length > 0
						? near.reduce((sum, other) => sum + other.x, 0) / near.length
						: unit.x;
				})
			);
		}
	}
	let y = GRAPH_PAD;

	for (const layer of layers) {
		const height = Math.max(...layer.map((unit) => unit.height));

		for (const unit of layer) {
			unit.y = y + (height - unit.height) / 2;
			unit.middle = y + height / 2;
		}
		y += height + GRAPH_LAYER_GAP;
	}
	return y - GRAPH_LAYER_GAP + GRAPH_PAD;
}

// Moves everything to the right of 0; returns the width.
function shiftRight(layers) {
	let left = Infinity;
	let right = -Infinity;

	for (const layer of layers) {
		for (const unit of layer) {
			left = Math.min(left, unit.x - unit.width / 2);
			right = Math.max(right, unit.x + unit.width / 2);
		}
	}
	for (const layer of layers) {
		for (const unit of layer)
			unit.x += GRAPH_PAD - left;
	}
	return right - left + 2 * GRAPH_PAD;
}

// How far a box, from "begin" to "end", has to be scrolled to for it to be seen: not at all if it is there anyway, so that
// the picture begins at its edge.
export function scrollToShow(begin, end, room) {
	return end <= room ? 0 : (begin + end - room) / 2;
}

// A picture of a neighborhood. "sizeOf" is of the box of a node: { width, height }. The result has boxes, with left upper
// corners; frames of cycles; and for each arc the points that it passes, from the lower edge of its caller to the upper edge
// of its callee, or "isBack" if it leads upwards or to the same layer.
export function layoutGraph(around, source, sizeOf) {
	const { units, unitOf } = makeUnits(around, source);
	const links = new Map();

	for (const arc of around.arcs) {
		const from = unitOf.get(source.caller(arc));
		const to = unitOf.get(source.callee(arc));

		if (from !== to)
			links.set(from.number * units.length + to.number, { from, to });
	}
	const pairs = [...links.values()];

	findLayers(units, lists(pairs.map(({ from, to }) => [from, to])), -1);
	findLayers(units, lists(pairs.map(({ from, to }) => [to, from])), 1);
	const numbers = [...new Set(units.map((unit) => unit.layer))].sort((a, b) => a - b);

	for (const unit of units) {
		unit.layer = numbers.indexOf(unit.layer);
		placeInside(unit, sizeOf);
	}
	let layers = numbers.map((_, number) => units.filter((unit) => unit.layer === number));

	threadLinks(
		layers,
		units,
		pairs.filter(({ from, to }) => from.layer < to.layer)
	);
	layers = orderLayers(layers);
	const height = placeLayers(layers);
	const width = shiftRight(layers);
	const box = new Map();

	for (const unit of units) {
		for (const { node, dx, dy, width: w, height: h } of unit.boxes)
			box.set(node, { node, x: unit.x - unit.width / 2 + dx, y: unit.y + dy, width: w, height: h });
	}
	const frames = units
		.filter((unit) => unit.cycle > 0)
		.map((unit) => ({
			cycle: unit.cycle,
			x: unit.x - unit.width / 2,
			y: unit.y,
			width: unit.width,
			height: unit.height,
		}));
	const arcs = around.arcs.map((arc) => {
		const from = box.get(source.caller(arc));
		const to = box.get(source.callee(arc));
		const fromUnit = unitOf.get(from.node);
		const toUnit = unitOf.get(to.node);
		const link = links.get(fromUnit.number * units.length + toUnit.number);
		const between = link && link.way ? link.way.slice(1, -1) : [];

		return {
			arc,
			isInside: fromUnit === toUnit,
			isBack: fromUnit.layer >= toUnit.layer,
			points: [
				[from.x + from.width / 2, from.y + from.height],
				...between.map((thread) => [thread.x, thread.middle]),
				[to.x + to.width / 2, to.y],
			],
		};
	});

	return { boxes: [...box.values()], frames, arcs, width, height };
}
