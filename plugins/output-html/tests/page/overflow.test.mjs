// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { sidesOf } from "../../page/overflow.js";

test("a sign is where there is more to see", () => {
	assert.deepEqual(sidesOf({ scrollLeft: 0, scrollWidth: 300, clientWidth: 300 }), { left: false, right: false });
	assert.deepEqual(sidesOf({ scrollLeft: 0, scrollWidth: 500, clientWidth: 300 }), { left: false, right: true });
	assert.deepEqual(sidesOf({ scrollLeft: 90, scrollWidth: 500, clientWidth: 300 }), { left: true, right: true });
	assert.deepEqual(sidesOf({ scrollLeft: 199.4, scrollWidth: 500, clientWidth: 300 }), { left: true, right: false });
});
