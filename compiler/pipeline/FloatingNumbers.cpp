// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/FloatingNumbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilescope::compiler {

std::optional<double> constantOf(Operation *op) {
  llvm::APFloat value(0.0);
  if (!isa<arith::ConstantOp>(op) || !matchPattern(op, m_ConstantFloat(&value)) || value.isZero())
    return std::nullopt;
  bool losesInfo = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return value.convertToDouble();
}

bool hasFloats(tt::FuncOp kernel) {
  const auto isFloat = [](Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); };
  return kernel
      .walk([&](Operation *op) {
        const bool has = isa<tt::CallOp>(op) || llvm::any_of(op->getOperandTypes(), isFloat) ||
                         llvm::any_of(op->getResultTypes(), isFloat);
        return has ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace tilescope::compiler
