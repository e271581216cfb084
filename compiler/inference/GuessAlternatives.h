// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/inference/GuessOrigins.h"
#include "compiler/inference/SignatureInference.h"

#include <string>
#include <vector>

namespace tilescope::compiler::inference {

/// Another type or value for one parameter or for several at once.
struct Alternative {
  struct Change {
    std::string parameter;
    std::string text;
  };
  std::vector<Change> changes;
  /// Values of compile time instead of types.
  bool isConstant = false;
  /// Alternatives are tried from the lowest on.
  int rank = 0;
};

/// What to guess instead of `selection` when it fails with `error`, likeliest first: for the
/// parameters at `origins`, which are all that may be changed.
std::vector<Alternative> alternativesFor(const ast::ModuleIndex &index,
                                         const ast::JitFunction &kernel, const Selection &selection,
                                         const std::vector<Origin> &origins,
                                         const Diagnostic &error);

} // namespace tilescope::compiler::inference
