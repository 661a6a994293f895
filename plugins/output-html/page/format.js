// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them, in the forms that gprofx has on a terminal.

export const UNKNOWN = "\u2014";
const PREFIXES = ["", "k", "M", "G", "T", "P", "E"];
const TIMES = [["s", 1], ["ms", 1e-3], ["\u00b5s", 1e-6], ["ns", 1e-9]];

export function isKnown(value) {
	return Number.isFinite(value) && value >= 0;
}

// Three digits, without zeros that say nothing for whole numbers.
function threeDigits(value) {
	return value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

// "999", "1.20 k", "114 M"; of fractions three digits. Below 0, and what is no number: not known.
export function formatCount(value) {
	let prefix = 0;

	if (!isKnown(value))
		return UNKNOWN;
	// What would read as 1000 is 1.00 of the next prefix.
	while (value >= 999.5 && prefix < PREFIXES.length - 1) {
		value /= 1000;
		prefix++;
	}
	if (prefix > 0)
		return threeDigits(value) + " " + PREFIXES[prefix];
	if (Number.isInteger(value))
		return String(value);
	return value >= 0.005 ? threeDigits(value) : "<0.01";
}

// All digits, in groups: "1,234,567". Fractions have two digits.
export function formatExact(value) {
	if (!isKnown(value))
		return UNKNOWN;
	const [whole, fraction] = (Number.isInteger(value) ? value.toFixed(0) : value.toFixed(2)).split(".");
	const grouped = whole.replace(/(\d)(?=(\d{3})+$)/g, "$1,");

	return fraction ? grouped + "." + fraction : grouped;
}

// "27.1%". What is there is never 0.0%.
export function formatShare(part, whole) {
	const share = part / whole;

	if (!isKnown(share))
		return UNKNOWN;
	if (share > 0 && share < 0.0005)
		return "<0.1%";
	return (100 * share).toFixed(1) + "%";
}

// In sentences: "27 %", with one digit more below 10.
export function formatShareInText(part, whole) {
	const share = 100 * part / whole;

	if (!isKnown(share))
		return UNKNOWN;
	if (share > 0 && share < 0.05)
		return "less than 0.1\u00a0%";
	return (share < 9.95 && share > 0 ? share.toFixed(1) : share.toFixed(0)) + "\u00a0%";
}

function decimalsOf(step) {
	return step > 0 && step < 1 ? Math.ceil(-Math.log10(step) - 1e-9) : 0;
}

// Seconds in the unit that suits them, with three digits at most, and none finer than "step".
export function formatSeconds(seconds, step = 0) {
	if (!isKnown(seconds))
		return UNKNOWN;
	if (seconds === 0)
		return "0 s";
	if (seconds >= 36000)
		return (seconds / 3600).toFixed(1) + " h";
	const [unit, size] = TIMES.find((row) => seconds >= leastOf(row, step)) || TIMES[TIMES.length - 1];
	const value = seconds / size;
	const digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;

	if (value < 0.005)
		return "<0.01 ns";
	if (value >= 999.5)
		return formatExact(Math.round(value)) + " " + unit;
	return value.toFixed(step > 0 ? Math.min(digits, decimalsOf(step / size)) : digits) + " " + unit;
}

// The least value that is written in a unit of time. Seconds with two digits need no other unit:
// 0.23 s is how people know the time of 23 samples.
function leastOf([unit, size], step) {
	return unit === "s" && step > 0 ? Math.min(0.9995, 9.995 * step) : 0.9995 * size;
}

function isTime(metric) {
	return metric.ticks > 0 && metric.unit === "seconds";
}

// A value of a metric with its unit: "2.52 s", "1.20 G cycles".
export function formatValue(ticks, metric, isFine = false) {
	if (!isKnown(ticks))
		return UNKNOWN;
	if (isTime(metric))
		return formatSeconds(ticks / metric.ticks, isFine ? 0 : 1 / metric.ticks);
	return formatCount(ticks / (metric.ticks || 1)) + " " + unitOf(metric);
}

export function unitOf(metric) {
	return metric.ticks > 0 ? metric.unit : "ticks";
}

// How values of one column are written: in one unit with equal decimals, so that they compare.
export function valueScale(most, metric) {
	if (!isTime(metric))
		return { unit: unitOf(metric), format: (ticks) => formatCount(ticks / (metric.ticks || 1)) };
	const seconds = most / metric.ticks;
	const [unit, size] = TIMES.find((row) => seconds >= row[1]) || TIMES[TIMES.length - 1];
	const decimals = Math.min(3, decimalsOf(1 / metric.ticks / size));

	return {
		unit,
		format(ticks) {
			const value = ticks / metric.ticks / size;

			if (!isKnown(value))
				return UNKNOWN;
			// What is there is never zero.
			if (value > 0 && value < 0.5 * Math.pow(10, -decimals))
				return "<" + Math.pow(10, -decimals).toFixed(decimals);
			return value < 1e6 ? formatGrouped(value, decimals) : formatCount(value);
		},
	};
}

function formatGrouped(value, decimals) {
	const [whole, fraction] = value.toFixed(decimals).split(".");
	const grouped = whole.replace(/(\d)(?=(\d{3})+$)/g, "$1,");

	return fraction ? grouped + "." + fraction : grouped;
}

// Words in which a number stays with its sign or unit: "10.7 M calls" is not divided before the M.
export function glueUnits(text) {
	return text.replace(/(\d) (?=(?:%|[kMGTPE]|[mn\u00b5]?s|Hz)(?![A-Za-z]))/g, "$1\u00a0");
}

// "1 function", "38 functions", "1,204 functions".
export function formatNumberOf(count, word, plural = word + "s") {
	return formatExact(count) + " " + (count === 1 ? word : plural);
}
