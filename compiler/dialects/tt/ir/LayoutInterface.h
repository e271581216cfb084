// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How operations of `tt` find the encoding of their results, when blocks carry encodings.
//
// `tt` knows nothing about encodings: it asks the dialect that the encoding attribute belongs to,
// through this interface. Example: the result of a reduction along axis 1 of a block encoded `#p`
// is encoded
// `#ttg.slice<{dim = 1, parent = #p}>`; only the dialect of `#p` can say so.
#pragma once

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/Operation.h"

namespace tilescope::tt {

/// Makes the diagnostic to which a failing query adds its reason; may be null (stay silent).
using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

/// Each query takes encodings of the dialect that implements it, and fails where no encoding fits.
class InferLayoutInterface : public mlir::DialectInterface::Base<InferLayoutInterface> {
public:
  explicit InferLayoutInterface(mlir::Dialect *dialect) : Base(dialect) {}

  /// Result of permuting dimensions: result dimension i is source dimension order[i]. `shape` is
  /// the source's.
  virtual mlir::FailureOr<mlir::Attribute> inferTrans(mlir::Attribute source,
                                                      llvm::ArrayRef<int64_t> shape,
                                                      llvm::ArrayRef<int32_t> order,
                                                      EmitError emitError) const = 0;
  /// Result of removing the reduced `axis`.
  virtual mlir::FailureOr<mlir::Attribute> inferReduce(mlir::Attribute source, unsigned axis,
                                                       EmitError emitError) const = 0;
  /// Result of inserting an extent of 1 at `axis`.
  virtual mlir::FailureOr<mlir::Attribute> inferExpandDims(mlir::Attribute source, unsigned axis,
                                                           EmitError emitError) const = 0;
  /// Result of a reshape that moves no data between threads.
  virtual mlir::FailureOr<mlir::Attribute> inferReshape(mlir::Attribute source,
                                                        llvm::ArrayRef<int64_t> sourceShape,
                                                        llvm::ArrayRef<int64_t> resultShape,
                                                        EmitError emitError) const = 0;
  /// Result of a join, and of its inverse. `shape` is the source's.
  virtual mlir::FailureOr<mlir::Attribute>
  inferJoin(mlir::Attribute source, llvm::ArrayRef<int64_t> shape, EmitError emitError) const = 0;
  virtual mlir::FailureOr<mlir::Attribute>
  inferSplit(mlir::Attribute source, llvm::ArrayRef<int64_t> shape, EmitError emitError) const = 0;
  /// Result of unpacking two 4-bit floats per byte along `axis` (`forward`), or the source for a
  /// wanted result.
  virtual mlir::FailureOr<mlir::Attribute> inferFp4ToFp(mlir::Attribute encoding,
                                                        llvm::ArrayRef<int64_t> shape, int axis,
                                                        bool forward,
                                                        EmitError emitError) const = 0;

  /// Whether `operand` may be factor `operandIndex` (0 or 1) of a dot whose result has `result`.
  virtual mlir::LogicalResult verifyDotOperand(mlir::Attribute operand, unsigned operandIndex,
                                               mlir::Attribute result,
                                               EmitError emitError) const = 0;
  /// Whether the encodings of a dot's two factors fit each other.
  virtual mlir::LogicalResult verifyDotOperands(mlir::Operation *dot, mlir::Attribute a,
                                                mlir::Attribute b) const = 0;
  /// Whether two encodings place every element of `shape` alike, though they may be written
  /// differently.
  virtual bool areEquivalent(llvm::ArrayRef<int64_t> shape, mlir::Attribute a,
                             mlir::Attribute b) const = 0;
  /// Whether a block type may occur at `op` (its encoding fits the rank, the number of warps, …).
  virtual mlir::LogicalResult verifyTensorLayout(mlir::Operation *op,
                                                 mlir::RankedTensorType type) const = 0;
};

/// The interface of an encoding's dialect, or null (no encoding, or a dialect without it).
const InferLayoutInterface *getInferLayoutInterface(mlir::Attribute encoding);

/// Equal types, or block types that differ only in equivalent encodings.
bool areCompatibleTypes(mlir::Type a, mlir::Type b);

} // namespace tilescope::tt
