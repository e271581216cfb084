// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/RealConstant.h"

#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilescope::compiler {

std::optional<double> realConstant(Value value) {
  while (auto splat = value.getDefiningOp<tt::SplatOp>())
    value = splat.getSrc();
  DenseElementsAttr elements;
  FloatAttr number;
  if (matchPattern(value, m_Constant(&elements)) && elements.isSplat() &&
      isa<FloatType>(elements.getElementType()))
    return elements.getSplatValue<APFloat>().convertToDouble();
  if (matchPattern(value, m_Constant(&number)))
    return number.getValueAsDouble();
  return std::nullopt;
}

std::optional<double> numberConstant(Value value) {
  while (auto splat = value.getDefiningOp<tt::SplatOp>())
    value = splat.getSrc();
  APInt number;
  return matchPattern(value, m_ConstantInt(&number)) ? std::optional(double(number.getSExtValue()))
                                                     : realConstant(value);
}

} // namespace tilescope::compiler
