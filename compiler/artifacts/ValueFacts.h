// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/SourceRange.h"

#include <string>

namespace tilescope::compiler {

/// What the frontend found out about one expression of the source: shown on hover and as inlay
/// hints.
struct ValueFacts {
  SourceRange range;
  /// In the words of the language, e.g. `fp32[128, 64]`, `constexpr int = 128`,
  /// `pointer<fp16>`.
  std::string type;
  /// The range is the target of an assignment: a place where an inlay hint may be shown.
  bool isDefinition = false;
  bool operator==(const ValueFacts &) const = default;
};

} // namespace tilescope::compiler
