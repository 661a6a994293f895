// SPDX-License-Identifier: Apache-2.0
// Starts the page of a comparison.

import { ComparedModel } from "./compare-model.js";
import { ComparedPage } from "./compare-page.js";
import { byId } from "./dom.js";
import { unpack } from "./unpack.js";

document.documentElement.classList.add("scripted");
new ComparedPage(new ComparedModel(unpack(JSON.parse(byId("data").textContent)))).start();
