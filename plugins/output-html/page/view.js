// SPDX-License-Identifier: Apache-2.0
// What tabs need of a view (views.js), from its words and a class that builds it when it is first shown.

export function viewOf(about, View) {
	return {
		...about,
		mount(host, app) {
			this.view = new View(host, app);
		},
		update() {
			this.view.update();
		},
		// Whether Esc did something in it.
		escape() {
			return this.view && this.view.escape ? this.view.escape() : false;
		},
	};
}
