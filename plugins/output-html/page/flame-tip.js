// SPDX-License-Identifier: Apache-2.0
// What the pointer is on, beside it.

import { clear, el } from "./dom.js";
import { isContextFrame, sayFrame } from "./flame-picture.js";

const TIP_RIGHT = 14;
const TIP_BELOW = 18;
const TIP_EDGE = 8;

export class FrameTip {
	constructor() {
		this.element = el("div", { class: "flame-tip", "aria-hidden": "true", hidden: true });
	}

	// The pointer is on a frame of a picture, or, if that is -1, on none; describe(node) returns lines.
	follow(picture, frame, event, describe) {
		const { kind, node, count } = picture.frames;

		if (frame < 0)
			this.element.hidden = true;
		else if (isContextFrame(kind[frame]))
			this.show(describe(node[frame]), event);
		else
			this.show([el("span", {}, sayFrame(kind[frame], count[frame]))], event);
	}

	show(lines, { clientX, clientY }) {
		const { element } = this;

		element.hidden = false;
		clear(element).append(...lines);
		const left = Math.min(clientX + TIP_RIGHT, window.innerWidth - element.offsetWidth - TIP_EDGE);
		const below = clientY + TIP_BELOW;
		const isLow = below + element.offsetHeight + TIP_EDGE > window.innerHeight;

		element.style.left = Math.max(TIP_EDGE, left) + "px";
		element.style.top = (isLow ? clientY - element.offsetHeight - TIP_EDGE : below) + "px";
	}
}
