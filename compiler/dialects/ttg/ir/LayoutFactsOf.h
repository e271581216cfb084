// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/LayoutFacts.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Operation.h"

#include <vector>

namespace tilescope::ttg {

/// How the places of a printed module are found.
struct LayoutPlaces {
  /// The state with which the module was printed: values have their names from it.
  mlir::AsmState &names;
  /// Where the operation was printed: line and column, from 1. May lack operations.
  const mlir::AsmState::LocationMap &lines;
  /// The source that a location stands for.
  llvm::function_ref<SourceRange(mlir::Location)> sourceOf;
};

/// The layouts of all blocks and buffers under `root` that carry an encoding, in the order of the
/// text.
std::vector<compiler::LayoutFacts> layoutFactsOf(mlir::Operation *root, const LayoutPlaces &places);

/// A layout as plain numbers, for a tensor of this rank.
std::vector<compiler::LayoutBases> basesOf(mlir::Type type);

} // namespace tilescope::ttg
