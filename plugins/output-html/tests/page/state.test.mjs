// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { State, changedState, formatAddress, parseAddress } from "../../page/state.js";

// A window with a history.
function browser(hash) {
	const entries = [hash];
	const states = [null];
	const listeners = {};
	const fake = {
		location: { hash },
		entries,
		history: {
			state: null,
			pushState: (state, title, address) => {
				entries.push(address);
				states.push(state);
				fake.location.hash = address;
				fake.history.state = state;
			},
			replaceState: (state, title, address) => {
				entries[entries.length - 1] = address;
				states[states.length - 1] = state;
				fake.location.hash = address;
				fake.history.state = state;
			},
			back: () => {
				entries.pop();
				states.pop();
				fake.location.hash = entries[entries.length - 1];
				fake.history.state = states[states.length - 1];
				listeners.popstate();
			},
		},
		addEventListener: (event, listener) => {
			listeners[event] = listener;
		},
	};

	return fake;
}

test("an address is a state", () => {
	const state = { f: "12", q: "std::vector<int> a&b=c%", v: "flame" };

	assert.deepEqual(parseAddress(formatAddress(state)), state);
	assert.equal(formatAddress({ q: "a/b,c", v: "x" }), "#q=a/b,c&v=x");
	assert.deepEqual(parseAddress(""), {});
	assert.deepEqual(parseAddress("#=1&a&b=%zz"), { b: "%zz" });
});

test("a change leaves the other keys", () => {
	assert.deepEqual(changedState({ f: "1", v: "flame" }, { f: 2 }), { f: "2", v: "flame" });
	assert.deepEqual(changedState({ f: "1", v: "flame" }, { v: null }), { f: "1" });
	assert.equal(formatAddress(changedState({ v: "x" }, { f: 0 })), formatAddress(changedState({ f: 0 }, { v: "x" })));
});

test("states are in the history", () => {
	const window = browser("#f=1");
	const state = new State(window);
	const seen = [];

	state.subscribe(() => seen.push(state.get("f")));
	state.go({ f: 2 });
	state.go({ q: "x" }, true);
	state.go({ f: 2 });
	assert.deepEqual(window.entries, ["#f=1", "#f=2&q=x"]);
	state.travel("back");
	assert.equal(state.get("f"), "1");
	assert.equal(state.get("q"), "");
	assert.deepEqual(seen, ["2", "2", "1"]);
});

test("a place in the document changes nothing", () => {
	const window = browser("#f=1");
	const state = new State(window);

	window.location.hash = "#method";
	state.read();
	assert.equal(state.get("f"), "1");
	assert.equal(state.get("constructor"), "");
});

test("it works where the browser allows no history", () => {
	const window = browser("");
	const state = new State(window);

	window.history.pushState = () => {
		throw new Error("SecurityError");
	};
	state.go({ f: 3 });
	assert.equal(state.get("f"), "3");
});

test("keys never leave the page", () => {
	const window = browser("");
	const state = new State(window);

	assert.ok(!state.canTravel("back") && !state.canTravel("forward"));
	state.travel("back");
	assert.equal(window.entries.length, 1);
	state.go({ f: 1 });
	state.go({ q: "x" }, true);
	state.go({ f: 2 });
	assert.ok(state.canTravel("back") && !state.canTravel("forward"));
	state.travel("back");
	assert.equal(state.depth, 1);
	assert.ok(state.canTravel("back") && state.canTravel("forward"));
	state.go({ f: 3 });
	assert.ok(!state.canTravel("forward"));
});

test("an address that somebody typed is a state of its own", () => {
	const window = browser("#f=1");
	const state = new State(window);

	state.go({ f: 2 });
	// As browsers do it: a new entry without a state.
	window.history.pushState(null, "", "#f=7");
	state.read();
	assert.equal(state.get("f"), "7");
	assert.ok(state.canTravel("back") && !state.canTravel("forward"));
	state.travel("back");
	assert.equal(state.get("f"), "2");
	assert.ok(state.canTravel("back") && state.canTravel("forward"));
});
