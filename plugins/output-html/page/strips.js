// SPDX-License-Identifier: Apache-2.0
// A strip: an axis from 0 to the most, with a tick for each value.

import { svg } from "./dom.js";

const STRIP_WIDTH = 1000;
const STRIP_HEIGHT = 24;
const STRIP_MARGIN = 4;
const STRIP_BINS = 250;
const TICK_LEAST = 0.35; // height of a tick for one value among many

// Ticks at equal places are one, which is the higher the more there are.
function drawTicks(values, items, most, kind) {
	const bins = new Map();

	for (const item of items) {
		const bin = most > 0 ? Math.round((values[item] / most) * STRIP_BINS) : 0;

		bins.set(bin, (bins.get(bin) || 0) + 1);
	}
	const highest = Math.max(1, ...bins.values());
	const ways = Array.from(bins, ([bin, count]) => {
		const height = STRIP_HEIGHT * (TICK_LEAST + (1 - TICK_LEAST) * Math.sqrt(count / highest));
		const x = STRIP_MARGIN + (bin / STRIP_BINS) * (STRIP_WIDTH - 2 * STRIP_MARGIN);

		return "M" + x.toFixed(1) + " " + STRIP_HEIGHT + "v-" + height.toFixed(1);
	});

	return svg("path", { class: kind, d: ways.join(""), "vector-effect": "non-scaling-stroke" });
}

// "row" has the values, the most of them, and outliers: numbers of those with another color.
export function drawStrip(row) {
	const far = new Set(row.outliers);
	const items = Array.from(row.values, (_, item) => item);

	return svg(
		"svg",
		{
			class: "strip-picture",
			viewBox: "0 0 " + STRIP_WIDTH + " " + (STRIP_HEIGHT + 1),
			preserveAspectRatio: "none",
			"aria-hidden": "true",
		},
		svg("path", {
			class: "strip-axis",
			d: "M0 " + STRIP_HEIGHT + "h" + STRIP_WIDTH,
			"vector-effect": "non-scaling-stroke",
		}),
		drawTicks(
			row.values,
			items.filter((item) => !far.has(item)),
			row.most,
			"strip-tick"
		),
		drawTicks(row.values, row.outliers, row.most, "strip-far")
	);
}
