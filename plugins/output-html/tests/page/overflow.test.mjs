// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { sidesOf } from "../../page/overflow.js";

const box = (scrollLeft, scrollWidth, more) => ({
	scrollLeft, scrollWidth, clientWidth: 300, scrollTop: 0, scrollHeight: 200, clientHeight: 200, ...more,
});

test("a sign is where there is more to see", () => {
	assert.deepEqual(sidesOf(box(0, 300)), { left: false, right: false, below: false });
	assert.deepEqual(sidesOf(box(0, 500)), { left: false, right: true, below: false });
	assert.deepEqual(sidesOf(box(90, 500)), { left: true, right: true, below: false });
	assert.deepEqual(sidesOf(box(199.4, 500)), { left: true, right: false, below: false });
	assert.ok(sidesOf(box(0, 300, { scrollHeight: 210 })).below);
	assert.ok(!sidesOf(box(0, 300, { scrollHeight: 210, scrollTop: 9.5 })).below);
});
