// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Matrix products by `wgmma`: four warps compute a 64 x N piece of the result together. Each holds
// 16 rows of it, as `mma.sync` would lay them out:
//
//     warp w, lane l:   rows 16w + l/4 and 8 more, columns 8j + 2(l%4) + {0,1} for each j < N/8
//
// A product is one block of assembly, so that nothing comes between its instructions:
//
//     wgmma.fence                   what threads did to the registers is done
//     wgmma.mma_async ×             for each piece and step along K
//     wgmma.commit_group
//     wgmma.wait_group 0            unless the product is asynchronous
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/common/RegisterFinder.h"
#include "compiler/conversion/ttg_to_llvm/dot/MatrixDescriptor.h"
#include "compiler/conversion/ttg_to_llvm/memory/AccessWords.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

using namespace mlir;

namespace tilescope::compiler {

static constexpr int64_t kPieceRows = 64;
static constexpr StringLiteral kWaitForAll = "wgmma.wait_group.sync.aligned 0;";

/// PTX's name of an element type as a factor; empty for none.
static StringRef factorName(Type type) {
  if (type.isF16())
    return "f16";
  if (type.isBF16())
    return "bf16";
  if (type.isF32())
    return "tf32";
  if (type.isInteger(8))
    return "s8";
  if (isa<Float8E4M3FNType>(type))
    return "e4m3";
  return isa<Float8E5M2Type>(type) ? "e5m2" : "";
}

static StringRef resultName(Type type) {
  if (type.isF32())
    return "f32";
  if (type.isF16())
    return "f16";
  return type.isInteger(32) ? "s32" : "";
}

namespace {
/// A block of assembly under construction: outputs first, each tied to the value that it replaces.
class AsmBlock {
public:
  /// `read`: whether the outputs have values before.
  AsmBlock(ArrayRef<Value> updated, bool read) : m_numUpdated(updated.size()) {
    for (Value value : updated)
      append("=&" + letter(value));
    if (!read)
      return;
    for (auto [index, value] : llvm::enumerate(updated)) {
      append(std::to_string(index));
      m_operands.push_back(value);
    }
  }

  static std::string output(size_t index) { return "$" + std::to_string(index); }
  /// How the text names `value`.
  std::string input(Value value) {
    std::string &name = m_names[value];
    if (name.empty()) {
      name = "$" + std::to_string(m_numUpdated + m_operands.size());
      append(value.getType().isInteger(1)    ? "b"
             : value.getType().isInteger(64) ? "l"
                                             : letter(value));
      m_operands.push_back(value);
    }
    return name;
  }

  std::string text;

  /// What the outputs become.
  SmallVector<Value> emit(Builder &b, TypeRange types) const {

    Type result;
    if (types.size() == 1)
      result = types.front();
    else if (types.size() > 1)
      result = LLVM::LLVMStructType::getLiteral(b.getContext(), llvm::to_vector(types));
    Value all = inlineAsm(b, text, m_constraints, result, m_operands);
    if (types.size() <= 1)
      return result ? SmallVector<Value>{all} : SmallVector<Value>{};
    SmallVector<Value> values;
    for (size_t index = 0; index < types.size(); ++index)
      values.push_back(LLVM::ExtractValueOp::create(b, all, index));
    return values;
  }

private:
  static std::string letter(Value value) { return value.getType().isF32() ? "f" : "r"; }
  void append(const std::string &constraint) {
    m_constraints += (m_constraints.empty() ? "" : ",") + constraint;
  }

  size_t m_numUpdated;
  std::string m_constraints;
  SmallVector<Value> m_operands;
  llvm::DenseMap<Value, std::string> m_names;
};

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

private:
  LogicalResult findForm();
  LogicalResult findPieces();
  LogicalResult findFactors();
  /// The pieces' sums as 32-bit registers, piece after piece; and back.
  SmallVector<Value> packed(ArrayRef<Piece> pieces) const;
  void unpack(ArrayRef<Piece> pieces, ArrayRef<Value> words);
  /// How the text names the left factor of a piece at step `k`: a descriptor or four registers.
  FailureOr<std::string> leftFactor(AsmBlock &block, const Piece &piece, int64_t k);
  FailureOr<Value> leftWord(int64_t row, int64_t k);
  /// One block of assembly for steps [begin, end) along K.
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
  int64_t m_columns = 0, m_depth = 0;
  std::string m_name;
  bool m_isInteger = false;
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
  if (factorName(left).empty() || factorName(right).empty() || resultName(result).empty())
    return m_op.emitError("no matrix instruction multiplies ")
           << left << " by " << right << " into " << result;
  m_columns = shape[1];
  m_depth = 256 / left.getIntOrFloatBitWidth();
  m_isInteger = result.isInteger(32);
  m_name = ("wgmma.mma_async.sync.aligned.m64n" + Twine(m_columns) + "k" + Twine(m_depth) + "." +
            resultName(result) + "." + factorName(left) + "." + factorName(right))
               .str();
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

FailureOr<std::string> WarpGroupLowering::leftFactor(AsmBlock &block, const Piece &piece,
                                                     int64_t k) {
  if (m_left)
    return block.input(m_left->at(piece.row, k));
  std::string names = "{";
  for (int64_t half : {int64_t(0), m_depth / 2})
    for (int64_t down : {0, 8}) {
      FailureOr<Value> word = leftWord(piece.row + down, k + half);
      if (failed(word))
        return failure();
      names += (names.size() > 1 ? ", " : "") + block.input(*word);
    }
  return names + "}";
}

FailureOr<SmallVector<Value>> WarpGroupLowering::multiply(ArrayRef<Piece> pieces,
                                                          ArrayRef<Value> sums, int64_t begin,
                                                          int64_t end, bool isFirst, bool wait) {
  // Whether the sums count is an operand of the first step; all further steps add to it.
  Value useC = isFirst ? m_op.getUseC() : Value();
  if (useC)
    useC = m_lowering.scalar(useC);
  const bool isNew = !isFirst || llvm::all_of(sums, isZero) || (useC && isZero(useC));
  AsmBlock block(sums, /*read=*/!isNew);
  const std::string use = isNew ? "0" : useC ? block.input(useC) : "1";
  block.text = "wgmma.fence.sync.aligned;\n\t";
  size_t next = 0;
  for (const Piece &piece : pieces) {
    std::string names = " {";
    const size_t numWords = sums.size() / pieces.size();
    for (size_t index = 0; index < numWords; ++index)
      names += (index ? ", " : "") + AsmBlock::output(next + index);
    next += numWords;
    for (int64_t k = begin; k < end; k += m_depth) {
      FailureOr<std::string> left = leftFactor(block, piece, k);
      if (failed(left))
        return failure();
      block.text += m_name + names + "}, " + *left + ", " +
                    block.input(m_right->at(piece.column, k)) + ", " + (k == begin ? use : "1");
      if (!m_isInteger)
        block.text += ", 1, 1";
      // Only factors of 16 bits can be read across.
      if (m_depth == 16)
        block.text += std::string(m_left ? (m_left->isAcross() ? ", 1" : ", 0") : "") +
                      (m_right->isAcross() ? ", 1" : ", 0");
      block.text += ";\n\t";
    }
  }
  block.text += "wgmma.commit_group.sync.aligned;";
  if (wait)
    block.text += ("\n\t" + kWaitForAll).str();
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

static LogicalResult lowerDot(ttng::WarpGroupDotOp op, Lowering &lowering) {
  return WarpGroupLowering(op, lowering).run();
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
  AsmBlock block(before, /*read=*/true);
  block.text = "wgmma.wait_group.sync.aligned " + std::to_string(op.getPendings()) + ";";
  for (auto [value, after] :
       llvm::zip(waited, block.emit(lowering.b, ValueRange(before).getTypes())))
    *value = after;
  for (auto [result, values] : llvm::zip(op.getOutputs(), all))
    lowering.set(result, values);
  return success();
}

static LogicalResult lowerFence(ttng::FenceAsyncSharedOp op, Lowering &lowering) {
  const std::string scope = op.getBCluster() ? "cluster" : "cta";
  inlineAsm(lowering.b, "fence.proxy.async.shared::" + scope + ";", "", {}, {});
  return success();
}

void addWarpGroupLowerings(LoweringTable &table) {
  table.add<ttng::WarpGroupDotOp>(lowerDot);
  table.add<ttng::WarpGroupDotWaitOp>(lowerWait);
  table.add<ttng::FenceAsyncSharedOp>(lowerFence);
}

} // namespace tilescope::compiler
