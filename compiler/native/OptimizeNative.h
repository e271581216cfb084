// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string>
#include <vector>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace tilescope::native {

/// Says what the module's code is for: the machine, with vector registers of `vectorBytes`.
void prepareNative(llvm::Module &module, llvm::TargetMachine &machine, unsigned vectorBytes);

/// Runs LLVM's optimizer. Loops are vector code already: nothing looks for more of it.
void optimizeNative(llvm::Module &module, llvm::TargetMachine &machine);

/// The functions that can execute a program: those with a body that can be called from elsewhere.
std::vector<std::string> programSymbols(const llvm::Module &module);

} // namespace tilescope::native
