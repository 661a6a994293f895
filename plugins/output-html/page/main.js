// SPDX-License-Identifier: Apache-2.0
// Starts the page.

function read() {
	return JSON.parse(document.getElementById("data").textContent);
}

const data = read();
document.getElementById("app").textContent = data.flat.length + " functions with data";
document.documentElement.dataset.ready = "1";
