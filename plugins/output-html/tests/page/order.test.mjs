// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { KIND, Model } from "../../page/model.js";
import { allColumns, chosenColumns, columnCharacters, columnWidths, writeColumns } from "../../page/columns.js";
import { defaultSort, nextSort, orderRows, readSort, writeSort } from "../../page/order.js";
import { example, large } from "./example.mjs";

function ordered(model, sort, rows) {
	return Array.from(orderRows(model, Uint32Array.from(rows), readSort(model, sort)), (node) => model.name(node)).join(" ");
}

test("rows sort by columns", () => {
	const model = new Model(example());
	const rows = [...model.flat, 4];

	assert.equal(ordered(model, "-self", rows), "a b c main <cycle 1>");
	assert.equal(ordered(model, "self", rows), "main c b a <cycle 1>");
	assert.equal(ordered(model, "-total", rows), "main b <cycle 1> a c");
	assert.equal(ordered(model, "name", rows), "<cycle 1> a b c main");
	assert.equal(ordered(model, "-name", rows), "main c b a <cycle 1>");
	assert.equal(ordered(model, "-calls", rows), "a <cycle 1> b c main");
	assert.equal(ordered(model, "calls,-name", rows), "main c b a <cycle 1>");
	assert.equal(ordered(model, "at", rows), "c main a b <cycle 1>");
	assert.equal(ordered(model, "", rows), "a b c main <cycle 1>");
});

test("equal rows keep their order", () => {
	const model = new Model(large(5000));
	const order = orderRows(model, Uint32Array.from(model.flat), readSort(model, "-self"));

	assert.deepEqual(Array.from(order), model.flat);
});

test("rows that the emitter found sorted are not sorted again", () => {
	const data = large(50);

	data.flat.reverse();
	data.values[0].isSorted = true;
	const model = new Model(data);
	const sorted = (sort) => Array.from(orderRows(model, model.rows(), readSort(model, sort)));

	assert.deepEqual(sorted("-self"), data.flat);
	assert.notDeepEqual(sorted("name"), data.flat);
	data.values[0].isSorted = false;
	assert.notDeepEqual(sorted("-self"), data.flat);
});

test("headings: again is reverse, shift is a further key", () => {
	const model = new Model(example());
	const [self, , , , , calls] = allColumns(model);
	const name = allColumns(model).find((column) => column.id === "name");
	const after = (sort, column, isFurther) => writeSort(nextSort(readSort(model, sort), column, isFurther));

	assert.equal(after("", self, false), "-self");
	assert.equal(after("-self", self, false), "self");
	assert.equal(after("self", name, false), "name");
	assert.equal(after("-self", calls, true), "-self,-calls");
	assert.equal(after("-self,-calls", self, true), "self,-calls");
	assert.equal(after("-self,-calls,name", allColumns(model)[1], true), "-self,-calls,-total");
	assert.equal(writeSort(readSort(model, "-self,nothing,self,-calls")), "-self,-calls");
});

test("the sort without one in the address", () => {
	const data = example();

	assert.equal(defaultSort(new Model(data)), "-self");
	data.timed = false;
	assert.equal(defaultSort(new Model(data)), "-calls");
	data.counted = false;
	assert.equal(defaultSort(new Model(data)), "");
});

test("columns of an address", () => {
	const model = new Model(example());
	const ids = (text) => chosenColumns(model, text).map((column) => column.id).join(",");

	assert.equal(ids(""), "self,total,calls,name,at");
	assert.equal(ids("calls,self"), "self,calls,name");
	assert.equal(ids("nothing"), "name");
	assert.equal(writeColumns(model, ["self", "total", "calls", "at"]), "");
	assert.equal(writeColumns(model, ["calls", "time"]), "time,calls,name");
	const data = { ...example(), counted: false };
	assert.ok(!chosenColumns(new Model(data), "").some((column) => column.id === "calls"));
});

test("cells say what is not known, and why", () => {
	const model = new Model(example());
	const show = (id, node) => allColumns(model).find((column) => column.id === id).show(model, node, 30);

	assert.equal(show("total", 1).text, "\u2014");
	assert.match(show("total", 1).why, /cycle/);
	assert.equal(show("total", 2).text, "~75.0%");
	assert.ok(show("total", 2).isEstimated);
	assert.equal(show("total", 4).text, "60.0%");
	assert.equal(show("self", 4).text, "\u2014");
	assert.equal(show("self", 1).bar, 0.4);
	assert.equal(show("calls", 4).text, "4+10");
	assert.equal(show("calls", 3).text, "0");
	assert.equal(show("time", 1).text, "40");
	assert.equal(show("percall", 1).text, "10.0 ms");
	assert.equal(show("totalpercall", 2).text, "~37.5 ms");
	assert.equal(show("entry", 2).text, "[2]");
	assert.equal(show("object", 0).text, "prog");
});

test("no counted call is not known to be none", () => {
	const data = example();

	data.calls.calls[0] = -1;
	const model = new Model(data);
	const show = (id, node) => allColumns(model).find((column) => column.id === id).show(model, node, 30);
	assert.equal(show("calls", 0).text, "\u2014");
	assert.match(show("calls", 0).why, /no call was counted/);
	assert.equal(show("percall", 0).text, "\u2014");
	data.functions.kind[0] |= KIND.LINE;
	assert.equal(show("calls", 0).text, "");
});

test("a place keeps the number of its line", () => {
	const data = example();

	data.strings[1] = "/src/one/a_long_name.c";
	data.functions.line[2] = 12345;
	const model = new Model(data);
	const at = (width) => allColumns(model).find((column) => column.id === "at").show(model, 2, width).text;
	assert.equal(at(30), "a_long_name.c:12345");
	assert.equal(at(12), "a_lon\u2026:12345");
	assert.equal(at(8), "a\u2026:12345");
	assert.equal(at(6), "\u2026:12345");
});

test("columns of text share the room as they need it", () => {
	const model = new Model(example());
	const columns = chosenColumns(model, "");
	const rows = Uint32Array.from(model.flat);
	const widths = (room) => columnWidths(columns, model, rows, room);
	const sum = (list) => list.reduce((all, width) => all + width, 0);

	for (const room of [400, 560, 900, 1600])
		assert.equal(sum(widths(room)), room);
	// "one/util.c:10" has 13 characters.
	assert.ok(columnCharacters(columns, widths(900))[4] >= 13);
	assert.ok(columnCharacters(columns, widths(520))[3] >= 4);
});
