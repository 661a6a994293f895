// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { formatChance, formatSampledShare, formatSampledShareInText, isChance, shareInterval } from "../../page/chance.js";

test("intervals are those of the head of the page", () => {
	// As tests/forms.sh has it: few samples (10): the 40.0 % of the first row can be 17 to 69 %.
	assert.equal(formatChance(4, 10), "17 to 69\u00a0%");
	// Wilson's of 6 of 10, to four digits.
	assert.deepEqual(shareInterval(6, 10).map((end) => end.toFixed(4)), ["0.3127", "0.8318"]);
	assert.deepEqual(shareInterval(0, 10)[0], 0);
	assert.deepEqual(shareInterval(10, 10)[1], 1);
	assert.deepEqual(shareInterval(3, 0), [0, 1]);
	assert.equal(formatChance(1, 100), "0.2 to 5.4\u00a0%");
});

test("few samples are those of which a share can be another one", () => {
	assert.ok(isChance(6, 10));
	assert.ok(isChance(90, 100000));
	assert.ok(!isChance(4000, 10000));
	assert.ok(!isChance(0, 10));
	assert.ok(!isChance(100, 100));
});

test("no share is more precise than chance", () => {
	assert.equal(formatSampledShare(6, 10), "60%");
	assert.equal(formatSampledShare(10, 10), "100%");
	assert.equal(formatSampledShare(1, 155), "<1%");
	assert.equal(formatSampledShare(2, 155), "1%");
	assert.equal(formatSampledShare(0, 155), "0.0%");
	assert.equal(formatSampledShare(2710, 100000), "2.7%");
	assert.equal(formatSampledShare(1, 100000), "<0.1%");
	assert.equal(formatSampledShareInText(6, 10), "60\u00a0%");
	assert.equal(formatSampledShareInText(1, 155), "less than 1\u00a0%");
	assert.equal(formatSampledShareInText(41000, 100000), "41\u00a0%");
});
