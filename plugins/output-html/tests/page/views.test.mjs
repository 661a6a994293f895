// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { availableViews } from "../../page/views.js";

test("keys of views have no gaps", () => {
	const views = ["flame", "graph", "many", "method"].map((id) => ({ id, available: (model) => model !== id }));
	const keys = (model) => availableViews(views, model).map((view) => view.key + view.id).join(" ");

	assert.equal(keys("none"), "1flame 2graph 3many 4method");
	assert.equal(keys("many"), "1flame 2graph 3method");
});
