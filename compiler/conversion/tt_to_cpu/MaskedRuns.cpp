// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/MaskedRuns.h"

#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tilescope::cpu {

/// Lanes of a register, where `type` takes several whole ones; else 0.
static int64_t lanesOfParts(VectorType type, unsigned registerBytes) {
  if (!type.getElementType().isIntOrFloat())
    return 0;
  const int64_t lanes = registerBytes * 8 / type.getElementTypeBitWidth();
  return lanes > 0 && type.getNumElements() > lanes && type.getNumElements() % lanes == 0 ? lanes
                                                                                          : 0;
}

/// The address of the element `index` behind `pointer`.
static Value behind(OpBuilder &b, Location loc, Value pointer, Type element, int64_t index) {
  return LLVM::GEPOp::create(b, loc, pointer.getType(), element, pointer,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
}

Value loadMaskedRun(OpBuilder &b, Location loc, Type type, Value pointer, Value mask, Value other,
                    unsigned alignment, unsigned registerBytes) {
  const auto run = cast<VectorType>(type);
  const auto load = [&](Type part, Value place, Value wanted, Value rest) -> Value {
    return LLVM::MaskedLoadOp::create(b, loc, part, place, wanted, rest,
                                      b.getI32IntegerAttr(static_cast<int32_t>(alignment)),
                                      /*nontemporal=*/UnitAttr());
  };
  const int64_t lanes = lanesOfParts(run, registerBytes);
  if (lanes == 0)
    return load(type, pointer, mask, other);
  const SmallVector<Value> masks = splitTile(b, loc, mask, lanes);
  const SmallVector<Value> rests = splitTile(b, loc, other, lanes);
  SmallVector<Value> parts;
  for (auto [i, wanted] : llvm::enumerate(masks))
    parts.push_back(load(rests[i].getType(),
                         behind(b, loc, pointer, run.getElementType(), int64_t(i) * lanes), wanted,
                         rests[i]));
  return joinTile(b, loc, parts);
}

void storeMaskedRun(OpBuilder &b, Location loc, Value value, Value pointer, Value mask,
                    unsigned alignment, unsigned registerBytes) {
  const auto run = cast<VectorType>(value.getType());
  const IntegerAttr aligned = b.getI32IntegerAttr(static_cast<int32_t>(alignment));
  const int64_t lanes = lanesOfParts(run, registerBytes);
  if (lanes == 0) {
    LLVM::MaskedStoreOp::create(b, loc, value, pointer, mask, aligned);
    return;
  }
  const SmallVector<Value> values = splitTile(b, loc, value, lanes);
  for (auto [i, wanted] : llvm::enumerate(splitTile(b, loc, mask, lanes)))
    LLVM::MaskedStoreOp::create(b, loc, values[i],
                                behind(b, loc, pointer, run.getElementType(), int64_t(i) * lanes),
                                wanted, aligned);
}

} // namespace tilescope::cpu
