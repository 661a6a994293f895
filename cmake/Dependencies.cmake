# SPDX-License-Identifier: Apache-2.0
# Libraries.  The engine needs libltdl and libiberty; every other one serves a plugin, which is left
# out, with a message, when the library is not there.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

pkg_check_modules(ELF IMPORTED_TARGET libelf)
pkg_check_modules(DW IMPORTED_TARGET libdw)
pkg_check_modules(YAML IMPORTED_TARGET yaml-0.1)
pkg_check_modules(JANSSON IMPORTED_TARGET jansson>=2.10)

find_path(LTDL_INCLUDE_DIR ltdl.h REQUIRED)
# Linked in where that is possible: one library less to load is a twentieth of a small run.
option(GPROFX_STATIC_LTDL "link libltdl into the program" ON)
if(GPROFX_STATIC_LTDL)
  find_library(LTDL_LIBRARY NAMES libltdl.a ltdl REQUIRED)
else()
  find_library(LTDL_LIBRARY ltdl REQUIRED)
endif()
add_library(gprofx::ltdl UNKNOWN IMPORTED)
set_target_properties(gprofx::ltdl PROPERTIES
  IMPORTED_LOCATION "${LTDL_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${LTDL_INCLUDE_DIR}")

find_path(IBERTY_INCLUDE_DIR demangle.h PATH_SUFFIXES libiberty REQUIRED)
find_library(IBERTY_LIBRARY iberty REQUIRED)
add_library(gprofx::iberty UNKNOWN IMPORTED)
set_target_properties(gprofx::iberty PROPERTIES
  IMPORTED_LOCATION "${IBERTY_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${IBERTY_INCLUDE_DIR}")

find_package(cmocka QUIET)
