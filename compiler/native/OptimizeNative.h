// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace tilescope::native {

/// Runs LLVM's optimizer. Loops are vector code already: nothing looks for more of it.
void optimizeNative(llvm::Module &module, llvm::TargetMachine &machine);

/// The module's code as assembly. The module is not changed.
std::string printAssembly(const llvm::Module &module, llvm::TargetMachine &machine);

} // namespace tilescope::native
