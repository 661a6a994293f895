# SPDX-License-Identifier: Apache-2.0
# Run by cpack when the files of all packages are in their folders: adds what Debian wants in each package and
# an installation without packages has no use for, and compresses the manual pages.
file(GLOB folders LIST_DIRECTORIES TRUE "${CPACK_TEMPORARY_DIRECTORY}/*")
foreach(folder IN LISTS folders)
  cmake_path(GET folder FILENAME component)
  string(TOUPPER "${component}" key)
  set(package "${CPACK_DEBIAN_${key}_PACKAGE_NAME}")
  if(NOT IS_DIRECTORY "${folder}" OR NOT package)
    continue()
  endif()
  set(documents "${folder}${CPACK_PACKAGING_INSTALL_PREFIX}/share/doc/${package}")

  set(copyright "\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: ${CPACK_PACKAGE_VENDOR}

Files: *
Copyright: 2026 the authors of gprofx
License: Apache-2.0
 On Debian systems the text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
")
  # Libraries that are a part of what is in the package; theirs counts for these parts.
  foreach(library IN LISTS CPACK_GPROFX_LINKED_INTO_${key})
    if(EXISTS "/usr/share/doc/${library}/copyright")
      file(READ "/usr/share/doc/${library}/copyright" theirs)
      string(APPEND copyright "\n\nThis package contains parts of ${library}, of which the following is said.\n\n"
                              "${theirs}")
    endif()
  endforeach()
  file(WRITE "${documents}/copyright" "${copyright}")

  # Follows SOURCE_DATE_EPOCH.
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(WRITE "${documents}/changelog" "\
gprofx (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}. What is new for users is told in NEWS.md, which is in the
    package gprofx-doc.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  file(GLOB_RECURSE texts "${folder}${CPACK_PACKAGING_INSTALL_PREFIX}/share/man/*.[1-9]")
  execute_process(COMMAND gzip -9nf "${documents}/changelog" ${texts} COMMAND_ERROR_IS_FATAL ANY)
  file(CHMOD_RECURSE "${documents}" FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ
       DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
                             WORLD_EXECUTE)
endforeach()
