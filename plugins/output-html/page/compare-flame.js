// SPDX-License-Identifier: Apache-2.0
// The flame graph of a comparison: as wide as one side, with colors by the difference to the other.

import { Choice } from "./choice.js";
import { watchColors } from "./colors.js";
import { BY_FUNCTION, BY_PATH, DifferenceColors, UNTESTED_COLOR, readDifferenceColors } from "./compare-colors.js";
import { formatRatio, verdictText } from "./compare-format.js";
import { ComparedPaths, WIDTHS } from "./compare-paths.js";
import { clear, el, setText } from "./dom.js";
import { isInsideFrame, matchFlame } from "./flame-layout.js";
import { FRAME_HEIGHT, FlamePicture, isContextFrame } from "./flame-picture.js";
import { FrameTip } from "./flame-tip.js";
import { formatShare } from "./format.js";

const BORDERS = 2; // pixels
const WIDTH_NAMES = { new: "New", base: "Base", larger: "Larger" };

export class ComparedFlame {
	constructor(app) {
		this.app = app;
		this.paths = new ComparedPaths(app.model);
		this.usualColoring = this.paths.hasErrors ? BY_PATH : BY_FUNCTION;
		this.zoom = 0;
		this.build();
		watchColors(() => this.recolor());
	}

	build() {
		const { app } = this;

		this.width = new Choice("Width", WIDTHS.map((key) => [key, WIDTH_NAMES[key]]), (key) => app.go({ width: key === "new" ? null : key }));
		this.coloring = el("select", { id: "flame-color", onchange: () => app.go({ color: this.coloring.value }) },
			el("option", { value: BY_PATH }, "the path's difference"),
			el("option", { value: BY_FUNCTION }, "the function's difference in self"));
		this.outButton = el("button", { type: "button", onclick: () => this.zoomTo(0) }, "Show all");
		this.banner = el("p", { class: "banner" });
		this.note = el("p", { class: "view-note" });
		this.readout = el("p", { id: "flame-readout", class: "flame-readout", "aria-live": "polite" });
		this.legend = el("ul", { class: "swatches", "aria-label": "Colors" });
		this.tip = new FrameTip();
		this.picture = new FlamePicture(this, this);
		this.picture.box.setAttribute("aria-label", "Call paths of both sides");
		this.element = el("section", { class: "panel", id: "panel-flame", "aria-label": "Flame graph" },
			this.banner,
			el("div", { class: "view-tools" }, "Width ", this.width.element,
				el("span", {}, el("label", { for: "flame-color" }, "Colors by "), this.coloring), this.outButton),
			this.note, this.readout, this.picture.box, this.tip.element, this.legend);
		this.banner.append(...this.bannerParts());
		this.banner.hidden = !this.banner.hasChildNodes();
	}

	bannerParts() {
		const { contexts, model } = this.paths;
		const cut = ["base", "new"].filter((side) => contexts[side].cut > 0);
		const parts = [];

		if (contexts.estimated)
			parts.push(el("strong", {}, "Estimate."), " A side has no call paths: each function's time is divided among its callers by"
				+ " their numbers of calls. Differences of paths were not tested. ");
		else if (!this.paths.hasErrors)
			parts.push("The errors of paths are not known: their differences were not tested. ");
		if (contexts.bounds !== 0 && cut.length > 0)
			parts.push("Light paths are left out (hatched): " + cut.map((side) => model.scale.withUnit(contexts[side].cut)
				+ ", " + formatShare(contexts[side].cut, contexts[side].total) + " of the " + (side === "new" ? "new side" : "base")).join("; ") + ".");
		return parts;
	}

	// What the picture asks for.

	name(node) {
		return this.paths.name(node);
	}

	// What is beside the name: the difference that the color is of.
	share(node) {
		const { difference } = this.colorsOf.about(node);

		return Number.isNaN(difference) ? "" : this.colorsOf.mark + this.paths.model.scale.signed(difference);
	}

	color(node) {
		return this.palette[this.colorsOf.of(node)];
	}

	get colors() {
		return this.palette;
	}

	isSelected(node) {
		return this.app.state.isSelected && this.paths.functionOf(node) === this.app.state.f;
	}

	recolor() {
		this.palette = readDifferenceColors();
		clear(this.legend).append(...this.colorsOf.legend().map(({ color, text }) => {
			const swatch = el("span", { class: "swatch " + color, "aria-hidden": "true" });

			if (color !== UNTESTED_COLOR)
				swatch.style.backgroundColor = "var(--" + color + ")";
			return el("li", {}, swatch, text);
		}));
		this.picture.draw();
	}

	// A frame in words: lines, as elements.
	describe(node) {
		const { paths } = this;
		const { model } = paths;
		const { scale } = model;
		const [base, now] = [paths.value("base", node), paths.value("new", node)];
		const mark = paths.contexts.estimated ? "~" : "";
		const error = paths.error(node);
		const number = paths.functionOf(node);
		const ratio = formatRatio(base, now);

		return [
			el("span", { class: "flame-name" }, el("bdi", {}, paths.name(node))),
			el("span", { class: paths.contexts.estimated ? "est" : null }, "here base " + mark + scale.withUnit(base) + ", new " + mark
				+ scale.withUnit(now) + ", difference " + mark + scale.signedWithUnit(now - base)
				+ (error > 0 ? " \u00b1 " + scale.withUnit(error) + " (standard error)" : "") + (ratio ? ", ratio " + ratio : "")),
			node > 0 && el("span", {}, this.verdictOf(node)),
			number >= 0 && el("span", {}, this.describeFunction(number)),
		].filter(Boolean);
	}

	verdictOf(node) {
		const { paths } = this;
		const match = !(paths.value("new", node) > 0) ? -1 : paths.value("base", node) > 0 ? 1 : 0;

		return "this path: " + verdictText(paths.verdict(node), paths.model.isTime, match);
	}

	describeFunction(number) {
		const { model } = this.paths;
		const self = model.self(number);
		const { base, new: now } = self;

		if (Number.isNaN(base))
			return "";
		return "self in all: base " + model.scale.withUnit(base) + ", new " + model.scale.withUnit(now) + ", "
			+ model.say(self);
	}

	// What the picture reports.

	pick(node, kind) {
		if (kind === undefined || isContextFrame(kind))
			this.zoomTo(node);
	}

	hover(frame, event) {
		this.tip.follow(this.picture, frame, event, (node) => this.describe(node));
	}

	say(node) {
		clear(this.readout).append(...(node >= 0 ? this.describe(node) : []).flatMap((line) => [line, " "]));
	}

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

	// One step out; false: all is shown.
	escape() {
		if (this.zoom === 0)
			return false;
		this.zoomTo(this.tree.parent[this.zoom], true);
		return true;
	}

	// Zooms, and selects the function of the frame, unless only the way out is wanted.
	zoomTo(node, isOut = false) {
		const number = this.paths.functionOf(node);
		const change = { zoom: node > 0 ? node : null };

		if (number >= 0 && !isOut)
			change.f = number;
		this.picture.cursor = isOut ? this.zoom : node;
		this.app.go(change);
		this.say(this.picture.cursor);
	}

	// After a change of the state.
	update() {
		const { state } = this.app;
		const zoom = Number(state.zoom || 0);
		const coloring = [BY_PATH, BY_FUNCTION].includes(state.color) ? state.color : this.usualColoring;
		const width = WIDTHS.includes(state.width) ? state.width : "new";

		this.tree = this.paths.tree(width);
		// Not as high as what is drawn: that follows the size.
		this.picture.box.style.height = BORDERS + FRAME_HEIGHT * (this.tree.deepest + 1) + "px";
		this.zoom = Number.isInteger(zoom) && zoom >= 0 && zoom < this.tree.count ? zoom : 0;
		this.width.set(width);
		this.outButton.hidden = this.zoom === 0;
		if (!this.colorsOf || this.colorsOf.by !== coloring) {
			this.colorsOf = new DifferenceColors(this.paths, coloring);
			this.coloring.value = coloring;
			this.recolor();
		}
		this.sayWidth(width);
		this.mark();
		this.picture.show(this.tree, this.zoom, false);
		if (this.picture.cursor < 0 || !isInsideFrame(this.tree, this.picture.cursor, this.zoom))
			this.picture.cursor = this.zoom;
	}

	// What the widths are, and what has none.
	sayWidth(width) {
		const { paths } = this;
		const { scale } = paths.model;
		const without = paths.without(width);
		const other = width === "base" ? "new side" : "base";
		const texts = [width === "larger" ? "Widths are the larger side of each path's own value: together more than either side." : ""];

		if (without > 0)
			texts.push("Paths that only the " + other + " has" + (paths.contexts.bounds !== 0 ? ", or that are left out of the other side," : "")
				+ " take " + scale.withUnit(without) + " of it, and have no width here: "
				+ (width === "base" ? "New" : "Base") + " or Larger shows them.");
		if (this.zoom > 0 && !(this.tree.total[this.zoom] > 0))
			texts.push("This path is only in the " + other + ".");
		setText(this.note, texts.filter(Boolean).join(" "));
	}

	// Marks what the search box has found.
	mark() {
		const { search } = this.app;

		this.isMarked = null;
		if (!search.isActive || search.error)
			return;
		const found = matchFlame(this.tree, (context) => search.nodes[this.paths.contexts.node[context]] === 1);

		this.isMarked = (node) => found.mark[node] === 1;
	}
}
