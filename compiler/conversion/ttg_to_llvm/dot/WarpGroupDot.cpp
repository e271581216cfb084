// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Matrix products by `wgmma`: four warps compute a 64 x N piece of the result together. Each holds
// 16 rows of it, as `mma.sync` would lay them out:
//
//     warp w, lane l:   rows 16w + l/4 and 8 more, columns 8j + 2(l%4) + {0,1} for each j < N/8
//
// A product is one block, so that nothing comes between its instructions: a fence for the
// registers, an instruction for each piece and step along K, the end of the group, and the wait for
// it, unless the product is asynchronous.
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/common/RegisterFinder.h"
#include "compiler/conversion/ttg_to_llvm/dot/MatrixDescriptor.h"
#include "compiler/conversion/ttg_to_llvm/memory/AccessWords.h"
#include "compiler/conversion/ttg_to_llvm/memory/BulkCopy.h"
#include "compiler/conversion/ttg_to_llvm/ptx/Wgmma.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/dialects/ttng/ir/JoinedProducts.h"

using namespace mlir;

namespace tilescope::compiler {

static constexpr int64_t kPieceRows = 64;
/// Columns of an instruction at most.
static constexpr int64_t kMostColumnsAtOnce = 256;

namespace {
/// 64 rows of the result, as wide as the instruction.
struct Piece {
  int64_t row, column;
  /// The registers of the result in the order of the instruction.
  SmallVector<int> registers;
};

class WarpGroupLowering {
public:
  WarpGroupLowering(ttng::WarpGroupDotOp op, Lowering &lowering)
      : m_op(op), m_lowering(lowering), b(lowering.b),
        m_layout(lowering.layout(cast<RankedTensorType>(op.getType()))), m_finder(m_layout),
        m_values(lowering.values(op.getC())) {}

  LogicalResult run();
  /// This product and those beside it at once, by instructions that are as wide as all of them.
  LogicalResult runJoined(MutableArrayRef<WarpGroupLowering> others);

private:
  LogicalResult findForm();
  LogicalResult findPieces();
  LogicalResult findFactors();
  /// The pieces' sums as 32-bit registers, piece after piece; and back.
  SmallVector<Value> packed(ArrayRef<Piece> pieces) const;
  void unpack(ArrayRef<Piece> pieces, ArrayRef<Value> words);
  /// The left factor of a piece at step `k`: a descriptor or four registers.
  FailureOr<SmallVector<Value>> leftFactor(const Piece &piece, int64_t k);
  FailureOr<Value> leftWord(int64_t row, int64_t k);
  /// One block for steps [begin, end) along K.
  FailureOr<SmallVector<Value>> multiply(ArrayRef<Piece> pieces, ArrayRef<Value> sums,
                                         int64_t begin, int64_t end, bool isFirst, bool wait);
  /// Sums of few steps are added up in full precision, where the program asks for it.
  LogicalResult multiplyInParts(const Piece &piece, int64_t depth);

  ttng::WarpGroupDotOp m_op;
  Lowering &m_lowering;
  Builder &b;
  const LinearLayout &m_layout;
  RegisterFinder m_finder;
  Values m_values;
  SmallVector<Piece> m_pieces;
  /// A factor in shared memory, or the registers of the left one.
  std::optional<MatrixDescriptor> m_left, m_right;
  std::optional<RegisterFinder> m_leftRegisters;
  ptx::WgmmaForm m_form;
  int64_t m_columns = 0, m_depth = 0;
  /// Instructions beside each other for each piece and step.
  int64_t m_across = 1;
};
} // namespace

LogicalResult WarpGroupLowering::findForm() {
  auto mma = cast<ttg::NvidiaMmaEncodingAttr>(cast<RankedTensorType>(m_op.getType()).getEncoding());
  ArrayRef<unsigned> shape = mma.getInstrShape();
  Type left = getElementTypeOrSelf(m_op.getA().getType());
  Type right = getElementTypeOrSelf(m_op.getB().getType());
  Type result = getElementTypeOrSelf(m_op.getType());
  if (shape.size() != 3 || shape[0] != 16 || m_lowering.numWarps() % 4 != 0)
    return m_op.emitError("the product needs groups of four warps with 16 rows each");
  m_form = {shape[1], 256 / left.getIntOrFloatBitWidth(), ptx::wgmmaResultName(result),
            ptx::wgmmaFactorName(left), ptx::wgmmaFactorName(right)};
  if (m_form.left.empty() || m_form.right.empty() || m_form.result.empty())
    return m_op.emitError("no matrix instruction multiplies ")
           << left << " by " << right << " into " << result;
  m_columns = m_form.columns;
  m_depth = m_form.depth;
  return success();
}

LogicalResult WarpGroupLowering::findPieces() {
  std::span<const uint64_t> warps = m_layout.columns(Dim::Warp);
  const Dim rows = tensorDim(0), columns = tensorDim(1);
  if (warps.size() < 2 || m_layout.basis(Dim::Warp, 0, rows) != 16 ||
      m_layout.basis(Dim::Warp, 1, rows) != 32)
    return m_op.emitError("the result's layout does not fit the matrix instruction");
  for (int index = 0; index < m_layout.inSize(Dim::Register); ++index) {
    Piece piece{Lowering::registerPart(m_layout, index, rows),
                Lowering::registerPart(m_layout, index, columns),
                {}};
    if (piece.row % kPieceRows || piece.column % m_columns ||
        m_finder.find({piece.row, piece.column}) != index)
      continue;
    for (int64_t right = 0; right < m_columns; right += 8)
      for (int64_t down = 0; down < 16; down += 8)
        for (int64_t next = 0; next < 2; ++next)
          piece.registers.push_back(m_finder.find({piece.row + down, piece.column + right + next}));
    if (llvm::is_contained(piece.registers, -1))
      return m_op.emitError("the result's layout does not fit the matrix instruction");
    m_pieces.push_back(std::move(piece));
  }
  return success();
}

LogicalResult WarpGroupLowering::findFactors() {
  // Groups of warps differ in where their pieces begin.
  SmallVector<uint64_t> groupRows{0, 0}, groupColumns{0, 0};
  for (int bit = 2; bit < m_layout.inBits(Dim::Warp); ++bit) {
    groupRows.push_back(m_layout.basis(Dim::Warp, bit, tensorDim(0)));
    groupColumns.push_back(m_layout.basis(Dim::Warp, bit, tensorDim(1)));
  }
  auto right = MatrixDescriptor::create(
      m_op, m_lowering,
      {m_op.getB(), /*outerDim=*/1, /*outerSize=*/m_columns, m_depth, groupColumns});
  if (failed(right))
    return failure();
  m_right = std::move(*right);
  if (isa<ttg::MemDescType>(m_op.getA().getType())) {
    auto left = MatrixDescriptor::create(
        m_op, m_lowering,
        {m_op.getA(), /*outerDim=*/0, /*outerSize=*/kPieceRows, m_depth, groupRows});
    if (failed(left))
      return failure();
    m_left = std::move(*left);
    return success();
  }
  auto type = cast<RankedTensorType>(m_op.getA().getType());
  Attribute result = cast<RankedTensorType>(m_op.getType()).getEncoding();
  auto wanted = ttg::DotOperandEncodingAttr::get(m_op.getContext(), 0, result,
                                                 32 / type.getElementTypeBitWidth());
  if (ttg::toLinearLayout(type.getShape(), wanted) != ttg::toLinearLayout(type))
    return m_op.emitError("the left factor's layout in registers does not fit the matrix "
                          "instruction, which takes ")
           << wanted;
  m_leftRegisters.emplace(m_lowering.layout(type));
  return success();
}

FailureOr<Value> WarpGroupLowering::leftWord(int64_t row, int64_t k) {
  auto type = cast<RankedTensorType>(m_op.getA().getType());
  SmallVector<Value> elements;
  for (int64_t next = 0; next < 32 / type.getElementTypeBitWidth(); ++next) {
    int found = m_leftRegisters->find({row, k + next});
    if (found < 0)
      return m_op.emitError("the left factor's layout does not fit the matrix instruction");
    elements.push_back(m_lowering.values(m_op.getA())[found]);
  }
  return bitcast(b, elements.size() == 1 ? elements.front() : packVector(b, elements),
                 b.getI32Type());
}

FailureOr<SmallVector<Value>> WarpGroupLowering::leftFactor(const Piece &piece, int64_t k) {
  if (m_left)
    return SmallVector<Value>{m_left->at(piece.row, k)};
  SmallVector<Value> words;
  for (int64_t half : {int64_t(0), m_depth / 2})
    for (int64_t down : {0, 8}) {
      FailureOr<Value> word = leftWord(piece.row + down, k + half);
      if (failed(word))
        return failure();
      words.push_back(*word);
    }
  return words;
}

FailureOr<SmallVector<Value>> WarpGroupLowering::multiply(ArrayRef<Piece> pieces,
                                                          ArrayRef<Value> sums, int64_t begin,
                                                          int64_t end, bool isFirst, bool wait) {
  // Whether the sums count is an operand of the first step; all further steps add to it.
  Value useC = isFirst ? m_op.getUseC() : Value();
  if (useC)
    useC = m_lowering.scalar(useC);
  const bool isNew = !isFirst || llvm::all_of(sums, isZero) || (useC && isZero(useC));
  ptx::WgmmaBlock block(sums, /*read=*/!isNew);
  const std::string use = isNew ? "0" : useC ? block.input(useC) : "1";
  block.fence();
  ptx::WgmmaProduct product;
  product.numOutputs = sums.size() / (pieces.size() * size_t(m_across));
  product.isLeftAcross = m_left && m_left->isAcross();
  product.isRightAcross = m_right->isAcross();
  for (const Piece &piece : pieces) {
    for (int64_t k = begin; k < end; k += m_depth) {
      FailureOr<SmallVector<Value>> left = leftFactor(piece, k);
      if (failed(left))
        return failure();
      product.left = *left;
      product.addsToResult = k == begin ? use : "1";
      for (int64_t across = 0; across < m_across; ++across) {
        product.right = m_right->at(piece.column + across * m_form.columns, k);
        block.multiply(m_form, product);
        product.firstOutput += product.numOutputs;
      }
      product.firstOutput -= product.numOutputs * size_t(m_across);
    }
    product.firstOutput += product.numOutputs * size_t(m_across);
  }
  block.commitGroup();
  if (wait)
    block.waitGroup(0);
  return block.emit(b, ValueRange(sums).getTypes());
}

SmallVector<Value> WarpGroupLowering::packed(ArrayRef<Piece> pieces) const {
  SmallVector<Value> words;
  for (const Piece &piece : pieces)
    for (size_t index = 0; index < piece.registers.size(); ++index) {
      Value value = m_values[piece.registers[index]];
      if (value.getType().isF16()) {
        Value pair = packVector(b, {value, m_values[piece.registers[++index]]});
        value = bitcast(b, pair, b.getI32Type());
      }
      words.push_back(value);
    }
  return words;
}

void WarpGroupLowering::unpack(ArrayRef<Piece> pieces, ArrayRef<Value> words) {
  const bool isHalf = m_values.front().getType().isF16();
  for (const Piece &piece : pieces)
    for (size_t index = 0; index < piece.registers.size(); ++index) {
      Value word = words.front();
      words = words.drop_front();
      if (!isHalf) {
        m_values[piece.registers[index]] = word;
        continue;
      }
      SmallVector<Value> pair =
          unpackVector(b, bitcast(b, word, VectorType::get(2, b.getF16Type())));
      m_values[piece.registers[index]] = pair[0];
      m_values[piece.registers[++index]] = pair[1];
    }
}

LogicalResult WarpGroupLowering::multiplyInParts(const Piece &piece, int64_t depth) {
  const int64_t part = std::max<int64_t>(m_depth, m_op.getMaxNumImpreciseAcc());
  SmallVector<Value> sums = packed(piece);
  // A factor of `c` that does not count must not reach the sum.
  if (Value use = m_op.getUseC())
    for (Value &sum : sums)
      sum = LLVM::SelectOp::create(b, m_lowering.scalar(use), sum, zeroOf(b, sum.getType()));
  for (int64_t k = 0; k < depth; k += part) {
    auto products =
        multiply(piece, sums, k, std::min(k + part, depth), /*isFirst=*/false, /*wait=*/true);
    if (failed(products))
      return failure();
    for (auto [sum, product] : llvm::zip(sums, *products))
      sum = LLVM::FAddOp::create(b, sum, product);
  }
  unpack(piece, sums);
  return success();
}

LogicalResult WarpGroupLowering::run() {
  if (failed(findForm()) || failed(findPieces()) || failed(findFactors()))
    return failure();
  const int64_t depth = cast<ShapedType>(m_op.getB().getType()).getDimSize(0);
  if (depth % m_depth)
    return m_op.emitError("the matrix instruction takes ")
           << m_depth << " elements along K, the factors have " << depth;
  Type left = getElementTypeOrSelf(m_op.getA().getType());
  Type result = getElementTypeOrSelf(m_op.getType());
  const bool isImprecise = isa<FloatType>(left) && left.getIntOrFloatBitWidth() == 8;
  if (isImprecise && result.isF32() && m_op.getMaxNumImpreciseAcc() < depth) {
    for (const Piece &piece : m_pieces)
      if (failed(multiplyInParts(piece, depth)))
        return failure();
  } else {
    // Halves are taken out of their registers at once, so these must be there.
    const bool wait = !m_op.getIsAsync() || result.isF16();
    auto products = multiply(m_pieces, packed(m_pieces), 0, depth, /*isFirst=*/true, wait);
    if (failed(products))
      return failure();
    unpack(m_pieces, *products);
  }
  m_lowering.set(m_op, std::move(m_values));
  return success();
}

LogicalResult WarpGroupLowering::runJoined(MutableArrayRef<WarpGroupLowering> others) {
  if (failed(findForm()) || failed(findPieces()) || failed(findFactors()))
    return failure();
  SmallVector<WarpGroupLowering *> all{this};
  int64_t columns = m_columns;
  const auto sameRows = [](const Piece &one, const Piece &other) { return one.row == other.row; };
  for (WarpGroupLowering &other : others) {
    if (failed(other.findForm()) || failed(other.findPieces()))
      return failure();
    if (!llvm::equal(m_pieces, other.m_pieces, sameRows))
      return m_op.emitError("the parts of a product have different rows");
    columns += other.m_columns;
    all.push_back(&other);
  }
  m_across = int64_t(llvm::divideCeil(columns, kMostColumnsAtOnce));
  m_form.columns = columns / m_across;
  SmallVector<Value> sums;
  for (size_t piece = 0; piece < m_pieces.size(); ++piece)
    for (const WarpGroupLowering *part : all)
      sums.append(part->packed(part->m_pieces[piece]));
  const int64_t depth = cast<ShapedType>(m_op.getB().getType()).getDimSize(0);
  auto products = multiply(m_pieces, sums, 0, depth, /*isFirst=*/true, /*wait=*/false);
  if (failed(products))
    return failure();
  ArrayRef<Value> words = *products;
  for (size_t piece = 0; piece < m_pieces.size(); ++piece)
    for (WarpGroupLowering *part : all) {
      const Piece &beside = part->m_pieces[piece];
      part->unpack(beside, words.take_front(beside.registers.size()));
      words = words.drop_front(beside.registers.size());
    }
  for (WarpGroupLowering *part : all)
    m_lowering.set(part->m_op, std::move(part->m_values));
  return success();
}

static LogicalResult lowerDot(ttng::WarpGroupDotOp op, Lowering &lowering) {
  if (ttng::isJoined(op))
    return success();
  WarpGroupLowering product(op, lowering);
  std::vector<WarpGroupLowering> others;
  for (ttng::WarpGroupDotOp joined : ttng::joinedWith(op))
    others.emplace_back(joined, lowering);
  return others.empty() ? product.run() : product.runJoined(others);
}

/// How many groups of instructions may stay under way: products that are computed together are one.
static int64_t pendingGroups(ttng::WarpGroupDotWaitOp op) {
  const int64_t joined = llvm::count_if(op.getInputs(), [](Value input) {
    auto dot = input.getDefiningOp<ttng::WarpGroupDotOp>();
    return dot && ttng::isJoined(dot);
  });
  return std::max<int64_t>(int64_t(op.getPendings()) - joined, 0);
}

// The values passed on depend on the wait, so that no use moves in front of it.
static LogicalResult lowerWait(ttng::WarpGroupDotWaitOp op, Lowering &lowering) {
  SmallVector<Values> all;
  SmallVector<Value *> waited;
  for (Value input : op.getInputs())
    all.push_back(lowering.values(input));
  for (auto [input, values] : llvm::zip(op.getInputs(), all))
    if (isa<RankedTensorType>(input.getType()))
      for (Value &value : values)
        if (value.getType().isF32() || value.getType().isInteger(32))
          waited.push_back(&value);
  SmallVector<Value> before;
  for (Value *value : waited)
    before.push_back(*value);
  ptx::WgmmaBlock block(before, /*read=*/true);
  block.waitGroup(pendingGroups(op));
  for (auto [value, after] :
       llvm::zip(waited, block.emit(lowering.b, ValueRange(before).getTypes())))
    *value = after;
  for (auto [result, values] : llvm::zip(op.getOutputs(), all))
    lowering.set(result, values);
  return success();
}

static LogicalResult lowerFence(ttng::FenceAsyncSharedOp op, Lowering &lowering) {
  fenceAsyncProxy(lowering.b, op.getBCluster() ? NVVM::SharedSpace::shared_cluster
                                               : NVVM::SharedSpace::shared_cta);
  return success();
}

void addWarpGroupLowerings(LoweringTable &table) {
  table.add<ttng::WarpGroupDotOp>(lowerDot);
  table.add<ttng::WarpGroupDotWaitOp>(lowerWait);
  table.add<ttng::FenceAsyncSharedOp>(lowerFence);
}

} // namespace tilescope::compiler
