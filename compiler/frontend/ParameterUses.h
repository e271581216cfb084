// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/ModuleIndex.h"

#include <map>
#include <string>
#include <string_view>

namespace tilescope::compiler::frontend {

/// What a kernel's body does with one parameter.
struct ParameterUse {
  bool isLoaded = false;
  bool isStored = false;
  /// Atomics take ints or floats; compare-and-swap only locks and counters.
  bool isLock = false;
  /// Its loaded values take part in addresses.
  bool yieldsIndices = false;
  /// Its loaded values are operands of `tl.dot`.
  bool feedsDot = false;
  /// Element type that stored values are cast to, e.g. `fp16`; empty when unknown.
  std::string storedAs;

  /// Combined with offsets, program ids, loop counters; a bound of `range`.
  bool inIndexMath = false;
  /// Combined with loaded or computed data.
  bool inDataMath = false;
  /// Extent of a block: `tl.arange`, `tl.zeros`, …
  bool isShape = false;
  bool isDType = false;
  bool isCondition = false;
  bool isCalled = false;
  bool isComparedWithNone = false;
  /// Combined in any arithmetic, or an argument of a call.
  bool isNumber = false;
  /// A string it is compared with; empty when none.
  std::string comparedString;

  bool isPointer() const { return isLoaded || isStored; }
};

/// By parameter name; every parameter has an entry. Follows local variables and calls of the file's
/// own
/// `@triton.jit` functions.
std::map<std::string, ParameterUse, std::less<>> analyzeUses(const ast::ModuleIndex &index,
                                                             const ast::JitFunction &kernel);

} // namespace tilescope::compiler::frontend
