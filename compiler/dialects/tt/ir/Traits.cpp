// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/tt/ir/Traits.h"

#include "compiler/dialects/tt/ir/BlockSize.h"
#include "compiler/dialects/tt/ir/LayoutInterface.h"

#include "llvm/Support/MathExtras.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tilescope::tt::detail {

LogicalResult verifyBlock(Operation *op, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return success();
  if (!tensor.hasStaticShape())
    return op->emitOpError("has a block without a static shape: ") << tensor;
  // Extents may multiply to more than fits into a number.
  int64_t count = 1;
  for (int64_t extent : tensor.getShape())
    if (llvm::MulOverflow(count, extent, count))
      return op->emitOpError("has a block of more than 2^63 elements: ") << tensor;
  if (count > kMaxBlockElements)
    return op->emitOpError("has a block of ")
           << count << " elements: " << tensor << "; the most allowed is " << kMaxBlockElements;
  if (!llvm::isPowerOf2_64(count))
    return op->emitOpError("has a block whose number of elements is not a power of two: ")
           << tensor;
  if (const InferLayoutInterface *layouts = getInferLayoutInterface(tensor.getEncoding()))
    return layouts->verifyTensorLayout(op, tensor);
  return success();
}

LogicalResult verifyBlockSizes(Operation *op) {
  for (Type type : op->getOperandTypes())
    if (failed(verifyBlock(op, type)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(verifyBlock(op, type)))
      return failure();
  return success();
}

/// Fails at the first type, of an operand or a result, that `check` fails for.
static LogicalResult checkTypes(Operation *op, bool withResults,
                                llvm::function_ref<LogicalResult(Type)> check) {
  for (Type type : op->getOperandTypes())
    if (failed(check(type)))
      return failure();
  if (withResults)
    for (Type type : op->getResultTypes())
      if (failed(check(type)))
        return failure();
  return success();
}

LogicalResult verifySameEncoding(Operation *op, bool withResults) {
  RankedTensorType first;
  auto check = [&](Type type) -> LogicalResult {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return success();
    if (!first)
      first = tensor;
    Attribute encoding = first.getEncoding(), other = tensor.getEncoding();
    if (encoding == other)
      return success();
    const InferLayoutInterface *layouts = getInferLayoutInterface(encoding);
    // A block that is broadcast needs to lie as the result's encoding has it where the two meet.
    if (layouts && other && first.getRank() == tensor.getRank() &&
        layouts->areEquivalent(first.getShape(), encoding, other))
      return success();
    return op->emitOpError("requires the same encoding for all blocks, but has ")
           << first << " and " << tensor;
  };
  return checkTypes(op, withResults, check);
}

LogicalResult verifySameShape(Operation *op) {
  Type first;
  auto check = [&](Type type) -> LogicalResult {
    if (!first)
      first = type;
    auto a = dyn_cast<RankedTensorType>(first), b = dyn_cast<RankedTensorType>(type);
    if (static_cast<bool>(a) == static_cast<bool>(b) && (!a || a.getShape() == b.getShape()))
      return success();
    return op->emitOpError("requires the same shape for all operands and results, but has ")
           << first << " and " << type;
  };
  return checkTypes(op, true, check);
}

} // namespace tilescope::tt::detail
