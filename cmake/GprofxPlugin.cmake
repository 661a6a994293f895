# SPDX-License-Identifier: Apache-2.0
# gprofx_add_plugin(NAME SOURCES file… [LIBRARIES target…])
#
# Builds one plugin of the tree: a module NAME.so beside its manifest NAME.yaml, or, in the static
# build, objects whose descriptor has a name of its own.  A plugin whose library was not found is
# left out and configure says so.

include(GprofxModule)

define_property(GLOBAL PROPERTY GPROFX_BUILTIN_NAMES BRIEF_DOCS "Plugins of the static build")
define_property(GLOBAL PROPERTY GPROFX_OWN_PLUGINS BRIEF_DOCS "Plugins of the tree, built or not")
define_property(GLOBAL PROPERTY GPROFX_PLUGINS BRIEF_DOCS "Plugins that are built, in whatever way")

function(gprofx_add_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  set_property(GLOBAL APPEND PROPERTY GPROFX_OWN_PLUGINS ${name})
  foreach(library IN LISTS arg_LIBRARIES)
    if(NOT TARGET ${library})
      string(REGEX REPLACE "^.*::" "" word ${library})
      string(TOLOWER "${word}" word)
      message(STATUS "plugin ${name}: left out, lib${word} was not found")
      return()
    endif()
  endforeach()

  set_property(GLOBAL APPEND PROPERTY GPROFX_PLUGINS ${name})
  if(GPROFX_BUILTIN_PLUGINS)
    string(MAKE_C_IDENTIFIER "gprofx_plugin_${name}" symbol)
    add_library(${name} OBJECT ${arg_SOURCES})
    target_compile_definitions(${name} PRIVATE GPROFX_PLUGIN_SYMBOL=${symbol})
    set_property(GLOBAL APPEND PROPERTY GPROFX_BUILTIN_NAMES ${name})
  else()
    gprofx_module(${name} SOURCES ${arg_SOURCES} MANIFEST plugin.yaml
      BUILD_FOLDER "${GPROFX_PLUGIN_BUILD_DIR}" INSTALL_FOLDER "${GPROFX_PLUGIN_DIR}"
      COMPONENT plugin-${name})
    if(UNIX)
      add_custom_command(TARGET ${name} POST_BUILD COMMAND chmod go-w "$<TARGET_FILE:${name}>" VERBATIM)
    endif()
    # Nothing here has to be done when a module is opened or closed; without the usual start files it
    # has one page less that is written to.
    if(NOT GPROFX_SANITIZE)
      target_link_options(${name} PRIVATE -nostartfiles)
    endif()
  endif()
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/include")
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
  install(FILES ${name}.7 DESTINATION "${CMAKE_INSTALL_MANDIR}/man7" COMPONENT plugin-${name})
endfunction()

# gprofx_builtin_table(TARGET): a library with all plugins of the static build and their table.
function(gprofx_builtin_table target)
  get_property(names GLOBAL PROPERTY GPROFX_BUILTIN_NAMES)
  set(declarations "")
  set(rows "")
  foreach(name IN LISTS names)
    string(MAKE_C_IDENTIFIER "gprofx_plugin_${name}" symbol)
    string(APPEND declarations "extern const struct gprofx_plugin ${symbol};\n")
    string(APPEND rows "\t&${symbol},\n")
  endforeach()
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/builtin.c" @ONLY CONTENT
[[/* SPDX-License-Identifier: Apache-2.0 */
#include <gprofx/plugin.h>

@declarations@
extern const struct gprofx_plugin *const gprofx_builtin_plugins[];
const struct gprofx_plugin *const gprofx_builtin_plugins[] = {
@rows@	NULL
};
]])
  add_library(${target} STATIC "${PROJECT_BINARY_DIR}/builtin.c")
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/include")
  target_link_libraries(${target} PUBLIC ${names})
endfunction()
