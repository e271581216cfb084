// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operations that one kernel computes together, its form chosen by what they are:
//
//   conv, relu, add            an anchor with an epilogue: the convolution's tile goes through both
//   sub, exp, reduce sum, div  rows: a program holds one and combines it on the way
//   mul, add, transpose        an element for each place of the results
#pragma once

#include "compiler/model/emit/EmittedKernel.h"

namespace tilescope::model {

struct Group {
  /// In the order of the model.
  std::vector<mlir::Operation *> operations;

  bool contains(mlir::Operation *operation) const;
  /// Results that others use, without reshapes of them: memory is the same. Not those that nothing
  /// inside computes.
  std::vector<mlir::Value> outputs() const;
};

/// A kernel, or why there is none.
struct GroupKernel {
  std::optional<EmittedKernel> kernel;
  std::string reason;
};

/// All shapes are numbers. Without a kernel and without a reason there is nothing to compute.
GroupKernel emitGroup(const Group &group);

/// A group is rows where it reduces, and its rows are short enough or are combined piece by piece.
GroupKernel emitRows(const Group &group);

} // namespace tilescope::model
