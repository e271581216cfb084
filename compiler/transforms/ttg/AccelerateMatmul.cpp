// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Lays dots out for matrix instructions.
//
//   tt.dot %a, %b, %c : #dot_op<0, #blocked> * #dot_op<1, #blocked> -> #blocked
//
//   %a1 = convert %a : #dot_op<0, #mma>
//   %b1 = convert %b : #dot_op<1, #mma>
//   %c1 = convert %c : #mma
//   %d1 = tt.dot %a1, %b1, %c1 : … -> #mma
//   %d  = convert %d1 : #blocked
#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/dialects/ttg/ir/MatrixInstruction.h"
#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/transforms/ttg/LayoutTransfer.h"
#include "compiler/transforms/ttg/Passes.h"
#include "compiler/transforms/ttg/SplitDot.h"
#include "compiler/transforms/ttg/WarpGroupMatmul.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tilescope::ttg {

#define GEN_PASS_DEF_ACCELERATEMATMUL
#include "compiler/transforms/ttg/Passes.h.inc"

static bool isFloat8(Type type) {
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8;
}

/// What may lie between dots that share their layout.
static bool isChainLink(Operation *op) { return isa<ConvertLayoutOp>(op) || passesLayouts(op); }

/// Bits of the narrowest type that the factor's elements were loaded in.
static unsigned loadedBits(Value factor) {
  unsigned bits = tt::getElementBitWidth(cast<RankedTensorType>(factor.getType()));
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) {
    return op->getBlock() == factor.getParentBlock() && isChainLink(op) && !isa<tt::ReduceOp>(op);
  };
  SetVector<Operation *> slice;
  if (failed(getBackwardSlice(factor, &slice, options)))
    return bits;
  for (Operation *op : slice)
    for (Value operand : op->getOperands())
      if (operand.getDefiningOp<tt::LoadOp>())
        if (auto type = dyn_cast<RankedTensorType>(operand.getType()))
          bits = std::min(bits, std::max(8u, tt::getElementBitWidth(type)));
  return bits;
}

namespace {

class Accelerator {
public:
  Accelerator(ModuleOp module)
      : m_numWarps(numWarps(module)), m_capability(computeCapability(module)),
        m_builder(module.getContext()) {}

  void rewrite(tt::DotOp dot) {
    auto encoding = dyn_cast_or_null<BlockedEncodingAttr>(encodingOf(dot.getType()));
    if (!encoding)
      return;
    if (fitsWarpGroups(dot, m_numWarps, m_capability))
      return useWarpGroups(dot, m_numWarps, feedsDot(dot));
    widenFactors(dot);
    std::optional<FactorParts> parts = partsOfFactors(dot);
    if (parts && partsFitWarpGroups(dot, *parts, m_numWarps, m_capability))
      return useWarpGroupsForParts(dot, *parts, m_numWarps, feedsDot(dot));
    std::optional<MatrixInstruction> instruction =
        parts ? findMatrixInstruction(parts->type, parts->type, getElementTypeOrSelf(dot.getType()),
                                      parts->precision)
              : findMatrixInstruction(dot);
    auto left = cast<RankedTensorType>(dot.getA().getType());
    if (m_capability < 80 || !instruction || left.getShape().back() < instruction->depth)
      return;
    layOut(dot, encoding, parts ? parts->type : left.getElementType());
    if (parts)
      splitDot(dot, *parts);
  }

private:
  /// sm_89 and sm_12x multiply 8-bit floats as they are. Elsewhere matrix instructions take fp16,
  /// which holds all of them, and multiply-adds take the result's type.
  void widenFactors(tt::DotOp dot) {
    Type left = getElementTypeOrSelf(dot.getA().getType());
    Type right = getElementTypeOrSelf(dot.getB().getType());
    Type result = getElementTypeOrSelf(dot.getType());
    if (!isFloat8(left) && !isFloat8(right))
      return;
    bool isNative = m_capability == 89 || m_capability / 10 == 12;
    int64_t depth = cast<RankedTensorType>(dot.getA().getType()).getShape().back();
    auto instruction = findMatrixInstruction(dot);
    if (isNative && instruction && depth >= instruction->depth)
      return;
    Type half = m_builder.getF16Type();
    Type wide = depth >= 16 && m_capability >= 80 &&
                        findMatrixInstruction(half, half, result, dot.getInputPrecision())
                    ? half
                    : result;
    m_builder.setInsertionPoint(dot);
    for (unsigned index : {0, 1}) {
      Value factor = dot->getOperand(index);
      auto type = cast<RankedTensorType>(factor.getType());
      if (isFloat8(type.getElementType()))
        dot->setOperand(index, tt::FpToFpOp::create(m_builder, dot.getLoc(), type.clone(wide),
                                                    factor, nullptr));
    }
  }

  /// Whether the result becomes a factor of another dot.
  static bool feedsDot(tt::DotOp dot) {
    SetVector<Operation *> users;
    ForwardSliceOptions options;
    options.filter = [&](Operation *op) {
      return op->getBlock() == dot->getBlock() && (isChainLink(op) || isa<tt::DotOp>(op));
    };
    getForwardSlice(dot.getResult(), &users, options);
    return llvm::any_of(users, llvm::IsaPred<tt::DotOp>);
  }

  /// `multiplied`: the type that the instruction's factors have.
  void layOut(tt::DotOp dot, BlockedEncodingAttr old, Type multiplied) {
    MLIRContext *context = dot.getContext();
    RankedTensorType type = dot.getType();
    SmallVector<unsigned> shape{16, 8};
    if (type.getRank() == 3)
      shape.insert(shape.begin(), 1);
    auto mma = NvidiaMmaEncodingAttr::get(context, 2, 0, warps(dot), old.getCgaLayout(), shape);
    unsigned bits = std::min(loadedBits(dot.getA()), loadedBits(dot.getB()));
    unsigned own = multiplied.getIntOrFloatBitWidth();
    int64_t depth = dot.getA().getType().getShape().back();
    // Four lanes share a row's elements; each needs kWidth neighbors.
    unsigned kWidth = std::min<int64_t>(std::max(32 / bits, 32 / own), depth / 4);

    Location loc = dot.getLoc();
    m_builder.setInsertionPoint(dot);
    for (unsigned index : {0, 1})
      dot->setOperand(index, converted(loc, dot->getOperand(index),
                                       DotOperandEncodingAttr::get(context, index, mma, kWidth)));
    dot->setOperand(2, converted(loc, dot.getC(), mma));
    Value result = dot.getResult();
    result.setType(type.cloneWithEncoding(mma));
    m_builder.setInsertionPointAfter(dot);
    auto back = ConvertLayoutOp::create(m_builder, loc, type, result);
    result.replaceAllUsesExcept(back.getResult(), back);
  }

  Value converted(Location loc, Value value, Attribute encoding) {
    value = withoutConversions(value);
    auto type = cast<RankedTensorType>(value.getType());
    return ConvertLayoutOp::create(m_builder, loc, type.cloneWithEncoding(encoding), value);
  }

  /// How the warps divide the result. A dot whose result becomes another's factor keeps its rows
  /// within warps, so that the factor need not move between them.
  SmallVector<unsigned> warps(tt::DotOp dot) {
    ArrayRef<int64_t> shape = dot.getType().getShape();
    if (shape.size() == 3)
      return {unsigned(m_numWarps), 1, 1};
    if (std::optional<SmallVector<unsigned>> chained = chainedWarps(dot))
      return *chained;
    SmallVector<unsigned> result{1, 1};
    const SmallVector<int64_t> part = shapePerBlock(dot.getType());
    int64_t pieces[] = {(part[0] + 15) / 16, (part[1] + 7) / 8};
    for (int left = m_numWarps; left > 1; left /= 2) {
      unsigned dim = pieces[0] >= pieces[1] ? 0 : 1;
      result[dim] *= 2;
      pieces[dim] = (pieces[dim] + 1) / 2;
    }
    return result;
  }

  std::optional<SmallVector<unsigned>> chainedWarps(tt::DotOp dot) {
    Block *block = dot->getBlock();
    auto inChain = [&](Operation *op) {
      return op->getBlock() == block && (op == dot || isChainLink(op) || isa<tt::DotOp>(op));
    };
    SetVector<Operation *> slice;
    BackwardSliceOptions backward;
    backward.omitBlockArguments = true;
    backward.filter = inChain;
    ForwardSliceOptions forward;
    forward.filter = inChain;
    (void)getBackwardSlice(dot.getOperation(), &slice, backward);
    getForwardSlice(dot.getOperation(), &slice, forward);
    bool isChained = false;
    for (Operation *op : slice) {
      auto other = dyn_cast<tt::DotOp>(op);
      if (!other || other == dot || other.getType().getRank() != 2)
        continue;
      if (auto mma = dyn_cast<NvidiaMmaEncodingAttr>(other.getType().getEncoding()))
        return SmallVector<unsigned>(mma.getWarpsPerCTA());
      isChained = true;
    }
    if (!isChained)
      return std::nullopt;
    unsigned all = m_numWarps;
    ArrayRef<int64_t> shape = dot.getType().getShape();
    return shape[0] >= shape[1] ? SmallVector<unsigned>{all, 1} : SmallVector<unsigned>{1, all};
  }

  int m_numWarps, m_capability;
  OpBuilder m_builder;
};

struct AccelerateMatmul : impl::AccelerateMatmulBase<AccelerateMatmul> {
  void runOnOperation() override {
    Accelerator accelerator(getOperation());
    SmallVector<tt::DotOp> dots;
    getOperation().walk([&](tt::DotOp dot) { dots.push_back(dot); });
    if (dots.empty())
      return markAllAnalysesPreserved();
    for (tt::DotOp dot : dots)
      accelerator.rewrite(dot);
  }
};

} // namespace
} // namespace tilescope::ttg
