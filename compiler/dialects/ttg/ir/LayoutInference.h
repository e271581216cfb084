// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tt/ir/LayoutInterface.h"

namespace tilescope::ttg {

/// Encodings of results from those of operands, for encodings of this dialect.
class LayoutInference : public tt::InferLayoutInterface {
public:
  using InferLayoutInterface::InferLayoutInterface;
  using Attribute = mlir::Attribute;
  using EmitError = tt::EmitError;

  mlir::FailureOr<Attribute> inferTrans(Attribute source, llvm::ArrayRef<int64_t> shape,
                                        llvm::ArrayRef<int32_t> order,
                                        EmitError emitError) const override;
  mlir::FailureOr<Attribute> inferReduce(Attribute source, unsigned axis,
                                         EmitError emitError) const override;
  mlir::FailureOr<Attribute> inferExpandDims(Attribute source, unsigned axis,
                                             EmitError emitError) const override;
  mlir::FailureOr<Attribute> inferReshape(Attribute source, llvm::ArrayRef<int64_t> sourceShape,
                                          llvm::ArrayRef<int64_t> resultShape,
                                          EmitError emitError) const override;
  mlir::FailureOr<Attribute> inferJoin(Attribute source, llvm::ArrayRef<int64_t> shape,
                                       EmitError emitError) const override;
  mlir::FailureOr<Attribute> inferSplit(Attribute source, llvm::ArrayRef<int64_t> shape,
                                        EmitError emitError) const override;
  mlir::FailureOr<Attribute> inferFp4ToFp(Attribute encoding, llvm::ArrayRef<int64_t> shape,
                                          int axis, bool forward,
                                          EmitError emitError) const override;
  mlir::LogicalResult verifyDotOperand(Attribute operand, unsigned operandIndex, Attribute result,
                                       EmitError emitError) const override;
  mlir::LogicalResult verifyDotOperands(mlir::Operation *dot, Attribute a,
                                        Attribute b) const override;
  bool areEquivalent(llvm::ArrayRef<int64_t> shape, Attribute a, Attribute b) const override;
  mlir::LogicalResult verifyTensorLayout(mlir::Operation *op,
                                         mlir::RankedTensorType type) const override;
};

} // namespace tilescope::ttg
