# SPDX-License-Identifier: GPL-3.0-or-later
# The few functions with which every CMakeLists.txt of the project declares its targets.

# tilescope_add_library(NAME SOURCES a.cpp... [PUBLIC libs...] [PRIVATE libs...] [MLIR | QT] [DEPENDS targets...])
# A static library. With MLIR it compiles against LLVM and MLIR and shares their precompiled header;
# with QT against Qt, likewise; without both it shares the one of the standard library.
function(tilescope_add_library name)
  cmake_parse_arguments(ARG "MLIR;QT" "" "SOURCES;PUBLIC;PRIVATE;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC tilescope_flags ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  if(ARG_MLIR)
    tilescope_use_mlir(${name})
  endif()
  if(ARG_QT)
    tilescope_use_qt(${name})
  endif()
  if(NOT ARG_MLIR AND NOT ARG_QT)
    target_precompile_headers(${name} REUSE_FROM tilescope_standard_pch)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# Compiles a target against LLVM and MLIR, reusing the one precompiled header.
function(tilescope_use_mlir name)
  target_link_libraries(${name} PRIVATE tilescope_llvm)
  target_precompile_headers(${name} REUSE_FROM tilescope_mlir_pch)
endfunction()

# tilescope_add_tablegen(TARGET input.td output.inc generator-flags...)
# Declares one generated file in the current binary folder; TARGET collects them.
function(tilescope_add_tablegen target input output)
  set(LLVM_TARGET_DEFINITIONS ${input})
  mlir_tablegen(${output} ${ARGN} EXTRA_INCLUDES "${CMAKE_SOURCE_DIR}" ${MLIR_INCLUDE_DIRS})
  set_property(GLOBAL APPEND PROPERTY TILESCOPE_TABLEGEN_${target}
    "${CMAKE_CURRENT_BINARY_DIR}/${output}")
endfunction()

# Call once after the tilescope_add_tablegen lines of TARGET.
function(tilescope_finish_tablegen target)
  get_property(outputs GLOBAL PROPERTY TILESCOPE_TABLEGEN_${target})
  add_custom_target(${target} DEPENDS ${outputs})
endfunction()

# tilescope_add_executable(NAME SOURCES a.cpp... [PRIVATE libs...] [MLIR])
function(tilescope_add_executable name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;PRIVATE" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE tilescope_flags ${ARG_PRIVATE})
  if(ARG_MLIR)
    tilescope_use_mlir(${name})
  endif()
endfunction()

# Tests are not optimized, which halves the time to compile them; what they test is.
function(tilescope_compile_as_test name)
  target_compile_options(${name} PRIVATE -O0)
endfunction()

# tilescope_add_unit_test(NAME SOURCES a.cpp... [PRIVATE libs...] [MLIR] [LABELS labels...])
# A Catch2 program and the CTest entry that runs it.
function(tilescope_add_unit_test name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;PRIVATE;LABELS" ${ARGN})
  tilescope_add_executable(${name} SOURCES ${ARG_SOURCES} PRIVATE ${ARG_PRIVATE} tilescope_catch_main)
  tilescope_compile_as_test(${name})
  if(ARG_MLIR)
    target_link_libraries(${name} PRIVATE tilescope_llvm)
    target_precompile_headers(${name} REUSE_FROM tilescope_mlir_test_pch)
  else()
    target_precompile_headers(${name} REUSE_FROM tilescope_catch_main)
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "unit;${ARG_LABELS}" TIMEOUT 600${TILESCOPE_TENFOLD})
endfunction()

# tilescope_add_benchmark(NAME SOURCES a.cpp... [PRIVATE libs...] [MLIR])
# A Google Benchmark program.
function(tilescope_add_benchmark name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;PRIVATE" ${ARGN})
  if(ARG_MLIR)
    set(mlir MLIR)
  endif()
  tilescope_add_executable(${name} SOURCES ${ARG_SOURCES}
    PRIVATE ${ARG_PRIVATE} benchmark::benchmark_main ${mlir})
endfunction()

function(tilescope_use_moc name)
  # moc cannot read libstdc++'s <concepts>: defining its include guard leaves it out.
  set_target_properties(${name} PROPERTIES AUTOMOC ON AUTOMOC_MOC_OPTIONS "-D_GLIBCXX_CONCEPTS")
endfunction()

# Compiles a target against Qt, with moc, reusing the one precompiled header of Qt code.
function(tilescope_use_qt name)
  target_link_libraries(${name} PUBLIC tilescope_qt)
  tilescope_use_moc(${name})
  target_precompile_headers(${name} REUSE_FROM tilescope_qt_pch)
endfunction()

# tilescope_add_gui_test(NAME [TIMED] SOURCES a.cpp... [PRIVATE libs...])
# A Catch2 program with a QApplication on the offscreen platform, and the CTest entry that runs it.
# TIMED: tests tagged [timed] have their own entry that runs alone, for what runs beside them
# would be measured, too.
function(tilescope_add_gui_test name)
  cmake_parse_arguments(ARG "TIMED" "" "SOURCES;PRIVATE" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_PRIVATE} tilescope_gui_test_main)
  tilescope_use_moc(${name})
  tilescope_compile_as_test(${name})
  target_precompile_headers(${name} REUSE_FROM tilescope_gui_test_main)
  add_test(NAME ${name} COMMAND ${name} "~[timed]")
  set_tests_properties(${name} PROPERTIES LABELS "gui" TIMEOUT 1800${TILESCOPE_TENFOLD}
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
  if(ARG_TIMED)
    add_test(NAME ${name}_timed COMMAND ${name} "[timed]")
    set_tests_properties(${name}_timed PROPERTIES LABELS "gui" TIMEOUT 1800${TILESCOPE_TENFOLD} RUN_SERIAL TRUE
      ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
  endif()
endfunction()

# tilescope_add_lit_suite(NAME [DEPENDS targets...] [LABELS labels...])
# A CTest entry that runs every lit test below the current source folder. Tests run programs by name:
# those of DEPENDS, and FileCheck, not and split-file of LLVM.
function(tilescope_add_lit_suite name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LABELS" ${ARGN})
  set(TILESCOPE_LIT_SUITE_NAME ${name})
  set(TILESCOPE_LIT_SOURCE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  configure_file("${CMAKE_SOURCE_DIR}/tests/lit/lit.site.cfg.py.in"
                 "${CMAKE_CURRENT_BINARY_DIR}/lit.site.cfg.py" @ONLY)
  find_program(TILESCOPE_LIT NAMES lit HINTS ${LLVM_TOOLS_BINARY_DIR} /usr/lib/llvm-22/bin NO_DEFAULT_PATH REQUIRED)
  add_test(NAME ${name} COMMAND ${TILESCOPE_PYTHON} "${TILESCOPE_LIT}" -sv -j 2 "${CMAKE_CURRENT_BINARY_DIR}")
  set_tests_properties(${name} PROPERTIES LABELS "lit;${ARG_LABELS}" TIMEOUT 600${TILESCOPE_TENFOLD})
  # What the tests run is built with everything else.
  add_custom_target(${name}_programs ALL DEPENDS ${ARG_DEPENDS})
endfunction()
