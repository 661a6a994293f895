// SPDX-License-Identifier: Apache-2.0
// Colors of files and objects, and of shares. What they look like is in colors.css.

export const HUE_COUNT = 12;
export const HEAT_COUNT = 6;

// The hue of a text: the same in every page (FNV-1a).
export function hueOf(text) {
	let hash = 0x811c9dc5;

	for (let i = 0; i < text.length; i++)
		hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
	// The high bits, too: the last characters alone change the low ones.
	return ((hash ^ (hash >>> 15)) >>> 0) % HUE_COUNT;
}

// The step of a share: equal steps of its square root, since most shares are small.
export function heatOf(share) {
	if (!(share > 0))
		return 0;
	return Math.min(HEAT_COUNT - 1, 1 + Math.floor(Math.sqrt(Math.min(share, 1)) * (HEAT_COUNT - 1)));
}

// The largest share of a step.
export function heatLimit(step) {
	return (step / (HEAT_COUNT - 1)) ** 2;
}

// The colors that the page has now, for pictures that are drawn without styles.
export function readColors() {
	const style = getComputedStyle(document.body);
	const read = (name) => style.getPropertyValue("--" + name).trim();
	const colors = {
		text: read("text"),
		quiet: read("quiet"),
		back: read("back"),
		select: read("link"),
		"hue-none": read("hue-none"),
	};

	for (let hue = 0; hue < HUE_COUNT; hue++)
		colors["hue-" + hue] = read("hue-" + hue);
	for (let heat = 0; heat < HEAT_COUNT; heat++)
		colors["heat-" + heat] = read("heat-" + heat);
	return colors;
}

// Calls the listener when they can have changed.
export function watchColors(listener) {
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", listener);
	new MutationObserver(listener).observe(document.documentElement, {
		attributes: true,
		attributeFilter: ["data-scheme"],
	});
}
