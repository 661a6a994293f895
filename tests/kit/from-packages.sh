#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The packages, unpacked into a folder that has nothing else: the examples that come with them build in each of
# the three ways, and work with the program and the plugins that come with them.
. "$GPROFX_SOURCE/tests/kit/lib.sh"
need meson ninja pkg-config
make_packages
for deb in debs/*.deb; do
	dpkg-deb -x "$deb" root
done
program=$(find "$scratch/root" -path '*/bin/gprofx')
use_prefix "${program%/bin/gprofx}"
copy_examples
cp examples/*.yaml .

build_with_cmake with-cmake
expect_examples with-cmake
build_with_meson with-meson
expect_examples with-meson
build_by_command
expect_examples "$scratch/examples"

# A program with the library of the packages.
expect_library_user
