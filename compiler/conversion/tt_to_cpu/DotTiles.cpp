// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Products of factors of bf16 and of 8 bits by AMX: eight registers of 16 rows of 64 bytes, and one instruction that
// multiplies two of them. Two rows and two columns of sums share what is loaded:
//
//              6: b   7: b                a row of b: the 2 numbers of bf16, or the 4 bytes, that lie below
//     4: a     0      1                   each other in the factor, for 16 columns
//     5: a     2      3
//
//     for i in 0 .. M step 32, for j in 0 .. N step 32:
//       load 0, 1, 2, 3 from c
//       for k in 0 .. K step 32 (64 bytes of a row of a):
//         load 4, 5 from a, and 6, 7 from b;  0 += 4 * 6;  1 += 4 * 7;  2 += 5 * 6;  3 += 5 * 7
//       store 0, 1, 2, 3
//
// The registers are those that the intrinsics name. What they are is configured where a program begins, as all its products
// mostly want the same; else in front of each product.
#include "compiler/conversion/tt_to_cpu/DotTiles.h"

#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

#include <array>

using namespace mlir;

namespace tilescope::cpu {

/// Of a register.
static constexpr int64_t kTileRows = 16, kTileRowBytes = 64;
/// Sums in a row of a register.
static constexpr int64_t kTileColumns = kTileRowBytes / 4;
/// The registers that hold sums, left factors and right ones.
static constexpr int kSums = 0, kLefts = 4, kRights = 6, kTiles = 8;

static int64_t factorBytes(Type factor) { return factor.getIntOrFloatBitWidth() / 8; }

static bool multipliesTiles(tt::DotOp dot, const LoweringOptions &options) {
  const Type factor = elementTypeOf(dot.getA().getType()), sum = elementTypeOf(dot.getType());
  const ArrayRef<int64_t> shape = dot.getType().getShape();
  const int64_t depth = dot.getA().getType().getShape().back();
  if (options.isExact || shape.back() < kTileColumns || shape.drop_back().back() < kTileRows ||
      depth * factorBytes(factor) < 4)
    return false;
  return (options.tilesBf16 && factor.isBF16() && sum.isF32()) ||
         (options.tilesIntegers && factor.isInteger(8) && sum.isInteger(32));
}

/// As the instruction that configures the registers reads it: the form, then the bytes of their rows as words from byte
/// 16 on, and how many rows from byte 48 on.
static std::array<uint8_t, kTileConfigurationBytes> configuration(int64_t leftBytes) {
  std::array<uint8_t, kTileConfigurationBytes> bytes{1};
  for (int tile = 0; tile < kTiles; ++tile) {
    const bool isLeft = tile >= kLefts && tile < kRights;
    bytes[16 + 2 * tile] = static_cast<uint8_t>(isLeft ? leftBytes : kTileRowBytes);
    bytes[48 + tile] = static_cast<uint8_t>(tile < kRights ? kTileRows : leftBytes / 4);
  }
  return bytes;
}

namespace {
/// Emits instructions on registers, which go by number.
struct TileInstructions {
  OpBuilder &b;
  Location loc;

  void call(StringRef name, ValueRange operands) const {
    LLVM::CallIntrinsicOp::create(b, loc, b.getStringAttr("llvm.x86." + name.str()), operands);
  }
  Value number(int64_t value, unsigned width) const {
    return arith::ConstantIntOp::create(b, loc, value, width);
  }
  void zero(int tile) const { call("tilezero", number(tile, 8)); }
  void load(int tile, Value address, int64_t stride) const {
    call("tileloadd64", {number(tile, 8), address, number(stride, 64)});
  }
  void store(Value address, int64_t stride, int tile) const {
    call("tilestored64", {number(tile, 8), address, number(stride, 64)});
  }
  void multiply(StringRef instruction, int sum, int left, int right) const {
    call(instruction, {number(sum, 8), number(left, 8), number(right, 8)});
  }
};
} // namespace

/// Rows of as many bytes as the last dimension has.
static int64_t strideOf(const Buffer &buffer) {
  return buffer.type.getShape().back() * memoryBytesOf(elementTypeOf(buffer.type));
}

/// Whether all elements are zero.
static bool isZero(Value block) {
  if (auto splat = block.getDefiningOp<tt::SplatOp>())
    block = splat.getSrc();
  return matchPattern(block, m_Zero()) || matchPattern(block, m_PosZeroFloat());
}

/// Of the rows of the left factor, as far as they are multiplied at once.
static int64_t leftBytesOf(tt::DotOp dot) {
  const RankedTensorType left = dot.getA().getType();
  return std::min(left.getShape().back() * factorBytes(left.getElementType()), kTileRowBytes);
}

int64_t commonTileBytes(tt::FuncOp kernel, const LoweringOptions &options) {
  llvm::SmallSetVector<int64_t, 2> bytes;
  kernel.walk([&](tt::DotOp dot) {
    if (multipliesTiles(dot, options))
      bytes.insert(leftBytesOf(dot));
  });
  return bytes.size() == 1 ? bytes[0] : 0;
}

void configureTiles(OpBuilder &b, Location loc, Value memory, int64_t leftBytes) {
  const auto bytes = configuration(leftBytes);
  const auto type = VectorType::get({kTileConfigurationBytes}, b.getI8Type());
  Value content =
      arith::ConstantOp::create(b, loc, type, DenseElementsAttr::get(type, ArrayRef(bytes)));
  LLVM::StoreOp::create(b, loc, content, memory);
  TileInstructions{b, loc}.call("ldtilecfg", memory);
}

void releaseTiles(OpBuilder &b, Location loc) { TileInstructions{b, loc}.call("tilerelease", {}); }

/// `first`: what the sums begin with; null: zero.
void KernelLowering::multiplyTiles(const Buffer &a, const Buffer &b, const Buffer *first,
                                   const Buffer &target) {
  const TileInstructions tiles{m_builder, m_loc};
  const ArrayRef<int64_t> shape = target.type.getShape();
  const int rowDim = static_cast<int>(shape.size()) - 2, columnDim = rowDim + 1;
  const bool isFloat = isa<FloatType>(target.type.getElementType());
  const int64_t depth = a.type.getShape().back(),
                step = std::min(depth, kTileRowBytes / factorBytes(a.type.getElementType()));
  const Place corner = m_nest->place().firstLane();
  const int numRows = shape[rowDim] > kTileRows ? 2 : 1;
  const int numColumns = shape[columnDim] > kTileColumns ? 2 : 1;
  // `emit` gets a register of sums, and where its elements are.
  const auto forEachSum = [&](llvm::function_ref<void(int tile, const Place &place)> emit) {
    for (int row = 0; row < numRows; ++row)
      for (int column = 0; column < numColumns; ++column)
        emit(kSums + 2 * row + column, movedAlong(movedAlong(corner, rowDim, 1, row * kTileRows),
                                                  columnDim, 1, column * kTileColumns));
  };
  forEachSum([&](int tile, const Place &place) {
    first ? tiles.load(tile, bufferAddress(*first, place), strideOf(*first)) : tiles.zero(tile);
  });
  auto loop =
      scf::ForOp::create(m_builder, m_loc, m_zero, tiles.number(depth, 64), tiles.number(step, 64));
  m_builder.setInsertionPointToStart(loop.getBody());
  Place left = corner, right = corner;
  left.indices[columnDim] = loop.getInductionVar();
  right.indices[rowDim] =
      arith::DivUIOp::create(m_builder, m_loc, loop.getInductionVar(),
                             tiles.number(depth / b.type.getDimSize(rowDim), 64));
  for (int row = 0; row < numRows; ++row)
    tiles.load(kLefts + row, bufferAddress(a, movedAlong(left, rowDim, 1, row * kTileRows)),
               strideOf(a));
  for (int column = 0; column < numColumns; ++column)
    tiles.load(kRights + column,
               bufferAddress(b, movedAlong(right, columnDim, 2, 2 * column * kTileColumns)),
               strideOf(b));
  forEachSum([&](int tile, const Place &) {
    tiles.multiply(isFloat ? "tdpbf16ps" : "tdpbssd", tile, kLefts + tile / 2, kRights + tile % 2);
  });
  m_builder.setInsertionPointAfter(loop);
  forEachSum([&](int tile, const Place &place) {
    tiles.store(bufferAddress(target, place), strideOf(target), tile);
  });
}

bool KernelLowering::lowerDotOfTiles(tt::DotOp dot) {
  if (!multipliesTiles(dot, m_options))
    return false;
  const Type factor = elementTypeOf(dot.getA().getType());
  const Buffer a = packFactor(dot.getA(), factor);
  const Buffer b = interleaveFactor(dot.getB(), factor, factor.isInteger(8) ? 4 : 2);
  const Buffer target = allocateResult(dot.getResult());
  const bool isZeroFirst = isZero(dot.getC()), isKept = m_buffers.contains(dot.getC());
  if (!isKept && !isZeroFirst)
    fill(target, dot.getC());
  const Buffer first = isKept ? m_buffers.lookup(dot.getC()) : target;

  const ArrayRef<int64_t> shape = target.type.getShape();
  const int rowDim = static_cast<int>(shape.size()) - 2, columnDim = rowDim + 1;
  const bool isConfigured = m_tileBytes != 0;
  if (!isConfigured)
    configureTiles(
        m_builder, m_loc,
        allocate(RankedTensorType::get({kTileConfigurationBytes}, m_builder.getI8Type())).base,
        leftBytesOf(dot));
  Nest nest(m_builder, shape, {columnDim, std::min(shape[columnDim], 2 * kTileColumns)}, m_zero);
  m_nest = &nest;
  for (int dim = 0; dim <= columnDim; ++dim)
    nest.open(m_loc, dim, {}, false, dim == rowDim ? std::min(shape[dim], 2 * kTileRows) : 1);
  multiplyTiles(a, b, isZeroFirst ? nullptr : &first, target);
  for (int dim = 0; dim <= columnDim; ++dim)
    nest.close(m_loc);
  if (!isConfigured)
    releaseTiles(m_builder, m_loc);
  m_nest = nullptr;
  m_buffers[dot.getResult()] = target;
  return true;
}

} // namespace tilescope::cpu
