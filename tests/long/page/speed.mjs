// SPDX-License-Identifier: Apache-2.0
// How long the page of a large program takes. Printed, not judged: machines differ, and do other things, too.
import { Tab } from "./browser.mjs";

// Milliseconds until the browser has drawn what an action changes, and those of the page's own processor time.
class Clock {
	static async of(tab) {
		const clock = new Clock();

		clock.tab = tab;
		clock.session = await tab.page.createCDPSession();
		await clock.session.send("Performance.enable", { timeDomain: "threadTicks" });
		return clock;
	}

	async busy() {
		const { metrics } = await this.session.send("Performance.getMetrics");

		return 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
	}

	// "action" is a text of statements, with the words as "args".
	async time(action, ...words) {
		const before = await this.busy();
		const wall = await this.tab.page.evaluate(`(async (args) => {
			const begun = performance.now();

			${action};
			await new Promise((done) => requestAnimationFrame(() => {
				const channel = new MessageChannel();

				channel.port1.onmessage = done;
				channel.port2.postMessage(0);
			}));
			return performance.now() - begun;
		})(${JSON.stringify(words)})`);

		return { wall, busy: await this.busy() - before };
	}

	async median(count, action, wordOf = () => null) {
		const times = [];

		for (let i = 0; i < count; i++)
			times.push(await this.time(action, wordOf(i)));
		const middle = (key) => Math.round(times.map((one) => one[key]).sort((a, b) => a - b)[count >> 1]);

		return `${middle("wall")} ms (${middle("busy")})`;
	}
}

async function measureLoad(browser, one) {
	const loads = [];

	for (let i = 0; i < 3; i++) {
		const begun = performance.now();
		const tab = await Tab.open(browser, one.html);

		await tab.settle();
		loads.push(performance.now() - begun);
		await tab.close();
	}
	return Math.round(loads.sort((a, b) => a - b)[1]) + " ms";
}

const press = (key) => `document.querySelector(".flame-box").dispatchEvent(new KeyboardEvent("keydown", { key: "${key}", bubbles: true }))`;
const choose = (selector) => `document.querySelector("${selector}").click()`;

export async function measureSpeed(browser, one, say) {
	const rows = [["opened", await measureLoad(browser, one)]];
	const tab = await Tab.open(browser, one.html);
	const clock = await Clock.of(tab);

	rows.push(["sort by number", await clock.median(6, choose(".functions .head [data-column=calls]"))]);
	rows.push(["sort by name", await clock.median(4, choose(".functions .head [data-column=name]"))]);
	rows.push(["key in the search box", await clock.median(16, `const input = document.getElementById("search");

		input.value = args[0];
		input.dispatchEvent(new Event("input"));`, (i) => "f1234567".slice(0, 1 + i % 8))]);
	await tab.go("#v=flame");
	rows.push(["flame zoom", await clock.median(8, `if (args[0] % 2) {
			${press("Escape")};
		} else {
			${press("ArrowDown")};
			${press("Enter")};
		}`, (i) => i)]);
	rows.push(["selection", await clock.median(6, choose(".entry .callers a.name, .entry .callees a.name"))]);
	await tab.go("#v=graph");
	rows.push(["selection with graph", await clock.median(6, choose(".entry .callees a.name, .entry .callers a.name"))]);
	const heap = (await tab.page.metrics()).JSHeapUsedSize / 1e6;

	say(`${one.name}: ${(one.bytes / 1e6).toFixed(1)} MB, written in ${one.seconds.toFixed(2)} s, ${Math.round(heap)} MB in the browser; `
		+ "milliseconds to the next picture (of the processor):");
	for (const [what, time] of rows)
		say(`    ${what.padEnd(24)}${time}`);
	await tab.close();
	return rows.length;
}
