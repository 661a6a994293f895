// SPDX-License-Identifier: Apache-2.0
// Call paths as a list that opens and closes: what the picture of frames shows, in words.

import { clear, el } from "./dom.js";
import { formatCount, formatShare } from "./format.js";
import { heaviestFrame } from "./flame-layout.js";
import { percent } from "./table.js";

// Rows of one node: those that it has more are said to be there.
const LIST_MOST = 100;
// Deeper rows are not further to the right.
const LIST_DEEPEST = 24;

export class PathList {
	constructor(paths, app) {
		this.paths = paths;
		this.app = app;
		this.items = new Map();
		this.element = el("div", { class: "paths", hidden: true });
	}

	build() {
		const hint = el(
			"p",
			{ class: "quiet", id: "paths-hint" },
			"Arrow right opens a row, arrow left closes it, Enter selects its function."
		);

		this.root = el("ul", { role: "tree", "aria-label": "Call paths", "aria-describedby": "paths-hint" });
		this.root.addEventListener("keydown", (event) => this.press(event));
		this.root.addEventListener("click", (event) => this.click(event));
		this.element.append(
			el(
				"div",
				{ class: "paths-head", "aria-hidden": "true" },
				el("span", null, "total"),
				el("span", null, "self"),
				el("span", null, "path")
			),
			this.root,
			hint
		);
		this.addItem(this.root, 0, 1);
		this.open(0);
		this.focusable = 0;
		this.items.get(0).tabIndex = 0;
	}

	hasChildren(node) {
		const { tree } = this.paths;

		return tree.first[node] < tree.first[node + 1] || tree.cut[node] > 0;
	}

	rowOf(node, level) {
		const { paths } = this;
		const { tree } = paths;
		const mark = paths.isEstimated ? "~" : "";
		const total = mark + formatShare(tree.total[node], paths.whole);
		const self = mark + formatShare(tree.self[node], paths.whole);
		const row = el(
			"span",
			{ class: "path-row" },
			el("span", { class: "num bar" }, el("span", { class: paths.isEstimated ? "est" : null }, total)),
			el(
				"span",
				{ class: "num bar self" },
				el("span", { class: paths.isEstimated ? "est" : null }, tree.self[node] > 0 ? self : "")
			),
			el(
				"span",
				{ class: "path-name" },
				el("span", { class: "twist", "aria-hidden": "true" }),
				el("bdi", null, paths.name(node)),
				paths.isInlined(node) ? el("span", { class: "quiet" }, " inlined") : null
			)
		);

		row.children[0].style.setProperty("--share", percent(tree.total[node] / paths.whole));
		row.children[1].style.setProperty("--share", percent(tree.self[node] / paths.whole));
		row.lastChild.style.paddingLeft = 14 * Math.min(level - 1, LIST_DEEPEST) + "px";
		return row;
	}

	addItem(list, node, level) {
		const { tree } = this.paths;
		const item = el(
			"li",
			{
				role: "treeitem",
				tabindex: "-1",
				"aria-level": level,
				"data-node": node,
				"aria-expanded": this.hasChildren(node) ? "false" : null,
				"aria-selected": "false",
				"aria-label":
					this.paths.name(node) +
					", total " +
					formatShare(tree.total[node], this.paths.whole) +
					", self " +
					formatShare(tree.self[node], this.paths.whole) +
					(this.paths.isEstimated ? ", estimate" : ""),
			},
			this.rowOf(node, level)
		);

		this.items.set(node, item);
		list.append(item);
	}

	addNote(list, level, text) {
		const row = el(
			"span",
			{ class: "path-row path-note" },
			el("span"),
			el("span"),
			el("span", { class: "path-name" }, text)
		);

		row.lastChild.style.paddingLeft = 14 * Math.min(level - 1, LIST_DEEPEST) + 14 + "px";
		list.append(
			el("li", { role: "treeitem", tabindex: "-1", "aria-level": level, "aria-selected": "false" }, row)
		);
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
		if (item.lastChild.getAttribute("role") !== "group") {
			const level = Number(item.getAttribute("aria-level")) + 1;
			const list = el("ul", { role: "group" });
			const end = Math.min(tree.first[node + 1], tree.first[node] + LIST_MOST);

			for (let c = tree.first[node]; c < end; c++)
				this.addItem(list, tree.child[c], level);
			this.addRest(list, node, level, end);
			item.append(list);
		}
		item.lastChild.hidden = false;
	}

	addRest(list, node, level, end) {
		const { tree, whole } = this.paths;
		const count = tree.first[node + 1] - end;
		let ticks = 0;

		for (let c = end; c < tree.first[node + 1]; c++)
			ticks += tree.total[tree.child[c]];
		if (count > 0)
			this.addNote(list, level, formatCount(count) + " more, together " + formatShare(ticks, whole));
		if (tree.cut[node] > 0)
			this.addNote(list, level, "paths that were left out: " + formatShare(tree.cut[node], whole));
	}

	close(node) {
		const item = this.items.get(node);

		if (!item || !this.isOpen(item))
			return;
		item.setAttribute("aria-expanded", "false");
		item.lastChild.hidden = true;
	}

	nodeOf(item) {
		return item.dataset.node === undefined ? -1 : Number(item.dataset.node);
	}

	// Rows that are seen, from the top to the bottom.
	visible() {
		return Array.from(this.root.querySelectorAll("[role=treeitem]")).filter(
			(item) => !item.parentElement.closest("[hidden]")
		);
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
			ArrowDown: () => this.step(item, 1),
			ArrowUp: () => this.step(item, -1),
			Home: () => this.focus(this.root.firstElementChild),
			End: () => this.focus(this.visible().pop()),
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

	step(item, by) {
		const rows = this.visible();

		this.focus(rows[rows.indexOf(item) + by]);
	}

	goIn(item, node) {
		if (this.isOpen(item))
			this.focus(item.lastChild.firstElementChild);
		else
			this.open(node);
	}

	goOut(item, node) {
		if (this.isOpen(item))
			this.close(node);
		else
			this.focus(item.parentElement.closest("[role=treeitem]"));
	}

	click(event) {
		const item = event.target.closest("[role=treeitem]");
		const node = item ? this.nodeOf(item) : -1;

		if (node < 0)
			return;
		if (event.target.closest(".twist") && this.hasChildren(node)) {
			if (this.isOpen(item))
				this.close(node);
			else
				this.open(node);
		} else {
			this.open(node);
			this.select(node);
		}
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
		const { tree, contexts } = this.paths;

		if (!this.root)
			this.build();
		if (selected !== this.selected) {
			this.selected = selected;
			let node =
				this.at >= 0 && this.paths.functionOf(this.at) === selected
					? this.at
					: heaviestFrame(tree, (context) => contexts.node[context] === selected);
			const way = [];

			this.at = -1;
			for (; node > 0; node = tree.parent[node])
				way.push(node);
			for (const outer of [0, ...way.reverse()].slice(0, -1))
				this.open(outer);
		}
		for (const [node, item] of this.items)
			item.setAttribute(
				"aria-selected",
				String(selected >= 0 && this.paths.functionOf(node) === selected)
			);
	}

	clear() {
		clear(this.element);
		this.items.clear();
		this.root = null;
	}
}
