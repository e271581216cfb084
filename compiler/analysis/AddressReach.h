// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "mlir/IR/Value.h"

#include <map>
#include <set>

namespace mlir {
class FunctionOpInterface;
}

namespace tilescope::compiler {

/// How a value grows with the sizes of a kernel's data.
struct Reach {
  /// Power of a size that bounds it: 0 for a constant or a block's range, 1 for a size, an index
  /// or a program's number, 2 for a row's number times a row's length.
  int degree = 0;
  /// Integer arguments, by number, that multiply a part of it and serve for nothing else.
  std::set<unsigned> strides;
  /// A part of it moves in steps of one.
  bool hasUnitStep = false;
  bool operator==(const Reach &) const = default;
};

/// The reach of the addresses that the kernel accesses through each pointer or descriptor
/// argument, by the argument's number.
std::map<unsigned, Reach> reachOfTensors(mlir::FunctionOpInterface kernel);

} // namespace tilescope::compiler
