# SPDX-License-Identifier: Apache-2.0
# What others build plugins and programs with: headers, gprofx.pc, the CMake package, examples.  All
# of it finds its way from where it stands, wherever the tree was installed to.
include(CMakePackageConfigHelpers)

# The headers have the last word about the interface.
file(STRINGS "${PROJECT_SOURCE_DIR}/include/gprofx/plugin.h" line
     REGEX "^#define GPROFX_ABI_MINOR [0-9]+$")
string(REGEX REPLACE "[^0-9]" "" GPROFX_ABI_MINOR "${line}")

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/gprofx")
set(pkgconfig_folder "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH GPROFX_PREFIX_FROM_PKGCONFIG "/${pkgconfig_folder}" "/")
string(REGEX REPLACE "/$" "" GPROFX_PREFIX_FROM_PKGCONFIG "${GPROFX_PREFIX_FROM_PKGCONFIG}")

configure_file(cmake/gprofx.pc.in gprofx.pc @ONLY)
configure_package_config_file(
  cmake/gprofx-config.cmake.in gprofx-config.cmake INSTALL_DESTINATION "${package_folder}"
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_BINDIR GPROFX_PLUGIN_DIR)
write_basic_package_version_file(gprofx-config-version.cmake COMPATIBILITY SameMajorVersion)

install(FILES "${PROJECT_BINARY_DIR}/gprofx.pc" DESTINATION "${pkgconfig_folder}" COMPONENT dev)
install(FILES cmake/GprofxModule.cmake "${PROJECT_BINARY_DIR}/gprofx-config.cmake"
              "${PROJECT_BINARY_DIR}/gprofx-config-version.cmake"
        DESTINATION "${package_folder}" COMPONENT dev)
install(DIRECTORY include/gprofx TYPE INCLUDE COMPONENT dev FILES_MATCHING PATTERN "*.h"
        # Those of the collector come with it.
        PATTERN collect.h EXCLUDE PATTERN gxc.h EXCLUDE)
install(DIRECTORY examples/tutorial examples/bare-metal DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples" COMPONENT doc)
install(DIRECTORY examples/plugin examples/languages examples/library DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples"
        COMPONENT dev)
install(FILES config/plugin.yaml DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME manifest.yaml COMPONENT dev)
install(PROGRAMS examples/ten-hottest DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples" COMPONENT dev)
install(FILES doc/howto-reader.md doc/howto-symbols.md doc/howto-scanner.md doc/howto-emitter.md
              doc/howto-ci.md doc/howto-mpi.md doc/mpi-scale.md doc/packages.md doc/install.md doc/formats.md doc/compatibility.md doc/tutorial.md
        DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT doc)
install(FILES doc/gprofx-plugin.3 DESTINATION "${CMAKE_INSTALL_MANDIR}/man3" COMPONENT dev)
