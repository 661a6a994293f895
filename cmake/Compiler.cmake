# SPDX-License-Identifier: Apache-2.0
# Language level, warnings, sanitizers: the same for every target of the tree.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_compile_definitions(_GNU_SOURCE)
add_compile_options(
  -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wconversion
  # Sums of doubles are part of the output: no fused multiply-add, no reordering.
  -ffp-contract=off)
if(GPROFX_WERROR)
  add_compile_options(-Werror)
endif()

if(GPROFX_SANITIZE)
  add_compile_options(-fsanitize=${GPROFX_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${GPROFX_SANITIZE})
else()
  add_link_options(-Wl,-z,relro -Wl,--as-needed)
endif()
