// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Matrix products. The factors are written to memory in the type of the sums, and a few rows times a
// tile of columns of sums stay in registers while the loop runs along K:
//
//     for i in 0 .. M step 8, for j in 0 .. N step 32:
//       sums[8][32] = c[i .. i+8][j .. j+32]
//       for k in 0 .. K:
//         sums[r][:] += a[i+r][k] * b[k][j .. j+32]      for the 8 rows r
//       d[i .. i+8][j .. j+32] = sums
#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/Support.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tilescope::cpu {

/// The type in which products are summed: exact for the factors.
static Type sumType(tt::DotOp dot) {
  Type result = elementTypeOf(dot.getType());
  OpBuilder b(dot.getContext());
  return isa<FloatType>(result) && !result.isF64() ? b.getF32Type() : result;
}

bool isSupportedDot(tt::DotOp dot) {
  Type factor = elementTypeOf(dot.getA().getType()), sum = sumType(dot);
  const bool isFloat = isa<FloatType>(factor);
  return factor == elementTypeOf(dot.getB().getType()) && isFloat == isa<FloatType>(sum) &&
         factor.getIntOrFloatBitWidth() <= sum.getIntOrFloatBitWidth();
}

static Value multiplyAdd(OpBuilder &b, Location loc, Value x, Value y, Value sum) {
  if (isa<FloatType>(getElementTypeOrSelf(sum.getType())))
    return math::FmaOp::create(b, loc, x, y, sum);
  return arith::AddIOp::create(b, loc, arith::MulIOp::create(b, loc, x, y), sum);
}

/// The factor in memory, in the type of the sums.
Buffer KernelLowering::packFactor(Value factor, Type sum) {
  auto type = cast<RankedTensorType>(factor.getType());
  if (elementTypeOf(type) == sum) {
    keep(factor);
    return m_buffers.lookup(factor);
  }
  const Buffer packed = allocate(RankedTensorType::get(type.getShape(), sum));
  forEachTile(type.getShape(), chooseLanes({factor}), {factor}, [&] {
    Value tile = at(factor, m_nest->place());
    writeBuffer(packed, m_nest->place(), convertFactor(m_builder, m_loc, tile, sum));
  });
  return packed;
}

/// The sum of one product after another, each with one rounding; or of four at a time with all their roundings, as
/// the interpreter sums them (MatrixProduct.cpp).
static Value addProducts(OpBuilder &b, Location loc, ArrayRef<Value> left, ArrayRef<Value> right,
                         Value sum, bool isExact) {
  if (!isExact || !isa<FloatType>(getElementTypeOrSelf(sum.getType()))) {
    for (auto [x, y] : llvm::zip(left, right))
      sum = multiplyAdd(b, loc, x, y, sum);
    return sum;
  }
  SmallVector<Value> products;
  for (auto [x, y] : llvm::zip(left, right))
    products.push_back(arith::MulFOp::create(b, loc, x, y));
  for (; products.size() > 1; products.truncate(products.size() / 2))
    for (size_t i = 0; i < products.size() / 2; ++i)
      products[i] = arith::AddFOp::create(b, loc, products[2 * i], products[2 * i + 1]);
  return arith::AddFOp::create(b, loc, sum, products[0]);
}

/// Sums of the rows from where the nest is, along K.
SmallVector<Value> KernelLowering::sumProducts(const Buffer &a, const Buffer &b,
                                               ArrayRef<Place> rows, SmallVector<Value> sums) {
  const int64_t lanes = lanesOf(sums[0]);
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(m_builder, m_loc, value, 64);
  };
  const unsigned rank = a.type.getRank();
  const int64_t extent = a.type.getShape().back();
  // The interpreter has a loop over four, and one over the rest; extents are powers of two.
  const int64_t step = m_options.isExact && extent >= 4 ? 4 : 1;
  auto loop = scf::ForOp::create(m_builder, m_loc, index(0), index(extent), index(step), sums);
  m_builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> ks{loop.getInductionVar()};
  for (int64_t i = 1; i < step; ++i)
    ks.push_back(arith::AddIOp::create(m_builder, m_loc, ks[0], index(i)));
  auto readAlong = [&](const Buffer &buffer, Place place, unsigned dim) {
    SmallVector<Value> tiles;
    for (Value k : ks) {
      place.indices[dim] = k;
      tiles.push_back(splat(m_builder, m_loc, readBuffer(buffer, place), lanes));
    }
    return tiles;
  };
  const SmallVector<Value> right = readAlong(b, rows[0], rank - 2);
  SmallVector<Value> next;
  for (auto [row, sum] : llvm::zip(rows, loop.getRegionIterArgs()))
    next.push_back(addProducts(m_builder, m_loc, readAlong(a, row.firstLane(), rank - 1), right,
                               sum, m_options.isExact));
  scf::YieldOp::create(m_builder, m_loc, next);
  m_builder.setInsertionPointAfter(loop);
  return llvm::to_vector_of<Value>(loop.getResults());
}

void KernelLowering::lowerDot(tt::DotOp dot) {
  if (lowerDotOfTiles(dot))
    return;
  const RankedTensorType type = dot.getType();
  Type sum = sumType(dot), result = elementTypeOf(type);
  const Type paired = pairedType(dot), held = paired ? paired : sum;
  const Buffer a = packFactor(dot.getA(), held);
  const Buffer b = paired ? interleaveFactor(dot.getB(), held, 2) : packFactor(dot.getB(), held);
  prepare({dot.getC()}, /*canKeep=*/false);
  const Buffer target = allocateResult(dot.getResult());
  const int rowDim = type.getRank() - 2, columnDim = rowDim + 1;
  Lanes lanes{columnDim, std::min<int64_t>(type.getDimSize(columnDim), lanesPerTile())};
  if (lanes.count == 1)
    lanes.dim = -1;
  // With 32 registers as AVX-512 has them, and with 16.
  const int64_t most = m_options.vectorBytes == 64 ? 8 : 4;
  const int64_t numRows = std::min<int64_t>(type.getDimSize(rowDim), most);
  Nest nest(m_builder, type.getShape(), lanes, m_zero);
  m_nest = &nest;
  for (int dim = 0; dim <= columnDim; ++dim)
    nest.open(m_loc, dim, {}, false, dim == rowDim ? numRows : 1);
  SmallVector<Place> rows;
  SmallVector<Value> sums;
  for (int64_t row = 0; row < numRows; ++row) {
    Place &place = rows.emplace_back(nest.place());
    Value offset = arith::ConstantIntOp::create(m_builder, m_loc, row, 64);
    Value &index = place.indices[rowDim];
    index = arith::AddIOp::create(m_builder, m_loc, index, offset);
    // It is computed inside all loops.
    nest.setDepth(index, type.getRank());
    Value tile = at(dot.getC(), place);
    tile = lanes.dim < 0 ? tile : splat(m_builder, m_loc, tile, lanes.count);
    sums.push_back(convertFactor(m_builder, m_loc, tile, sum));
  }
  sums = paired ? sumPairs(a, b, rows, std::move(sums)) : sumProducts(a, b, rows, std::move(sums));
  for (auto [place, tile] : llvm::zip(rows, sums))
    writeBuffer(target, place, convertFactor(m_builder, m_loc, tile, result));
  for (int dim = 0; dim <= columnDim; ++dim)
    nest.close(m_loc);
  finishKept();
  m_buffers[dot.getResult()] = target;
}

} // namespace tilescope::cpu
