// SPDX-License-Identifier: Apache-2.0
// Buttons of which one is pressed.

import { el } from "./dom.js";

export class Choice {
	// rows: [key, text]; pick(key) is called when a button is pressed.
	constructor(label, rows, pick) {
		this.buttons = new Map();
		this.element = el("div", { class: "choice", role: "group", "aria-label": label });
		for (const [key, text] of rows) {
			const button = el(
				"button",
				{ type: "button", "aria-pressed": "false", onclick: () => pick(key) },
				text
			);

			this.buttons.set(key, button);
			this.element.append(button);
		}
	}

	set(key) {
		for (const [other, button] of this.buttons)
			button.setAttribute("aria-pressed", String(other === key));
	}
}
