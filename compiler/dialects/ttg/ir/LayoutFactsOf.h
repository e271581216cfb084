// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/LayoutFacts.h"
#include "compiler/layout/LinearLayout.h"

#include "mlir/IR/Operation.h"

#include <vector>

namespace tilescope::ttg {

/// The names of values in the text of a module, and where they are.
struct LayoutPlaces {
  /// `%12`, `%x_ptr`.
  llvm::function_ref<std::string(mlir::Value)> nameOf;
  llvm::function_ref<std::string(mlir::Type)> textOf;
  /// Line of the text that defines the value, from 0.
  llvm::function_ref<uint32_t(mlir::Value)> lineOf;
  /// What the value came from; an empty range when that is unknown.
  llvm::function_ref<SourceRange(mlir::Value)> sourceOf;
};

/// The layouts of all blocks and buffers under `root` that carry an encoding, in the order of the
/// text.
std::vector<compiler::LayoutFacts> layoutFactsOf(mlir::Operation *root, const LayoutPlaces &places);

/// A layout as plain numbers, for a tensor of this rank.
std::vector<compiler::LayoutBases> basesOf(const compiler::LinearLayout &layout, int rank);
/// The layout of a block or buffer; empty where there is none.
std::vector<compiler::LayoutBases> basesOf(mlir::Type type);

} // namespace tilescope::ttg
