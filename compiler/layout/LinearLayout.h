// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Linear layouts: where every element of a tensor lives, as a matrix over the field of two
// elements.
//
// A layout takes a place in hardware (which register, which lane, which warp, …) to a tensor
// coordinate. All sizes are powers of two, so both sides are strings of bits, and for every layout
// that GPUs want the map is linear when addition is XOR. Such a map is known from the images of the
// single bits, its *bases*:
//
//     L(x) = XOR of basis[i] over the set bits i of x,        L(0) = 0
//
// Worked example (asserted by the unit test "the worked example of the header"). Eight lanes with
// two registers each hold a 4x4 tensor; each register pair sits side by side in a row, two lanes
// fill a row:
//
//     register: [[0, 1]]                          dim1 ->   0     1     2     3
//     lane:     [[0, 2], [1, 0], [2, 0]]      dim0    0   l0r0  l0r1  l1r0  l1r1
//                                               |     1   l2r0  l2r1  l3r0  l3r1
//                                               v     2   l4r0  l4r1  l5r0  l5r1
//                                                     3   l6r0  l6r1  l7r0  l7r1
//
// Register 1 of lane 5 (= 0b101): [0,1] xor [0,2] xor [2,0] = [2, 3]. A swizzled buffer is as
// linear as this: a basis such as `offset 4 -> [1, 1]` moves to the next row and flips the column.
//
// A place that differs only in bits with zero bases holds the same element (broadcast), so maps
// that go the other way need not be functions; `invertAndCompose` picks one answer among the
// possible ones.
//
// Inside, an image is ONE integer: the output dimensions are bit fields of it, the first listed
// dimension in the lowest bits. Layouts of tensors list the last dimension first, so the integer is
// the row-major index of the element. Applying a layout is a few XORs, and reshaping a tensor
// changes no basis at all.
#pragma once

#include "compiler/layout/BoundedVector.h"
#include "compiler/layout/Dim.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// One dimension of a layout's input or output and log2 of its size.
struct DimBits {
  Dim dim = Dim::Register;
  uint8_t bits = 0;
  bool operator==(const DimBits &) const = default;
};

/// A coordinate along one dimension.
struct DimValue {
  Dim dim = Dim::Register;
  int64_t value = 0;
  bool operator==(const DimValue &) const = default;
};

using DimList = BoundedVector<DimBits, kMaxTensorRank>;
using Coordinates = BoundedVector<DimValue, kMaxTensorRank>;

/// log2 of a power of two.
inline uint8_t log2Exact(int64_t size) {
  assert(size > 0 && std::has_single_bit(static_cast<uint64_t>(size)));
  return static_cast<uint8_t>(std::countr_zero(static_cast<uint64_t>(size)));
}

/// See the top of this file. A value type; cheap to copy, never allocates.
class LinearLayout {
public:
  /// Most bits of input, and of output.
  static constexpr size_t kMaxBits = 64;
  using Columns = BoundedVector<uint64_t, kMaxBits>;

  /// The layout with neither inputs nor outputs: the unit of `operator*`.
  LinearLayout() = default;
  /// From packed images, one per input bit in the order of `ins`.
  LinearLayout(const DimList &ins, const DimList &outs, const Columns &columns);

  /// `in` -> `out`, x maps to x.
  static LinearLayout identity(int64_t size, Dim in, Dim out);
  /// `in` -> `out`, x maps to stride * x.
  static LinearLayout strided(int64_t size, int64_t stride, Dim in, Dim out);
  /// `in` -> `out` of size `outSize`, everything maps to 0.
  static LinearLayout zeros(int64_t size, Dim in, Dim out, int64_t outSize = 1);

  // The dimensions, lowest bits first.
  const DimList &ins() const { return m_ins; }
  const DimList &outs() const { return m_outs; }
  bool hasIn(Dim dim) const { return findIn(dim) >= 0; }
  bool hasOut(Dim dim) const { return findOut(dim) >= 0; }
  /// log2 of the size; 0 for a dimension that the layout does not have.
  int inBits(Dim dim) const;
  int outBits(Dim dim) const;
  int64_t inSize(Dim dim) const { return int64_t(1) << inBits(dim); }
  int64_t outSize(Dim dim) const { return int64_t(1) << outBits(dim); }
  int totalInBits() const { return static_cast<int>(m_columns.size()); }
  int totalOutBits() const { return m_totalOutBits; }

  /// All images, packed, lowest input bit first.
  std::span<const uint64_t> columns() const { return {m_columns.data(), m_columns.size()}; }
  /// The packed images of the bits of `in`; empty when there is no such dimension.
  std::span<const uint64_t> columns(Dim in) const;
  /// The image of bit `bit` of `in` along `out`.
  int64_t basis(Dim in, int bit, Dim out) const;
  /// The image of bit `bit` of `in` along dim0, dim1, … of a tensor of that rank.
  std::vector<int32_t> tensorBasis(Dim in, int bit, int rank) const;

  /// The image of packed input bits.
  uint64_t applyPacked(uint64_t in) const;
  /// The image of a place; dimensions that are not named are 0.
  Coordinates apply(std::span<const DimValue> in) const;
  Coordinates apply(std::initializer_list<DimValue> in) const {
    return apply(std::span<const DimValue>(in.begin(), in.size()));
  }
  uint64_t packIn(std::span<const DimValue> in) const;
  uint64_t packOut(std::span<const DimValue> out) const;
  Coordinates unpackIn(uint64_t in) const;
  Coordinates unpackOut(uint64_t out) const;

  // Renaming and reordering. None of these changes which place holds which element.
  LinearLayout transposeIns(std::span<const Dim> order) const;
  LinearLayout transposeOuts(std::span<const Dim> order) const;
  /// Tensor dimensions with the last one lowest, so that packed images are row-major indices.
  LinearLayout canonicalOuts() const;
  /// Cuts the packed bits anew; the number of bits stays.
  LinearLayout reshapeIns(const DimList &dims) const;
  LinearLayout reshapeOuts(const DimList &dims) const;
  LinearLayout renameIn(Dim from, Dim to) const;
  LinearLayout renameOut(Dim from, Dim to) const;
  /// Renames tensor dimensions: result dim i is the source's dim order[i].
  LinearLayout permuteTensorDims(std::span<const int32_t> order) const;

  // Taking apart.
  /// Keeps the named inputs and outputs, in the order of this layout.
  LinearLayout sublayout(std::span<const Dim> ins, std::span<const Dim> outs) const;
  LinearLayout sublayout(std::initializer_list<Dim> ins, std::initializer_list<Dim> outs) const {
    return sublayout(std::span<const Dim>(ins.begin(), ins.size()),
                     std::span<const Dim>(outs.begin(), outs.size()));
  }
  bool sublayoutIsZero(std::initializer_list<Dim> ins, std::initializer_list<Dim> outs) const;
  /// The layout of the places where `in` is 0.
  LinearLayout dropIn(Dim in) const;
  /// Forgets a coordinate of the result.
  LinearLayout dropOut(Dim out) const;
  /// Drops the bits of `in` that do not move the element: each then has one place there.
  LinearLayout removeZeroBases(Dim in) const;
  /// Keeps the lowest bits of `in`.
  LinearLayout truncateIn(Dim in, int bits) const;
  /// Changes the declared size of `out`; with fewer bits, bases are cut to what is left.
  LinearLayout resizeOut(Dim out, int bits) const;

  // Putting together.
  /// Direct sum: the bits of `right` sit above this layout's bits in every dimension they share.
  LinearLayout operator*(const LinearLayout &right) const;
  LinearLayout &operator*=(const LinearLayout &right) { return *this = *this * right; }
  /// The layout L with *this == divisor * L, if there is one.
  std::optional<LinearLayout> divideLeft(const LinearLayout &divisor) const;
  /// Inputs of both, side by side; the outputs are equal.
  LinearLayout concatIns(const LinearLayout &other) const;
  /// Outputs of both, side by side; the inputs are equal.
  LinearLayout concatOuts(const LinearLayout &other) const;
  /// `outer` after this layout: x maps to outer(this(x)).
  LinearLayout compose(const LinearLayout &outer) const;

  // Linear algebra.
  int rank() const;
  bool isSurjective() const { return rank() == totalOutBits(); }
  bool isInjective() const { return rank() == totalInBits(); }
  bool isInvertible() const { return isSurjective() && isInjective(); }
  /// The inverse of an invertible layout.
  LinearLayout invert() const;
  /// For a surjective layout, a map from elements to one of the places that hold them.
  LinearLayout pseudoinvert() const;
  /// A map C with outer(C(x)) == this(x): from a place of this layout to a place of `outer` that
  /// holds the same element. Dimensions with equal bases on both sides map to themselves. None when
  /// `outer` lacks elements.
  std::optional<LinearLayout> invertAndCompose(const LinearLayout &outer) const;
  /// Without the given dimensions, if the map is the identity on each of them and mixes none with
  /// others.
  std::optional<LinearLayout> quotient(std::span<const Dim> dims) const;
  bool isTrivialOver(std::span<const Dim> dims) const;
  bool isTrivialOver(std::initializer_list<Dim> dims) const {
    return isTrivialOver(std::span<const Dim>(dims.begin(), dims.size()));
  }
  /// Per input dimension the bits that are free: they change the place but, given the other bits,
  /// need not change the element. Work done only where these bits are 0 touches every element once.
  Coordinates freeVariableMasks() const;
  /// How many consecutive values of the lowest input dimension are consecutive in the packed
  /// output, from every place. The vector width of an access.
  int64_t numConsecutiveInOut() const;

  bool operator==(const LinearLayout &) const = default;
  size_t hash() const;
  /// One line per input dimension: `register: [[0, 1], [8, 0]]`, tensor dimensions in the order
  /// dim0, dim1, …
  std::string toString() const;

private:
  int findIn(Dim dim) const;
  int findOut(Dim dim) const;
  /// First bit of the dimension at `index` in the packed form.
  static int bitOffset(const DimList &dims, int index);

  DimList m_ins;
  DimList m_outs;
  Columns m_columns;
  int m_totalOutBits = 0;
};

/// A map X with a(X(x)) == b(x), free choices set to 0; none when some b(x) is not in the image of
/// a.
std::optional<LinearLayout> leastSquares(const LinearLayout &a, const LinearLayout &b);

} // namespace tilescope::compiler

template <> struct std::hash<tilescope::compiler::LinearLayout> {
  size_t operator()(const tilescope::compiler::LinearLayout &layout) const { return layout.hash(); }
};
