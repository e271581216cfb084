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
#include <span>
#include <string>
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

/// An operation with assembly, as the kernel has it.
struct AssemblySource {
  std::string text, constraints;
  /// Elements that it is executed for at a time.
  size_t pack = 1;
  std::vector<Element> results, arguments;
};

struct InlineAssembly {
  /// Why it cannot be executed; empty: it can.
  std::string error;
  PtxSnippet snippet;
  size_t pack = 1;
  std::vector<AssemblyOperand> results;
  std::vector<AssemblyOperand> arguments;
};

InlineAssembly parseInlineAssembly(const AssemblySource &source);

/// Executes it, without error, for `count` elements of each argument, as blocks hold them.
void runAssembly(const InlineAssembly &assembly, std::span<std::byte *const> results,
                 std::span<const std::byte *const> arguments, size_t count);

} // namespace tilescope::compiler::interpreter
