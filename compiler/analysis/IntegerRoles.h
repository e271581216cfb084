// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "mlir/IR/Value.h"

namespace tilescope::compiler {

/// What a kernel does with an integer that neither ends an index nor lies between elements.
enum class IntegerRole {
  Unused,
  /// It is added to indices alone, or taken from them, as a padding is.
  Offset,
  /// Loops end there, of which no address is made.
  Turns,
  /// Indices, masks or loops are made of it in another way: nothing says what it stands for.
  PartOfIndex,
  /// It takes part in what is computed.
  Data,
};

IntegerRole roleOf(mlir::BlockArgument argument);

/// What a launch passes for it: offsets are zero, the rest is small, and loops turn more than twice.
const char *usualValue(IntegerRole role);

} // namespace tilescope::compiler
