// SPDX-License-Identifier: Apache-2.0
// Signs at the sides of a box whose content goes on there: phones show no scroll bar.

// Which of them there have to be.
export function sidesOf({ scrollLeft, scrollWidth, clientWidth, scrollTop, scrollHeight, clientHeight }) {
	const LEAST = 2; // pixels; sizes are rounded

	return {
		left: scrollLeft >= LEAST, right: scrollWidth - clientWidth - scrollLeft >= LEAST,
		below: scrollHeight - clientHeight - scrollTop >= LEAST,
	};
}

// A frame around a box that scrolls, with the signs. After its content has changed, call the "update" of what this returns.
export function frameOf(box, ...more) {
	const frame = document.createElement("div");
	const update = () => {
		const { left, right, below } = sidesOf(box);

		frame.classList.toggle("goes-left", left);
		frame.classList.toggle("goes-right", right);
		frame.classList.toggle("goes-below", below);
		frame.style.setProperty("--bar", box.offsetWidth - box.clientWidth + "px");
	};

	frame.className = "overflow";
	frame.append(box, ...more);
	box.addEventListener("scroll", update, { passive: true });
	new ResizeObserver(update).observe(box);
	return { frame, update };
}
