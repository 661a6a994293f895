// SPDX-License-Identifier: Apache-2.0
// The tabs of the views. A view is made when it is first shown, and updated while it is shown.
//
// view: { id, title, available(model), mount(host, app), update(app), escape(app) }. escape is
// there if Esc does something in the view, and returns whether it did.

import { el } from "./dom.js";
import { hasModifier } from "./keys.js";

// The views that a model has data for. Their keys are digits without gaps, in the order of the tabs.
export function availableViews(views, model) {
	return views.filter((view) => view.available(model)).map((view, i) => ({ ...view, key: String(i + 1) }));
}

export class Views {
	constructor(app, views) {
		this.app = app;
		this.views = availableViews(views, app.model);
		this.mounted = new Set();
		this.tabs = new Map();
		this.panels = new Map();
		this.list = el("div", {
			role: "tablist", class: "tabs", "aria-label": "Views", onkeydown: (event) => this.key(event),
		});
		this.element = el("section", { class: "views", "aria-label": "Views" }, this.list);
		for (const view of this.views)
			this.add(view);
	}

	add(view) {
		const tab = el("button", {
			type: "button", role: "tab", id: "tab-" + view.id, "aria-controls": "panel-" + view.id,
			title: "key " + view.key,
			onclick: () => this.app.go({ v: view.id }),
		}, view.title);
		const panel = el("div", {
			role: "tabpanel", id: "panel-" + view.id, "aria-labelledby": "tab-" + view.id, class: "panel",
			tabindex: 0, hidden: true,
		});

		this.tabs.set(view, tab);
		this.panels.set(view, panel);
		this.list.append(tab);
		this.element.append(panel);
	}

	get current() {
		return this.views.find((view) => view.id === this.app.state.v) || this.views[0] || null;
	}

	update() {
		const current = this.current;

		for (const view of this.views) {
			const tab = this.tabs.get(view);

			tab.setAttribute("aria-selected", String(view === current));
			tab.tabIndex = view === current ? 0 : -1;
			this.panels.get(view).hidden = view !== current;
		}
		if (!current)
			return;
		if (!this.mounted.has(current)) {
			this.mounted.add(current);
			current.mount(this.panels.get(current), this.app);
		}
		current.update(this.app);
	}

	// Arrow keys go from tab to tab, as in other programs.
	key(event) {
		const at = this.views.indexOf(this.current);
		const steps = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: this.views.length - 1 };

		if (steps[event.key] === undefined || hasModifier(event))
			return;
		event.preventDefault();
		const view = this.views[(steps[event.key] + this.views.length) % this.views.length];
		this.app.go({ v: view.id });
		this.tabs.get(view).focus();
	}

	// Shows the view of a digit.
	show(key) {
		const view = this.views.find((candidate) => candidate.key === key);

		if (view) {
			this.app.go({ v: view.id });
			this.tabs.get(view).focus({ preventScroll: true });
		}
	}

	escape() {
		return Boolean(this.current && this.current.escape && this.current.escape(this.app));
	}
}
