# SPDX-License-Identifier: Apache-2.0
# cmake -DFOLDER=page -DSKELETON=a.html -DMARKERS=title,data -DSTYLES=a.css,b.css -DSCRIPTS=a.js,b.js -DNAME=html_page
#       -DOUTPUT=page.c -P embed.cmake
#
# Writes a C file with the constant parts of a page, NAME_parts. The skeleton has markers, <!--word-->: those of styles,
# scripts and the policy are replaced here, and at the MARKERS, which it has in this order, the emitter writes.

cmake_minimum_required(VERSION 3.25)

string(REPLACE "," ";" markers "${MARKERS}")

# The word of a Content-Security-Policy that allows exactly this text.
function(find_hash result text)
  set(digits "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  string(SHA256 hex "${text}")
  # Three digits of 4 bits are two of 6; the padding of the last byte makes the last one "=".
  set(encoded "")
  foreach(at RANGE 0 63 3)
    string(SUBSTRING "${hex}00" ${at} 3 three)
    math(EXPR first "0x${three} >> 6")
    math(EXPR second "0x${three} & 63")
    string(SUBSTRING "${digits}" ${first} 1 first)
    string(SUBSTRING "${digits}" ${second} 1 second)
    string(APPEND encoded "${first}${second}")
  endforeach()
  string(SUBSTRING "${encoded}" 0 43 encoded)
  set(${result} "'sha256-${encoded}='" PARENT_SCOPE)
endfunction()

# All files of a list with commas, one after the other.
function(concatenate result names)
  string(REPLACE "," ";" names "${names}")
  set(all "")
  foreach(name IN LISTS names)
    file(READ "${FOLDER}/${name}" text)
    string(APPEND all "${text}")
  endforeach()
  # What a browser would take for the end of the text, or changes before it computes the hash.
  if(all MATCHES "</(script|style)|<!--|\r")
    message(FATAL_ERROR "${names}: '${CMAKE_MATCH_0}' cannot be embedded")
  endif()
  set(${result} "${all}" PARENT_SCOPE)
endfunction()

# Replaces a marker of the skeleton, of which there has to be one.
macro(replace_marker word text)
  string(FIND "${skeleton}" "<!--${word}-->" at)
  if(at LESS 0)
    message(FATAL_ERROR "${SKELETON}: expected <!--${word}-->")
  endif()
  string(REPLACE "<!--${word}-->" "${text}" skeleton "${skeleton}")
endmacro()

concatenate(styles "${STYLES}")
concatenate(scripts "${SCRIPTS}")
# Modules become one script.
string(REGEX REPLACE "(^|\n)import [^\n]*" "\\1" scripts "${scripts}")
string(REGEX REPLACE "(^|\n)export " "\\1" scripts "${scripts}")
if(scripts MATCHES "\n((import|export)[^a-zA-Z0-9_$][^\n]*)")
  message(FATAL_ERROR "cannot be concatenated: ${CMAKE_MATCH_1}")
endif()
# Comments and indentation are for those who change the sources.  Literals of several lines would lose theirs.
if(scripts MATCHES "`")
  message(FATAL_ERROR "a literal between backquotes can have several lines")
endif()
string(REGEX REPLACE "\n[\t ]*//[^\n]*" "" scripts "\n${scripts}")
string(REGEX REPLACE "/[*][^*]*[*]+([^/*][^*]*[*]+)*/" "" styles "${styles}")
string(REGEX REPLACE "\n[\t\n ]+" "\n" scripts "${scripts}")
string(REGEX REPLACE "\n[\t\n ]+" "\n" styles "\n${styles}")

string(CONCAT scripts "(() => {\n\"use strict\";\n" "${scripts}" "})();\n")

# All pages have the same head. What is before the body in the file of a body, its license, is no part of the page.
file(READ "${FOLDER}/head.html" head)
file(READ "${FOLDER}/${SKELETON}" skeleton)
string(FIND "${skeleton}" "<body" at)
string(SUBSTRING "${skeleton}" ${at} -1 skeleton)
string(PREPEND skeleton "${head}")
find_hash(style_hash "${styles}")
find_hash(script_hash "${scripts}")
string(CONCAT policy "default-src 'none'; script-src ${script_hash}; style-src ${style_hash}; img-src data:; "
  "base-uri 'none'; form-action 'none'")
replace_marker(policy "${policy}")

# A part of the page as a C array, and its row in the table of parts.  As a string, since tools that read the
# source take many minutes for a list of a quarter of a million numbers.
set(arrays "")
set(rows "")
set(count 0)
function(add_part text marker)
  string(HEX "${text}" bytes)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" bytes "${bytes}")
  string(REPEAT "." 96 line)
  string(REGEX REPLACE "(${line})" "\\1\"\n\"" bytes "${bytes}")
  string(APPEND arrays "static const unsigned char part_${count}[] =\n\"${bytes}\";\n\n")
  string(APPEND rows "\t{part_${count}, sizeof part_${count} - 1, ${marker}},\n")
  math(EXPR count "${count} + 1")
  set(arrays "${arrays}" PARENT_SCOPE)
  set(rows "${rows}" PARENT_SCOPE)
  set(count ${count} PARENT_SCOPE)
endfunction()

foreach(marker IN LISTS markers ITEMS end)
  string(FIND "${skeleton}" "<!--${marker}-->" at)
  if(marker STREQUAL end)
    set(text "${skeleton}")
  elseif(at LESS 0)
    message(FATAL_ERROR "${SKELETON}: expected <!--${marker}--> behind the markers before it")
  else()
    string(SUBSTRING "${skeleton}" 0 ${at} text)
    string(LENGTH "<!--${marker}-->" length)
    math(EXPR at "${at} + ${length}")
    string(SUBSTRING "${skeleton}" ${at} -1 skeleton)
  endif()
  # Texts of styles and scripts come in last: nothing in them is a marker.
  if(text MATCHES "<!--(styles|scripts)-->")
    string(REPLACE "<!--styles-->" "${styles}" text "${text}")
    string(REPLACE "<!--scripts-->" "${scripts}" text "${text}")
  endif()
  string(TOUPPER "PAGE_${marker}" word)
  add_part("${text}" ${word})
endforeach()

file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT
[[/* SPDX-License-Identifier: Apache-2.0 */
/* Made by embed.cmake. */
#include "page.h"

@arrays@const struct page_part @NAME@_parts[] = {
@rows@};

const size_t @NAME@_part_count = sizeof @NAME@_parts / sizeof @NAME@_parts[0];
]])
