// SPDX-License-Identifier: Apache-2.0
// How much of a share can be chance, as shared/estimate.c and shared/head-texts.c have it for the head of the page.

import { formatShare, formatShareInText, isKnown } from "./format.js";

const DEVIATIONS = 1.959963984540054; // of the normal distribution, 95 % lie within so many
const WIDE = 0.4; // of the share, from end to end
const WHOLE_PERCENT = 0.005; // a standard error of half a percent says nothing of tenths

// Wilson's interval, which holds the true share in 95 of 100 profiles: [low, high].
export function shareInterval(samples, total) {
	if (!(total > 0))
		return [0, 1];
	const share = Math.min(Math.max(samples / total, 0), 1);
	const square = DEVIATIONS * DEVIATIONS;
	const centre = share + square / (2 * total);
	const half = DEVIATIONS * Math.sqrt(share * (1 - share) / total + square / (4 * total * total));
	const low = (centre - half) / (1 + square / total);
	const high = (centre + half) / (1 + square / total);

	return [share === 0 ? 0 : Math.max(low, 0), share === 1 ? 1 : Math.min(high, 1)];
}

// Whether a share is from so few samples that it has to be said.
export function isChance(samples, total) {
	const [low, high] = shareInterval(samples, total);

	return samples > 0 && total > 0 && high - low >= WIDE * samples / total;
}

// Whether tenths of a percent of a share are nothing but chance. One sample more or less is at least the error.
function isCoarse(samples, total) {
	const share = samples / total;

	return Math.max(Math.sqrt(Math.max(share * (1 - share) / total, 0)), 1 / total) >= WHOLE_PERCENT;
}

// "27%", where tenths would be chance: "<1%" is there, and is not all of it.
export function formatSampledShare(samples, total) {
	const share = samples / total;

	if (!isKnown(share) || share === 0 || !isCoarse(samples, total))
		return formatShare(samples, total);
	return share < 0.01 ? "<1%" : (100 * share).toFixed(0) + "%";
}

// The same in sentences.
export function formatSampledShareInText(samples, total) {
	const share = samples / total;

	if (!isKnown(share) || share === 0 || !isCoarse(samples, total))
		return formatShareInText(samples, total);
	return (share < 0.01 ? "less than 1" : (100 * share).toFixed(0)) + "\u00a0%";
}

// "17 to 69 %", of a share that can be chance.
export function formatChance(samples, total) {
	const [low, high] = shareInterval(samples, total);
	const digits = high < 0.1 ? 1 : 0;

	return (100 * low).toFixed(digits) + " to " + (100 * high).toFixed(digits) + "\u00a0%";
}
