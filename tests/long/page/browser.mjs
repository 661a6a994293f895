// SPDX-License-Identifier: Apache-2.0
// A browser without a window, and the page in it.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { unpack } from "../../../plugins/output-html/page/unpack.js";

export const WIDE = { width: 1280, height: 800 };
export const NARROW = { width: 390, height: 844 };
const PATIENCE = 60000;

export class Failed extends Error {}

export function check(isTrue, what) {
	if (!isTrue)
		throw new Failed(what);
}

export function equal(found, wanted, what) {
	const [a, b] = [found, wanted].map((value) => JSON.stringify(value));

	if (a !== b)
		throw new Failed(`${what}: expected ${b}, found ${a}`);
}

export async function startBrowser(npm) {
	const puppeteer = createRequire(npm + "/")("puppeteer-core");

	return puppeteer.launch({
		executablePath: process.env.CHROMIUM || "/usr/bin/chromium", headless: true, protocolTimeout: 600000,
		args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
			"--force-color-profile=srgb"],
	});
}

// Columns that the page reads in parts, as lists.
function finish(data) {
	if (data === null || typeof data !== "object" || ArrayBuffer.isView(data))
		return data;
	if (data.finish)
		return data.finish();
	return Array.isArray(data) ? data.map(finish) : Object.fromEntries(Object.entries(data).map(([key, value]) => [key, finish(value)]));
}

// A tab that notes what a page must not do: print to the console, fail, ask, or load anything but itself.
export class Tab {
	static async open(browser, path, { hash = "", size = WIDE, scheme = "light", scripts = true } = {}) {
		const tab = new Tab();

		tab.page = await browser.newPage();
		tab.problems = [];
		tab.requests = [];
		tab.page.on("console", (message) => tab.problems.push("console: " + message.text()));
		tab.page.on("pageerror", (error) => tab.problems.push("error: " + error.message));
		tab.page.on("request", (request) => tab.requests.push(request.url()));
		tab.page.on("dialog", (dialog) => {
			tab.problems.push("dialog: " + dialog.message());
			dialog.dismiss();
		});
		await tab.page.setJavaScriptEnabled(scripts);
		await tab.page.setViewport(size);
		await tab.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
		await tab.page.goto(pathToFileURL(path).href + hash, { waitUntil: "load", timeout: PATIENCE });
		if (scripts)
			await tab.page.waitForSelector("html[data-ready='1']", { timeout: PATIENCE });
		return tab;
	}

	// What was drawn, and said, after what happened last.
	settle() {
		return this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)))));
	}

	async press(...keys) {
		for (const key of keys) {
			await this.page.keyboard.press(key);
			await this.settle();
		}
	}

	async type(text) {
		await this.page.keyboard.type(text);
		await this.settle();
	}

	async go(hash) {
		await this.page.evaluate((text) => {
			location.hash = text;
		}, hash);
		await this.settle();
	}

	text(selector) {
		return this.page.evaluate((where) => {
			const element = document.querySelector(where);

			return element ? element.innerText.replace(/\s+/g, " ").trim() : null;
		}, selector);
	}

	// The data of the page, as its script has them.
	async data() {
		return finish(unpack(JSON.parse(await this.page.evaluate(() => document.getElementById("data").textContent))));
	}

	hash() {
		return this.page.evaluate(() => location.hash);
	}

	// The state in the address, as a map.
	async state() {
		return Object.fromEntries(new URLSearchParams((await this.hash()).slice(1)));
	}

	views() {
		return this.page.evaluate(() => Array.from(document.querySelectorAll("[role=tab]"), (tab) => ({
			id: tab.id.replace("tab-", ""), key: tab.title.replace(/\D+/g, ""),
		})));
	}

	// Nothing was printed, asked or loaded.
	async close() {
		await this.settle().catch(() => null);
		await this.page.close();
		equal(this.problems, [], "messages of the page");
		equal(this.requests.length, 1, "requests (" + this.requests.slice(0, 3).join(" ") + ")");
	}
}
