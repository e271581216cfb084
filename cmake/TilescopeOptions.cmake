# SPDX-License-Identifier: GPL-3.0-or-later
# Build options and the flags that every target shares.

option(TILESCOPE_BUILD_TESTS "Build unit, lit, GUI and end-to-end tests" ON)
option(TILESCOPE_BUILD_BENCHMARKS "Build the benchmarks under tests/bench" ON)
option(TILESCOPE_FUZZERS "Build tests/fuzz as libFuzzer programs (needs clang)" OFF)
option(TILESCOPE_STATIC_LLVM "Link LLVM and MLIR from their archives" OFF)
option(TILESCOPE_WARNINGS_AS_ERRORS "Fail on compiler warnings" OFF)
set(TILESCOPE_SANITIZERS "" CACHE STRING "Value for -fsanitize=, empty for none")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

# One interface target carries what every target compiles with.
add_library(tilescope_flags INTERFACE)
target_include_directories(tilescope_flags INTERFACE
  "${CMAKE_SOURCE_DIR}" "${CMAKE_BINARY_DIR}")
target_compile_options(tilescope_flags INTERFACE
  # Libraries and programs alike, so that they can share precompiled headers.
  -fPIC
  -Wall -Wextra -Wno-unused-parameter -fno-omit-frame-pointer)
if(TILESCOPE_WARNINGS_AS_ERRORS)
  # libstdc++ 12 itself uses what it has deprecated (std::get_temporary_buffer in std::stable_sort).
  target_compile_options(tilescope_flags INTERFACE -Werror -Wno-error=deprecated-declarations)
endif()
# Ends the limits of time of tests: sanitized programs may take ten times as long.
set(TILESCOPE_TENFOLD "")
if(TILESCOPE_SANITIZERS)
  set(TILESCOPE_TENFOLD "0")
  target_compile_options(tilescope_flags INTERFACE -fsanitize=${TILESCOPE_SANITIZERS})
  target_link_options(tilescope_flags INTERFACE -fsanitize=${TILESCOPE_SANITIZERS})
endif()
if(TILESCOPE_FUZZERS)
  # Counts what an input reaches, in all our code, and ends at what a sanitizer finds: a fuzzer keeps only what fails.
  target_compile_options(tilescope_flags INTERFACE -fsanitize=fuzzer-no-link -fno-sanitize-recover=all)
  target_link_options(tilescope_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Keeps precompiled headers equal between builds, so that ccache can reuse what was built on them.
  target_compile_options(tilescope_flags INTERFACE -Xclang -fno-pch-timestamp)
endif()

find_program(TILESCOPE_MOLD mold)
if(TILESCOPE_MOLD)
  target_link_options(tilescope_flags INTERFACE -fuse-ld=mold)
endif()
find_program(TILESCOPE_CCACHE ccache)
if(TILESCOPE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
      CCACHE_DEPEND=true
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime,system_headers
      "${TILESCOPE_CCACHE}")
endif()
