// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { baseName, cutName, shortName, shortPaths } from "../../page/names.js";

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
	assert.equal(shortName("f".repeat(5000), 10).length, 5000);
});

test("the end of a name stays", () => {
	assert.equal(cutName("a::_M_handle_subexpr_begin(int)", 14), "\u2026::_M_ha\u2026begin");
	assert.equal(cutName("a::_M_handle_subexpr_end(int)", 14), "\u2026::_M_ha\u2026r_end");
	assert.equal(cutName("a_long_name_of_a_function_in_c", 20), "a_long_name_\u2026on_in_c");
	assert.equal(cutName("std::vector<int>::operator[](unsigned long) const", 14), "\u2026::operator[]");
	assert.equal(cutName("std::sort(int*)", 40), "std::sort(int*)");
	assert.equal(cutName("a_long_name", 5), "a_long_name");
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
