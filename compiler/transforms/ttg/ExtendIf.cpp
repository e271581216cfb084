// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/transforms/ttg/ExtendIf.h"

using namespace mlir;

namespace tilescope::ttg {

scf::IfOp withOneMoreResult(scf::IfOp branch, Type type) {
  OpBuilder builder(branch);
  SmallVector<Type> types(branch.getResultTypes());
  types.push_back(type);
  auto extended = scf::IfOp::create(builder, branch.getLoc(), types, branch.getCondition());
  extended->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
  extended.getThenRegion().takeBody(branch.getThenRegion());
  extended.getElseRegion().takeBody(branch.getElseRegion());
  return extended;
}

} // namespace tilescope::ttg
