// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Matrix products by `mma.sync`: one instruction of a warp for each 16 x 8 piece of the result and
// step along K. Which registers make up a fragment is read off the layouts: each fragment register
// holds kWidth elements along K, and its place in the piece is given by the instruction.
//
//     fp16, m16n8k16, lane l:   A  rows l/4 and l/4+8, columns 2(l%4)+{0,1} and 8 more
//                               B  rows 2(l%4)+{0,1} and 8 more, column l/4
//                               C  rows l/4 and l/4+8, columns 2(l%4)+{0,1}
#include "compiler/conversion/ttg_to_llvm/dot/MmaDot.h"

#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/RegisterFinder.h"
#include "compiler/conversion/ttg_to_llvm/ptx/InlinePtx.h"
#include "compiler/dialects/ttg/ir/MatrixInstruction.h"

#include <map>

using namespace mlir;

namespace tilescope::compiler {

namespace {
class MmaLowering {
public:
  MmaLowering(tt::DotOp op, const ttg::MatrixInstruction &instruction, int kWidth,
              Lowering &lowering)
      : m_op(op), m_instruction(instruction), m_lowering(lowering), b(lowering.b),
        m_a(lowering.layout(op.getA().getType())), m_b(lowering.layout(op.getB().getType())),
        m_c(lowering.layout(op.getType())), m_kWidth(kWidth),
        m_rank(cast<RankedTensorType>(op.getType()).getRank()),
        m_perWord(32 / getElementTypeOrSelf(op.getA().getType()).getIntOrFloatBitWidth()) {}

  LogicalResult run();

private:
  /// The 32-bit registers of a factor's fragment; `outer` is its row or column. Packed once for all
  /// pieces that use them.
  FailureOr<SmallVector<Value>> fragment(Value factor, const RegisterFinder &finder, int64_t batch,
                                         int64_t outer, int64_t k, bool isLeft);
  FailureOr<Value> word(Value factor, const RegisterFinder &finder, int64_t batch, int64_t outer,
                        int64_t k, bool isLeft);
  SmallVector<int64_t> at(int64_t batch, int64_t row, int64_t column) const {
    if (m_rank == 3)
      return {batch, row, column};
    return {row, column};
  }
  FailureOr<SmallVector<Value>> multiply(ArrayRef<Value> left, ArrayRef<Value> right,
                                         ArrayRef<Value> sums);

  tt::DotOp m_op;
  const ttg::MatrixInstruction &m_instruction;
  Lowering &m_lowering;
  Builder &b;
  RegisterFinder m_a, m_b, m_c;
  std::map<std::tuple<int64_t, int64_t, int64_t, bool>, SmallVector<Value>> m_fragments;
  int m_kWidth, m_rank, m_perWord;
};
} // namespace

// Along K, lane l%4 holds kWidth neighbors, then the four lanes repeat. The instruction sums over
// K in any order, so both factors may number K by their registers: step s of word w takes the
// elements that follow each other in the registers.
FailureOr<Value> MmaLowering::word(Value factor, const RegisterFinder &finder, int64_t batch,
                                   int64_t outer, int64_t k, bool isLeft) {
  SmallVector<Value> elements;
  for (int i = 0; i < m_perWord; ++i) {
    // Consecutive register elements of K: kWidth neighbors, then 4 * kWidth further on.
    int64_t index = k + i;
    int64_t position = index / m_kWidth * (4 * m_kWidth) + index % m_kWidth;
    int found = finder.find(isLeft ? at(batch, outer, position) : at(batch, position, outer));
    if (found < 0)
      return m_op.emitError("a factor's layout does not fit the matrix instruction");
    elements.push_back(m_lowering.values(factor)[found]);
  }
  Value packed = elements.size() == 1 ? elements.front() : packVector(b, elements);
  return bitcast(b, packed, b.getI32Type());
}

FailureOr<SmallVector<Value>> MmaLowering::fragment(Value factor, const RegisterFinder &finder,
                                                    int64_t batch, int64_t outer, int64_t k,
                                                    bool isLeft) {
  SmallVector<Value> &words = m_fragments[{batch, outer, k, isLeft}];
  if (!words.empty())
    return words;
  // A quarter of the instruction's depth per lane, two words of it.
  for (int64_t half = 0; half < 2; ++half)
    for (int64_t row = 0; row < (isLeft ? 16 : 8); row += 8) {
      FailureOr<Value> value =
          word(factor, finder, batch, outer + row, k + half * m_perWord, isLeft);
      if (failed(value))
        return failure();
      words.push_back(*value);
    }
  return words;
}

FailureOr<SmallVector<Value>> MmaLowering::multiply(ArrayRef<Value> left, ArrayRef<Value> right,
                                                    ArrayRef<Value> sums) {
  Type element = sums.front().getType();
  bool half = element.isF16();
  SmallVector<Value> accumulators(sums);
  if (half)
    accumulators = {bitcast(b, packVector(b, sums.take_front(2)), b.getI32Type()),
                    bitcast(b, packVector(b, sums.drop_front(2)), b.getI32Type())};
  const ttg::MatrixInstruction &names = m_instruction;
  const std::string form =
      ("m16n8k" + Twine(names.depth) + ".row.col" + (names.result == "s32" ? ".satfinite." : ".") +
       names.result + "." + names.left + "." + names.right + "." + names.result)
          .str();
  Type word = half ? b.getI32Type() : element;
  Type result = LLVM::LLVMStructType::getLiteral(b.getContext(),
                                                 SmallVector<Type>(accumulators.size(), word));
  Value all = ptx::mmaSync(b, form, left, right, accumulators, result);
  SmallVector<Value> results;
  for (size_t i = 0; i < accumulators.size(); ++i) {
    Value value = LLVM::ExtractValueOp::create(b, all, i);
    if (half)
      llvm::append_range(results, unpackVector(b, bitcast(b, value, VectorType::get(2, element))));
    else
      results.push_back(value);
  }
  return results;
}

LogicalResult MmaLowering::run() {
  auto aType = cast<RankedTensorType>(m_op.getA().getType());
  auto cType = cast<RankedTensorType>(m_op.getType());
  const LinearLayout &layout = m_lowering.layout(cType);
  Values results = m_lowering.values(m_op.getC());
  // The pieces of the result: registers whose coordinates are multiples of the instruction's shape.
  int64_t depth = aType.getShape().back();
  if (depth < m_instruction.depth)
    return m_op.emitError("the matrix instruction takes ")
           << m_instruction.depth << " elements along K, the factors have " << depth;
  // A lane holds a quarter of the depth.
  int64_t perLane = depth / 4;
  for (int index = 0; index < int(results.size()); ++index) {
    int64_t batch = m_rank == 3 ? Lowering::registerPart(layout, index, tensorDim(0)) : 0;
    int64_t row = Lowering::registerPart(layout, index, tensorDim(m_rank - 2));
    int64_t column = Lowering::registerPart(layout, index, tensorDim(m_rank - 1));
    // Each piece once, where small blocks are held several times.
    if (row % 16 || column % 8 || m_c.find(at(batch, row, column)) != index)
      continue;
    SmallVector<int> places;
    for (int64_t down = 0; down < 16; down += 8)
      for (int64_t right = 0; right < 2; ++right)
        places.push_back(m_c.find(at(batch, row + down, column + right)));
    if (llvm::is_contained(places, -1))
      return m_op.emitError("the result's layout does not fit the matrix instruction");
    SmallVector<Value> sums;
    for (int place : places)
      sums.push_back(results[place]);
    for (int64_t k = 0; k < perLane; k += m_instruction.depth / 4) {
      auto left = fragment(m_op.getA(), m_a, batch, row, k, true);
      auto right = fragment(m_op.getB(), m_b, batch, column, k, false);
      if (failed(left) || failed(right))
        return failure();
      FailureOr<SmallVector<Value>> next = multiply(*left, *right, sums);
      if (failed(next))
        return failure();
      sums = *next;
    }
    for (auto [place, sum] : llvm::zip(places, sums))
      results[place] = sum;
  }
  for (int index = 0; index < int(results.size()); ++index) {
    SmallVector<int64_t> coordinates;
    for (int dim = 0; dim < m_rank; ++dim)
      coordinates.push_back(Lowering::registerPart(layout, index, tensorDim(dim)));
    results[index] = results[m_c.find(coordinates)];
  }
  m_lowering.set(m_op, std::move(results));
  return success();
}

LogicalResult lowerMmaDot(tt::DotOp op, Lowering &lowering) {
  auto type = cast<RankedTensorType>(op.getA().getType());
  auto operand = dyn_cast<ttg::DotOperandEncodingAttr>(type.getEncoding());
  auto mma = operand ? dyn_cast<ttg::NvidiaMmaEncodingAttr>(operand.getParent()) : nullptr;
  if (!mma || !mma.isAmpere())
    return op.emitError("this product's layouts fit no matrix instruction");
  std::optional<ttg::MatrixInstruction> instruction = ttg::findMatrixInstruction(op);
  if (!instruction)
    return op.emitError("no matrix instruction multiplies ")
           << type.getElementType() << " into " << getElementTypeOrSelf(op.getType());
  return MmaLowering(op, *instruction, operand.getKWidth(), lowering).run();
}

} // namespace tilescope::compiler
