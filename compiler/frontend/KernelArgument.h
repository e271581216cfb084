// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/frontend/Value.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope::compiler::frontend {

/// A parameter of the kernel, decided: a constant or a run-time argument.
struct KernelArgument {
  std::string name;
  SourceRange range;
  std::optional<Value> constant;
  /// Of a run-time argument. What hints exclude is gone from it.
  SignatureType entry;
  /// Of a tuple.
  std::vector<KernelArgument> items;
};

/// A parameter of the machine code. A tuple becomes several, and so does a descriptor.
struct KernelParameterLeaf {
  std::string name;
  ScalarType type;
  bool isDivisible = false;
};
std::vector<KernelParameterLeaf> leavesOf(const std::vector<KernelArgument> &arguments);

} // namespace tilescope::compiler::frontend
