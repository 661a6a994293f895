// SPDX-License-Identifier: Apache-2.0
// All paths through the selected function in one picture: its callers above it, and what it calls below.

import { clear, el } from "./dom.js";
import { FlamePicture, isContextFrame } from "./flame-picture.js";
import { mergeCallees, mergeCallers } from "./flame-merge.js";
import { Paths, READOUT_NAME } from "./paths.js";

// One of the two pictures.
class Half {
	constructor(owner, label, isUpright) {
		this.owner = owner;
		this.isUpright = isUpright;
		this.isMarked = null;
		this.picture = new FlamePicture(this, this);
		this.picture.box.setAttribute("aria-label", label);
	}

	show(paths, frameColors) {
		this.paths = paths;
		this.frameColors = frameColors;
		this.picture.cursor = 0;
		this.picture.show(paths.tree, 0, this.isUpright);
	}

	name(node) {
		return this.paths.name(node);
	}

	share(node) {
		return this.paths.share(node);
	}

	color(node) {
		// Callers have no time of their own here.
		const hasOwn = !this.isUpright || this.frameColors.coloring !== "self";

		return this.colors[hasOwn ? this.frameColors.of(node) : "heat-0"];
	}

	get colors() {
		return this.owner.palette();
	}

	isSelected(node) {
		return node === 0;
	}

	pick(node, kind) {
		if (isContextFrame(kind))
			this.owner.select(this.paths.functionOf(node));
	}

	hover(frame, event) {
		this.owner.tip.follow(this.picture, frame, event, (node) => this.describe(node));
	}

	describe(node, width = 0) {
		return this.paths.describe(node, node === 0 ? "on these paths" : "through here", width);
	}

	move(node) {
		this.owner.say(this.describe(node, READOUT_NAME));
	}

	leave(key) {
		if (this.picture.cursor === 0)
			this.owner.cross(this, key);
	}

	enter(node) {
		this.owner.select(this.paths.functionOf(node));
	}

	key() {
		return false;
	}
}

export class AroundPicture {
	// main: the view that it is part of, with its paths, colors, tip and say().
	constructor(main) {
		this.main = main;
		this.tip = main.tip;
		this.callers = new Half(this, "Callers", true);
		this.callees = new Half(this, "Called functions", false);
		this.note = el("p", { class: "view-note" });
		this.element = el(
			"div",
			{ class: "around", hidden: true },
			this.note,
			el("h3", {}, "callers"),
			this.callers.picture.box,
			el("h3", {}, "called functions"),
			this.callees.picture.box
		);
	}

	palette() {
		return this.main.palette;
	}

	say(lines) {
		this.main.sayLines(lines);
	}

	select(number) {
		if (number >= 0)
			this.main.app.go({ f: number });
	}

	// From the function in one picture to the other.
	cross(from, key) {
		const isDown = from === this.callers && key === "ArrowDown";
		const to = isDown ? this.callees : this.callers;

		if (isDown || (from === this.callees && key === "ArrowUp")) {
			to.picture.box.focus();
			to.picture.moveTo(0);
		}
	}

	show(number) {
		const { paths, frameColors, app } = this.main;

		if (number !== this.number) {
			this.number = number;
			const [callers, callees] = [mergeCallers, mergeCallees].map(
				(merge) => new Paths(app.model, merge(paths.contexts, number), number)
			);
			const isThere = callees.contexts.total > 0;

			this.callers.picture.box.hidden = this.callees.picture.box.hidden = !isThere;
			for (const heading of this.element.querySelectorAll("h3"))
				heading.hidden = !isThere;
			this.note.hidden = isThere;
			clear(this.note).append(
				isThere
					? ""
					: "No path leads through " +
							(app.model.isNode(number) ? app.model.name(number) : "it") +
							"."
			);
			this.coloring = "";
			this.halves = [
				[this.callers, callers],
				[this.callees, callees],
			];
		}
		if (this.coloring !== frameColors.coloring) {
			this.coloring = frameColors.coloring;
			for (const [half, own] of this.halves)
				half.show(own, frameColors.like(own));
		}
		this.callers.picture.draw();
		this.callees.picture.draw();
	}
}
