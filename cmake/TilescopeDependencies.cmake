# SPDX-License-Identifier: GPL-3.0-or-later
# The packages the project builds on; docs/dependencies.md says why each.

find_package(Threads REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus QUIET)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(cereal REQUIRED)
find_package(ICU REQUIRED COMPONENTS uc)
set(Protobuf_USE_STATIC_LIBS ${TILESCOPE_STATIC_LLVM})
find_package(Protobuf 3.21 REQUIRED)

# Debian's configuration of libzip asks for its programs, too, and the others have none.
foreach(library IN ITEMS zip md4c-html dw elf)
  string(REPLACE "-" "_" target "${library}")
  find_path(${target}_include NAMES ${library}.h lib${library}.h elfutils/lib${library}.h REQUIRED)
  find_library(${target}_library NAMES ${library} REQUIRED)
  add_library(${target} UNKNOWN IMPORTED)
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION "${${target}_library}"
    INTERFACE_INCLUDE_DIRECTORIES "${${target}_include}")
endforeach()

# The version file of the package requires the minor number.
find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22)
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
set(MLIR_TABLEGEN_EXE mlir-tblgen)
include(TableGen)
include(AddLLVM)
include(AddMLIR)

add_library(tilescope_llvm INTERFACE)
target_include_directories(tilescope_llvm SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
target_compile_definitions(tilescope_llvm INTERFACE ${LLVM_DEFINITIONS_LIST})
if(TILESCOPE_STATIC_LLVM)
  include(TilescopeStaticLLVM)
else()
  target_link_libraries(tilescope_llvm INTERFACE MLIR LLVM)
endif()

find_package(Qt6 6.4 QUIET COMPONENTS Core Gui Widgets Svg PrintSupport Network)
find_path(QSCINTILLA_INCLUDE_DIR Qsci/qsciscintilla.h
  PATH_SUFFIXES qt6 x86_64-linux-gnu/qt6 aarch64-linux-gnu/qt6)
find_library(QSCINTILLA_LIBRARY NAMES qscintilla2_qt6)
if(Qt6_FOUND AND QSCINTILLA_INCLUDE_DIR AND QSCINTILLA_LIBRARY)
  set(TILESCOPE_WITH_QT ON)
  add_library(QScintilla UNKNOWN IMPORTED)
  set_target_properties(QScintilla PROPERTIES
    IMPORTED_LOCATION "${QSCINTILLA_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${QSCINTILLA_INCLUDE_DIR}")
  # What every target that uses Qt compiles with; one set, so that they can share a precompiled header.
  add_library(tilescope_qt INTERFACE)
  target_link_libraries(tilescope_qt INTERFACE
    Qt6::Core Qt6::Gui Qt6::Widgets Qt6::Svg Qt6::PrintSupport)
  target_compile_definitions(tilescope_qt INTERFACE
    # MLIR has methods named emit; literals are marked as UTF-16 or translated on purpose.
    QT_NO_KEYWORDS QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII)
else()
  set(TILESCOPE_WITH_QT OFF)
  message(STATUS "Qt 6 or QScintilla not found: building the compiler and the command line only "
                 "(packages: qt6-base-dev qt6-svg-dev libqscintilla2-qt6-dev)")
endif()

# Only headers are needed: driver, CUPTI and nvJitLink are opened at run time.
find_path(TILESCOPE_CUDA_INCLUDE_DIR cuda.h HINTS /usr/local/cuda/include ENV CUDA_HOME PATH_SUFFIXES include)
find_path(TILESCOPE_CUPTI_INCLUDE_DIR cupti_range_profiler.h
  HINTS ${TILESCOPE_CUDA_INCLUDE_DIR} /usr/local/cuda/extras/CUPTI/include)
if(TILESCOPE_CUDA_INCLUDE_DIR AND TILESCOPE_CUPTI_INCLUDE_DIR)
  set(TILESCOPE_WITH_CUDA ON)
else()
  set(TILESCOPE_WITH_CUDA OFF)
  message(STATUS "CUDA Toolkit headers not found: building without GPU execution "
                 "(what provides them: the CUDA Toolkit 13, or 12.6 and later)")
endif()
