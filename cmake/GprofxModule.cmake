# SPDX-License-Identifier: Apache-2.0
# gprofx_module(NAME SOURCES file… [LIBRARIES target…] MANIFEST file BUILD_FOLDER folder
#               INSTALL_FOLDER folder [COMPONENT name])
#
# Builds a module NAME.so beside its manifest NAME.yaml and installs both.  The plugins of gprofx's
# own tree and those of others are built by it.

function(gprofx_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MANIFEST;BUILD_FOLDER;INSTALL_FOLDER;COMPONENT"
                        "SOURCES;LIBRARIES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "plugin ${name}: not understood: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(component "")
  if(arg_COMPONENT)
    set(component COMPONENT ${arg_COMPONENT})
  endif()

  add_library(${name} MODULE ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
  set_target_properties(${name} PROPERTIES
    PREFIX "" SUFFIX ".so" C_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY "${arg_BUILD_FOLDER}")
  # Everything is resolved when the module is opened, never in the middle of a run.
  # One segment less to map: loading modules is most of what a small run does.
  target_link_options(${name} PRIVATE
    -Wl,-z,now -Wl,--hash-style=gnu -Wl,-z,noseparate-code)
  # The functions of sanitizers are in the program.
  if(NOT GPROFX_SANITIZE AND NOT "${CMAKE_C_FLAGS}" MATCHES "-fsanitize=")
    target_link_options(${name} PRIVATE -Wl,-z,defs)
  endif()
  # Generators of several configurations have a folder for the modules of each.
  get_property(is_multiple GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  set(folders .)
  if(is_multiple)
    set(folders ${CMAKE_CONFIGURATION_TYPES})
  endif()
  foreach(folder IN LISTS folders)
    configure_file("${arg_MANIFEST}" "${arg_BUILD_FOLDER}/${folder}/${name}.yaml" COPYONLY)
  endforeach()
  install(TARGETS ${name} LIBRARY DESTINATION "${arg_INSTALL_FOLDER}" ${component})
  install(FILES "${arg_MANIFEST}" DESTINATION "${arg_INSTALL_FOLDER}" RENAME ${name}.yaml
          ${component})
endfunction()
