// SPDX-License-Identifier: Apache-2.0
// The view of the source of the selected function: lines with their time, how often they ran, and what they call.

import { callsByLine, dataOfLine, functionsByLine, hottestLines, leastOfFile, splitCalls } from "./source-lines.js";
import { endOfLines, hottestBetween } from "./source-lines.js";
import { parsePlace, rowOfLine, sourceFiles, sourceRow, sourceRows } from "./source-lines.js";
import { clear, el, setText } from "./dom.js";
import { formatChance, formatSampledShare, formatSampledShareInText, isChance } from "./chance.js";
import { formatCount, formatShare, formatShareInText, formatValue } from "./format.js";
import { heatOf } from "./colors.js";
import { KIND } from "./model.js";
import { cutEnd, cutName, shortName } from "./names.js";
import { frameOf } from "./overflow.js";
import { Scroll } from "./scroll.js";
import { viewOf } from "./view.js";

const LINE_HEIGHT = 20;
const LINES_AROUND = 5;
const LINE_LONGEST = 1000;
const TICKS_MOST = 40;
const HOTTEST = 20;
const FILES_MOST = 50;
const BEGINS_MOST = 3; // functions that begin at a line
const BEGINS_NAME = 40; // characters

class SourceView {
	constructor(host, app) {
		this.app = app;
		this.source = app.model.data.source;
		this.files = sourceFiles(this.source);
		this.scroll = new Scroll(LINE_HEIGHT);
		this.calls = new Map();
		this.build(host);
		new ResizeObserver(() => this.resize()).observe(this.box);
	}

	build(host) {
		this.title = el("h3", { class: "source-title" });
		this.note = el("p", { class: "view-note source-note" });
		this.few = el("p", { class: "view-note source-few few" });
		this.before = el(
			"button",
			{ type: "button", "aria-label": "hotter line", onclick: () => this.step(-1) },
			"\u2039"
		);
		this.next = el(
			"button",
			{ type: "button", "aria-label": "next hottest line", onclick: () => this.step(1) },
			"\u203a"
		);
		this.place = el("span", { role: "status" });
		this.begin = el("button", { type: "button", onclick: () => this.showBegin() }, "");
		this.tools = el(
			"div",
			{ class: "view-tools" },
			this.begin,
			el("span", { class: "source-hot" }, this.before, this.place, this.next)
		);
		this.pad = el("div", { class: "source-pad", role: "presentation" });
		this.table = el(
			"div",
			{ class: "source-table", role: "table", "aria-label": "Source" },
			this.headRow(),
			this.pad
		);
		this.box = el(
			"div",
			{ class: "source-box", tabindex: "0", role: "region", "aria-label": "Source lines" },
			this.table
		);
		this.marks = el("div", { class: "source-marks", "aria-hidden": "true" });
		this.sides = frameOf(this.box);
		this.frame = el("div", { class: "source-frame" }, this.sides.frame, this.marks);
		this.list = el("ul", { class: "source-files" });
		this.box.addEventListener("scroll", () => {
			this.scroll.moveBar(this.box.scrollTop);
			this.drawSoon();
		});
		this.marks.addEventListener("click", (event) => this.clickMark(event));
		host.append(this.title, this.note, this.few, this.tools, this.frame, this.list);
	}

	get isOfFirstMetric() {
		return true;
	}

	headRow() {
		const head = (text, kind) => el("span", { role: "columnheader", class: kind }, text);

		return el(
			"div",
			{ role: "rowgroup", class: "source-head" },
			el(
				"div",
				{ role: "row", class: "source-row" },
				head("time", "source-share"),
				this.source.file.some((file) => file.total)
					? el(
							"span",
							{
								role: "columnheader",
								class: "source-total",
								title: "While the line is active, with all that it calls: measured from call stacks. Totals of lines overlap.",
							},
							"total"
						)
					: "",
				head("count", "source-count"),
				head("line", "source-number"),
				head("source", "source-text")
			)
		);
	}

	update() {
		const { model, state } = this.app;
		const node = state.f;
		const isNode = model.isNode(node) && !model.isCycle(node);
		const place = parsePlace(state.at, this.files);
		const path = place ? place.file : isNode ? model.data.functions.file[node] : -1;
		const number = path >= 0 && this.files.has(path) ? this.files.get(path) : -1;

		if (node === this.node && state.at === this.placed)
			return;
		this.node = node;
		this.placed = state.at;
		this.line = isNode ? model.line(node) : 0;
		setText(this.begin, isNode ? "Show " + cutName(model.plainName(node), 30) : "");
		this.begin.title = isNode ? model.plainName(node) : "";
		this.begin.hidden = !(this.line > 0);
		if (number < 0) {
			this.sayNoFile(isNode ? node : -1, path);
			return;
		}
		this.list.hidden = true;
		this.frame.hidden = this.tools.hidden = false;
		if (number !== this.number)
			this.open(number);
		if (place)
			this.showPlace(place.line);
		else
			this.showHottest(node);
	}

	// Where the function begins, after a look at other files, too.
	showBegin() {
		if (this.placed)
			this.app.go({ at: null });
		this.showLine(this.line);
	}

	// A line that was asked for.
	showPlace(line) {
		this.markHot(dataOfLine(this.file, line));
		setText(this.note, this.sayFile());
		this.note.hidden = this.note.textContent === "";
		this.showLine(line);
	}

	// Where the time of the function is, or where the function begins.
	showHottest(node) {
		const { model } = this.app;
		const isLine = model.is(node, KIND.LINE);
		const end = isLine
			? this.line + 1
			: endOfLines(model.data.functions, node, (other) => model.name(other), (other) => model.is(other, KIND.LINE));
		const hot = this.line > 0 ? hottestBetween(this.file, this.line, end) : -1;

		this.markHot(hot);
		setText(
			this.note,
			[this.sayFile(), hot < 0 && !isLine ? this.sayNoTime(node) : ""].filter(Boolean).join(" ")
		);
		this.note.hidden = this.note.textContent === "";
		this.showLine(hot >= 0 ? this.file.line[hot] : this.line);
	}

	sayNoTime(node) {
		const { model } = this.app;
		const values = model.data.values[0];
		const self = (values.whole || values.self)[node];
		const name = shortName(model.plainName(node), 60);

		if (!model.timed || !(this.line > 0))
			return "";
		if (!(self > 0))
			return name + " has no time of its own, so its lines have none.";
		return (
			"No line here of " +
			name +
			" has time: its " +
			formatValue(self, model.metrics[0]) +
			" are at lines of code that was inlined into it, or at no known line." +
			(model.selfParts(node).length > 0 ? " See the list of these subroutines above." : "")
		);
	}

	sayNoFile(node, path) {
		const { model } = this.app;

		this.number = -1;
		this.frame.hidden = this.tools.hidden = this.few.hidden = true;
		this.note.hidden = false;
		setText(this.title, "Source");
		if (node < 0)
			setText(this.note, "Select a function to see its source. These files have most of the time:");
		else if (path < 0)
			setText(
				this.note,
				"The source of " +
					model.name(node) +
					" is not known: its code has no debug information (compile with -g). " +
					"Files that are known:"
			);
		else
			setText(
				this.note,
				"No line of " + model.data.strings[path] + " has time or counts. Files that do:"
			);
		this.listFiles();
	}

	listFiles() {
		const { model } = this.app;
		const best = new Map();

		for (const node of model.flat) {
			const path = node < model.count ? model.data.functions.file[node] : -1;

			// The flat profile has the heaviest first.
			if (this.files.has(path) && !best.has(path))
				best.set(path, node);
		}
		const rows = this.source.file
			.map((file) => ({ file, ticks: leastOfFile(file) }))
			.filter((row) => best.has(row.file.path))
			.sort((a, b) => b.ticks - a.ticks)
			.slice(0, FILES_MOST);

		clear(this.list).append(
			...rows.map(({ file, ticks }) =>
				el(
					"li",
					null,
					(file.total ? "at least " : "") + this.shareOf(ticks) + " ",
					el(
						"a",
						{ href: this.app.href({ f: best.get(file.path) }) },
						el("bdi", null, model.data.strings[file.path])
					)
				)
			)
		);
		if (rows.length === 0)
			this.list.append(el("li", null, "none"));
		this.list.hidden = false;
	}

	open(number) {
		const { model } = this.app;

		this.number = number;
		this.file = this.source.file[number];
		this.rows = sourceRows(this.file);
		this.hottest = hottestLines(this.file, TICKS_MOST);
		this.table.classList.toggle("no-counts", !this.file.calls.some((calls) => calls >= 0));
		this.most = this.hottest.length > 0 ? this.file.ticks[this.hottest[0]] : 0;
		this.at = -1;
		const path = model.data.strings[this.file.path];

		if (!this.calls.has(this.file.path))
			this.calls.set(
				this.file.path,
				callsByLine(model.data.functions, model.data.arcs, this.file.path)
			);
		this.sites = this.calls.get(this.file.path);
		// Without text, names say what lines are of.
		this.begins = this.file.parts
			? new Map()
			: functionsByLine(model.data.functions, this.file.path, (node) => model.is(node, KIND.LINE));
		clear(this.title).append(el("bdi", null, path));
		this.table.setAttribute("aria-rowcount", String(this.rows.count + 1));
		this.box.setAttribute("aria-label", "Lines of " + path);
		this.resize();
		this.drawMarks();
		this.sayFew();
	}

	// How sure the largest share of a line is, if that is from few samples.
	sayFew() {
		const { file, source } = this;
		const shares = file.total || file.ticks;
		const at = shares.reduce((best, ticks, i) => (ticks > shares[best] ? i : best), 0);
		const isFew = this.app.model.hasSampleTicks && file.line.length > 0 && isChance(shares[at], source.total);
		// Those that lines have with what they call are the same ones again.
		const samples = file.total
			? formatCount(source.total)
			: formatCount(Math.max(1, Math.round(file.ticks.reduce((sum, own) => sum + own, 0)))) + " in this file";

		this.few.hidden = !isFew;
		setText(
			this.few,
			isFew
				? "few samples (" + samples + "): the share of line " + file.line[at] + " can be " +
						formatChance(shares[at], source.total)
				: ""
		);
	}

	shareOf(ticks) {
		return this.app.model.hasSampleTicks
			? formatSampledShare(ticks, this.source.total)
			: formatShare(ticks, this.source.total);
	}

	shareInText(ticks) {
		return this.app.model.hasSampleTicks
			? formatSampledShareInText(ticks, this.source.total)
			: formatShareInText(ticks, this.source.total);
	}

	sayFile() {
		const { file } = this;

		if (!file.found) {
			return (
				"Source not found" +
				(file.tried ? "; it was looked for at " + file.tried : "") +
				". Lines with time or counts are listed without their text."
			);
		}
		if (!file.parts)
			return "The text of this file is not in the page, to keep it small. Lines with time or counts are listed without it.";
		return file.parts.length > 1 ? "Only the parts of this file that have time are in the page." : "";
	}

	// The hottest lines.

	step(by) {
		const count = Math.min(HOTTEST, this.hottest.length);

		if (count === 0)
			return;
		this.at = (this.at + by + count) % count;
		this.showLine(this.file.line[this.hottest[this.at]]);
		this.sayHottest();
	}

	// Which of the hottest lines is shown, by its place in the columns of the file.
	markHot(hot) {
		const at = this.hottest.indexOf(hot);

		this.at = at < HOTTEST ? at : -1;
		this.sayHottest();
	}

	sayHottest() {
		const count = Math.min(HOTTEST, this.hottest.length);
		const hot = this.hottest[this.at];

		this.before.parentElement.hidden = count === 0;
		setText(
			this.place,
			this.at < 0
				? "hottest lines: " + count
				: "line " +
						this.file.line[hot] +
						", " +
						this.shareInText(this.file.ticks[hot]) +
						" of the time" +
						this.sayTotal(hot)
		);
	}

	// What a line has with all that it calls, if that is more.
	sayTotal(at) {
		const total = this.file.total ? this.file.total[at] : 0;

		return total > this.file.ticks[at] ? ", " + this.shareInText(total) + " with what it calls" : "";
	}

	showLine(line) {
		this.shownLine = line;
		const row = rowOfLine(this.file, this.rows, line);

		// With some lines around it.
		for (const near of row >= 0 ? [row - LINES_AROUND, row + LINES_AROUND] : [])
			this.box.scrollTop = this.scroll.barFor(Math.min(Math.max(0, near), this.rows.count - 1));
		this.draw();
	}

	clickMark(event) {
		const box = this.marks.getBoundingClientRect();

		this.box.scrollTop =
			((event.clientY - box.top) / box.height) * (this.scroll.height - this.scroll.view);
	}

	// Rows.

	resize() {
		if (!this.rows || this.box.clientHeight === 0)
			return;
		this.scroll.setRows(this.rows.count, this.box.clientHeight - LINE_HEIGHT);
		this.pad.style.height = this.scroll.height + "px";
		this.draw();
	}

	drawSoon() {
		if (this.isAsked)
			return;
		this.isAsked = true;
		requestAnimationFrame(() => {
			this.isAsked = false;
			this.draw();
		});
	}

	draw() {
		if (!this.rows || this.number < 0)
			return;
		const [first, end] = this.scroll.range();
		// A link that has the focus stays.
		const focused = this.pad.contains(document.activeElement) ? document.activeElement.dataset.key : "";

		clear(this.pad);
		for (let row = first; row < end; row++) {
			const element = this.drawRow(row);

			element.style.top = this.scroll.offset(row) + "px";
			this.pad.append(element);
		}
		this.sides.update();
		const link = focused ? this.pad.querySelector("[data-key='" + focused + "']") : null;

		if (link)
			link.focus({ preventScroll: true });
	}

	drawRow(number) {
		const row = sourceRow(this.file, this.rows, number);
		const attributes = { role: "row", class: "source-row", "aria-rowindex": number + 2 };

		if (row.gap) {
			return el(
				"div",
				{ ...attributes, class: "source-row source-gap" },
				el(
					"span",
					{ role: "cell" },
					"lines " + row.gap[0] + " to " + row.gap[1] + " are not in the page"
				)
			);
		}
		const at = dataOfLine(this.file, row.line);
		const ticks = at >= 0 ? this.file.ticks[at] : 0;
		const count = at >= 0 ? this.file.calls[at] : -1;
		const cell = (kind, ...content) => el("span", { role: "cell", class: kind }, ...content);

		if (row.line === this.shownLine)
			attributes.class += " is-shown";
		return el(
			"div",
			attributes,
			el("span", {
				class: "source-heat heat-" + (ticks > 0 ? heatOf(ticks / this.most) : 0),
				role: "presentation",
			}),
			cell(
				"source-share",
				ticks > 0
					? el(
							"span",
							{ title: formatValue(ticks, this.app.model.metrics[0]) },
							this.shareOf(ticks)
						)
					: ""
			),
			this.file.total ? cell("source-total", ...this.totalOf(at)) : "",
			cell("source-count", count >= 0 ? formatCount(count) : ""),
			cell("source-number", String(row.line)),
			cell("source-text", ...this.textOf(row))
		);
	}

	// The share of the time while a line is active, by its place in the columns of the file.
	totalOf(at) {
		const total = at >= 0 ? this.file.total[at] : 0;

		return total > 0
			? [el("span", { title: formatValue(total, this.app.model.metrics[0]) }, this.shareOf(total))]
			: [];
	}

	textOf(row) {
		const { model } = this.app;
		const calls = this.sites.get(row.line) || [];
		const text = cutEnd(row.text || "", LINE_LONGEST);
		const { pieces, others } = splitCalls(text, calls, (node) => model.plainName(node));
		const link = (callee, word, count, place) =>
			el(
				"a",
				{
					href: this.app.href({ f: callee }),
					"data-key": row.line + "-" + place,
					title: model.name(callee) + ", " + formatCount(count) + " calls from here",
				},
				word
			);

		return [
			...this.beginsAt(row.line),
			...pieces.map((piece, i) =>
				typeof piece === "string" ? piece : link(piece.callee, piece.text, piece.calls, i)
			),
			...others.map((call, i) =>
				el(
					"span",
					{ class: "source-call" },
					"\u2192\u00a0",
					link(call.callee, model.plainName(call.callee), call.calls, "o" + i),
					" " + formatCount(call.calls) + "\u00d7"
				)
			),
		];
	}

	// Links to the functions that begin at a line.
	beginsAt(line) {
		const { model } = this.app;
		const nodes = this.begins.get(line) || [];
		const shown = nodes.slice(0, BEGINS_MOST);

		if (nodes.length === 0)
			return [];
		return [
			el("span", { class: "quiet" }, "start of "),
			...shown.flatMap((node, i) => [
				i > 0 ? ", " : "",
				el("a", {
					href: this.app.href({ f: node }), "data-key": line + "-b" + i, title: model.plainName(node),
				}, cutName(model.plainName(node), BEGINS_NAME)),
			]),
			nodes.length > shown.length ? " and " + (nodes.length - shown.length) + " more" : "",
		];
	}

	drawMarks() {
		clear(this.marks);
		for (const at of this.hottest.filter((place) => this.file.ticks[place] > 0)) {
			const mark = el("span", { class: "source-mark heat-" + heatOf(this.file.ticks[at] / this.most) });

			mark.style.top =
				(100 * rowOfLine(this.file, this.rows, this.file.line[at])) / Math.max(1, this.rows.count) +
				"%";
			this.marks.append(mark);
		}
	}
}

export const sourceView = viewOf(
	{
		id: "source",
		title: "Source",
		available: (model) => Boolean(model.data.source) && model.data.source.file.length > 0,
	},
	SourceView
);
