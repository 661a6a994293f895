#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The examples build with CMake from the installed files alone, work where they were built, and can be
# installed beside the plugins of gprofx, or elsewhere.
. "$GPROFX_SOURCE/tests/kit/lib.sh"
install_kit
copy_examples

build_with_cmake built
expect_examples built
# The option CHECK makes a test of each.
expect_status 0 ctest --test-dir built
expect_in out '100% tests passed, 0 tests failed out of 5'
expect_match out ' findcall-loongarch\.check-plugin '

expect_status 0 cmake --install built
for example in $examples; do
	cmp -s "examples/$example.yaml" "$plugins/$example.yaml" || fail "$example.yaml is not in $plugins"
done
# Where the plugins are built in, there is nobody who looks into the folder.
[ "$GPROFX_BUILTIN" = 1 ] || try_examples

expect_status 0 cmake -S examples -B built -DGPROFX_PLUGIN_INSTALL_FOLDER=/own/plugins
DESTDIR=$scratch/staged expect_status 0 cmake --install built
expect_examples staged/own/plugins

# With a generator of several configurations, each of them has its manifests beside the modules.
if command -v ninja >ninja.txt; then
	expect_status 0 cmake -G 'Ninja Multi-Config' -S examples -B several -DCMAKE_C_COMPILER="$GPROFX_CC" \
		-DCMAKE_PREFIX_PATH="$prefix"
	for configuration in Debug Release; do
		expect_status 0 cmake --build several --config $configuration
		expect_examples several/$configuration
		for example in $examples; do
			cmp -s "examples/$example.yaml" several/$configuration/"$example.yaml" ||
				fail "$example.yaml is not beside its module"
		done
	done
fi

# A program with the library: asked for as a component, it has to be there.
mkdir user
cp "$prefix/share/doc/gprofx/examples/library/hottest.c" user
cat >user/CMakeLists.txt <<-'END'
	cmake_minimum_required(VERSION 3.18)
	project(user LANGUAGES C)
	find_package(gprofx 0.1 REQUIRED COMPONENTS library)
	add_executable(hottest hottest.c)
	target_link_libraries(hottest PRIVATE gprofx::gprofx)
	message(STATUS "interface ${gprofx_ABI}.${gprofx_ABI_MINOR} of ${gprofx_PROGRAM}")
END
expect_status 0 cmake -S user -B user/built -DCMAKE_PREFIX_PATH="$prefix"
expect_match out "interface 1\.[0-9]+ of $prefix/bin/gprofx\$"
expect_status 0 cmake --build user/built
make_program
expect_status 0 user/built/hottest program gmon.out
expect_match out '^ 75\.0% work$'
rm "$libraries"/libgprofx.so*
expect_status 1 cmake -S user -B user/again -DCMAKE_PREFIX_PATH="$prefix"
expect_in err 'the component library is'
# Plugins do without it.
expect_status 0 cmake -S examples -B again -DCMAKE_PREFIX_PATH="$prefix"

# Without the program there is nothing to test with, which is said; a test fails where something is wrong.
mv "$prefix/bin/gprofx" "$prefix/bin/hidden"
expect_status 0 cmake -S examples -B untested -DCMAKE_PREFIX_PATH="$prefix"
expect_in out 'plugin input-text: there is no test of it, the program gprofx is not installed'
mv "$prefix/bin/hidden" "$prefix/bin/gprofx"
sed -i 's/^summary: .*/summary: Something else/' examples/input-text.yaml
expect_status 0 cmake -S examples -B built
expect_status 0 cmake --build built
expect_status 8 ctest --test-dir built --output-on-failure
expect_in out '80% tests passed, 1 tests failed out of 5'
expect_match out 'FAILED +manifest: summary: expected'

# Mistakes are reported.
printf 'gprofx_add_plugin(input-x SOURCE x.c)\n' >>examples/CMakeLists.txt
expect_status 1 cmake -S examples -B again
expect_in err 'gprofx_add_plugin(NAME SOURCES'
