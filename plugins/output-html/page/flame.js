// SPDX-License-Identifier: Apache-2.0
// The view of call paths: an icicle (the root on top), a flame graph (the root at the bottom), or a list.

import { cutName } from "./names.js";
import { clear, el, setText } from "./dom.js";
import { readColors, watchColors } from "./colors.js";
import { formatShareInText } from "./format.js";
import { isInsideFrame, matchFlame } from "./flame-layout.js";
import { FlamePicture, isContextFrame } from "./flame-picture.js";
import { FrameColors } from "./flame-colors.js";
import { Choice } from "./choice.js";
import { AroundPicture } from "./around.js";
import { FrameTip } from "./flame-tip.js";
import { PathList } from "./tree.js";
import { Paths, READOUT_NAME } from "./paths.js";
import { viewOf } from "./view.js";

const FORMS = [
	["icicle", "Icicle"],
	["flame", "Flame"],
	["around", "Around"],
	["list", "List"],
];
const COLORINGS = [
	["file", "file"],
	["object", "object"],
	["name", "name"],
	["self", "self time"],
];

// Characters of a name on a button: with them, the tools are in one line beside a table.
const BUTTON_NAME = 24;

class FlameView {
	constructor(host, app) {
		this.app = app;
		this.paths = new Paths(app.model);
		this.frameColors = new FrameColors(this.paths);
		this.build(host);
		watchColors(() => this.recolor());
	}

	build(host) {
		const { app } = this;

		this.form = new Choice("Form", FORMS, (key) => app.go({ as: key === "icicle" ? null : key }));
		this.coloring = el(
			"select",
			{ id: "flame-color", onchange: () => app.go({ color: this.coloring.value }) },
			COLORINGS.map(([key, text]) => el("option", { value: key }, text))
		);
		this.outButton = el("button", { type: "button", onclick: () => this.zoomTo(0) }, "Show all");
		this.findButton = el("button", { type: "button", onclick: () => this.zoomToSelection() }, "");
		this.matches = el("span", { class: "flame-matches", role: "status" });
		this.banner = el("p", { class: "banner" });
		this.readout = el("p", { id: "flame-readout", class: "flame-readout", "aria-live": "polite" });
		this.legend = el("ul", { class: "swatches", "aria-label": "Colors" });
		this.tip = new FrameTip();
		this.picture = new FlamePicture(this, this);
		this.picture.box.setAttribute("aria-label", "Call paths of " + app.model.program);
		this.around = new AroundPicture(this);
		this.list = new PathList(this.paths, app);
		this.colorLabel = el("label", { for: "flame-color" }, "Colors by ");
		this.tools = el(
			"div",
			{ class: "view-tools" },
			this.form.element,
			el("span", { class: "flame-coloring" }, this.colorLabel, this.coloring),
			this.outButton,
			this.findButton,
			this.matches
		);
		host.append(
			this.banner,
			this.tools,
			this.readout,
			this.picture.box,
			this.around.element,
			this.tip.element,
			this.list.element,
			this.legend
		);
		this.sayBanner();
	}

	get isOfFirstMetric() {
		return true;
	}

	sayBanner() {
		const { paths } = this;
		const { contexts } = paths;
		const parts = [];

		if (contexts.estimated)
			parts.push(
				el("strong", {}, "Estimate."),
				" The profile has no call paths: each function's time is divided among its callers, as gprof does. "
			);
		if (contexts.bounds !== 0 && contexts.cut > 0)
			parts.push(
				"Light paths, which have " +
					formatShareInText(contexts.cut, paths.whole) +
					" of the time together, are left out (hatched)."
			);
		this.banner.hidden = parts.length === 0;
		this.banner.append(...parts);
	}

	// What the picture asks for.

	name(node) {
		return this.paths.name(node);
	}

	share(node) {
		return this.paths.share(node);
	}

	color(node) {
		return this.palette[this.frameColors.of(node)];
	}

	get colors() {
		return this.palette;
	}

	isSelected(node) {
		return this.selected >= 0 && this.paths.functionOf(node) === this.selected;
	}

	recolor() {
		this.palette = readColors();
		clear(this.legend).append(
			...this.frameColors.legend().map(({ color, text }) => {
				const swatch = el("span", { class: "swatch", "aria-hidden": "true" });

				swatch.style.backgroundColor = "var(--" + color + ")";
				return el("li", { title: text }, swatch, el("bdi", {}, text));
			})
		);
		this.picture.draw();
	}

	// What the picture reports.

	pick(node, kind) {
		if (kind === undefined || isContextFrame(kind))
			this.zoomTo(node);
	}

	hover(frame, event) {
		this.tip.follow(this.picture, frame, event, (node) => this.paths.describe(node));
	}

	say(node) {
		this.sayLines(node >= 0 ? this.paths.describe(node, "here", READOUT_NAME) : []);
	}

	sayLines(lines) {
		clear(this.readout).append(...lines.flatMap((line) => [line, " "]));
	}

	// Keys.

	move(node) {
		this.say(node);
	}

	leave() {
		// There is nothing around the picture.
	}

	enter(node) {
		this.zoomTo(node);
	}

	key(key) {
		return (key === "Escape" || key === "Backspace") && this.escape();
	}

	// Zooms, and selects the function of the frame, unless only the way out is meant.
	zoomTo(node, isOut = false) {
		const number = this.paths.functionOf(node);
		const change = { zoom: node > 0 ? node : null };

		if (number >= 0 && !isOut)
			change.f = number;
		this.picture.cursor = isOut ? this.zoom : node;
		this.app.go(change);
		this.say(this.picture.cursor);
		this.app.announce(node > 0 ? "zoomed to " + this.paths.name(node) : "all paths are shown");
	}

	// One step out; false: all is shown.
	escape() {
		if (this.zoom === 0 || this.picture.box.hidden)
			return false;
		this.zoomTo(this.paths.tree.parent[this.zoom], true);
		return true;
	}

	isInZoom(node) {
		return node >= 0 && isInsideFrame(this.paths.tree, node, this.zoom);
	}

	zoomToSelection() {
		const best = this.heaviestOf(this.selected);

		if (best > 0)
			this.zoomTo(best);
	}

	heaviestOf(number) {
		return number >= 0 ? this.paths.heaviestOf(number) : -1;
	}

	// What follows the state.

	update() {
		const { app, paths } = this;
		const zoom = Number(app.state.zoom || 0);
		const as = app.state.as || "icicle";
		const color = app.state.color || "";

		this.zoom = Number.isInteger(zoom) && zoom >= 0 && zoom < paths.tree.count ? zoom : 0;
		this.shownAs = FORMS.some(([key]) => key === as) ? as : "icicle";
		this.form.set(this.shownAs);
		const coloring = COLORINGS.some(([key]) => key === color) ? color : this.frameColors.usual();

		if (this.frameColors.set(coloring)) {
			this.coloring.value = coloring;
			this.recolor();
		}
		this.follow(app.model.functionOf(app.state.f));
		this.mark();
		this.show();
	}

	// What the chosen form has is shown, and nothing else.
	show() {
		const { shownAs } = this;
		const isList = shownAs === "list";
		const isWhole = shownAs === "icicle" || shownAs === "flame";

		this.picture.box.hidden = !isWhole;
		this.around.element.hidden = shownAs !== "around";
		this.list.element.hidden = !isList;
		this.readout.hidden = this.legend.hidden = this.coloring.parentElement.hidden = isList;
		this.outButton.hidden = !isWhole || this.zoom === 0;
		if (isList)
			this.list.show(this.selected);
		else if (isWhole)
			this.picture.show(this.paths.tree, this.zoom, shownAs === "flame");
		else
			this.around.show(this.selected);
	}

	// The selection is another function: its heaviest frame is where the arrow keys go on.
	follow(selected) {
		const isOther = selected !== this.selected;

		this.selected = selected;
		if (isOther) {
			if (this.picture.cursor < 0 || this.paths.functionOf(this.picture.cursor) !== selected)
				this.picture.cursor = this.heaviestOf(selected);
			this.say(this.picture.cursor);
		}
		// A link can lead to another frame of the same function, as to an inlined subroutine.
		if (this.zoom > 0 && this.paths.functionOf(this.zoom) === selected && !this.isInZoom(this.picture.cursor)) {
			this.picture.cursor = this.zoom;
			this.say(this.zoom);
		}
		const best = this.picture.cursor;
		const isFar = best > 0 && best !== this.zoom && this.heaviestOf(this.selected) > 0;

		this.findButton.hidden = this.shownAs === "list" || this.shownAs === "around" || !isFar;
		if (isFar) {
			setText(this.findButton, "Zoom to " + cutName(this.paths.name(best), BUTTON_NAME));
			this.findButton.title = this.paths.name(best);
		}
		if (
			best >= 0 &&
			!isInsideFrame(this.paths.tree, best, this.zoom) &&
			!isInsideFrame(this.paths.tree, this.zoom, best)
		)
			this.findButton.classList.add("is-needed");
		else
			this.findButton.classList.remove("is-needed");
	}

	// Marks what the search box has found.
	mark() {
		const { search } = this.app;
		const { tree, contexts } = this.paths;

		if (!search || !search.isActive || search.error) {
			this.marked = this.isMarked = null;
			setText(this.matches, "");
			return;
		}
		// What is not done yet finds more.
		if (search === this.marked)
			return;
		this.marked = search.isDone ? search : null;
		const isInlinedMatch = (context) => Boolean(contexts.name) && search.names.get(contexts.name[context]) === true;
		const found = matchFlame(tree, (context) => search.nodes[contexts.node[context]] === 1 || isInlinedMatch(context));

		this.isMarked = (node) => found.mark[node] === 1;
		setText(
			this.matches,
			found.count === 0
				? "matches: none"
				: "matches: " +
						(this.paths.isEstimated ? "~" : "") +
						formatShareInText(found.ticks, this.paths.whole) +
						" of the time"
		);
		this.picture.draw();
	}
}

export const flameView = viewOf(
	{
		id: "flame",
		title: "Flame",
		available: (model) => Boolean(model.data.contexts) && model.data.contexts.parent.length > 0,
	},
	FlameView
);
