// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Inline assembly on packs of consecutive elements. Narrow elements share 32-bit registers: with
// four i8 to a pack, one operand brings
//
//   $1 = e3 e2 e1 e0      (e0 in the low bits)
#pragma once

#include "compiler/interpreter/kernels/Element.h"
#include "compiler/ptx/PtxSnippet.h"

#include <cstddef>
#include <vector>

namespace tilescope::compiler::interpreter {

/// A value's registers, consecutive.
struct AssemblyOperand {
  Element element{};
  size_t firstRegister = 0;
  size_t numRegisters = 1;
  size_t elementsPerRegister = 1;
  /// The register of an output in which the value also comes; its own if there is none.
  size_t tiedTo = 0;
};

struct InlineAssembly {
  PtxSnippet snippet;
  size_t pack = 1;
  std::vector<AssemblyOperand> results;
  std::vector<AssemblyOperand> arguments;
};

/// How a value's elements are spread over registers, from register `first` on.
AssemblyOperand placeOperand(Element element, size_t pack, size_t first);

} // namespace tilescope::compiler::interpreter
