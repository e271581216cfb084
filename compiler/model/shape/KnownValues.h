// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tm/ir/Extents.h"

#include <vector>

namespace tilescope::model {

/// An element whose value follows from the extents of the inputs.
struct KnownElement {
  /// A whole number; null: `real` holds the value.
  tm::Extent whole;
  double real = 0;

  /// Its value as a number, where it is not symbolic.
  std::optional<double> value() const {
    if (!whole)
      return real;
    const auto number = tm::numberOf(whole);
    return number ? std::optional(double(*number)) : std::nullopt;
  }
};

/// All elements of a small tensor, rows first: what shapes are computed from.
using Known = std::vector<KnownElement>;

/// A tensor with more elements takes no part in the computation of shapes.
inline constexpr int64_t kMostKnown = 1024;

/// Nothing for tensors of more elements than `most`, and element types that are no numbers.
std::optional<Known> knownOf(mlir::ElementsAttr elements, int64_t most = kMostKnown);

/// The operation's result, if it follows from what is known of its operands (null: nothing is).
std::optional<Known> foldKnown(mlir::Operation *operation, llvm::ArrayRef<const Known *> operands,
                               int64_t most = kMostKnown);

/// The attribute of a `tm.constant`; null where an element is symbolic or out of the type's range.
mlir::ElementsAttr constantOf(const Known &known, mlir::RankedTensorType type);
/// The elements as those of a `tm.sizes`; empty where one of them is not a whole number.
llvm::SmallVector<tm::Extent> sizesOf(const Known &known);

/// The parts of `foldKnown`: operations that compute, and those that move elements.
std::optional<Known> foldPointwise(mlir::Operation *operation,
                                   llvm::ArrayRef<const Known *> operands);
std::optional<Known> foldMovement(mlir::Operation *operation,
                                  llvm::ArrayRef<const Known *> operands);

} // namespace tilescope::model
