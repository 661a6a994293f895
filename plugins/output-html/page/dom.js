// SPDX-License-Identifier: Apache-2.0
// Elements, made without markup: whatever a profile contains stays text.

const SVG = "http://www.w3.org/2000/svg";

function setAttribute(element, name, value) {
	if (value === null || value === undefined || value === false)
		return;
	if (name.startsWith("on"))
		element.addEventListener(name.slice(2), value);
	else
		element.setAttribute(name, value === true ? "" : value);
}

function fill(element, attributes, children) {
	for (const name of Object.keys(attributes || {}))
		setAttribute(element, name, attributes[name]);
	for (const child of children.flat(Infinity))
		if (child !== null && child !== undefined && child !== false)
			element.append(child);
	return element;
}

// An element. Attributes whose names begin with "on" are listeners; those that are null, undefined
// or false are left out, and so are such children. Children are nodes, texts, or lists of them.
export function el(tag, attributes, ...children) {
	return fill(document.createElement(tag), attributes, children);
}

// The same for pictures.
export function svg(tag, attributes, ...children) {
	return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function clear(element) {
	element.textContent = "";
	return element;
}

// Whether the head of the page says that some time was not sampled.
export function isMoreThanSampled() {
	return document.querySelector("#account .unsampled") !== null;
}

// Sets the text of an element only if it is another one: who reads the page aloud says it once.
export function setText(element, text) {
	if (element.textContent !== text)
		element.textContent = text;
}

export function byId(id) {
	return document.getElementById(id);
}
