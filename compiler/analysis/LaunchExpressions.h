// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The expressions that a suggested launch is made of.
#pragma once

#include "compiler/analysis/SizeValues.h"
#include "compiler/analysis/TensorAccess.h"
#include "compiler/artifacts/SuggestedLaunch.h"

#include <map>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// A product: `M * N`, of the factors from `from` on; `1` of none.
std::string productOf(const std::vector<std::string> &factors, size_t from);

/// `4 * H * W`.
std::string timesProduct(int64_t times, const std::string &product);

/// Whether a parameter's name says that it is a distance: `stride_m`, `row_pitch`, `ldb`.
bool isCalledStride(llvm::StringRef name);

/// `Z` for `stride_qz`; empty for other names.
std::string dimensionOfStride(llvm::StringRef name);

/// The letter of the dimension whose stride this is: `S` of `stride_qs` and of `sqs`; 0 for other names.
char letterOfStride(llvm::StringRef name);

/// The letter that says of what an extent is: `M`, and of `n_cols` its `C`.
char initialOf(llvm::StringRef extent);

/// Of elements that are bits, how many values from 0 up a pointer's type has: 256 of `*u8`.
std::string numValues(llvm::StringRef pointer);

/// How long the rows of a matrix are: an argument, times a constant, or less than it: `w - 2`.
struct RowLength {
  unsigned argument;
  int64_t factor;
  int64_t less = 0;
  /// It is made of the argument in another way.
  bool isComputed = false;
};

/// The extents whose product a stride is: of elements, or of the rows of a constant length that lie
/// between two.
std::vector<std::string> extentsWithin(const std::vector<AccessDim> &dims, size_t dim,
                                       const std::vector<std::string> &shape);

/// Removes one factor, where it is there.
void takeOut(const std::string &factor, std::vector<std::string> &factors);

/// An extent that is known to the compiler: by its name where a constexpr has this value.
std::string namedExtent(int64_t extent, const std::map<std::string, std::string> &constexprs);

/// The same of a row's length, which may also be a small multiple of a constexpr: `2 * HALF`.
std::string namedMultiple(int64_t length, const std::map<std::string, std::string> &constexprs);

/// A number as the product of two constexprs: `KH * KW`; as one of them, or as digits.
std::string namedProduct(int64_t number, const std::map<std::string, std::string> &constexprs);

/// `n + 4` of what is padded, as `n + 2 * PAD` where a constexpr says so.
std::string paddedBy(const std::string &extent, int64_t further,
                     const std::map<std::string, std::string> &constexprs);

/// `n + 3`, as `n + KW - 1` where a constexpr says so; and `n - 3` as `n - KW + 1`.
std::string movedOn(const std::string &extent, int64_t further,
                    const std::map<std::string, std::string> &constexprs);
std::string movedBack(const std::string &extent, int64_t less,
                      const std::map<std::string, std::string> &constexprs);

/// Where an index ends that several arguments end: `max(n, m)`; `n + k - 1` if it is the sum of indices that
/// each of them ends, and `2 * n - 1` if one ends both.
std::string endOfAll(llvm::ArrayRef<std::string> ends, bool isSum);

/// Whether an index is the quotient of one that ends at an argument, and that alone: `i // 8` for `i < n`.
bool isQuotient(const AccessDim &dim);

/// So many for each group: `h` of 2 for each of `h // 2`.
std::string timesGroups(int64_t times, const std::string &groups,
                        const std::map<std::string, std::string> &constexprs);

/// Whether the counter of a loop is added to an index that a mask ends at another argument: `x_ptr + i + j`.
bool addsLoopBehind(const AccessDim &dim);

/// How far constants, and counters that constants end, move an index on behind its end. A stencil that reaches in front
/// of an array as well, `x_ptr + i - 1` and `x_ptr + i + 1`, is not what the array is longer for.
int64_t shiftBehind(const AccessDim &dim);

/// Of rows whose distance is an argument by itself, how far a window moves their end on.
int64_t windowBehind(const AccessDim &dim);

/// `3 * n`, `n // 2`: both where one does not divide the other.
std::string scaledBy(const std::string &extent, int64_t factor, int64_t divisor,
                     const std::map<std::string, std::string> &constexprs);

/// Whether `value` is what lies between two elements of a dimension whose stride is a part or a multiple of `argument`.
bool isDistance(const AccessDim &dim, const std::string &value, const std::string &argument,
                const std::map<std::string, std::string> &constexprs);

/// Whether a parameter's name says that it is a number of things: `n_bins`, `num_classes`, `vocab_size`.
bool isCalledNumber(llvm::StringRef name);

/// Whether it says that it is the number of rows of a matrix: `n_rows`.
bool isCalledRows(llvm::StringRef name);
/// The same of columns.
bool isCalledColumns(llvm::StringRef name);

/// Whether an array is read in pairs of neighbors, as `row_ptr[row]` and `row_ptr[row + 1]`.
bool readsNeighbors(const TensorAccess &access);

/// Whether any expression of a launch says a size.
bool isNamed(const SuggestedLaunch &launch, const std::string &size);

/// `program_id * n_cols + arange(0, n_cols)` reads like blocks of `n_rows` elements. Where the names say rows
/// and columns, every program takes a row.
void readAsRows(const std::map<std::string, std::string> &constexprs, SuggestedLaunch &launch,
                std::vector<SizeNeeds> &sizes);

/// What a single block takes all of is larger than the block where programs share out another size in such
/// blocks: `arange(0, B)` beside `cdiv(M, B)` programs is only the first `B` of `K`, which a smaller `K`
/// would hide.
void passSharedBlocks(const SuggestedLaunch &launch,
                      const std::map<std::string, std::string> &constexprs,
                      std::vector<SizeNeeds> &sizes);

} // namespace tilescope::compiler
