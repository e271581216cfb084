// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace mlir {
class ModuleOp;
}

namespace tilescope::native {

/// Executes one program; `compiler/conversion/tt_to_cpu` says with what.
using Program = void (*)(const uint64_t *arguments, const int32_t *launch, std::byte *scratch);

/// What decides the form of code for the processor that this runs on.
struct Processor {
  /// As LLVM calls it, such as "znver4".
  std::string name;
  /// Of its widest vector registers.
  unsigned vectorBytes = 16;
};

Processor hostProcessor();

/// Forms of a kernel on its way, made if asked for.
struct NativeTexts {
  bool areWanted = false;
  std::string cpuIr, llvmIr, assembly;
};

/// A kernel in memory, ready to be called. The code lives as long as one of these does.
class NativeKernel {
public:
  /// Lowers the only public function of a module of TTIR. Where an operation has no lowering, errors
  /// are emitted at the operations, and the result is an error that says so.
  static Result<NativeKernel> compile(mlir::ModuleOp ttir, bool argumentsOverlap,
                                      NativeTexts *texts = nullptr);

  Program program() const { return m_program; }
  /// Memory that each call needs for itself, aligned to 64 bytes.
  int64_t scratchBytes() const { return m_scratchBytes; }

private:
  std::shared_ptr<void> m_code;
  Program m_program = nullptr;
  int64_t m_scratchBytes = 0;
};

} // namespace tilescope::native
