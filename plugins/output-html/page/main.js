// SPDX-License-Identifier: Apache-2.0
// Starts the page.

import { Model } from "./model.js";
import { flameView } from "./flame.js";
import { graphView } from "./graph.js";
import { manyView } from "./many.js";
import { methodView } from "./method.js";
import { sourceView } from "./source.js";
import { Page } from "./page.js";
import { byId } from "./dom.js";
import { unpack } from "./unpack.js";

const VIEWS = [flameView, graphView, sourceView, manyView, methodView];

document.documentElement.classList.add("scripted");
new Page(new Model(unpack(JSON.parse(byId("data").textContent))), VIEWS).start();
