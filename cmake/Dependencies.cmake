# SPDX-License-Identifier: Apache-2.0
# Libraries.  The engine needs libltdl and libiberty; every other one serves a plugin, which is left
# out, with a message, when the library is not there.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

pkg_check_modules(ELF IMPORTED_TARGET libelf)
pkg_check_modules(DW IMPORTED_TARGET libdw)
pkg_check_modules(YAML IMPORTED_TARGET yaml-0.1)

# What a module needs to use its own copy of a library.  A program would hide the sanitizers' memory
# functions from the libraries that it is linked with, where these functions are a part of it.
set(own_copy "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>:-Wl,-Bsymbolic,--exclude-libs,ALL>")

# libyaml goes into its plugin where its static library can be part of a module: a run with settings
# then opens one file less, which is a tenth of a small one.
option(GPROFX_STATIC_YAML "link libyaml into the plugin config-yaml" ON)
if(YAML_FOUND)
  add_library(gprofx::yaml INTERFACE IMPORTED)
  set(yaml_fits 1)
  if(GPROFX_STATIC_YAML)
    find_library(YAML_ARCHIVE libyaml.a HINTS ${YAML_LIBRARY_DIRS})
    if(YAML_ARCHIVE)
      execute_process(
        COMMAND "${CMAKE_C_COMPILER}" -shared -o "${PROJECT_BINARY_DIR}/yaml-fits.so"
                -Wl,-Bsymbolic -Wl,-z,text -Wl,--whole-archive "${YAML_ARCHIVE}"
                -Wl,--no-whole-archive
        RESULT_VARIABLE yaml_fits OUTPUT_QUIET ERROR_QUIET)
    endif()
  endif()
  if(yaml_fits EQUAL 0)
    target_include_directories(gprofx::yaml INTERFACE ${YAML_INCLUDE_DIRS})
    target_link_libraries(gprofx::yaml INTERFACE "${YAML_ARCHIVE}")
    target_link_options(gprofx::yaml INTERFACE "${own_copy}")
  else()
    target_link_libraries(gprofx::yaml INTERFACE PkgConfig::YAML)
  endif()
endif()
pkg_check_modules(PCRE2 IMPORTED_TARGET libpcre2-8)
# The two that decode code are opened when code is decoded; what is needed here is how to call them.
pkg_check_modules(CAPSTONE IMPORTED_TARGET capstone>=4)
find_package(zydis 4 CONFIG QUIET)
if(TARGET Zydis::Zydis)
  get_target_property(zydis_kinds Zydis::Zydis IMPORTED_CONFIGURATIONS)
  foreach(kind IN LISTS zydis_kinds)
    # Missing where the library is an archive.
    get_target_property(name Zydis::Zydis IMPORTED_SONAME_${kind})
    if(name)
      set(ZYDIS_NAME "${name}")
    endif()
  endforeach()
endif()
if(NOT ZYDIS_NAME)
  message(STATUS "plugin findcall-x86: decodes with capstone alone, Zydis 4 was not found")
endif()
pkg_check_modules(JANSSON IMPORTED_TARGET jansson>=2.11)
pkg_check_modules(ZLIB IMPORTED_TARGET zlib)
pkg_check_modules(ZSTD IMPORTED_TARGET libzstd)
pkg_check_modules(DEBUGINFOD libdebuginfod)
if(NOT DEBUGINFOD_FOUND)
  message(STATUS "output-annotate and output-html: ask no servers for sources, libdebuginfod was not found")
endif()

# libbfd always goes into its plugin, symbols-pe: the shared one has another name in every version of
# the binutils.  It brings the GPL, version 3, into what it is linked with.
option(GPROFX_BFD "build symbols-pe, with libbfd (GPL-3) linked in" ON)
find_path(BFD_INCLUDE_DIR bfd.h)
find_library(BFD_ARCHIVE libbfd.a)
if(GPROFX_BFD AND BFD_INCLUDE_DIR AND BFD_ARCHIVE)
  # What libbfd itself needs depends on how it was built.
  set(bfd_libraries "${BFD_ARCHIVE}")
  foreach(name IN ITEMS sframe iberty z zstd)
    find_library(BFD_NEEDS_${name} ${name})
    if(BFD_NEEDS_${name})
      list(APPEND bfd_libraries "${BFD_NEEDS_${name}}")
    endif()
  endforeach()
  execute_process(
    COMMAND "${CMAKE_C_COMPILER}" -shared -o "${PROJECT_BINARY_DIR}/bfd-fits.so"
            -Wl,-Bsymbolic,-z,text,-z,defs,--as-needed,-u,bfd_openr_iovec ${bfd_libraries} -lc
    RESULT_VARIABLE bfd_fits OUTPUT_QUIET ERROR_QUIET)
  if(bfd_fits EQUAL 0)
    add_library(gprofx::bfd INTERFACE IMPORTED)
    target_include_directories(gprofx::bfd INTERFACE "${BFD_INCLUDE_DIR}")
    target_link_libraries(gprofx::bfd INTERFACE ${bfd_libraries})
    target_link_options(gprofx::bfd INTERFACE "${own_copy}")
    if(GPROFX_BUILTIN_PLUGINS)
      message(STATUS "libbfd is linked in: the program is under the GPL, version 3, as a whole; "
                     "-DGPROFX_BFD=OFF leaves it out")
    endif()
  else()
    message(STATUS "libbfd.a cannot be part of a module, or needs libraries that were not found")
  endif()
endif()

# symbols-bfd opens the shared libbfd that knows all formats when it is needed.  Its name has the
# version that the headers are of; that of the shared one for this system tells which it is.
if(GPROFX_BFD AND BFD_INCLUDE_DIR)
  find_library(BFD_SHARED NAMES bfd)
  set(BFD_VERSION "" CACHE STRING "version of the binutils that bfd.h is of, such as 2.40; empty: found")
  mark_as_advanced(BFD_SHARED BFD_VERSION)
  set(bfd_version "${BFD_VERSION}")
  foreach(place IN ITEMS "${BFD_SHARED}" "${BFD_ARCHIVE}")
    if(place AND NOT bfd_version)
      cmake_path(GET place PARENT_PATH folder)
      file(GLOB found RELATIVE "${folder}" "${folder}/libbfd-*-system.so")
      if(found MATCHES "^libbfd-([0-9.]+)-system.so")
        set(bfd_version "${CMAKE_MATCH_1}")
      endif()
    endif()
  endforeach()
  if(bfd_version)
    add_library(gprofx::bfd_headers INTERFACE IMPORTED)
    target_include_directories(gprofx::bfd_headers INTERFACE "${BFD_INCLUDE_DIR}")
    target_compile_definitions(gprofx::bfd_headers INTERFACE
      "SYMBFD_LIBRARY=\"libbfd-${bfd_version}-multiarch.so\"")
  endif()
endif()

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
# The static one cannot be part of a shared library.
find_library(LTDL_SHARED_LIBRARY NAMES libltdl.so REQUIRED)
add_library(gprofx::ltdl_shared UNKNOWN IMPORTED)
set_target_properties(gprofx::ltdl_shared PROPERTIES IMPORTED_LOCATION "${LTDL_SHARED_LIBRARY}")

find_path(IBERTY_INCLUDE_DIR demangle.h PATH_SUFFIXES libiberty REQUIRED)
find_library(IBERTY_LIBRARY iberty REQUIRED)
add_library(gprofx::iberty UNKNOWN IMPORTED)
set_target_properties(gprofx::iberty PROPERTIES
  IMPORTED_LOCATION "${IBERTY_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${IBERTY_INCLUDE_DIR}")

find_package(cmocka QUIET)
