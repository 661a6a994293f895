// SPDX-License-Identifier: Apache-2.0
// The view of a function's neighborhood in the call graph: what calls it, what it calls, and one step further.

import { frameOf } from "./overflow.js";
import { clear, el, setText, svg } from "./dom.js";
import { formatCount, formatShare, formatShareInText, isKnown } from "./format.js";
import { KIND } from "./model.js";
import { GRAPH_NEAR, layoutGraph, neighborhood, scrollToShow } from "./graph-layout.js";
import { cutName } from "./names.js";
import { viewOf } from "./view.js";

const BOX_HEIGHT = 40;
const BOX_LEAST = 84;
const BOX_PAD = 10;
const NAME_LETTERS = 22;
const ARC_LEAST = 1;
const ARC_MOST = 9;
// Neighbors of a step: as many as there is room for, and at least some.
const NEAR_LEAST = 4;
const NEAR_WIDTH = 115;
// Smaller than this the text cannot be read: then the picture scrolls.
const SCALE_LEAST = 0.8;

// The graph of a model, for the layout.
function sourceOf(model) {
	const weight = (arc) => {
		const time = model.arcTime(arc);

		// Calls decide where there is no time.
		return (isKnown(time) ? time : 0) + Math.max(0, model.arcCalls(arc)) * 1e-15;
	};
	const membersOf = (node) => {
		const whole = model.isCycle(node) ? node : model.cycleNode(model.cycle(node));

		return whole >= 0 ? model.members(whole) : [];
	};

	return {
		callers: (node) => model.arcsTo(node),
		callees: (node) => model.arcsFrom(node),
		caller: (arc) => model.caller(arc),
		callee: (arc) => model.callee(arc),
		weight,
		nodeWeight: (node) => (model.known(node) || 0) + Math.max(0, model.calls(node)) * 1e-15,
		cycle: (node) => model.cycle(node),
		isCycle: (node) => model.isCycle(node),
		members: membersOf,
	};
}

function measureText() {
	const pen = document.createElement("canvas").getContext("2d");

	pen.font = "12px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
	return (text) => pen.measureText(text).width;
}

// A smooth way through points, vertical at each.
function smooth(points) {
	let way = "M" + points[0].map((value) => value.toFixed(1)).join(" ");

	for (let i = 1; i < points.length; i++) {
		const [x0, y0] = points[i - 1];
		const [x1, y1] = points[i];
		const middle = ((y0 + y1) / 2).toFixed(1);

		way += "C" + [x0.toFixed(1), middle, x1.toFixed(1), middle, x1.toFixed(1), y1.toFixed(1)].join(" ");
	}
	return way;
}

// Where the line from the middle of a box to a point leaves the box.
function edgeTowards(box, x, y) {
	const cx = box.x + box.width / 2;
	const cy = box.y + box.height / 2;
	const scale = Math.min(box.width / 2 / Math.abs(x - cx), box.height / 2 / Math.abs(y - cy), 1);

	return [cx + (x - cx) * scale, cy + (y - cy) * scale];
}

// An arc that leads upwards, or to the same layer: bent to its left, so that one in the other direction is beside it.
function bend(from, to) {
	const x0 = from.x + from.width / 2;
	const y0 = from.y + from.height / 2;
	const x1 = to.x + to.width / 2;
	const y1 = to.y + to.height / 2;
	const length = Math.hypot(x1 - x0, y1 - y0) || 1;
	const aside = Math.min(24, length / 6);
	const middle = [
		(x0 + x1) / 2 + ((y1 - y0) / length) * aside,
		(y0 + y1) / 2 - ((x1 - x0) / length) * aside,
	];

	return { begin: edgeTowards(from, ...middle), middle, end: edgeTowards(to, ...middle) };
}

// A triangle whose point is at the end of a way.
function arrowHead([x, y], [fromX, fromY], size) {
	const length = Math.hypot(x - fromX, y - fromY) || 1;
	const dx = ((x - fromX) / length) * size;
	const dy = ((y - fromY) / length) * size;

	return {
		points: [
			[x, y],
			[x - dx - dy * 0.5, y - dy + dx * 0.5],
			[x - dx + dy * 0.5, y - dy - dx * 0.5],
		],
		base: [x - dx * 0.9, y - dy * 0.9],
	};
}

// "800+21.3 M\u00d7": calls by others and by itself.
function sayCalls(calls, own) {
	if (!(calls > 0))
		return "";
	return formatCount(calls) + (own > 0 ? "+" + formatCount(own) : "") + "\u00d7";
}

class GraphView {
	constructor(host, app) {
		this.app = app;
		this.source = sourceOf(app.model);
		this.measure = measureText();
		this.note = el("p", { class: "view-note", role: "status" });
		this.picture = el("div", { class: "graph-box" });
		this.more = el("ul", { class: "graph-more" });
		this.readout = el("p", { class: "flame-readout", "aria-live": "off" });
		this.sides = frameOf(this.picture);
		this.sides.frame.classList.add("graph-frame");
		host.append(this.note, this.sides.frame, this.readout, this.more);
		new ResizeObserver(() => this.resize()).observe(this.picture);
		this.picture.addEventListener("keydown", (event) => this.press(event));
	}

	update() {
		const { app } = this;
		const center = app.model.functionOf(app.state.f);

		if (!app.model.isNode(center)) {
			clear(this.picture);
			clear(this.more);
			setText(this.note, "Select a function to see what calls it, and what it calls.");
			return;
		}
		if (center !== this.center || app.model.metricIndex !== this.metric) {
			this.center = center;
			this.metric = app.model.metricIndex;
			this.drawAgain();
		}
	}

	// As wide as there is room for.
	resize() {
		if (this.layout && this.picture.offsetWidth > 0 && this.picture.offsetWidth !== this.drawnWidth)
			this.drawAgain();
	}

	drawAgain() {
		const hadFocus = this.picture.contains(document.activeElement);

		this.draw();
		if (hadFocus)
			this.focusOn(this.center);
	}

	textsOf(node) {
		const { model } = this.app;
		const total = model.totalShare(node);
		const self = model.own(node) / model.whole;
		const mark = model.isTotalEstimated(node) ? "~" : "";
		const figures = isKnown(total)
			? mark + formatShare(total, 1)
			: isKnown(self)
				? formatShare(self, 1) + " self"
				: "";
		const calls = model.calls(node);

		return {
			name: cutName(model.plainName(node), NAME_LETTERS),
			figures: [figures, sayCalls(calls, model.recursive(node))].filter(Boolean).join(" \u00b7 "),
			isEstimated: mark !== "" && isKnown(total),
		};
	}

	sizeOf(node) {
		const { name, figures } = this.textsOf(node);

		return {
			width: Math.max(
				BOX_LEAST,
				Math.ceil(Math.max(this.measure(name), this.measure(figures))) + 2 * BOX_PAD
			),
			height: BOX_HEIGHT,
		};
	}

	draw() {
		const { model } = this.app;

		const room = this.picture.clientWidth;

		this.drawnWidth = this.picture.offsetWidth;
		this.around = neighborhood(
			this.source,
			this.center,
			room > 0 ? Math.min(GRAPH_NEAR, Math.max(NEAR_LEAST, Math.floor(room / NEAR_WIDTH))) : GRAPH_NEAR
		);
		this.layout = layoutGraph(this.around, this.source, (node) => this.sizeOf(node));
		const { width, height } = this.layout;
		const scale = room > 0 ? Math.max(SCALE_LEAST, Math.min(1, room / width)) : 1;
		const picture = svg("svg", {
			viewBox: "0 0 " + width + " " + height,
			width: Math.round(width * scale),
			height: Math.round(height * scale),
			role: "group",
			"aria-label": "Calls around " + model.plainName(this.center),
		});

		this.boxes = new Map(this.layout.boxes.map((box) => [box.node, box]));
		for (const frame of this.layout.frames)
			picture.append(this.drawFrame(frame));
		for (const arc of this.layout.arcs)
			picture.append(this.drawArc(arc));
		this.links = new Map();
		for (const box of this.layout.boxes)
			picture.append(this.drawBox(box));
		clear(this.picture).append(picture);
		this.say();
		const center = this.boxes.get(this.center) || this.layout.boxes[0];

		// As much to the left as to the right: there is more on both sides.
		this.picture.scrollLeft = (center.x + center.width / 2) * scale - room / 2;
		this.picture.scrollTop = scrollToShow(
			center.y * scale,
			(center.y + center.height) * scale,
			this.picture.clientHeight
		);
		this.sides.update();
	}

	drawFrame(frame) {
		return svg(
			"g",
			{ class: "graph-cycle" },
			svg("rect", { x: frame.x, y: frame.y, width: frame.width, height: frame.height, rx: 6 }),
			svg("text", { x: frame.x + 8, y: frame.y + 15 }, "cycle " + frame.cycle)
		);
	}

	arcShare(arc) {
		const { model } = this.app;

		return model.arcTime(arc) / model.graphWhole;
	}

	drawArc({ arc, points, isInside, isBack }) {
		const { model } = this.app;
		const share = this.arcShare(arc);
		const size = isKnown(share) ? ARC_LEAST + (ARC_MOST - ARC_LEAST) * Math.min(1, share) : ARC_LEAST;
		const from = this.boxes.get(model.caller(arc));
		const to = this.boxes.get(model.callee(arc));
		const isStatic = model.arcFound(arc) !== 0 && !(model.arcCalls(arc) > 0);
		const kinds = [
			"graph-arc",
			isStatic ? "is-static" : "",
			isInside ? "is-inside" : "",
			model.caller(arc) === this.center || model.callee(arc) === this.center ? "is-near" : "",
		]
			.filter(Boolean)
			.join(" ");
		let way;
		let head;

		if (isInside || isBack) {
			const { begin, middle, end } = bend(from, to);

			head = arrowHead(end, middle, 5 + size / 2);
			way = "M" + begin.join(" ") + "Q" + middle.join(" ") + " " + head.base.join(" ");
		} else {
			const end = points[points.length - 1];

			head = arrowHead(end, [end[0], end[1] - 1], 5 + size / 2);
			way = smooth([...points.slice(0, -1), head.base]);
		}
		const label = this.labelOf(arc, isStatic);

		return svg(
			"g",
			{ class: kinds, "aria-hidden": "true" },
			svg("path", { d: way, "stroke-width": size.toFixed(1) }),
			svg("polygon", { points: head.points.map((point) => point.join(",")).join(" ") }),
			svg("title", null, label)
		);
	}

	labelOf(arc, isStatic) {
		const { model } = this.app;
		const calls = model.arcCalls(arc);
		const parts = [model.plainName(model.caller(arc)) + " calls " + model.plainName(model.callee(arc))];

		if (isStatic)
			parts.push("found in the code, never recorded");
		else if (calls >= 0)
			parts.push(formatCount(calls) + (calls === 1 ? " call" : " calls"));
		if (isKnown(this.arcShare(arc)))
			parts.push(
				(model.totalIsEstimated ? "~" : "") +
					formatShareInText(this.arcShare(arc), 1) +
					" of the time"
			);
		return parts.join(", ");
	}

	drawBox(box) {
		const { model } = this.app;
		const { node } = box;
		const { name, figures, isEstimated } = this.textsOf(node);
		const isCenter = node === this.center;
		const bar = (share, kind, y) =>
			isKnown(share) && share > 0
				? svg("rect", {
						class: kind,
						x: box.x + 1,
						y,
						width: Math.max(1, Math.min(1, share) * (box.width - 2)).toFixed(1),
						height: 3,
					})
				: null;
		const link = svg(
			"a",
			{
				href: this.app.href({ f: node }),
				class:
					"graph-node" +
					(isCenter ? " is-center" : "") +
					(model.is(node, KIND.OUTSIDE) ? " is-outside" : ""),
				// The whole name follows where it is cut.
				"aria-label":
					name === model.plainName(node) ? null : [name, figures, model.plainName(node)].join(" "),
				"aria-current": isCenter ? "true" : null,
				tabindex: isCenter ? "0" : "-1",
				onfocus: () => this.describe(node),
				onmouseenter: () => this.describe(node),
			},
			name === model.plainName(node) ? null : svg("title", null, model.plainName(node)),
			svg("rect", {
				class: "graph-back",
				x: box.x,
				y: box.y,
				width: box.width,
				height: box.height,
				rx: 4,
			}),
			bar(model.totalShare(node), "bar-total", box.y + box.height - 4),
			bar(model.own(node) / model.whole, "bar-self", box.y + box.height - 4),
			svg("text", { x: box.x + box.width / 2, y: box.y + 16, class: "graph-name" }, name),
			" ",
			svg(
				"text",
				{
					x: box.x + box.width / 2,
					y: box.y + 31,
					class: isEstimated ? "graph-figures est" : "graph-figures",
				},
				figures
			)
		);

		this.links.set(node, link);
		return link;
	}

	describe(node) {
		const { model } = this.app;
		const arcs = this.around.arcs.filter(
			(arc) =>
				(model.caller(arc) === node && model.callee(arc) === this.center) ||
				(model.caller(arc) === this.center && model.callee(arc) === node)
		);
		const place = model.place(node);

		setText(
			this.readout,
			[
				model.plainName(node) + (place ? " (" + place + ")" : ""),
				...arcs.map((arc) =>
					this.labelOf(arc, model.arcFound(arc) !== 0 && !(model.arcCalls(arc) > 0))
				),
			].join("; ")
		);
	}

	say() {
		const { model } = this.app;
		const { hidden } = this.around;
		const rows = [
			[hidden.callers, "caller"],
			[hidden.callees, "callee"],
			[hidden.members, "member", " of the cycle"],
		];

		setText(
			this.note,
			(model.totalIsEstimated ? "Shares of time are estimated. " : "") +
				"Arrow keys move, Enter selects. Width of arcs: time."
		);
		clear(this.more);
		for (const [count, word, end] of rows) {
			if (count > 0) {
				this.more.append(
					el(
						"li",
						null,
						formatCount(count) + " more " + word + (count === 1 ? "" : "s") + (end || "") + ": ",
						el("a", { href: "#entry-name" }, "table")
					)
				);
			}
		}
	}

	focusOn(node) {
		const link = this.links.get(node);

		if (!link)
			return;
		for (const other of this.links.values())
			other.setAttribute("tabindex", "-1");
		link.setAttribute("tabindex", "0");
		link.focus();
	}

	// Arrow keys lead to the nearest box in their direction.
	press(event) {
		const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[
			event.key
		];
		const node = [...this.links].find(([, link]) => link === document.activeElement);

		if (!direction || !node || event.altKey || event.ctrlKey || event.metaKey)
			return;
		const from = this.boxes.get(node[0]);
		let best = -1;
		let least = Infinity;

		for (const box of this.layout.boxes) {
			const dx = box.x + box.width / 2 - from.x - from.width / 2;
			const dy = box.y + box.height / 2 - from.y - from.height / 2;
			const ahead = dx * direction[0] + dy * direction[1];
			const aside = Math.abs(dx * direction[1]) + Math.abs(dy * direction[0]);

			if (ahead > 4 && ahead + 3 * aside < least && (direction[0] === 0 || aside < BOX_HEIGHT)) {
				least = ahead + 3 * aside;
				best = box.node;
			}
		}
		if (best >= 0)
			this.focusOn(best);
		event.preventDefault();
		event.stopPropagation();
	}
}

export const graphView = viewOf(
	{ id: "graph", title: "Graph", available: (model) => model.arcCount > 0 },
	GraphView
);
