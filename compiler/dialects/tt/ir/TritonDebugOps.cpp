// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/tt/ir/Dialect.h"

using namespace mlir;

namespace tilescope::tt {

LogicalResult PrintOp::verify() {
  if (getArgs().size() != getIsSigned().size())
    return emitOpError("needs one entry of `isSigned` for each of its ")
           << getArgs().size() << " values";
  return success();
}

} // namespace tilescope::tt
