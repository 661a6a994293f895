# SPDX-License-Identifier: Apache-2.0
# Writes components.txt into the build tree: the components that "cmake --install --component" takes, and what
# packages have to know of them.  A line is one of
#
#   component COMPONENT PACKAGE    the package that gets the component's files
#   linked COMPONENT FILE          an archive that is linked into it
#   opened COMPONENT FILE          a library that it opens by name at run time; one of several is enough
#
# A plugin that needs a library is a package of its own, gprofx-PLUGIN, so that leaving it out leaves out the
# library.  The others are one package, gprofx-plugins.  debian/install-components reads the lines.

set(package_of_core gprofx-core)
set(package_of_library libgprofx${GPROFX_ABI})
set(package_of_dev libgprofx-dev)
set(package_of_doc gprofx-doc)
set(package_of_collect gprofx-collect)
set(package_of_collect-dev libgprofx-collect-dev)
set(package_of_mpi-openmpi gprofx-mpi-openmpi)
set(package_of_mpi-mpich gprofx-mpi-mpich)

# gprofx_package_of(PLUGIN OUT)
function(gprofx_package_of plugin out)
  set(${out} gprofx-plugins PARENT_SCOPE)
  get_target_property(libraries ${plugin} LINK_LIBRARIES)
  foreach(library IN LISTS libraries)
    set(is_outside FALSE)
    if(TARGET ${library})
      get_target_property(is_outside ${library} IMPORTED)
    endif()
    # The decoders open libraries themselves.
    if(is_outside OR library STREQUAL "gprofx_decoders")
      set(${out} gprofx-${plugin} PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

set(lines "")
get_cmake_property(components COMPONENTS)
get_property(plugins GLOBAL PROPERTY GPROFX_PLUGINS)
foreach(component IN LISTS components)
  set(package "${package_of_${component}}")
  if(component MATCHES "^plugin-(.*)$" AND CMAKE_MATCH_1 IN_LIST plugins)
    gprofx_package_of(${CMAKE_MATCH_1} package)
  endif()
  if(NOT package)
    message(FATAL_ERROR "the component ${component} belongs to no package; cmake/Components.cmake says which do")
  endif()
  string(APPEND lines "component ${component} ${package}\n")
endforeach()

# gprofx_note(WORD COMPONENT [file…]): a line for each file that was found.
function(gprofx_note word component)
  foreach(file IN LISTS ARGN)
    if(component IN_LIST components AND file AND (NOT word STREQUAL "linked" OR file MATCHES "\\.a$"))
      string(APPEND lines "${word} ${component} ${file}\n")
    endif()
  endforeach()
  set(lines "${lines}" PARENT_SCOPE)
endfunction()
foreach(component IN ITEMS core mpi-openmpi mpi-mpich)
  gprofx_note(linked ${component} "${LTDL_LIBRARY}" "${IBERTY_LIBRARY}")
endforeach()
gprofx_note(linked library "${IBERTY_LIBRARY}")
if(yaml_fits EQUAL 0)
  gprofx_note(linked plugin-config-yaml "${YAML_ARCHIVE}")
endif()
gprofx_note(linked plugin-symbols-pe ${bfd_libraries})

find_library(GPROFX_CAPSTONE_FILE NAMES capstone)
find_library(GPROFX_ZYDIS_FILE NAMES Zydis)
mark_as_advanced(GPROFX_CAPSTONE_FILE GPROFX_ZYDIS_FILE)
gprofx_note(opened plugin-findcall-x86 "${GPROFX_ZYDIS_FILE}" "${GPROFX_CAPSTONE_FILE}")
gprofx_note(opened plugin-findcall-m68k "${GPROFX_CAPSTONE_FILE}")

file(WRITE "${PROJECT_BINARY_DIR}/components.txt" "${lines}")
