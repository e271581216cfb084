// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/layout/LinearLayout.h"

#include "compiler/layout/Packing.h"

#include <algorithm>

namespace tilescope::compiler {

std::string dimName(Dim dim) {
  static constexpr const char *kNames[] = {"register", "lane", "warp",   "block",
                                           "offset",   "row",  "column", "iteration",
                                           "segment",  "bank", "vector"};
  if (isTensorDim(dim))
    return "dim" + std::to_string(tensorDimIndex(dim));
  return kNames[static_cast<int>(dim)];
}

namespace {
/// Moves bit fields of packed values from one arrangement of dimensions to another. Dimensions that
/// the target lacks are dropped.
class FieldMoves {
public:
  FieldMoves(const DimList &from, const DimList &to) {
    int fromShift = 0;
    for (const DimBits &source : from) {
      int toShift = 0;
      for (const DimBits &target : to) {
        if (target.dim == source.dim)
          m_moves.push_back({fromShift, toShift, lowMask(std::min(source.bits, target.bits))});
        toShift += target.bits;
      }
      fromShift += source.bits;
    }
  }
  uint64_t operator()(uint64_t value) const {
    uint64_t result = 0;
    for (const Move &move : m_moves)
      if (move.mask)
        result |= ((value >> move.from) & move.mask) << move.to;
    return result;
  }

private:
  struct Move {
    int from;
    int to;
    uint64_t mask;
  };
  BoundedVector<Move, kMaxTensorRank> m_moves;
};
} // namespace

LinearLayout::LinearLayout(const DimList &ins, const DimList &outs, const Columns &columns)
    : m_ins(ins), m_outs(outs), m_columns(columns), m_totalOutBits(totalBits(outs)) {
  assert(totalBits(ins) == static_cast<int>(columns.size()));
  assert(m_totalOutBits <= static_cast<int>(kMaxBits));
}

LinearLayout LinearLayout::identity(int64_t size, Dim in, Dim out) {
  return strided(size, 1, in, out);
}

LinearLayout LinearLayout::strided(int64_t size, int64_t stride, Dim in, Dim out) {
  uint8_t bits = log2Exact(size), strideBits = log2Exact(stride);
  Columns columns;
  for (int i = 0; i < bits; ++i)
    columns.push_back(uint64_t(1) << (strideBits + i));
  return {{DimBits{in, bits}},
          {DimBits{out, static_cast<uint8_t>(bits ? bits + strideBits : 0)}},
          columns};
}

LinearLayout LinearLayout::zeros(int64_t size, Dim in, Dim out, int64_t outSize) {
  uint8_t bits = log2Exact(size);
  Columns columns;
  for (int i = 0; i < bits; ++i)
    columns.push_back(0);
  return {{DimBits{in, bits}}, {DimBits{out, log2Exact(outSize)}}, columns};
}

int LinearLayout::findIn(Dim dim) const { return findDim(m_ins, dim); }
int LinearLayout::findOut(Dim dim) const { return findDim(m_outs, dim); }

int LinearLayout::bitOffset(const DimList &dims, int index) {
  int offset = 0;
  for (int i = 0; i < index; ++i)
    offset += dims[i].bits;
  return offset;
}

int LinearLayout::inBits(Dim dim) const {
  int index = findIn(dim);
  return index < 0 ? 0 : m_ins[index].bits;
}

int LinearLayout::outBits(Dim dim) const {
  int index = findOut(dim);
  return index < 0 ? 0 : m_outs[index].bits;
}

std::span<const uint64_t> LinearLayout::columns(Dim in) const {
  int index = findIn(in);
  if (index < 0)
    return {};
  return {m_columns.data() + bitOffset(m_ins, index), m_ins[index].bits};
}

int64_t LinearLayout::basis(Dim in, int bit, Dim out) const {
  assert(bit >= 0 && bit < inBits(in));
  int index = findOut(out);
  if (index < 0)
    return 0;
  return (columns(in)[bit] >> bitOffset(m_outs, index)) & lowMask(m_outs[index].bits);
}

std::vector<int32_t> LinearLayout::tensorBasis(Dim in, int bit, int rank) const {
  std::vector<int32_t> result(rank);
  for (int i = 0; i < rank; ++i)
    result[i] = static_cast<int32_t>(basis(in, bit, tensorDim(i)));
  return result;
}

uint64_t LinearLayout::applyPacked(uint64_t in) const {
  uint64_t result = 0;
  for (in &= lowMask(totalInBits()); in; in &= in - 1)
    result ^= m_columns[std::countr_zero(in)];
  return result;
}

static uint64_t pack(const DimList &dims, std::span<const DimValue> values) {
  uint64_t result = 0;
  int shift = 0;
  for (const DimBits &dim : dims) {
    for (const DimValue &value : values)
      if (value.dim == dim.dim && dim.bits)
        result |= (static_cast<uint64_t>(value.value) & lowMask(dim.bits)) << shift;
    shift += dim.bits;
  }
  return result;
}

static Coordinates unpack(const DimList &dims, uint64_t packed) {
  Coordinates result;
  for (const DimBits &dim : dims) {
    result.push_back({dim.dim, static_cast<int64_t>(packed & lowMask(dim.bits))});
    packed = dim.bits >= 64 ? 0 : packed >> dim.bits;
  }
  return result;
}

uint64_t LinearLayout::packIn(std::span<const DimValue> in) const { return pack(m_ins, in); }
uint64_t LinearLayout::packOut(std::span<const DimValue> out) const { return pack(m_outs, out); }
Coordinates LinearLayout::unpackIn(uint64_t in) const { return unpack(m_ins, in); }
Coordinates LinearLayout::unpackOut(uint64_t out) const { return unpack(m_outs, out); }

Coordinates LinearLayout::apply(std::span<const DimValue> in) const {
  return unpackOut(applyPacked(packIn(in)));
}

/// The dimensions of `dims` in the order of `order`; those that `dims` lacks get size 1.
static DimList ordered(const DimList &dims, std::span<const Dim> order) {
  DimList result;
  for (Dim dim : order) {
    int index = findDim(dims, dim);
    result.push_back({dim, index < 0 ? uint8_t(0) : dims[index].bits});
  }
  return result;
}

LinearLayout LinearLayout::transposeIns(std::span<const Dim> order) const {
  DimList ins = ordered(m_ins, order);
  assert(totalBits(ins) == totalInBits() && "every input must be named");
  Columns columns;
  for (const DimBits &dim : ins)
    for (uint64_t column : this->columns(dim.dim))
      columns.push_back(column);
  return {ins, m_outs, columns};
}

/// Columns whose bits lie as `from` has them, as `to` has them.
static LinearLayout::Columns moved(const LinearLayout::Columns &columns, const DimList &from,
                                   const DimList &to) {
  FieldMoves move(from, to);
  LinearLayout::Columns result;
  for (uint64_t column : columns)
    result.push_back(move(column));
  return result;
}

LinearLayout LinearLayout::transposeOuts(std::span<const Dim> order) const {
  DimList outs = ordered(m_outs, order);
  assert(totalBits(outs) == totalOutBits() && "every output must be named");
  if (outs == m_outs)
    return *this;
  return {m_ins, outs, moved(m_columns, m_outs, outs)};
}

LinearLayout LinearLayout::canonicalOuts() const {
  BoundedVector<Dim, kMaxTensorRank> order;
  for (const DimBits &out : m_outs)
    order.push_back(out.dim);
  std::sort(order.begin(), order.end(), std::greater<Dim>());
  return transposeOuts({order.data(), order.size()});
}

LinearLayout LinearLayout::reshapeIns(const DimList &dims) const {
  assert(totalBits(dims) == totalInBits());
  return {dims, m_outs, m_columns};
}

LinearLayout LinearLayout::reshapeOuts(const DimList &dims) const {
  assert(totalBits(dims) == totalOutBits());
  return {m_ins, dims, m_columns};
}

LinearLayout LinearLayout::renameIn(Dim from, Dim to) const {
  LinearLayout result = *this;
  if (int index = findIn(from); index >= 0)
    result.m_ins[index].dim = to;
  return result;
}

LinearLayout LinearLayout::renameOut(Dim from, Dim to) const {
  LinearLayout result = *this;
  if (int index = findOut(from); index >= 0)
    result.m_outs[index].dim = to;
  return result;
}

LinearLayout LinearLayout::permuteTensorDims(std::span<const int32_t> order) const {
  LinearLayout result = *this;
  for (size_t i = 0; i < order.size(); ++i)
    if (int index = findOut(tensorDim(order[i])); index >= 0)
      result.m_outs[index].dim = tensorDim(static_cast<int>(i));
  return result.canonicalOuts();
}

static bool contains(std::span<const Dim> dims, Dim dim) {
  return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

LinearLayout LinearLayout::sublayout(std::span<const Dim> ins, std::span<const Dim> outs) const {
  DimList newIns, newOuts;
  for (const DimBits &out : m_outs)
    if (contains(outs, out.dim))
      newOuts.push_back(out);
  FieldMoves move(m_outs, newOuts);
  Columns columns;
  size_t column = 0;
  for (const DimBits &in : m_ins) {
    if (contains(ins, in.dim)) {
      newIns.push_back(in);
      for (int i = 0; i < in.bits; ++i)
        columns.push_back(move(m_columns[column + i]));
    }
    column += in.bits;
  }
  return {newIns, newOuts, columns};
}

bool LinearLayout::sublayoutIsZero(std::initializer_list<Dim> ins,
                                   std::initializer_list<Dim> outs) const {
  LinearLayout part = sublayout(ins, outs);
  return std::all_of(part.m_columns.begin(), part.m_columns.end(),
                     [](uint64_t c) { return c == 0; });
}

LinearLayout LinearLayout::dropIn(Dim in) const {
  LinearLayout result = truncateIn(in, 0);
  if (int index = findIn(in); index >= 0)
    result.m_ins.erase(index);
  return result;
}

LinearLayout LinearLayout::dropOut(Dim out) const {
  DimList outs;
  for (const DimBits &dim : m_outs)
    if (dim.dim != out)
      outs.push_back(dim);
  return {m_ins, outs, moved(m_columns, m_outs, outs)};
}

LinearLayout LinearLayout::removeZeroBases(Dim in) const {
  LinearLayout result = *this;
  int index = findIn(in);
  if (index < 0)
    return result;
  int begin = bitOffset(m_ins, index);
  for (int i = begin + m_ins[index].bits - 1; i >= begin; --i)
    if (m_columns[i] == 0) {
      result.m_columns.erase(i);
      --result.m_ins[index].bits;
    }
  return result;
}

LinearLayout LinearLayout::truncateIn(Dim in, int bits) const {
  LinearLayout result = *this;
  int index = findIn(in);
  if (index < 0)
    return result;
  int begin = bitOffset(m_ins, index);
  for (int i = begin + m_ins[index].bits - 1; i >= begin + bits; --i) {
    result.m_columns.erase(i);
    --result.m_ins[index].bits;
  }
  return result;
}

LinearLayout LinearLayout::resizeOut(Dim out, int bits) const {
  DimList outs = m_outs;
  int index = findOut(out);
  assert(index >= 0);
  outs[index].bits = static_cast<uint8_t>(bits);
  return {m_ins, outs, moved(m_columns, m_outs, outs)};
}

size_t LinearLayout::hash() const {
  uint64_t state = 0x9e3779b97f4a7c15ull;
  auto mix = [&](uint64_t value) {
    state ^= value + 0x9e3779b97f4a7c15ull + (state << 6) + (state >> 2);
    state *= 0xff51afd7ed558ccdull;
    state ^= state >> 32;
  };
  for (const DimList *dims : {&m_ins, &m_outs}) {
    mix(dims->size());
    for (const DimBits &dim : *dims)
      mix(static_cast<uint64_t>(dim.dim) << 8 | dim.bits);
  }
  for (uint64_t column : m_columns)
    mix(column);
  return state;
}

std::string LinearLayout::toString() const {
  BoundedVector<Dim, kMaxTensorRank> order;
  for (const DimBits &out : m_outs)
    order.push_back(out.dim);
  std::sort(order.begin(), order.end());
  std::string text;
  for (const DimBits &in : m_ins) {
    text += dimName(in.dim) + ": [";
    for (int bit = 0; bit < in.bits; ++bit) {
      text += bit ? ", [" : "[";
      for (size_t i = 0; i < order.size(); ++i)
        text += (i ? ", " : "") + std::to_string(basis(in.dim, bit, order[i]));
      text += "]";
    }
    text += "]\n";
  }
  text += "of";
  for (Dim out : order)
    text += " " + dimName(out) + ":" + std::to_string(outSize(out));
  return text;
}

} // namespace tilescope::compiler
