// SPDX-License-Identifier: Apache-2.0
// The picture of a flame graph: a canvas that draws the frames in view. What they are is not its matter.

import { el } from "./dom.js";
import { charactersOf, cutNameEnd } from "./names.js";
import { FLAME_CONTEXT, FLAME_CUT, FLAME_NARROWS, FLAME_OUTER } from "./flame-layout.js";
import { flameFrames, flameNeighbor, flameWay, frameAt, indexFlame } from "./flame-layout.js";

export const FRAME_HEIGHT = 22;
const FRAME_GAP = 1;
const TEXT_LEFT = 5;
const TEXT_LEAST = 4;
const FLAME_FONT = "12px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
// Pixels of a canvas: browsers refuse larger ones.
const CANVAS_MOST = 8192;

// A pattern of thin lines, for what is not one frame.
export function makeHatch(context, back, line) {
	const tile = document.createElement("canvas");

	tile.width = tile.height = 8;
	const pen = tile.getContext("2d");

	pen.fillStyle = back;
	pen.fillRect(0, 0, 8, 8);
	pen.strokeStyle = line;
	pen.lineWidth = 1;
	pen.beginPath();
	for (const at of [-4, 4, 12]) {
		pen.moveTo(at - 4, 8);
		pen.lineTo(at + 4, 0);
	}
	pen.stroke();
	return context.createPattern(tile, "repeat");
}

// "look" says what frames look like: name(node), share(node), color(node), isMarked(node) or null, isSelected(node), and
// colors. "listen" gets pick(node, kind) for clicks, hover(frame, event) with -1 for no frame, move(node) when arrow keys lead to a
// frame, leave(key) when they lead out of the picture, and enter(node); key(key) returns whether another key meant something.
export class FlamePicture {
	constructor(look, listen) {
		this.look = look;
		this.tree = null;
		this.zoom = 0;
		this.cursor = -1;
		this.hovered = -1;
		this.isUpright = false;
		this.canvas = el("canvas", { class: "flame-canvas" });
		this.sizer = el("div", { class: "flame-sizer" }, this.canvas);
		this.box = el(
			"div",
			{
				class: "flame-box",
				tabindex: "0",
				role: "application",
				"aria-roledescription": "flame graph",
				"aria-describedby": "flame-readout",
			},
			this.sizer
		);
		this.listen = listen;
		this.box.addEventListener("keydown", (event) => this.press(event));
		this.box.addEventListener("scroll", () => this.draw());
		this.box.addEventListener("focus", () => this.draw());
		this.box.addEventListener("blur", () => this.draw());
		this.canvas.addEventListener("mousemove", (event) => {
			const frame = this.frameOf(event);

			this.hover(frame);
			listen.hover(frame, event);
		});
		this.canvas.addEventListener("mouseleave", () => {
			this.hover(-1);
			listen.hover(-1, null);
		});
		this.canvas.addEventListener("click", (event) => {
			const frame = this.frameOf(event);

			if (frame >= 0)
				listen.pick(this.frames.node[frame], this.frames.kind[frame]);
		});
		// Its width is not asked for again: that would lay out all that another selection has changed.
		new ResizeObserver(() => {
			this.width = this.box.clientWidth;
			this.layout();
		}).observe(this.box);
	}

	show(tree, zoom, isUpright) {
		const isOther = tree !== this.tree || zoom !== this.zoom || isUpright !== this.isUpright;

		this.tree = tree;
		this.zoom = zoom;
		this.isUpright = isUpright;
		if (isOther)
			this.layout();
		else
			this.draw();
	}

	layout() {
		if (!this.tree || !(this.width > 0))
			return;
		this.frames = flameFrames(this.tree, this.zoom, this.width);
		this.byRow = indexFlame(this.frames);
		this.height = this.frames.rows * FRAME_HEIGHT;
		this.sizer.style.height = this.height + "px";
		this.hovered = -1;
		if (this.isUpright)
			this.box.scrollTop = this.height;
		this.draw();
	}

	// The frame of a node; -1: it has none.
	frameOfNode(node) {
		return this.frames.node.findIndex((other, frame) => other === node && this.frames.kind[frame] <= FLAME_OUTER);
	}

	rowTop(row) {
		return (this.isUpright ? this.frames.rows - 1 - row : row) * FRAME_HEIGHT;
	}

	frameOf(event) {
		const box = this.sizer.getBoundingClientRect();
		const place = Math.floor((event.clientY - box.top) / FRAME_HEIGHT);

		if (!this.frames)
			return -1;
		return frameAt(
			this.frames,
			this.byRow,
			this.isUpright ? this.frames.rows - 1 - place : place,
			event.clientX - box.left
		);
	}

	hover(frame) {
		if (frame === this.hovered)
			return;
		this.hovered = frame;
		this.canvas.style.cursor =
			frame >= 0 && this.frames.kind[frame] <= FLAME_OUTER ? "pointer" : "default";
		this.draw();
	}

	press(event) {
		const way = flameWay(event.key, this.isUpright);
		const at = this.cursor < 0 ? this.zoom : this.cursor;

		if (event.altKey || event.ctrlKey || event.metaKey)
			return;
		if (way) {
			const next = flameNeighbor(this.tree, at, way);

			if (next >= 0)
				this.moveTo(next);
			else
				this.listen.leave(event.key);
		} else if (event.key === "Home") {
			this.moveTo(this.zoom);
		} else if (event.key === "Enter" || event.key === " ") {
			this.listen.enter(at);
		} else if (!this.listen.key(event.key)) {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	}

	moveTo(node) {
		this.cursor = node;
		this.reveal(node);
		this.draw();
		this.listen.move(node);
	}

	// Scrolls to the row of a node.
	reveal(node) {
		if (!this.frames || node < 0)
			return;
		const top = this.rowTop(this.tree.depth[node]);

		if (top < this.box.scrollTop)
			this.box.scrollTop = top;
		else if (top + FRAME_HEIGHT > this.box.scrollTop + this.box.clientHeight)
			this.box.scrollTop = top + FRAME_HEIGHT - this.box.clientHeight;
	}

	// Drawing waits for the next picture of the screen; several changes before it are drawn once.
	draw() {
		if (this.isAsked || !this.frames)
			return;
		this.isAsked = true;
		requestAnimationFrame(() => {
			this.isAsked = false;
			this.drawNow();
		});
	}

	prepare() {
		const height = Math.min(this.box.clientHeight, this.height);
		const ratio = Math.min(window.devicePixelRatio || 1, CANVAS_MOST / Math.max(this.width, height, 1));

		if (
			this.canvas.width !== Math.round(this.width * ratio) ||
			this.canvas.height !== Math.round(height * ratio)
		) {
			this.canvas.width = Math.round(this.width * ratio);
			this.canvas.height = Math.round(height * ratio);
			this.canvas.style.width = this.width + "px";
			this.canvas.style.height = height + "px";
		}
		const pen = this.canvas.getContext("2d");

		pen.setTransform(ratio, 0, 0, ratio, 0, 0);
		pen.clearRect(0, 0, this.width, height);
		pen.font = FLAME_FONT;
		pen.textBaseline = "middle";
		this.letter = pen.measureText("0").width;
		const { colors } = this.look;

		if (this.hatchOf !== colors.back) {
			this.hatchOf = colors.back;
			this.hatch = makeHatch(pen, colors.back, colors.quiet);
		}
		return { pen, height };
	}

	drawNow() {
		if (this.box.clientWidth === 0)
			return;
		const { pen, height } = this.prepare();
		const top = this.box.scrollTop;
		const places = [Math.floor(top / FRAME_HEIGHT), Math.ceil((top + height) / FRAME_HEIGHT)];

		for (let place = places[0]; place < Math.min(places[1], this.frames.rows); place++) {
			const row = this.isUpright ? this.frames.rows - 1 - place : place;

			for (const frame of this.byRow[row])
				this.drawFrame(pen, frame, place * FRAME_HEIGHT - top);
		}
		const cursor = document.activeElement === this.box ? this.frameOfNode(this.cursor) : -1;

		if (cursor >= 0)
			this.drawOutline(pen, cursor, this.rowTop(this.frames.row[cursor]) - top, 3);
		if (this.hovered >= 0)
			this.drawOutline(pen, this.hovered, this.rowTop(this.frames.row[this.hovered]) - top, 1);
	}

	drawFrame(pen, frame, y) {
		const { look, frames } = this;
		const x = frames.x[frame];
		const width = Math.max(0.5, frames.width[frame] - FRAME_GAP);
		const node = frames.node[frame];
		const kind = frames.kind[frame];
		const isFrame = kind <= FLAME_OUTER;

		pen.globalAlpha = isFrame && look.isMarked && !look.isMarked(node) ? 0.3 : 1;
		pen.fillStyle = isFrame ? look.color(node) : this.hatch;
		pen.fillRect(x, y, width, FRAME_HEIGHT - FRAME_GAP);
		if (isFrame && look.isSelected(node)) {
			pen.globalAlpha = 1;
			pen.strokeStyle = look.colors.text;
			pen.lineWidth = 2;
			pen.strokeRect(x + 1, y + 1, Math.max(0, width - 2), FRAME_HEIGHT - FRAME_GAP - 2);
		}
		const letters = Math.floor((width - 2 * TEXT_LEFT) / this.letter);

		if (letters < TEXT_LEAST)
			return;
		if (!isFrame) {
			pen.globalAlpha = 1;
			this.drawQuiet(pen, frame, x, y, letters);
			return;
		}
		// Faded frames keep text that can be read.
		pen.globalAlpha = 1;
		pen.fillStyle = kind === FLAME_OUTER ? look.colors.quiet : look.colors.text;
		this.drawText(pen, node, x + TEXT_LEFT, y + FRAME_HEIGHT / 2, letters);
	}

	drawQuiet(pen, frame, x, y, letters) {
		const text =
			this.frames.kind[frame] === FLAME_CUT ? "paths left out" : this.frames.count[frame] + " narrow";

		if (text.length > letters)
			return;
		pen.fillStyle = this.look.colors.back;
		pen.fillRect(x + TEXT_LEFT - 2, y + 3, text.length * this.letter + 4, FRAME_HEIGHT - 7);
		pen.fillStyle = this.look.colors.text;
		pen.fillText(text, x + TEXT_LEFT, y + FRAME_HEIGHT / 2);
	}

	drawText(pen, node, x, y, letters) {
		const share = this.look.share(node);
		const text = cutNameEnd(this.look.name(node), letters);

		// Letters of other scripts can be wider than digits.
		if (/[^\x20-\x7e\u2026]/.test(text)) {
			const letter = charactersOf(text);

			while (letter.length > 1 && pen.measureText(letter.join("")).width > letters * this.letter)
				letter.pop();
			pen.fillText(letter.join(""), x, y);
			return;
		}
		pen.fillText(text, x, y);
		if (text.length + share.length + 2 <= letters) {
			pen.globalAlpha = 0.75;
			pen.fillText(share, x + (text.length + 1) * this.letter, y);
			pen.globalAlpha = 1;
		}
	}

	drawOutline(pen, frame, y, width) {
		const x = this.frames.x[frame];
		const size = Math.max(2, this.frames.width[frame] - FRAME_GAP);

		pen.strokeStyle = this.look.colors.back;
		pen.lineWidth = width;
		pen.strokeRect(
			x + width + 1,
			y + width + 1,
			Math.max(0, size - 2 * width - 2),
			FRAME_HEIGHT - 2 * width - 3
		);
		pen.strokeStyle = width > 1 ? this.look.colors.select : this.look.colors.text;
		pen.strokeRect(
			x + width / 2,
			y + width / 2,
			Math.max(1, size - width),
			FRAME_HEIGHT - FRAME_GAP - width
		);
	}
}

// What a frame that is no context is, in words.
export function sayFrame(kind, count) {
	if (kind === FLAME_CUT)
		return "paths that were left out";
	return kind === FLAME_NARROWS ? count + " functions that are too narrow to show" : "";
}

export function isContextFrame(kind) {
	return kind === FLAME_CONTEXT || kind === FLAME_OUTER;
}
