// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The part of LinearLayout that combines and solves: sums, composition, inverses, quotients.
#include "compiler/layout/Gf2.h"
#include "compiler/layout/LinearLayout.h"
#include "compiler/layout/Packing.h"

#include <algorithm>

namespace tilescope::compiler {

using Columns = LinearLayout::Columns;

static BoundedVector<Dim, kMaxTensorRank> names(const DimList &dims) {
  BoundedVector<Dim, kMaxTensorRank> result;
  for (const DimBits &dim : dims)
    result.push_back(dim.dim);
  return result;
}

static std::span<const Dim> span(const BoundedVector<Dim, kMaxTensorRank> &dims) {
  return {dims.data(), dims.size()};
}

/// The dimensions of both, `left`'s first, sizes multiplied.
static DimList multiplied(const DimList &left, const DimList &right) {
  DimList result = left;
  for (const DimBits &dim : right) {
    int index = findDim(result, dim.dim);
    if (index < 0)
      result.push_back(dim);
    else
      result[index].bits += dim.bits;
  }
  return result;
}

/// `value`, packed by `from`, packed by `to`; a dimension of `below` is shifted above its bits
/// there.
static uint64_t repacked(uint64_t value, const DimList &from, const DimList &to,
                         const DimList *below) {
  uint64_t result = 0;
  int shift = 0;
  for (const DimBits &target : to) {
    int fromShift = 0;
    for (const DimBits &source : from) {
      if (source.dim == target.dim && source.bits) {
        int lift = 0;
        if (below)
          if (int index = findDim(*below, target.dim); index >= 0)
            lift = (*below)[index].bits;
        result |= ((value >> fromShift) & lowMask(source.bits)) << (shift + lift);
      }
      fromShift += source.bits;
    }
    shift += target.bits;
  }
  return result;
}

LinearLayout LinearLayout::operator*(const LinearLayout &right) const {
  DimList ins = multiplied(m_ins, right.m_ins);
  DimList outs = multiplied(m_outs, right.m_outs);
  Columns columns;
  for (const DimBits &in : ins) {
    for (uint64_t column : this->columns(in.dim))
      columns.push_back(repacked(column, m_outs, outs, nullptr));
    for (uint64_t column : right.columns(in.dim))
      columns.push_back(repacked(column, right.m_outs, outs, &m_outs));
  }
  return {ins, outs, columns};
}

/// Takes the bits of `removed` out of `dims`; false when it has fewer.
static bool removeBits(DimList &dims, const DimList &removed) {
  for (const DimBits &dim : removed) {
    int index = findDim(dims, dim.dim);
    if (index < 0 ? dim.bits != 0 : dims[index].bits < dim.bits)
      return false;
    if (index >= 0)
      dims[index].bits -= dim.bits;
  }
  return true;
}

std::optional<LinearLayout> LinearLayout::divideLeft(const LinearLayout &divisor) const {
  DimList ins = m_ins, outs = m_outs;
  if (!removeBits(ins, divisor.m_ins) || !removeBits(outs, divisor.m_outs))
    return std::nullopt;
  Columns columns;
  for (const DimBits &in : ins) {
    std::span<const uint64_t> own = this->columns(in.dim), theirs = divisor.columns(in.dim);
    for (size_t i = 0; i < own.size(); ++i) {
      if (i < theirs.size()) {
        if (own[i] != repacked(theirs[i], divisor.m_outs, m_outs, nullptr))
          return std::nullopt;
        continue;
      }
      // The quotient must not touch the divisor's bits of any output.
      uint64_t packed = 0;
      int shift = 0, newShift = 0;
      for (size_t d = 0; d < m_outs.size(); ++d) {
        int low = m_outs[d].bits - outs[d].bits;
        uint64_t field = (own[i] >> shift) & lowMask(m_outs[d].bits);
        if (field & lowMask(low))
          return std::nullopt;
        if (outs[d].bits)
          packed |= (field >> low) << newShift;
        shift += m_outs[d].bits;
        newShift += outs[d].bits;
      }
      columns.push_back(packed);
    }
  }
  return LinearLayout(ins, outs, columns);
}

LinearLayout LinearLayout::concatIns(const LinearLayout &other) const {
  assert(m_outs == other.m_outs);
  LinearLayout result = *this;
  for (const DimBits &in : other.m_ins) {
    assert(!hasIn(in.dim));
    result.m_ins.push_back(in);
  }
  for (uint64_t column : other.m_columns)
    result.m_columns.push_back(column);
  return result;
}

LinearLayout LinearLayout::concatOuts(const LinearLayout &other) const {
  assert(m_ins == other.m_ins);
  LinearLayout result = *this;
  for (const DimBits &out : other.m_outs) {
    assert(!hasOut(out.dim));
    result.m_outs.push_back(out);
  }
  for (size_t i = 0; i < m_columns.size(); ++i)
    result.m_columns[i] |= other.m_columns[i] << m_totalOutBits;
  result.m_totalOutBits += other.m_totalOutBits;
  return result;
}

LinearLayout LinearLayout::compose(const LinearLayout &outer) const {
  Columns columns;
  for (uint64_t column : m_columns)
    columns.push_back(outer.applyPacked(repacked(column, m_outs, outer.m_ins, nullptr)));
  return {m_ins, outer.m_outs, columns};
}

int LinearLayout::rank() const {
  gf2::Basis basis;
  for (uint64_t column : m_columns)
    basis.insert(column);
  return basis.rank();
}

LinearLayout LinearLayout::invert() const {
  assert(isInvertible());
  return pseudoinvert();
}

LinearLayout LinearLayout::pseudoinvert() const {
  gf2::Basis basis;
  for (uint64_t column : m_columns)
    basis.insert(column);
  Columns columns;
  for (int i = 0; i < m_totalOutBits; ++i) {
    std::optional<uint64_t> place = basis.solve(uint64_t(1) << i);
    assert(place && "only surjective layouts have a pseudoinverse");
    columns.push_back(place.value_or(0));
  }
  return {m_outs, m_ins, columns};
}

std::optional<LinearLayout> leastSquares(const LinearLayout &a, const LinearLayout &b) {
  gf2::Basis basis;
  for (uint64_t column : a.columns())
    basis.insert(column);
  LinearLayout aligned = b.transposeOuts(span(names(a.outs())));
  assert(aligned.outs() == a.outs());
  Columns columns;
  for (uint64_t column : aligned.columns()) {
    std::optional<uint64_t> place = basis.solve(column);
    if (!place)
      return std::nullopt;
    columns.push_back(*place);
  }
  return LinearLayout(b.ins(), a.ins(), columns);
}

std::optional<LinearLayout> LinearLayout::invertAndCompose(const LinearLayout &outer) const {
  // Sizes may differ when one side covers more of the tensor; images are compared as numbers.
  LinearLayout own = transposeOuts(span(names(outer.m_outs)));
  DimList wide = own.m_outs;
  for (size_t i = 0; i < wide.size(); ++i)
    wide[i].bits = std::max(wide[i].bits, outer.m_outs[i].bits);
  LinearLayout target = outer;
  for (const DimBits &dim : wide) {
    own = own.resizeOut(dim.dim, dim.bits);
    target = target.resizeOut(dim.dim, dim.bits);
  }

  auto isKept = [&](Dim dim) {
    std::span<const uint64_t> mine = own.columns(dim), theirs = target.columns(dim);
    return target.hasIn(dim) && std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end());
  };
  // Solutions prefer the dimensions that do not map to themselves: they are eliminated first.
  gf2::Basis basis;
  BoundedVector<int, kMaxBits> bitOfColumn;
  for (bool kept : {false, true}) {
    int bit = 0;
    for (const DimBits &in : target.m_ins) {
      bool use = isKept(in.dim) == kept;
      for (int i = 0; i < in.bits; ++i, ++bit)
        if (use) {
          basis.insert(target.m_columns[bit]);
          bitOfColumn.push_back(bit);
        }
    }
  }
  Columns columns;
  int bit = 0;
  for (const DimBits &in : own.m_ins) {
    bool kept = isKept(in.dim);
    for (int i = 0; i < in.bits; ++i, ++bit) {
      if (kept) {
        columns.push_back(uint64_t(1) << (bitOffset(target.m_ins, target.findIn(in.dim)) + i));
        continue;
      }
      std::optional<uint64_t> solution = basis.solve(own.m_columns[bit]);
      if (!solution)
        return std::nullopt;
      uint64_t place = 0;
      for (uint64_t rest = *solution; rest; rest &= rest - 1)
        place |= uint64_t(1) << bitOfColumn[std::countr_zero(rest)];
      columns.push_back(place);
    }
  }
  return LinearLayout(own.m_ins, target.m_ins, columns);
}

bool LinearLayout::isTrivialOver(std::span<const Dim> dims) const {
  for (Dim dim : dims) {
    int in = findIn(dim), out = findOut(dim);
    if (in < 0 && out < 0)
      continue;
    if (in < 0 || out < 0 || m_ins[in].bits != m_outs[out].bits)
      return false;
    int inBegin = bitOffset(m_ins, in), outBegin = bitOffset(m_outs, out);
    uint64_t field = lowMask(m_outs[out].bits) << (m_outs[out].bits ? outBegin : 0);
    for (int i = 0; i < totalInBits(); ++i) {
      bool inside = i >= inBegin && i < inBegin + m_ins[in].bits;
      if (inside ? m_columns[i] != uint64_t(1) << (outBegin + i - inBegin)
                 : (m_columns[i] & field) != 0)
        return false;
    }
  }
  return true;
}

std::optional<LinearLayout> LinearLayout::quotient(std::span<const Dim> dims) const {
  if (!isTrivialOver(dims))
    return std::nullopt;
  LinearLayout result = *this;
  for (Dim dim : dims)
    result = result.dropIn(dim).dropOut(dim);
  return result;
}

Coordinates LinearLayout::freeVariableMasks() const {
  gf2::Basis basis;
  uint64_t free = 0;
  for (size_t i = 0; i < m_columns.size(); ++i)
    if (!basis.insert(m_columns[i]))
      free |= uint64_t(1) << i;
  return unpackIn(free);
}

int64_t LinearLayout::numConsecutiveInOut() const {
  if (m_ins.empty())
    return 1;
  int bits = 0;
  while (bits < m_ins[0].bits && m_columns[bits] == uint64_t(1) << bits)
    ++bits;
  // Another place must not start in the middle of such a run.
  for (size_t i = bits; i < m_columns.size(); ++i)
    if (m_columns[i])
      bits = std::min(bits, std::countr_zero(m_columns[i]));
  return int64_t(1) << bits;
}

} // namespace tilescope::compiler
