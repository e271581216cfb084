# SPDX-License-Identifier: GPL-3.0-or-later
# Links LLVM and MLIR from their archives, so that the programs run where no LLVM is installed.
#
# The archives are named by path: the exported MLIR targets pull in the shared libLLVM, and mixing the
# two registers every LLVM option twice.

find_program(TILESCOPE_LLVM_CONFIG NAMES llvm-config-22 llvm-config
  HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)
execute_process(
  COMMAND "${TILESCOPE_LLVM_CONFIG}" --link-static --libfiles
          nvptx passes irreader asmparser bitreader bitwriter linker ipo target frontendopenmp
          frontendoffloading orcjit debuginfodwarf x86 aarch64
  OUTPUT_VARIABLE tilescope_llvm_archives OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(tilescope_llvm_archives)

get_property(tilescope_mlir_names GLOBAL PROPERTY MLIR_ALL_LIBS)
set(tilescope_mlir_archives)
foreach(name IN LISTS tilescope_mlir_names)
  if(EXISTS "${LLVM_LIBRARY_DIR}/lib${name}.a")
    list(APPEND tilescope_mlir_archives "${LLVM_LIBRARY_DIR}/lib${name}.a")
  endif()
endforeach()

# mold resolves archives in any order; the unused rest is dropped by section.
target_link_libraries(tilescope_llvm INTERFACE
  ${tilescope_mlir_archives} ${tilescope_llvm_archives} z zstd Threads::Threads ${CMAKE_DL_LIBS} m)
target_link_options(tilescope_llvm INTERFACE
  -Wl,--gc-sections -s -static-libstdc++ -static-libgcc)
