# SPDX-License-Identifier: Apache-2.0
# Packages by cpack: the core, libgprofx, the headers, the guides, and plugins.  A plugin that needs a
# library is a package of its own, called gprofx-PLUGIN, so that whoever leaves it out leaves out the
# library; those that need none are one package, which provides the names of all of them.

set(GPROFX_MAINTAINER "The maintainers of gprofx <gprofx@localhost>"
    CACHE STRING "Who answers for packages that cpack makes: NAME <ADDRESS>")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gprofx)
set(CPACK_PACKAGE_VENDOR gprofx)
set(CPACK_PACKAGE_CONTACT "${GPROFX_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Shows where a program spends its time, as gprof does")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX "${CMAKE_INSTALL_PREFIX}")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
find_program(GPROFX_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(GPROFX_SHLIBDEPS)
if(GPROFX_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
set(same "(= ${PROJECT_VERSION})")

# gprofx_package(COMPONENT NAME DESCRIPTION [DEPENDS text] [SUGGESTS text] …)
function(gprofx_package component name description)
  string(TOUPPER "${component}" key)
  cmake_parse_arguments(PARSE_ARGV 3 arg ""
    "DEPENDS;RECOMMENDS;SUGGESTS;PROVIDES;SECTION;ARCHITECTURE;CONTROL_EXTRA" "")
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME "${name}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${description}" PARENT_SCOPE)
  foreach(relation IN ITEMS DEPENDS RECOMMENDS SUGGESTS PROVIDES SECTION ARCHITECTURE CONTROL_EXTRA)
    if(arg_${relation})
      set(CPACK_DEBIAN_${key}_PACKAGE_${relation} "${arg_${relation}}" PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# The packages with libraries that a plugin opens by their names, which nothing else tells: one of the
# files is enough.
function(gprofx_packages_of out)
  set(alternatives "")
  foreach(file IN LISTS ARGN)
    file(REAL_PATH "${file}" file)
    execute_process(COMMAND dpkg-query -S "${file}" OUTPUT_VARIABLE owner ERROR_QUIET
                    RESULT_VARIABLE status)
    if(status EQUAL 0 AND owner MATCHES "^([^:,]+)")
      list(APPEND alternatives "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  list(JOIN alternatives " | " alternatives)
  set(${out} "${alternatives}" PARENT_SCOPE)
endfunction()

find_library(GPROFX_CAPSTONE_FILE NAMES capstone)
find_library(GPROFX_ZYDIS_FILE NAMES Zydis)
mark_as_advanced(GPROFX_CAPSTONE_FILE GPROFX_ZYDIS_FILE)
set(decoders "")
foreach(file IN ITEMS GPROFX_ZYDIS_FILE GPROFX_CAPSTONE_FILE)
  if(${file})
    list(APPEND decoders "${${file}}")
  endif()
endforeach()
gprofx_packages_of(opened_findcall-x86 ${decoders})
if(GPROFX_CAPSTONE_FILE)
  gprofx_packages_of(opened_findcall-m68k "${GPROFX_CAPSTONE_FILE}")
endif()

set(components core library dev doc)
set(suggested "")
set(provided "")
get_property(plugins GLOBAL PROPERTY GPROFX_PLUGINS)
foreach(plugin IN LISTS plugins)
  list(APPEND components plugin-${plugin})
  get_target_property(libraries ${plugin} LINK_LIBRARIES)
  set(is_alone FALSE)
  foreach(library IN LISTS libraries)
    if(library STREQUAL "gprofx_decoders")
      set(is_alone TRUE)
    elseif(TARGET ${library})
      get_target_property(is_imported ${library} IMPORTED)
      if(is_imported)
        set(is_alone TRUE)
      endif()
    endif()
  endforeach()
  if(NOT is_alone)
    string(TOUPPER "${plugin}" key)
    set(CPACK_COMPONENT_PLUGIN-${key}_GROUP plugins)
    list(APPEND provided "gprofx-${plugin} ${same}")
    continue()
  endif()
  file(STRINGS "${PROJECT_SOURCE_DIR}/plugins/${plugin}/plugin.yaml" summary REGEX "^summary: ")
  string(REGEX REPLACE "^summary: " "" summary "${summary}")
  set(depends "gprofx ${same} | libgprofx${GPROFX_ABI} ${same}")
  if(opened_${plugin})
    string(APPEND depends ", ${opened_${plugin}}")
  endif()
  gprofx_package(plugin-${plugin} gprofx-${plugin} "plugin of gprofx: ${summary}" DEPENDS "${depends}")
  if(NOT plugin MATCHES "^(symbols-elf|symbols-dwarf|config-yaml)$")
    list(APPEND suggested gprofx-${plugin})
  endif()
endforeach()
set(CPACK_COMPONENTS_ALL ${components})
list(JOIN suggested ", " suggested)
list(JOIN provided ", " provided)

set(usual "gprofx-plugins, gprofx-symbols-elf, gprofx-symbols-dwarf, gprofx-config-yaml")
gprofx_package(core gprofx "the program and its manual; what it reads and writes comes with plugins"
  RECOMMENDS "${usual}" SUGGESTS "${suggested}, gprofx-doc")
gprofx_package(plugins gprofx-plugins "plugins of gprofx that need no library"
  DEPENDS "gprofx ${same} | libgprofx${GPROFX_ABI} ${same}" PROVIDES "${provided}"
  SUGGESTS libdebuginfod1)
# What programs that are linked with the library will depend upon, and that the linker is told of it.
file(CONFIGURE OUTPUT packages/shlibs CONTENT
     "libgprofx @GPROFX_ABI@ libgprofx@GPROFX_ABI@ (>= @PROJECT_VERSION@)\n" @ONLY)
file(CONFIGURE OUTPUT packages/triggers CONTENT "activate-noawait ldconfig\n")
gprofx_package(library libgprofx${GPROFX_ABI} "profiles as reports, for programs"
  SECTION libs RECOMMENDS "${usual}"
  CONTROL_EXTRA "${PROJECT_BINARY_DIR}/packages/shlibs;${PROJECT_BINARY_DIR}/packages/triggers")
gprofx_package(dev gprofx-dev "headers and examples for plugins of gprofx and users of libgprofx"
  SECTION libdevel DEPENDS "libgprofx${GPROFX_ABI} ${same}" SUGGESTS "gprofx-doc, cmake, pkg-config")
gprofx_package(doc gprofx-doc "guides to gprofx and its plugins" SECTION doc ARCHITECTURE all)
set(CPACK_COMPONENT_GROUP_PLUGINS_DISPLAY_NAME plugins)

# The archive of the sources is made by scripts/archive, from what was committed.
set(CPACK_SOURCE_IGNORE_FILES "/\\.git(/|$)" "/build[^/]*/" "/__pycache__/" "/bench-data/")
include(CPack)
