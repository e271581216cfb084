// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tm/ir/NodeName.h"

namespace tilescope::model {

/// A tensor that an operation makes and another one reads.
struct FusionEdge {
  mlir::Operation *from, *to;
  mlir::Value value;
  uint64_t bytes;

  /// Inside of a node there is nothing to tell, and reshapes belong to what makes their elements.
  bool isTold() const {
    return !mlir::isa<tm::ReshapeOp>(to) && tm::nodeName(from) != tm::nodeName(to);
  }
};

} // namespace tilescope::model
