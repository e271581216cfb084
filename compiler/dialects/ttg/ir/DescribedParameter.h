// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Parameters that the compiler adds to a kernel: how a tensor that it gets anyway is described to the unit that copies blocks.
//
//     kernel(a, b, out)      =>      kernel(a, b, out, a as blocks of 128 x 64, b as blocks of 64 x 64)
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"

#include <optional>
#include <vector>

namespace tilescope::ttg {

struct DescribedParameter {
  /// The parameter, by number, whose tensor it describes.
  unsigned base;
  std::vector<int64_t> extents;
};

/// The parameter that describes the tensor at `base`, of these extents, row by row, as `type`: one that is there, or a new one
/// behind all others.
mlir::Value describedParameter(mlir::BlockArgument base, llvm::ArrayRef<int64_t> extents,
                               tt::TensorDescType type, mlir::Location loc);
/// What a parameter of the function describes; nothing for those of the kernel's source.
std::optional<DescribedParameter> describedBy(tt::FuncOp function, unsigned parameter);

} // namespace tilescope::ttg
