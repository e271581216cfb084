// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Products of factors of 8 and 16 bits, by instructions that multiply pairs of neighbors along K and add both products
// to a sum of 32 bits (pmaddwd, vpdpwssd, vdpbf16ps). A pair of the left factor is a word of its row; those of
// the right one are made by interleaving its rows:
//
//     b[0]:  p q r s            b[0 and 1]:  p t  q u  r v  s w
//     b[1]:  t u v w
//
//     sums[r][j] += a[r][k] b[k][j] + a[r][k+1] b[k+1][j]
#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tilescope::cpu {

Type KernelLowering::pairedType(tt::DotOp dot) const {
  const Type factor = elementTypeOf(dot.getA().getType()), sum = elementTypeOf(dot.getType());
  const int64_t depth = dot.getA().getType().getShape().back();
  const int64_t columns = dot.getType().getShape().back();
  if (m_options.isExact || depth < 2 || columns < m_options.vectorBytes / 4)
    return {};
  if (factor.isBF16() && sum.isF32())
    return m_options.pairsBf16 ? factor : Type();
  const bool isNarrow = factor.isInteger(8) || factor.isInteger(16);
  return isNarrow && sum.isInteger(32) && m_options.pairsIntegers
             ? IntegerType::get(factor.getContext(), 16)
             : Type();
}

Buffer KernelLowering::interleaveRows(const Buffer &factor) {
  const unsigned rowDim = factor.type.getRank() - 2, columnDim = rowDim + 1;
  SmallVector<int64_t> shape(factor.type.getShape());
  shape[rowDim] /= 2;
  const Lanes lanes{static_cast<int>(columnDim), std::min(lanesPerTile(), shape[columnDim])};
  SmallVector<int64_t> paired(shape);
  paired[columnDim] *= 2;
  const Buffer result = allocate(RankedTensorType::get(paired, factor.type.getElementType()));
  forEachTile(shape, lanes, {}, [&] {
    const Place &place = m_nest->place();
    const auto row = [&](int64_t i) {
      return toMemory(m_builder, m_loc, readBuffer(factor, movedAlong(place, rowDim, 2, i)));
    };
    Value both = vector::InterleaveOp::create(m_builder, m_loc, row(0), row(1));
    LLVM::StoreOp::create(m_builder, m_loc, both,
                          bufferAddress(result, movedAlong(place, columnDim, 2, 0)),
                          /*alignment=*/2);
  });
  return result;
}

/// Row `i` of every `count` ones, where the nest is at one place for all of them.
static Place rowOf(OpBuilder &b, Location loc, Nest &nest, unsigned rowDim, int64_t count,
                   int64_t i) {
  Place place = nest.place();
  Value &index = place.indices[rowDim];
  const unsigned depth = nest.depthOf({index});
  OpBuilder::InsertionGuard guard(b);
  nest.moveTo(depth);
  const auto number = [&](int64_t value) {
    return arith::ConstantIntOp::create(b, loc, value, 64);
  };
  index =
      arith::AddIOp::create(b, loc, arith::MulIOp::create(b, loc, index, number(count)), number(i));
  nest.setDepth(index, depth);
  return place;
}

/// Of rows, two or four, the elements of each column side by side.
static Value interleaveTiles(OpBuilder &b, Location loc, SmallVector<Value> rows) {
  while (true) {
    for (size_t i = 0; i < rows.size() / 2; ++i)
      rows[i] = vector::InterleaveOp::create(b, loc, rows[2 * i], rows[2 * i + 1]);
    rows.truncate(rows.size() / 2);
    if (rows.size() == 1)
      return rows[0];
    // Two of them are a word of the next round.
    for (Value &row : rows) {
      const Type element = getElementTypeOrSelf(row.getType());
      const auto words = VectorType::get({lanesOf(row) / 2},
                                         b.getIntegerType(2 * element.getIntOrFloatBitWidth()));
      row = LLVM::BitcastOp::create(b, loc, words, row);
    }
  }
}

Buffer KernelLowering::interleaveFactor(Value factor, Type held, int64_t count) {
  const auto type = cast<RankedTensorType>(factor.getType());
  const unsigned columnDim = type.getRank() - 1, rowDim = columnDim - 1;
  const Lanes lanes = chooseLanes({factor});
  SmallVector<int64_t> shape(type.getShape()), paired(shape);
  shape[rowDim] /= count;
  const unsigned width = held.getIntOrFloatBitWidth() * static_cast<unsigned>(count / 2);
  const Type word = count == 2 ? held : Type(m_builder.getIntegerType(width));
  // What others need, too, is kept; and what is turned is turned in squares.
  if (m_buffers.contains(factor) || !factor.hasOneUse() ||
      lanes.dim != static_cast<int>(columnDim) || patchesFor(type.getShape(), lanes, {factor})) {
    Buffer rows = interleaveRows(packFactor(factor, held));
    if (count == 2)
      return rows;
    paired[rowDim] /= 2;
    return interleaveRows({rows.base, RankedTensorType::get(paired, word)});
  }
  prepare({factor});
  paired[rowDim] /= count;
  paired[columnDim] *= 2;
  const Buffer result = allocate(RankedTensorType::get(paired, word));
  forEachCase(wholeTiles(type.getShape(), lanes, {factor}), [&] {
    openAll(shape, lanes, [&] {
      SmallVector<Value> rows;
      for (int64_t i = 0; i < count; ++i) {
        Value tile = at(factor, rowOf(m_builder, m_loc, *m_nest, rowDim, count, i));
        tile = convertFactor(m_builder, m_loc, splat(m_builder, m_loc, tile, lanes.count), held);
        rows.push_back(toMemory(m_builder, m_loc, tile));
      }
      Value words = interleaveTiles(m_builder, m_loc, std::move(rows));
      LLVM::StoreOp::create(m_builder, m_loc, words,
                            bufferAddress(result, movedAlong(m_nest->place(), columnDim, 2, 0)),
                            /*alignment=*/2);
    });
  });
  finishKept();
  return result;
}

/// `sum + left[0] right[0] + left[1] right[1]` in each lane; the factors are words of two.
static Value addPairs(OpBuilder &b, Location loc, Value left, Value right, Value sum) {
  auto type = cast<VectorType>(sum.getType());
  const int64_t lanes = type.getNumElements();
  const bool isFloat = isa<FloatType>(type.getElementType());
  const Type pairs = VectorType::get({2 * lanes}, isFloat ? Type(b.getBF16Type()) : b.getI16Type());
  left = LLVM::BitcastOp::create(b, loc, pairs, left);
  right = LLVM::BitcastOp::create(b, loc, pairs, right);
  const auto call = [&](StringRef name, ValueRange operands) {
    return LLVM::CallIntrinsicOp::create(b, loc, type, b.getStringAttr(name), operands)
        .getResult(0);
  };
  if (isFloat)
    return call("llvm.x86.avx512bf16.dpbf16ps.512", {sum, left, right});
  // Where the processor adds in the same instruction, LLVM takes that.
  Value products =
      call(lanes == 16 ? "llvm.x86.avx512.pmaddw.d.512" : "llvm.x86.avx2.pmadd.wd", {left, right});
  return arith::AddIOp::create(b, loc, sum, products);
}

SmallVector<Value> KernelLowering::sumPairs(const Buffer &a, const Buffer &b, ArrayRef<Place> rows,
                                            SmallVector<Value> sums) {
  const int64_t width = m_options.vectorBytes / 4;
  const unsigned rowDim = a.type.getRank() - 2, columnDim = rowDim + 1;
  const size_t numParts = static_cast<size_t>(lanesOf(sums[0]) / width);
  SmallVector<Value> parts;
  for (Value sum : sums)
    llvm::append_range(parts, splitTile(m_builder, m_loc, sum, width));
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(m_builder, m_loc, value, 64);
  };
  auto loop = scf::ForOp::create(m_builder, m_loc, index(0), index(b.type.getDimSize(rowDim)),
                                 index(1), parts);
  m_builder.setInsertionPointToStart(loop.getBody());
  const auto load = [&](const Buffer &buffer, const Place &place, Type type) -> Value {
    return LLVM::LoadOp::create(m_builder, m_loc, type, bufferAddress(buffer, place),
                                /*alignment=*/2);
  };
  const Type word = m_builder.getI32Type(), words = VectorType::get({width}, word);
  Place place = rows[0];
  place.indices[rowDim] = loop.getInductionVar();
  SmallVector<Value> right;
  for (size_t part = 0; part < numParts; ++part)
    right.push_back(
        load(b, movedAlong(place, columnDim, 2, 2 * width * static_cast<int64_t>(part)), words));
  SmallVector<Value> next;
  for (auto [r, row] : llvm::enumerate(rows)) {
    Place pair = row.firstLane();
    pair.indices[columnDim] = loop.getInductionVar();
    Value left = splat(m_builder, m_loc, load(a, movedAlong(pair, columnDim, 2, 0), word), width);
    for (size_t part = 0; part < numParts; ++part)
      next.push_back(addPairs(m_builder, m_loc, left, right[part],
                              loop.getRegionIterArg(r * numParts + part)));
  }
  scf::YieldOp::create(m_builder, m_loc, next);
  m_builder.setInsertionPointAfter(loop);
  const SmallVector<Value> results = llvm::to_vector_of<Value>(loop.getResults());
  for (auto [r, sum] : llvm::enumerate(sums))
    sum = joinTile(m_builder, m_loc, ArrayRef(results).slice(r * numParts, numParts));
  return sums;
}

} // namespace tilescope::cpu
