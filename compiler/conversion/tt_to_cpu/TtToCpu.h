// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// From TTIR to code for processors: one function that executes one program of the grid.
//
// A block is not computed where it is defined. It is computed where its elements are needed, a few
// lanes at a time, inside the loops of what needs them:
//
//     %e = math.exp %x : tensor<1024xf32>        for j in 0 .. 1024 step 32:
//     %y = arith.addf %e, %b              ──►      %x32 = load x[j .. j+32]
//     tt.store %p, %y                              store p[j .. j+32], exp(%x32) + b[j .. j+32]
//
// docs/cpu.md describes the whole.
#pragma once

#include "compiler/interpreter/InlineAssembly.h"
#include "compiler/interpreter/OutsideFinding.h"
#include "compiler/interpreter/PrintText.h"

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tilescope::cpu {

/// Words of a launch: the number of the assertion that does not hold, from 1, and its first element
/// at fault; then an address for the functions that code calls (Calls.h).
inline constexpr int kFailedAssertionWord = 6, kFailedElementWord = 7, kCallsWord = 8,
                     kLaunchWords = 10;

/// One of a kernel's assertions.
struct Assertion {
  /// What a run says where it does not hold.
  std::string text;
  /// Of its condition's block; 1 where all elements are one value.
  int64_t numElements = 1;
  mlir::Location location;
};

/// A kernel's print; its values are without elements.
struct Print {
  std::string prefix;
  bool isHex = false;
  std::vector<compiler::interpreter::PrintedValue> values;
  mlir::Location location;
};

/// Inline assembly of a kernel.
struct Assembly {
  compiler::interpreter::AssemblySource source;
  int64_t numElements = 1;
};

struct LoweringOptions {
  /// Bytes of a vector register of the target.
  unsigned vectorBytes = 32;
  /// Arguments may share memory in other ways than by being equal.
  bool argumentsOverlap = false;
  /// Accesses outside of the arguments are left out and noted (OutsideRecords.h).
  bool checkBounds = false;
  /// With it: doubts about races and undefined values are noted (StoreMarks.h).
  bool noteDoubts = false;
  /// The interpreter's bits: sums in its order, and its functions where those of this target differ.
  bool isExact = false;
  /// The target has instructions of x86 that add products of pairs of integers of 16 bits, or of bf16.
  bool pairsIntegers = false, pairsBf16 = false;
  /// The target has instructions of x86 that multiply tiles of integers of 8 bits, or of bf16, and a process may use them.
  bool tilesIntegers = false, tilesBf16 = false;
  /// The target has AVX-512, and its vectors are as wide.
  bool hasAvx512 = false;
  /// Stores of whole lines of memory go past the caches (StreamedStores.h).
  bool streamsStores = false;
};

/// An access of a kernel whose bounds are checked.
struct CheckedAccess {
  compiler::interpreter::AccessedElement element;
  mlir::Location location;
};

/// Turns a module of TTIR into CPU IR: `func`, `scf`, `arith`, `math`, `vector`, and pointers of
/// `llvm`, as one function of the name that the module's only public function has.
///
/// The function is called once per program, as `void (const uint64_t *arguments, int32_t
/// *launch, std::byte *scratch)`: one word per argument (an address, or the bits of a scalar in its
/// low bytes), the program's index x, y, z and the grid's extents x, y, z, and memory for the blocks
/// that are kept. Where bounds are checked, a second word per argument follows behind the first ones,
/// the bytes of its memory, and the scratch begins with the records of OutsideRecords.h. Where doubts are
/// noted, a third word per argument is the address of its table of marks, for each argument that is stored to. Behind the
/// grid's extents are two words that an assertion that does not hold writes before it traps, and an address that the
/// functions of Calls.h need. Where
/// something is not supported, errors are emitted at the operations.
void addCpuIrPasses(mlir::OpPassManager &passes, const LoweringOptions &options);

/// Of CPU IR: the memory that a call needs for the blocks that are kept, aligned to 64 bytes.
int64_t scratchBytes(mlir::ModuleOp module);

/// Of CPU IR: the accesses whose bounds are checked, by number.
std::vector<CheckedAccess> checkedAccesses(mlir::ModuleOp module);

/// Of CPU IR: its assertions, by number less 1.
std::vector<Assertion> assertionsOf(mlir::ModuleOp module);

/// Of CPU IR: its prints and its inline assembly, by number.
std::vector<Print> printsOf(mlir::ModuleOp module);
std::vector<Assembly> assembliesOf(mlir::ModuleOp module);

/// Turns CPU IR into the LLVM dialect.
void addCpuToLlvmPasses(mlir::OpPassManager &passes);

} // namespace tilescope::cpu
