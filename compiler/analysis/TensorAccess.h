// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The dimensions of a kernel's tensors, as its addresses walk them:
//
//   x_ptr + (row * stride + columns)       row = tl.program_id(0), columns < n
//
//   x_ptr: [row: free, its number of elements is not named; stride] [columns: ends at `n`; unit
//   step]
#pragma once

#include "compiler/analysis/IndexBounds.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace tilescope::compiler {

struct AccessDim {
  /// Integer arguments whose product lies between two elements, sorted; empty: they lie side by
  /// side.
  std::vector<unsigned> strides;
  /// A constant by which it is multiplied as well, where programs count rows.
  int64_t step = 1;
  /// What the step of the next dimension outside says of the extent; 0: nothing.
  int64_t rowLength = 0;
  /// The largest index that the constant parts alone reach, as far as it is known.
  int64_t reach = 0;
  /// How far constants that are added to it move it on: 1 of `row + 1`; and, of several accesses, the least far:
  /// -1 of `x_ptr + i - 1` beside `x_ptr + i + 1`.
  int64_t shift = 0, leastShift = 0;
  /// An index that ends at an argument is taken from it: `n - 1 - i`.
  bool isReversed = false;
  /// Where the index ends: arguments that it is compared with, and those that end a loop over it.
  ArgumentSet masked, looped;
  /// Of several arguments that the index is compared with those that the mask of the access asks.
  ArgumentSet asked;
  /// The arguments whose product ends the index: `i < h * w`; empty where no comparison says so.
  std::vector<unsigned> product;
  /// The constant by which this product is multiplied: 4 of `i < 4 * h * w`.
  int64_t productTimes = 1;
  /// The sum of arguments where the index ends, where no single one says so: `i < n + 2 * p`.
  std::optional<LinearEnd> sum;
  /// How many counters of loops that arguments end are added to the index and how far those that constants end
  /// move it on: 1 and 2 of `x_ptr + i + j + k` for `j` in `range(n)` and `k` in `range(3)`.
  int64_t loopsAdded = 0, loopShift = 0;
  /// The masks of accesses end other dimensions, and not this one, which a loop goes over.
  bool lacksMask = false;
  /// It is compared with a part of an argument: `i < n - j`.
  bool endsPartly = false;
  /// What is added to the argument where the index ends: 2 for `i < n + 2`.
  int64_t endShift = 0;
  /// What is taken from the argument where the index ends, as far as it is not added to the index again: 1 of
  /// `i < n - 1`. And by what it is divided: 2 of `i < n // 2`. Nothing: no comparison says so.
  std::optional<int64_t> endLess, endDivisor;
  /// By what the argument where the index ends is multiplied: 2 of `i < 2 * n`.
  int64_t endFactor = 1;
  /// The strides are divided by this constant: `row * (n // 2)`.
  int64_t strideDivisor = 1;
  /// Or multiplied by one: `row * (2 * n)`.
  int64_t strideFactor = 1;
  /// Or one is taken from them: `row * (n - 2)`.
  int64_t strideLess = 0;
  /// Or they are made of arguments otherwise: `row * cdiv(n, BLOCK)`.
  bool isStrideComputed = false;
  /// The index is compared with an end that is not known: `i < n + 2 * m`.
  bool endsElsewhere = false;
  /// How often arguments are added to the index: once for `n` of `x_ptr + n + i`, the second part of a row.
  std::map<unsigned, int64_t> added;
  /// By what an index that ends there by itself is multiplied: `pid % groups * SIZE`.
  int64_t endScale = 1;
  /// By what an index that ends at an argument is divided: 8 of `i // 8` for `i < n`; of several accesses the least.
  /// Nothing: none ends there.
  std::optional<int64_t> quotient;
  /// Or by this argument, where that is above 1.
  std::optional<unsigned> quotientArgument;
  /// Numbers of programs, and what is computed from them, that nothing bounds; and the largest
  /// constant by which one is multiplied.
  std::vector<mlir::Value> free;
  int64_t freeScale = 1;
  /// So many elements belong to each of these numbers: two rows, of which it has both.
  int64_t freeTimes = 1;
  /// The number of a program that is the index of some access, and all of it.
  mlir::Value alone;
  /// How many elements the constant parts of the index cover: blocks.
  int64_t span = 1;
  /// The range that the index counts with, and the arguments that it is compared with as it is. One
  /// range may count the elements of blocks of one dimension, and be all of another.
  mlir::Value range;
  ArgumentSet rangeEnds;
  /// The largest block of the index; and whether programs or loops take more than one of it.
  int64_t block = 1;
  bool isRepeated = false;
  /// How far a loop moves on along this dimension in each iteration, as far as it is constant.
  int64_t turn = 0;
  /// Numbers of programs, bounded or not, each with the constant by which it is multiplied.
  std::vector<std::pair<mlir::Value, int64_t>> programs;
  /// Another dimension lies outside of it.
  bool isInner = false;
  /// What lies between two of its rows is an argument at which nothing ends: it is what the rows make it.
  bool hasOwnDistance = false;
  /// Of two ends the farther one counts.
  void endAt(int64_t less, int64_t divisor) {
    endLess = std::min(endLess.value_or(less), less);
    endDivisor = std::min(endDivisor.value_or(divisor), divisor);
  }

  /// The tensor that the index was loaded from.
  std::optional<unsigned> indexedBy;
  /// It is a fraction of the argument where it ends: `(x * bins).to(tl.int32)`.
  bool isFraction = false;
  /// Some part of the index is of unknown size.
  bool isUnknown = false;
};

struct TensorAccess {
  /// Outer dimensions first, as far as the order of the strides among the arguments shows it.
  std::vector<AccessDim> dims;
  bool isRead = false;
  bool isWritten = false;
  /// By atomic operations, as locks, counters and sums are.
  bool isUpdated = false;
  /// The tensor whose elements say where values are stored that no atomic operation adds.
  std::optional<unsigned> scatteredBy;
  /// The loaded values are shifted or masked as bits.
  bool isPacked = false;
  /// Loops end at the loaded values, or masks do.
  bool areLengths = false;
  /// The loaded values are compared with indices that end at these arguments: `columns == label` for `columns < n`.
  ArgumentSet places;
  /// In so many parts the loaded values are counted: the bins of a histogram; 0: they are not.
  int64_t bins = 0;
  /// A root or a logarithm is taken of the loaded values, but for factors and sums; or they are fractions of which
  /// indices are made.
  bool isPositive = false;
};

/// How many parts as long as an argument says the dimension has, whose indices end there: two where a kernel
/// reads `x_ptr + i` and `x_ptr + n + i` for `i < n`.
int64_t numParts(const AccessDim &dim, const ArgumentSet &ends, const IndexBounds &bounds);

/// Among how many programs a loop divides its dimension, by the program's number: `SPLIT` where
/// `pid * BLOCK` moves on by `BLOCK * SPLIT`.
using LoopShares = llvm::DenseMap<mlir::Value, int64_t>;

/// How each pointer or descriptor argument is accessed, by its number.
std::map<unsigned, TensorAccess> tensorAccesses(mlir::FunctionOpInterface kernel,
                                                const IndexBounds &bounds);

/// A program's number that is a block's elsewhere too is left out: a loop may begin at its block.
LoopShares loopShares(mlir::FunctionOpInterface kernel, const IndexBounds &bounds);

} // namespace tilescope::compiler
