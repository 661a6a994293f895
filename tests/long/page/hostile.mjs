// SPDX-License-Identifier: Apache-2.0
// Data that would like to be more than data: in every field, in every view.
import { Tab, check, equal } from "./browser.mjs";

// Elements, attributes and characters that only data could have brought.
function findIntruders() {
	const found = [];

	if (window.intruder !== undefined)
		found.push("a script ran");
	for (const element of document.querySelectorAll("*")) {
		if (/^(img|iframe|object|embed|base|form|link|video|audio|foreignObject|animate|math)$/i.test(element.tagName))
			found.push("element " + element.tagName);
		for (const { name, value } of element.attributes) {
			if (/^on/i.test(name) || name === "srcdoc" || (/^(href|src|xlink:href)$/.test(name) && !value.startsWith("#")))
				found.push("attribute " + name + "=" + value.slice(0, 40));
		}
	}
	if (document.querySelectorAll("script").length !== 2)
		found.push(document.querySelectorAll("script").length + " scripts");
	// Marks of direction, invisible characters, and control characters but line breaks and tabs.
	// eslint-disable-next-line no-control-regex
	const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/.exec(document.body.innerText);

	if (hidden)
		found.push("character U+" + hidden[0].codePointAt(0).toString(16));
	return found;
}

export async function checkHostile(browser, one) {
	const tab = await Tab.open(browser, one.html);
	const look = async (what) => equal(await tab.page.evaluate(findIntruders), [], what);
	const data = await tab.data();
	let looked = 0;

	await look("as it opens");
	for (const { id } of await tab.views()) {
		for (const more of ["", "&as=list&form=matrix", "&as=flame&color=name"]) {
			for (const node of data.flat.slice(0, 12)) {
				await tab.go("#f=" + node + "&v=" + id + more);
				looked++;
				await look(`view ${id}${more}, function ${node}`);
			}
		}
	}
	// Addresses are written by others, too.
	for (const hash of ["#f=-1", "#f=1e9", "#f=__proto__&v=constructor", "#zoom=-5&v=flame", "#zoom=1e99&v=flame&color=toString&as=hasOwnProperty",
		"#cols=__proto__,self&sort=constructor", "#q=/(a+)+$/", "#q=%", "#metric=99", "#scheme=<script>", "#v=many&by=__proto__&form=x",
		"#=&&&=&f", "#" + "q=" + "x".repeat(100000)]) {
		await tab.go(hash);
		await look("address " + hash.slice(0, 60));
	}
	const text = JSON.stringify(data);

	for (const marker of one.markers || [])
		check(text.includes(JSON.stringify(marker).slice(1, -1)), "the data has " + marker);
	await tab.close();
	return looked;
}
