// SPDX-License-Identifier: Apache-2.0
// The line between the table and the selection: drag it, or move it with the arrow keys.

import { el } from "./dom.js";
import { hasModifier } from "./keys.js";

const USUAL = 44; // percent of the width that the table has, as in layout.css
const LEAST = 20;
const MOST = 75;
const STEP = 2;

function within(percent) {
	return Math.min(Math.max(Math.round(percent), LEAST), MOST);
}

export class Split {
	constructor(app) {
		this.app = app;
		this.element = el("div", {
			role: "separator", class: "split", tabindex: 0, "aria-orientation": "vertical",
			"aria-label": "Width of the table", "aria-valuemin": LEAST, "aria-valuemax": MOST,
			title: "drag, or arrow keys; double click: as it was",
			onpointerdown: (event) => this.element.setPointerCapture(event.pointerId),
			onpointermove: (event) => this.drag(event),
			onpointerup: () => this.move(this.dragged),
			ondblclick: () => this.app.go({ split: null }, true),
			onkeydown: (event) => this.key(event),
		});
	}

	// After a change of the state.
	update() {
		const wanted = Number(this.app.state.split);

		this.percent = wanted > 0 ? within(wanted) : USUAL;
		this.dragged = this.percent;
		this.element.setAttribute("aria-valuenow", this.percent);
		this.show(this.percent);
	}

	show(percent) {
		this.element.parentNode.style.setProperty("--split", percent + "%");
	}

	move(percent) {
		const next = within(percent);

		if (next !== this.percent)
			this.app.go({ split: next === USUAL ? null : next }, true);
	}

	// The address has the width when it is done: browsers limit how often it changes.
	drag(event) {
		const box = this.element.parentNode.getBoundingClientRect();

		if (!this.element.hasPointerCapture(event.pointerId))
			return;
		this.dragged = within(100 * (event.clientX - box.left) / box.width);
		this.show(this.dragged);
	}

	key(event) {
		const steps = { ArrowLeft: -STEP, ArrowRight: STEP, Home: -100, End: 100 };

		if (steps[event.key] === undefined || hasModifier(event))
			return;
		event.preventDefault();
		this.move(this.percent + steps[event.key]);
	}
}
