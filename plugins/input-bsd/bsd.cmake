# SPDX-License-Identifier: Apache-2.0
# What both BSD readers are made of; each includes this file, whichever comes first.
if(NOT TARGET bsd_profiles)
  set(bsd_folder "${CMAKE_CURRENT_LIST_DIR}")
  add_library(bsd_profiles STATIC "${bsd_folder}/layout.c" "${bsd_folder}/bsd.c")
  target_include_directories(bsd_profiles
    PUBLIC "${bsd_folder}" PRIVATE "${PROJECT_SOURCE_DIR}/include")
endif()
