// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace tilescope::native {

/// What decides the form of code for a processor.
struct Processor {
  /// Instruction set and system, as LLVM writes them.
  std::string triple;
  /// As LLVM calls it, such as "znver4".
  std::string name;
  /// Beyond those that the name says: `+avx512f`, `-avx512bf16`.
  std::vector<std::string> features;
  /// Of its widest vector registers.
  unsigned vectorBytes = 16;
  /// As `cpu::LoweringOptions` has it.
  bool pairsIntegers = false, pairsBf16 = false, tilesIntegers = false, tilesBf16 = false,
       hasAvx512 = false;
};

/// The one that this runs on, with what the system lets this process use of it.
Processor hostProcessor();

/// Of the last cache in front of the memory that a core of this machine uses, as much as all processors of this machine
/// may count on; a usual size where the system does not say it.
uint64_t lastCacheBytes();

/// Of a row of `kCpuTargets`.
Processor processorOf(std::string_view target);

/// Writes code for the processor. Null where LLVM was built without its instruction set. `isExact`: a product and a
/// sum keep both their roundings.
std::unique_ptr<llvm::TargetMachine> createMachine(const Processor &processor,
                                                   bool isExact = false);

} // namespace tilescope::native
