// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class MemoryBuffer;
class Module;
} // namespace llvm

namespace tilescope::compiler {

/// NVIDIA's library of math functions as LLVM bitcode, read from disk once.
class Libdevice {
public:
  /// `path` may be empty: the library is missing on this machine.
  explicit Libdevice(std::string path);
  ~Libdevice();

  /// Links the functions that the module calls and does not define, and makes them private. Does
  /// nothing when the module needs none. The error names the functions that stay unresolved.
  Status linkInto(llvm::Module &module);

private:
  std::string m_path;
  std::unique_ptr<llvm::MemoryBuffer> m_bitcode;
};

/// The `__nv_*` functions that the module declares and calls.
std::vector<std::string> unresolvedLibdeviceFunctions(const llvm::Module &module);

} // namespace tilescope::compiler
