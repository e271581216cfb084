// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/analysis/LinearEnd.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Value.h"

#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace mlir {
class FunctionOpInterface;
}

namespace tilescope::compiler {

/// Numbers of arguments of a kernel.
using ArgumentSet = std::set<unsigned>;

/// What a value is made of, through operations that change only its type or shape.
mlir::Value withoutCasts(mlir::Value value);

/// Whether anything compares a value, whatever shape it takes on the way.
bool isCompared(mlir::Value value);

/// The integer that a value is, or each element of it; nothing where it is not known or needs more
/// than 32 bits.
std::optional<int64_t> constantOf(mlir::Value value);

/// What a value is made of by operations of two operands that `isSum` takes apart, without casts; a value that is not made
/// so is its only part.
llvm::SmallVector<mlir::Value> partsOf(mlir::Value value,
                                       llvm::function_ref<bool(mlir::Operation *)> isSum);

/// The values that a sum adds up; a value that is not a sum is its only part.
llvm::SmallVector<mlir::Value> partsOfSum(mlir::Value value);

/// Whether a comparison is one of those that a mask consists of.
bool isPartOf(mlir::Operation *compare, mlir::Value mask);

/// A product of arguments, sorted, and of a constant: `4 * h * w`.
struct ProductEnd {
  int64_t times = 1;
  std::vector<unsigned> arguments;
};

/// Which integer arguments of a kernel say where its indices end.
///
///     mask = offsets < n                          `offsets` ends at `n`
///     inside = k < K - start * BLOCK              `k` ends at `K`
class IndexBounds {
public:
  explicit IndexBounds(mlir::FunctionOpInterface kernel);

  /// The arguments that a value is compared with; empty when there are none.
  ArgumentSet comparedWith(mlir::Value value) const;
  /// Of several those that the mask of an access asks, and of these the ones that no other access asks alone: `n` of
  /// `(i < m) & (i < n)` where what is stored ends at `m`. None where it ends at one alone.
  ArgumentSet comparedIn(mlir::Value mask, mlir::Value value) const;
  /// Of several those that masks of what is stored ask.
  ArgumentSet comparedInStores(mlir::Value value) const;
  /// Whether it is compared with arguments as they are alone, and not with what is left of one: `n - x`.
  bool endsAsItIs(mlir::Value value) const;
  /// What is added to the argument that a value is compared with: 2 of `i < n + 2`.
  int64_t endShift(mlir::Value value) const;
  /// What is taken from it: 1 of `i < n - 1`. 0 also where a value is compared with a constant from below, so
  /// that it begins later as it ends earlier.
  int64_t endLess(mlir::Value value) const;
  /// By what it is divided: 2 of `i < n // 2`; 1: by nothing.
  int64_t endDivisor(mlir::Value value) const;
  /// By what it is multiplied: 2 of `i < 2 * n`; 1: by nothing.
  int64_t endFactor(mlir::Value value) const;
  /// Whether a value is compared with what is no end that is known: `i < n + 2 * m`, `i < n - k`.
  bool endsElsewhere(mlir::Value value) const;
  /// The sum of arguments that a mask compares a value with: `i < n + p`.
  std::optional<LinearEnd> sumIn(mlir::Value mask, mlir::Value value) const;
  /// The farthest one that a value is compared with anywhere: `i < n + 2 * p` beside `i < n`; nothing where it is not
  /// known to be farther than all that it is compared with.
  std::optional<LinearEnd> farthestSum(mlir::Value value) const;
  /// The sum of arguments, and of quotients of such, that a value is.
  std::optional<LinearEnd> linearEndOf(mlir::Value value) const;
  /// Whether anything ends where no argument and no product of some says: `i < 4 * h * w`.
  bool hasOtherEnd() const { return m_hasOtherEnd; }
  /// Those whose product it is compared with, sorted: `p < N * H * W`; empty when there are none.
  std::vector<unsigned> comparedWithProduct(mlir::Value value) const;
  /// The constant that this product is multiplied by: 4 of `p < 4 * H * W`.
  int64_t productTimes(mlir::Value value) const;
  /// Where a value ends that is compared with a product, and what is divided by one, or is its remainder: `o // (2 * w)`
  /// at `2 * h` for `o < 4 * h * w`.
  std::optional<ProductEnd> productEnd(mlir::Value value, int depth = 0) const;
  /// As far behind a sum that a value is compared with as it begins behind 0: `h + 2 * p` of a value that is at least
  /// `p` and below `h + p`. Nothing where it is not compared so.
  std::optional<LinearEnd> paddedEnd(mlir::Value value) const;
  /// Whether anything ends at a sum.
  bool endsAtSum(const LinearEnd &sum) const;
  /// Stands for a sum that is used like an argument: as the distance of rows. Larger than all arguments' numbers.
  unsigned numberOf(const LinearEnd &sum) const;
  /// The same for the number of programs along an axis.
  static unsigned numberOfPrograms(unsigned axis);
  static bool isArgument(unsigned number);
  /// The sum that a number stands for; null for all others.
  const LinearEnd *sumOf(unsigned number) const;
  /// Those whose product a value is, sorted; empty when it is none of several arguments alone.
  std::vector<unsigned> productIn(mlir::Value value) const;
  /// Where the quotient of two values ends: at `N` for `p // (H * W)` of that `p`, and at `H` for
  /// `p % (H * W) // W`; empty where it is not known.
  ArgumentSet endsOfQuotient(mlir::Value value, mlir::Value divisor) const;
  /// The constant below which a value is, where it is compared with one.
  std::optional<int64_t> constantEnd(mlir::Value value) const;
  /// The arguments that a value is as an end of something: `n`, `n - x`, `cdiv(n, 4)`, `min(x, n)`.
  ArgumentSet endsIn(mlir::Value end) const;
  /// The arguments that end sums of some of `parts`, which go into `bounded`: `start + columns < n`
  /// where an address adds first the one, then the other.
  /// The sums themselves go into `wholes`, those that end at a product of arguments, too.
  ArgumentSet takeSums(llvm::SmallVectorImpl<mlir::Value> &parts,
                       llvm::SmallVectorImpl<mlir::Value> &bounded,
                       llvm::SmallVectorImpl<mlir::Value> &wholes) const;
  /// Whether an argument is where anything ends.
  bool isEnd(unsigned argument) const;
  /// Whether anything ends at a number that is made of it, as at `n - 1`.
  bool endsBeside(unsigned argument) const { return m_beside.contains(argument); }
  /// The number of the integer argument that a value is.
  std::optional<unsigned> argumentOf(mlir::Value value) const;

private:
  /// The argument that a value is a multiple of, by a constant: `2 * n`.
  struct Multiple {
    unsigned argument;
    int64_t factor;
  };
  std::optional<Multiple> multipleIn(mlir::Value value) const;
  /// The arguments that a value is the product of, sorted; empty when it is none of arguments alone.
  std::vector<unsigned> factorsOf(mlir::Value value) const;

  /// What is an argument and more where an index ends that begins later, or is compared when it was moved back: `n + 4`
  /// of `o < n + 4` beside `o >= 2`.
  std::optional<LinearEnd> paddedBy(mlir::Value index, mlir::Value end) const;
  bool isOfArguments(mlir::Value end, int depth = 0) const;
  /// Notes where an index ends of which a multiple is compared: at `n // 2` for `2 * i + 1 < n`.
  void noteMultiple(mlir::Operation *compare, mlir::Value below, mlir::Value end);
  /// Ends those that nothing else ends.
  void endMultiples();
  void addSum(mlir::Operation *compare, mlir::Value below, LinearEnd end);

  struct Multiples {
    mlir::Operation *compare;
    mlir::Value index;
    LinearEnd end;
    /// The argument where the index itself ends: `n` of `3 * i + 2 < 3 * n`.
    std::optional<unsigned> whole = {};
  };
  std::vector<Multiples> m_multiples;
  struct Sum {
    mlir::Value whole;
    llvm::SmallVector<mlir::Value> parts;
    ArgumentSet ends;
    /// What is taken away: `p` of `i - p`; null: nothing is.
    mlir::Value taken = {};
  };
  /// Whether a part of an address takes away what a sum does: `0 - p`.
  static bool takesAway(mlir::Value part, const Sum &sum);
  void addWhole(mlir::Value below, const ArgumentSet &ends);
  mlir::Block &m_entry;
  std::vector<Sum> m_sums;
  llvm::DenseMap<mlir::Value, ArgumentSet> m_compared;
  /// The same by comparison.
  llvm::DenseMap<mlir::Value, std::vector<std::pair<mlir::Operation *, ArgumentSet>>> m_comparisons;
  /// Of all accesses that have one, and of those that store.
  std::vector<mlir::Value> m_masks, m_storeMasks;
  ArgumentSet askedIn(mlir::Value mask, mlir::Value value) const;
  void readEnd(mlir::Value below, mlir::Value end);

  llvm::DenseMap<mlir::Value, int64_t> m_constantEnds, m_endShifts, m_endDivisors, m_endFactors;
  /// What begins behind 0, what ends where no argument says, and what ends at an argument as it is.
  llvm::DenseSet<mlir::Value> m_beginLater, m_endElsewhere, m_wholeEnds;
  std::optional<ProductEnd> productOf(mlir::Value value) const;
  llvm::DenseMap<mlir::Value, std::vector<unsigned>> m_products;
  llvm::DenseMap<mlir::Value, int64_t> m_productTimes;
  llvm::DenseMap<mlir::Value, std::pair<mlir::Operation *, LinearEnd>> m_begins;
  mutable std::vector<std::unique_ptr<LinearEnd>> m_numbered;
  /// By what ends there, each with its comparison.
  llvm::DenseMap<mlir::Value, std::vector<std::pair<mlir::Operation *, LinearEnd>>> m_sumEnds;
  ArgumentSet m_beside;
  bool m_hasOtherEnd = false;
  /// What is compared with more than an argument.
  llvm::DenseSet<mlir::Value> m_partly;
};

} // namespace tilescope::compiler
