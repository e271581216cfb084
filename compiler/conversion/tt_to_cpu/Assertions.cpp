// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Assertions. One that does not hold leaves its number and the element in the words of the launch, and
// ends the program by a trap.
#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tilescope::cpu {

/// Nothing of it may be left out, although no code reads it.
static void storeLaunchWord(OpBuilder &b, Location loc, Value launch, int64_t index, Value value) {
  Value number = arith::ConstantIntOp::create(b, loc, index, 64);
  LLVM::StoreOp::create(b, loc, value, elementAddress(b, loc, launch, number, b.getI32Type()),
                        /*alignment=*/4, /*isVolatile=*/true);
}

void KernelLowering::failUnless(Value holds, Value element, int64_t number) {
  OpBuilder &b = m_builder;
  Value one = arith::ConstantIntOp::create(b, m_loc, 1, 1);
  Value fails = arith::XOrIOp::create(b, m_loc, holds, one);
  scf::IfOp::create(b, m_loc, fails, [&](OpBuilder &b, Location loc) {
    storeLaunchWord(b, loc, m_launch, kFailedElementWord, element);
    storeLaunchWord(b, loc, m_launch, kFailedAssertionWord,
                    arith::ConstantIntOp::create(b, loc, number, 32));
    LLVM::Trap::create(b, loc);
    scf::YieldOp::create(b, loc);
  });
}

/// The number of the first lane that is false; that of all lanes where none is.
static Value firstFalse(OpBuilder &b, Location loc, Value lanes) {
  const int64_t count = lanesOf(lanes);
  Value index = ramp(b, loc, arith::ConstantIntOp::create(b, loc, 0, 32), 1, count);
  Value none = integerLike(b, loc, index, count);
  Value candidates = arith::SelectOp::create(b, loc, lanes, none, index);
  return vector::ReductionOp::create(b, loc, vector::CombiningKind::MINUI, candidates);
}

/// Along the last dimension, so that the tile that fails first has the first element that does.
static Lanes lastLanes(ArrayRef<int64_t> shape, int64_t most) {
  if (shape.empty() || shape.back() == 1)
    return {};
  return {static_cast<int>(shape.size()) - 1, std::min(most, shape.back())};
}

void KernelLowering::lowerAssert(tt::AssertOp assertion) {
  OpBuilder &b = m_builder;
  m_numbered.assertions.push_back(assertion);
  const auto number = static_cast<int64_t>(m_numbered.assertions.size());
  Value condition = assertion.getCondition();
  auto type = dyn_cast<RankedTensorType>(condition.getType());
  if (!type)
    return failUnless(scalar(condition), arith::ConstantIntOp::create(b, m_loc, 0, 32), number);
  SmallVector<int64_t> strides(type.getRank(), 1);
  for (int64_t dim = type.getRank() - 1; dim > 0; --dim)
    strides[dim - 1] = strides[dim] * type.getDimSize(dim);
  forEachTile(type.getShape(), lastLanes(type.getShape(), lanesPerTile()), {condition}, [&] {
    const Place &place = m_nest->place();
    Value holds = at(condition, place);
    Value element = arith::TruncIOp::create(b, m_loc, b.getI32Type(),
                                            scaledSum(b, m_loc, place.indices, strides));
    if (lanesOf(holds) > 0) {
      element = arith::AddIOp::create(b, m_loc, element, firstFalse(b, m_loc, holds));
      holds = vector::ReductionOp::create(b, m_loc, vector::CombiningKind::AND, holds);
    }
    failUnless(holds, element, number);
  });
}

} // namespace tilescope::cpu
