# SPDX-License-Identifier: GPL-3.0-or-later
# Builds that compile several files at once (CMAKE_UNITY_BUILD): most of the time to compile one of our files goes into
# headers that its neighbours parse, too.

# tilescope_compile_apart(a.cpp...)
# Leaves these out: names that are local to them are local to others of their target, too.
function(tilescope_compile_apart)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# Groups the sources of every target in FOLDER and below, COUNT at a time in their order, but for generated ones. A group keeps its files when one
# of another is left out, which CMake's own batches do not: each of those behind it would be compiled again.
function(tilescope_compile_together folder count)
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    get_target_property(sources ${target} SOURCES)
    if(NOT type MATCHES "LIBRARY|EXECUTABLE" OR NOT sources)
      continue()
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    set(index 0)
    foreach(source ${sources})
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${folder}")
      cmake_path(IS_PREFIX CMAKE_BINARY_DIR "${source}" is_generated)
      if(NOT is_generated)
        math(EXPR group "${index} / ${count}")
        set_source_files_properties("${source}" TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group})
      endif()
      math(EXPR index "${index} + 1")
    endforeach()
  endforeach()
  get_property(below DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(each ${below})
    tilescope_compile_together("${each}" ${count})
  endforeach()
endfunction()
