// SPDX-License-Identifier: Apache-2.0
// Call paths as a list that opens and closes: what the picture of frames shows, in words. Rows are
// one after the other, with their levels, so that each is read aloud without those below it.

import { el } from "./dom.js";
import { formatCount, formatShare } from "./format.js";
import { percent } from "./table.js";

// Rows below one row: those that there are more are counted.
const LIST_MOST = 100;
// Deeper rows are not further to the right.
const LIST_DEEPEST = 24;
const LIST_STEP = 14;

export class PathList {
	constructor(paths, app) {
		this.paths = paths;
		this.app = app;
		this.items = new Map(); // node to row
		this.at = -1; // the row that was selected here
		this.element = el("div", { class: "paths", hidden: true });
	}

	build() {
		this.root = el("ul", {
			role: "tree",
			"aria-label": "Call paths",
			"aria-describedby": "paths-hint",
			onkeydown: (event) => this.press(event),
			onclick: (event) => this.click(event),
		});
		this.element.append(
			el(
				"div",
				{ class: "path-row paths-head", "aria-hidden": "true" },
				["path", "total", "self"].map((word) => el("span", {}, word))
			),
			this.root,
			el(
				"p",
				{ class: "view-note", id: "paths-hint" },
				"Arrow right opens a row, arrow left closes it, Enter selects its function."
			)
		);
		this.root.append(this.makeItem(0, 1));
		this.root.firstChild.tabIndex = 0;
		this.open(0);
	}

	hasChildren(node) {
		const { tree } = this.paths;

		return tree.first[node] < tree.first[node + 1] || tree.cut[node] > 0;
	}

	makeItem(node, level) {
		const { paths } = this;
		const { tree, whole } = paths;
		const item = this.makeRow(
			level,
			[
				el("span", { class: "twist", "aria-hidden": "true" }),
				el("bdi", { title: paths.name(node) }, paths.name(node)),
				paths.isInlined(node) && el("span", { class: "quiet" }, " inlined"),
			],
			tree.total[node],
			tree.self[node]
		);

		item.dataset.node = node;
		if (this.hasChildren(node))
			item.setAttribute("aria-expanded", "false");
		item.style.setProperty("--total-share", percent(tree.total[node] / whole));
		item.style.setProperty("--self-share", percent(tree.self[node] / whole));
		this.items.set(node, item);
		return item;
	}

	makeRow(level, content, total, self) {
		const { isEstimated, whole } = this.paths;
		const figure = (kind, ticks) =>
			el(
				"span",
				{ class: kind },
				ticks > 0 &&
					el(
						"span",
						{ class: isEstimated ? "est" : null },
						(isEstimated ? "~" : "") + formatShare(ticks, whole)
					)
			);
		const item = el(
			"li",
			{
				role: "treeitem",
				class: "path-row",
				tabindex: "-1",
				"aria-level": level,
				"aria-selected": "false",
			},
			el("span", { class: "path-name" }, content),
			" ",
			figure("path-total", total),
			" ",
			figure("path-self", self)
		);

		item.firstChild.style.paddingLeft = LIST_STEP * Math.min(level - 1, LIST_DEEPEST) + "px";
		return item;
	}

	isOpen(item) {
		return item.getAttribute("aria-expanded") === "true";
	}

	open(node) {
		const { tree } = this.paths;
		const item = this.items.get(node);

		if (!item || !this.hasChildren(node) || this.isOpen(item))
			return;
		item.setAttribute("aria-expanded", "true");
		const level = Number(item.getAttribute("aria-level")) + 1;
		const end = Math.min(tree.first[node + 1], tree.first[node] + LIST_MOST);
		const rows = [];

		for (let c = tree.first[node]; c < end; c++)
			rows.push(this.makeItem(tree.child[c], level));
		item.after(...rows, ...this.makeRest(node, level, end));
	}

	// Rows for what has none of its own.
	makeRest(node, level, end) {
		const { tree } = this.paths;
		const count = tree.first[node + 1] - end;
		const rows = [];
		let ticks = 0;

		for (let c = end; c < tree.first[node + 1]; c++)
			ticks += tree.total[tree.child[c]];
		if (count > 0)
			rows.push(this.makeRow(level, [formatCount(count) + " more"], ticks, 0));
		if (tree.cut[node] > 0)
			rows.push(this.makeRow(level, ["paths that were left out"], tree.cut[node], 0));
		for (const row of rows)
			row.classList.add("path-note");
		return rows;
	}

	close(node) {
		const item = this.items.get(node);

		if (!item || !this.isOpen(item))
			return;
		item.setAttribute("aria-expanded", "false");
		const level = Number(item.getAttribute("aria-level"));

		while (item.nextSibling && Number(item.nextSibling.getAttribute("aria-level")) > level) {
			this.items.delete(this.nodeOf(item.nextSibling));
			item.nextSibling.remove();
		}
	}

	nodeOf(item) {
		return item.dataset.node === undefined ? -1 : Number(item.dataset.node);
	}

	focus(item) {
		if (!item)
			return;
		for (const other of this.root.querySelectorAll("[tabindex='0']"))
			other.tabIndex = -1;
		item.tabIndex = 0;
		item.focus();
	}

	press(event) {
		const item = event.target.closest("[role=treeitem]");
		const node = item ? this.nodeOf(item) : -1;
		const move = {
			ArrowDown: () => this.focus(item.nextSibling),
			ArrowUp: () => this.focus(item.previousSibling),
			Home: () => this.focus(this.root.firstChild),
			End: () => this.focus(this.root.lastChild),
			ArrowRight: () => this.goIn(item, node),
			ArrowLeft: () => this.goOut(item, node),
			Enter: () => this.select(node),
			" ": () => this.select(node),
		}[event.key];

		if (!move || !item || event.altKey || event.ctrlKey || event.metaKey)
			return;
		move();
		event.preventDefault();
		event.stopPropagation();
	}

	goIn(item, node) {
		if (this.isOpen(item))
			this.focus(item.nextSibling);
		else
			this.open(node);
	}

	goOut(item, node) {
		let outer = item.previousSibling;

		if (this.isOpen(item)) {
			this.close(node);
			return;
		}
		while (outer && Number(outer.getAttribute("aria-level")) >= Number(item.getAttribute("aria-level")))
			outer = outer.previousSibling;
		this.focus(outer);
	}

	click(event) {
		const item = event.target.closest("[role=treeitem]");
		const node = item ? this.nodeOf(item) : -1;

		if (node < 0)
			return;
		if (event.target.closest(".twist") && this.isOpen(item))
			this.close(node);
		else
			this.open(node);
		if (!event.target.closest(".twist"))
			this.select(node);
		this.focus(item);
	}

	select(node) {
		const number = this.paths.functionOf(node);

		this.at = node;
		if (number >= 0)
			this.app.go({ f: number });
	}

	// Opens the way to the heaviest path of the selected function, and marks all rows of it.
	show(selected) {
		if (!this.root)
			this.build();
		if (selected !== this.selected) {
			this.selected = selected;
			if (this.at < 0 || this.paths.functionOf(this.at) !== selected)
				this.openWay(selected);
			this.at = -1;
		}
		for (const [node, item] of this.items)
			item.setAttribute(
				"aria-selected",
				String(selected >= 0 && this.paths.functionOf(node) === selected)
			);
	}

	openWay(selected) {
		const { tree } = this.paths;
		const way = [];
		let node = selected >= 0 ? this.paths.heaviestOf(selected) : -1;

		for (; node > 0; node = tree.parent[node])
			way.push(node);
		for (const outer of [0, ...way.reverse()].slice(0, -1))
			this.open(outer);
	}
}
