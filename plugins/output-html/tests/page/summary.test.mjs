// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { sharesOfBar } from "../../page/summary.js";

test("parts of the account fill the bar, with time that was not sampled", () => {
	assert.deepEqual(sharesOfBar([75, 25]), [0.75, 0.25]);
	assert.deepEqual(sharesOfBar([100, 5300]), [1 / 54, 53 / 54]);
	assert.deepEqual(sharesOfBar([100, NaN, 0]), [1, 0, 0]);
	assert.deepEqual(sharesOfBar([]), []);
});
