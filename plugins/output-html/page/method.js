// SPDX-License-Identifier: Apache-2.0
// The view of the method: the text that the page has without scripts, beside the other views.

export const methodView = {
	id: "method",
	title: "Method",
	available: () => true,
	mount(host) {
		const text = document.getElementById("method");

		if (text) {
			text.hidden = false;
			host.append(text);
		}
	},
	update() {
		// It says the same of every function.
	},
};
