// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/target/TargetSpec.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace tilescope::compiler {

/// What shapes the code beside the target itself.
struct CodegenOptions {
  TargetSpec target;
  /// Times ten; see `choosePtxVersion`.
  int ptxVersion = 80;
  /// Let a multiplication and an addition become one instruction with one rounding.
  bool fpFusion = true;
  /// Denormal numbers become zero inside libdevice's functions and in approximations.
  bool flushDenormalsInLibdevice = true;
};

/// Registers LLVM's NVPTX target and sets its options. Call once, before any other function here.
void initializeNvptx();

/// Never null for the targets of `parseTarget`.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(const CodegenOptions &options);

/// Sets triple, data layout and the module flags that steer libdevice; makes every function but the
/// kernels and those marked `noinline` private and inlined.
void prepareModule(llvm::Module &module, llvm::TargetMachine &machine,
                   const CodegenOptions &options);

/// Runs LLVM's optimizer. Inline assembly that threads execute together stays outside branches;
/// what has no side effects and reads neither memory nor clocks may move.
void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                    const CodegenOptions &options);

/// Runs the backend. Changes the module.
std::string emitPtx(llvm::Module &module, llvm::TargetMachine &machine);

/// Symbols of the module's kernels, in its order.
std::vector<std::string> kernelSymbols(const llvm::Module &module);

} // namespace tilescope::compiler
