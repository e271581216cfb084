// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/Dialect.h"

using namespace mlir;

namespace tilescope::ttg {

LogicalResult PredicateStageOp::verify() {
  if (getStage() < 0 || getStage() > getMaxStage())
    return emitOpError("needs a stage from 0 to ") << getMaxStage() << ", not " << getStage();
  return success();
}

LogicalResult MaskOp::verifyRegions() {
  auto end = dyn_cast<MaskReturnOp>(getRegion().front().getTerminator());
  if (!end || end.getValues().getTypes() != getResultTypes())
    return emitOpError("must end with `ttg.mask.return` of values of its results' types");
  return success();
}

} // namespace tilescope::ttg
