// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { baseName, charactersOf, cutEnd, cutName, cutNameEnd, shortName, shortPaths } from "../../page/names.js";

test("names lose parameters, then template arguments, then scopes", () => {
	const name = "std::vector<std::string, std::allocator<std::string> >::push_back(std::string const&)";

	assert.equal(shortName(name, 100), name);
	assert.equal(shortName(name, 70), "std::vector<std::string, std::allocator<std::string> >::push_back(\u2026)");
	assert.equal(shortName(name, 40), "std::vector<\u2026>::push_back(\u2026)");
	assert.equal(shortName(name, 20), "\u2026::push_back(\u2026)");
	assert.equal(shortName(name, 3), "\u2026::push_back");
});

test("operators are no brackets", () => {
	assert.equal(shortName("shop::operator<<(std::ostream&, shop::Item const&)", 30), "shop::operator<<(\u2026)");
	assert.equal(shortName("a::b::operator->(int, int, int)", 16), "\u2026::operator->(\u2026)");
	assert.equal(shortName("Foo::operator()(int, double, char) const", 25), "Foo::operator()(\u2026) const");
	assert.equal(shortName("f(decltype (x->y), int)", 10), "f(\u2026)");
});

test("what is no argument stays", () => {
	assert.equal(shortName("(anonymous namespace)::foo(int, double)", 30), "(anonymous namespace)::foo(\u2026)");
	assert.equal(shortName("a_long_name_of_a_function_in_c", 10), "a_long_name_of_a_function_in_c");
	assert.equal(shortName("[T; 4] as core::Debug", 5), "\u2026::Debug");
	assert.equal(shortName("f(int", 3), "f(int");
	assert.equal(shortName("<cycle 12>", 30), "<cycle 12>");
	assert.equal(shortName("<cycle 12>", 6), "<cycle 12>");
	assert.equal(shortName("[profiling overhead]", 12), "[profiling overhead]");
	assert.equal(cutName("[profiling overhead]", 16), "[profilin\u2026rhead]");
	assert.equal(shortName("<T as core::Debug>::fmt", 10), "<\u2026>::fmt");
	assert.equal(shortName("f".repeat(5000), 10).length, 5000);
});

test("the end of a name stays", () => {
	assert.equal(cutName("a::_M_handle_subexpr_begin(int)", 14), "_M_handl\u2026begin");
	assert.equal(cutName("a::_M_handle_subexpr_end(int)", 14), "_M_handl\u2026r_end");
	assert.equal(cutName("a_long_name_of_a_function_in_c", 20), "a_long_name_\u2026on_in_c");
	assert.equal(cutName("std::vector<int>::operator[](unsigned long) const", 14), "\u2026::operator[]");
	assert.equal(cutName("std::sort(int*)", 40), "std::sort(int*)");
	assert.equal(cutName("a_long_name", 5), "a_long_name");
});

test("where room is short, dots stand for the scopes", () => {
	assert.equal(cutName("solver::expression", 12), "\u2026expression");
	assert.equal(cutName("solver::expression", 13), "\u2026::expression");
	assert.equal(cutName("solver::exchange", 9), "\u2026exchange");
	assert.equal(cutName("solver::exchange", 8), "\u2026exch\u2026ge");
	assert.equal(cutNameEnd("solver::expression", 5), "expr\u2026");
	assert.equal(cutNameEnd("solver::exchange", 9), "\u2026exchange");
	assert.equal(cutNameEnd("solver::exchange", 8), "\u2026exchan\u2026");
	assert.equal(cutNameEnd("exchange", 8), "exchange");
});

test("what people see as one character is not cut", () => {
	const faces = "\u{1f600}".repeat(30);
	const marks = "e\u0301".repeat(30);

	assert.equal(cutName(faces, 10), "\u{1f600}".repeat(6) + "\u2026" + "\u{1f600}".repeat(3));
	assert.equal(cutName(marks, 11), "e\u0301".repeat(6) + "\u2026" + "e\u0301".repeat(4));
	assert.equal(cutName("\u{1f600}".repeat(10), 10), "\u{1f600}".repeat(10));
	assert.equal(cutNameEnd(faces, 5), "\u{1f600}".repeat(4) + "\u2026");
	assert.equal(cutEnd("x" + faces, 1000), "x" + faces);
	assert.equal(cutEnd("x" + "\u{1f600}".repeat(1000), 1000), "x" + "\u{1f600}".repeat(998) + "\u2026");
	assert.deepEqual(charactersOf("a\u0301\u{1f600}b"), ["a\u0301", "\u{1f600}", "b"]);
	// A heap of marks is not one character, or it would need all of the text.
	assert.equal(cutName("a" + "\u0301".repeat(100000), 10).length <= 100, true);
	for (let width = 8; width < 40; width++)
		for (const text of [cutName("x" + faces, width), cutNameEnd(faces + "x", width)])
			assert.equal(text.isWellFormed ? text.isWellFormed() : !/\p{Cs}/u.test(text), true, text);
});

test("paths keep what distinguishes them", () => {
	const short = shortPaths(["/a/x.c", "/b/x.c", "x.c", "/a/b/y.c", "/a/x.c"]);

	assert.equal(short.get("/a/x.c"), "a/x.c");
	assert.equal(short.get("/b/x.c"), "b/x.c");
	assert.equal(short.get("x.c"), "x.c");
	assert.equal(short.get("/a/b/y.c"), "y.c");
	assert.equal(new Set(short.values()).size, 4);
	const deep = "d/".repeat(1000);
	assert.equal(new Set(shortPaths(["/p/" + deep + "f", "/q/" + deep + "f"]).values()).size, 2);
	assert.equal(baseName("/a/b.c"), "b.c");
	assert.equal(baseName("dir/"), "dir/");
});
