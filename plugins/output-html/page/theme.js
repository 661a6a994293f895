// SPDX-License-Identifier: Apache-2.0
// Light or dark: as the system has it, until somebody switches.

const DARK = "(prefers-color-scheme: dark)";

export function isDark(state) {
	return state.scheme ? state.scheme === "dark" : matchMedia(DARK).matches;
}

export function applyScheme(state) {
	const root = document.documentElement;

	if (state.scheme === "dark" || state.scheme === "light")
		root.dataset.scheme = state.scheme;
	else
		delete root.dataset.scheme;
}

// The change of the state that switches. What the system has needs no word in the address.
export function otherScheme(state) {
	const other = isDark(state) ? "light" : "dark";

	return { scheme: other === (matchMedia(DARK).matches ? "dark" : "light") ? "" : other };
}

export function onSystemScheme(listener) {
	matchMedia(DARK).addEventListener("change", listener);
}
