// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is known of the values of a block along each dimension.
//
// Worked example (asserted by the unit test "the worked example of the header"): with `%n`
// divisible by 16,
//
//     %r = tt.make_range {start = 0, end = 128}       contiguity 128, divisibility 2^62, constancy
//     1 %o = splat(%pid * 128) + %r                      contiguity 128, divisibility 128,
//     constancy 1 %m = %o < splat(%n)                              contiguity 1,   divisibility 1,
//     constancy 16 %p = addptr(splat(%ptr), %o)  (f32, 16-aligned)  contiguity 128, divisibility
//     16,   constancy 1
//
// so four f32 can move as one aligned 16-byte access, and its four mask bits are always equal.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Value.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace tilescope::compiler {

/// Facts about one value; one entry per dimension, scalars count as one dimension.
struct AxisInfo {
  /// The largest power of two that is written down; stands for "divisible by anything".
  static constexpr int64_t kMaxDivisor = int64_t(1) << 62;

  /// The dimension splits into aligned runs of this many consecutive increasing values (for
  /// pointers, consecutive elements).
  llvm::SmallVector<int64_t, 4> contiguity;
  /// Divides the first value of every such run (for pointers, as an address in bytes).
  llvm::SmallVector<int64_t, 4> divisibility;
  /// The dimension splits into aligned runs of this many equal values.
  llvm::SmallVector<int64_t, 4> constancy;
  /// Set when all values are the same known integer.
  std::optional<int64_t> constant;

  bool operator==(const AxisInfo &) const = default;

  /// Not yet reached by the analysis.
  bool isUninitialized() const { return contiguity.empty(); }
  int rank() const { return static_cast<int>(contiguity.size()); }
  /// Divisor of the first value of every aligned run of `length` positions, where `length` divides
  /// the contiguity. `step` is the distance of neighbors (the element size for pointers).
  int64_t divisibilityOfRuns(int dim, int64_t length, int64_t step = 1) const;
  /// Whether the first values of runs are all the values there are.
  bool isStepless(int dim) const { return contiguity[dim] == 1; }

  /// Nothing known.
  static AxisInfo unknown(int rank);
  /// A known integer, everywhere in `shape` (scalars: {1}).
  static AxisInfo ofConstant(int64_t value, llvm::ArrayRef<int64_t> shape);
  /// What holds for both.
  static AxisInfo join(const AxisInfo &left, const AxisInfo &right);
  /// The facts that attributes of a function argument state.
  static AxisInfo ofArgument(mlir::BlockArgument argument);

  void print(llvm::raw_ostream &os) const;
};

/// Number of dimensions that facts about a value of `type` have.
int axisInfoRank(mlir::Type type);
/// Largest power of two that divides `value`; `kMaxDivisor` for 0.
int64_t powerOfTwoDivisor(int64_t value);

/// The facts about all values of a module. Immutable; describes the module as it was when
/// constructed.
class AxisInfoMap {
public:
  explicit AxisInfoMap(mlir::ModuleOp module);

  /// The facts about `value`, or null when it is unreachable or newer than the analysis.
  const AxisInfo *find(mlir::Value value) const;

  /// How many elements along the fastest dimension of a thread's part can move in one access
  /// through `pointers` (a block with an encoding): consecutive, aligned, and together in the
  /// thread's registers.
  unsigned accessWidth(mlir::Value pointers) const;
  /// How many elements of `elementBits` are consecutive and aligned in memory along `dim`.
  int64_t alignedContiguity(mlir::Value pointers, int dim, unsigned elementBits) const;
  /// How many mask bits along the fastest dimension of a thread's part are always equal.
  unsigned maskAlignment(mlir::Value mask) const;

private:
  llvm::DenseMap<mlir::Value, AxisInfo> m_infos;
};

} // namespace tilescope::compiler
