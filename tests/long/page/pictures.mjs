// SPDX-License-Identifier: Apache-2.0
// Pictures of the page, for people to look at.
import path from "node:path";
import { NARROW, Tab, WIDE } from "./browser.mjs";

export async function takePictures(browser, one, folder) {
	let taken = 0;

	for (const scheme of ["light", "dark"]) {
		for (const size of [WIDE, NARROW]) {
			const tab = await Tab.open(browser, one.html, { scheme, size });
			const take = async (what) => {
				await tab.settle();
				await tab.page.screenshot({ path: path.join(folder, [one.name, what, size.width, scheme].join("-") + ".png") });
				taken++;
			};

			await take("page");
			for (const { id } of await tab.views()) {
				await tab.go("#f=" + one.node + "&v=" + id);
				await tab.page.evaluate(() => document.getElementById("app").scrollIntoView());
				await take(id);
			}
			await tab.close();
		}
	}
	return taken;
}
