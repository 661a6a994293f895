// SPDX-License-Identifier: Apache-2.0
// What tabs need of a view (views.js), from its words and a class that builds it when it is first shown.

import { el, setText } from "./dom.js";

export function viewOf(about, View) {
	return {
		...about,
		mount(host, app) {
			this.note = el("p", { class: "view-note", role: "status" });
			host.append(this.note);
			this.view = new View(host, app);
		},
		update(app) {
			this.view.update();
			setText(this.note, this.view.isOfFirstMetric ? sayMetric(app.model) : "");
		},
		// Whether Esc did something in it.
		escape() {
			return this.view && this.view.escape ? this.view.escape() : false;
		},
	};
}

// What a profile has for its first metric alone is shown while another one is chosen, too.
function sayMetric(model) {
	return model.metricIndex === 0
		? ""
		: "Values of " + model.metrics[0].name + ": the profile has none of " + model.metric.name + " here.";
}
