// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string>
#include <vector>

namespace llvm {
class DILocation;
class Module;
class TargetMachine;
} // namespace llvm

namespace tilescope::native {

/// Code as a person reads it: instructions, labels and constants, without what assemblers need for
/// debuggers and for unwinding.
struct Assembly {
  std::string text;
  /// The place of each line's instruction, with those that it was inlined at; null: none.
  std::vector<const llvm::DILocation *> places;
};

/// The code of a module that needs nothing more but code generation; empty where there is none. The
/// module is not changed.
Assembly printAssembly(const llvm::Module &module, llvm::TargetMachine &machine);

} // namespace tilescope::native
