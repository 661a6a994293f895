// SPDX-License-Identifier: Apache-2.0
// What is shown, as an address: "#f=12&v=flame&q=parse". Each state is an entry of the browser's
// history, so that a link shows what its sender saw, and "back" goes back.
//
// The state is an object of texts. Keys of this part of the page are f (node), v (view), q (search),
// sort, cols, zero (functions without time are shown), m (metric) and scheme; views have keys of
// their own, such as at (a line of the source). A key that is not there has its default; that of f
// is -1: nothing was selected yet.

export function parseAddress(hash) {
	const state = {};

	for (const part of hash.replace(/^#/, "").split("&")) {
		const equals = part.indexOf("=");

		if (equals > 0)
			state[decode(part.slice(0, equals))] = decode(part.slice(equals + 1));
	}
	return state;
}

function decode(text) {
	try {
		return decodeURIComponent(text);
	} catch (error) {
		return text; // a "%" that somebody typed
	}
}

// What stands in an address as it is: a comma or a slash needs no escape there.
function encode(text) {
	return encodeURIComponent(text).replace(/%(2C|2F|3A)/g, (escaped) => decodeURIComponent(escaped));
}

export function formatAddress(state) {
	const parts = Object.keys(state).map((key) => encode(key) + "=" + encode(state[key]));

	return "#" + parts.join("&");
}

// The state after a change: keys whose new value is null, undefined or "" go.
export function changedState(state, change) {
	const next = { ...state };

	for (const key of Object.keys(change)) {
		delete next[key];
		if (change[key] !== null && change[key] !== undefined && change[key] !== "")
			next[key] = String(change[key]);
	}
	// Always in the same order: equal states have equal addresses.
	return Object.fromEntries(Object.keys(next).sort().map((key) => [key, next[key]]));
}

export class State {
	// browser: a window, of which location, history and addEventListener are used.
	constructor(browser) {
		this.browser = browser;
		this.listeners = [];
		this.values = parseAddress(browser.location.hash);
		this.depth = 0;
		this.readDepth(0);
		this.most = this.depth;
		browser.addEventListener("popstate", () => this.read());
		browser.addEventListener("hashchange", () => this.read());
	}

	subscribe(listener) {
		this.listeners.push(listener);
	}

	get(key, otherwise = "") {
		return Object.prototype.hasOwnProperty.call(this.values, key) ? this.values[key] : otherwise;
	}

	// How many states of this page are before the one that is shown: its entry of the history has the
	// number. An entry without one is new, made by an address that somebody typed.
	readDepth(next) {
		const { state } = this.browser.history;

		this.depth = state && state.depth >= 0 ? state.depth : next;
		if (!state)
			this.write(this.browser.location.hash, this.depth, true);
	}

	// Whether the history has a state of this page there.
	canTravel(direction) {
		return direction === "back" ? this.depth > 0 : this.depth < this.most;
	}

	// "back" or "forward", but never to another page.
	travel(direction) {
		if (this.canTravel(direction))
			this.browser.history[direction]();
	}

	// The address was changed by others.
	read() {
		const { hash } = this.browser.location;
		const next = parseAddress(hash);

		// A place in the document is no state.
		if (hash.length > 1 && !hash.includes("="))
			return;
		if (!this.browser.history.state) {
			this.readDepth(this.depth + 1);
			this.most = this.depth;
		}
		this.readDepth(this.depth);
		if (formatAddress(changedState(next, {})) !== formatAddress(changedState(this.values, {})))
			this.set(next);
	}

	// replaces: the state before is not worth going back to, as while somebody types.
	go(change, replaces = false) {
		const next = changedState(this.values, change);
		const address = formatAddress(next);

		if (address === formatAddress(changedState(this.values, {})))
			return;
		this.write(address, this.depth + (replaces ? 0 : 1), replaces);
		this.most = replaces ? this.most : this.depth;
		this.set(next);
	}

	write(address, depth, replaces) {
		this.depth = depth;
		try {
			this.browser.history[replaces ? "replaceState" : "pushState"]({ depth }, "", address);
		} catch (error) {
			// Some browsers refuse where a page is shown without an address of its own, or after
			// too many changes. It works without history.
		}
	}

	set(next) {
		const before = this.values;

		this.values = next;
		for (const listener of this.listeners)
			listener(before);
	}
}
