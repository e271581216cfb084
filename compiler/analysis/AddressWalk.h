// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// One address of a kernel, followed to the tensor that it lies in, and through its offsets to the
// dimensions of that tensor:
//
//   x_ptr + (row * stride + columns)       tensor: x_ptr; dimensions at distances [stride] and [1]
#pragma once

#include "compiler/analysis/TensorAccess.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace tilescope::compiler {

class AddressWalk {
public:
  using Strides = std::vector<unsigned>;
  /// What lies between two elements: arguments and a constant.
  using Distance = std::pair<Strides, int64_t>;
  /// `mask`: of the access, where it has one.
  explicit AddressWalk(const IndexBounds &bounds, mlir::Value mask = {})
      : m_bounds(bounds), m_mask(mask) {}

  /// The tensor that an address lies in, whatever is added to it.
  static std::optional<unsigned> tensorOf(mlir::Value pointer, const IndexBounds &bounds);
  void address(mlir::Value value);

  std::optional<unsigned> tensor;
  std::map<Distance, AccessDim> dims;

private:
  AccessDim &dimOf(const Strides &strides) { return dimOf(strides, m_step); }

  AccessDim &dimOf(const Strides &strides, int64_t step);
  /// The arguments that a stride is the product of.
  Strides stridesOf(mlir::Value value) const;
  static Strides joined(const Strides &one, const Strides &other);
  /// Whether a value is a product with an argument: `row * n`, beside which `n` is the next row.
  bool isMultiple(mlir::Value value, unsigned argument) const;
  bool isTakenFrom(mlir::Value part, unsigned argument) const;
  bool countsDown(mlir::Value value) const;
  /// A chain of additions to a pointer: what is compared may be a sum over several of them.
  void addition(mlir::Value value);
  void addressArgument(mlir::BlockArgument argument);
  /// An offset that a loop adds in every round.
  void moved(mlir::Value step, const Strides &strides, mlir::scf::ForOp loop);
  void blockPointer(mlir::ValueRange shape, mlir::ValueRange strides);
  /// A part of an offset, which is multiplied by `strides` and by the constant `scale`.
  /// `isBounded`: what it is a part of is known to end somewhere.
  void index(mlir::Value value, const Strides &strides, int64_t scale, bool isBounded);
  /// Of one of several alternatives it is not known whether the index goes that far.
  void reach(AccessDim &dim, int64_t further) const;
  void shift(AccessDim &dim, int64_t further) const;
  /// Notes how a distance between elements is made of arguments.
  void noteDistance(AccessDim &dim, mlir::Value distance) const;
  /// A diagonal lies in a square: `i * (n + 1)` for `i < n`.
  void squareDiagonal(mlir::Value index, mlir::Value distance);
  /// Notes that an index ends at these arguments, from which it may be taken.
  void reverse(AccessDim &dim, const ArgumentSet &ends, int64_t scale) const;
  static void leaf(mlir::Value value, AccessDim &dim, int64_t scale, bool isBounded);
  void product(mlir::Operation *op, const Strides &strides, int64_t scale, bool isBounded);
  /// A quotient, a remainder, or a minimum: what it is made of ends somewhere, or it does itself.
  void limited(mlir::Operation *op, const Strides &strides, int64_t scale, bool isBounded);
  void indexArgument(mlir::BlockArgument argument, const Strides &strides, int64_t scale,
                     bool isBounded);
  void followNext(mlir::Value next, const Strides &strides, int64_t scale, bool isBounded);
  void counter(mlir::scf::ForOp loop, const Strides &strides, int64_t scale, bool isBounded);

  const IndexBounds &m_bounds;
  mlir::Value m_mask;
  bool m_followsOffsets = true;
  bool m_isOneOfSeveral = false;
  /// Within a remainder: what is loaded there is not an index yet.
  bool m_isRemainder = false;
  /// Within what is taken away: `x_ptr + n - i`.
  bool m_isTakenAway = false;
  /// The constant distance between the elements of the dimension that is followed.
  int64_t m_step = 1;
  /// Values that are followed, each with where it is multiplied by which arguments and constant.
  std::set<std::tuple<const void *, Strides, int64_t>> m_open;
};

} // namespace tilescope::compiler
