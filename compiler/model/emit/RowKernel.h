// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What kernels share that combine rows, whether they hold them or go through them piece by piece.
#pragma once

#include "compiler/model/emit/Expressions.h"
#include "compiler/model/emit/Rows.h"

namespace tilescope::model {

/// The kernel with all that the operations share, and the spaces of rows and of their elements.
struct RowKernel {
  Rows rows;
  EmittedKernel kernel;
  size_t elements = 0, perRow = 0;
  /// Where the elements are, and which of them there are.
  std::string index = "at", elementMask = "mask";
  /// Where a program holds several rows: which of them there are.
  std::string mask = {};
  /// What is combined of a block.
  std::string axis = "axis=0";
};

/// `total`, `mean`, `largest`, ….
const char *nameOfKind(tm::ReduceKind kind);
/// What a row's elements come to.
std::string combined(tm::ReduceKind kind, const std::string &elements, const std::string &axis);
/// What each lane has of the elements so far, with one more.
std::string accumulated(tm::ReduceKind kind, const std::string &part, const std::string &element);
/// What a softmax subtracts from its elements, and what it divides their powers by: of one whose rows may be all -inf,
/// numbers that make such a row 0.
std::string softmaxBase(mlir::Operation *softmax, const std::string &largest);
std::string softmaxTotal(mlir::Operation *softmax, const std::string &total);
/// The result of a reduction, for each element of its row, and for each row.
void provideRow(Expressions &expressions, const RowKernel &row, mlir::Value result,
                const std::string &name);
/// Where the element `place` of the row is.
std::string placesText(RowKernel &row);

/// Whether it has an element for each of the rows'; `holdsElements`: these are there behind the reductions.
bool isWhole(const RowKernel &row, mlir::Value output, bool holdsElements);
/// Stores what is known of each element, or of each row; false: the expressions have the reason.
bool storeRows(const Group &group, llvm::ArrayRef<mlir::Value> outputs, Expressions &expressions,
               RowKernel &row, bool holdsElements);

/// Whether a value is computed of what an operation of the group makes.
bool dependsOn(mlir::Value value, mlir::Operation *operation, const Group &group);
/// Of rows that begin in the middle of vectors: where the whole vectors are, and the elements of both ends.
inline constexpr const char *kEndsLines =
    "    # Whole vectors of the row, and its ends.\n"
    "    first = tl.cdiv(row * reduced, VECTOR) * VECTOR\n"
    "    last = (row + 1) * reduced // VECTOR * VECTOR\n"
    "    lane = tl.arange(0, 2 * VECTOR)\n"
    "    end = tl.where(lane < VECTOR, row * reduced + lane, last + lane - VECTOR)\n"
    "    is_end = end < tl.where(lane < VECTOR, first, (row + 1) * reduced)\n";

/// Whether rows of narrow elements that could be held are faster gone through piece by piece: the block that holds them would
/// be empty for a quarter.
bool isFasterByPieces(const Group &group, const RowKernel &row,
                      llvm::ArrayRef<mlir::Operation *> reductions);
/// Of rows that are too long to be held: a loop over the pieces for each reduction, and one for the outputs.
GroupKernel emitLongRows(const Group &group, RowKernel &row,
                         llvm::ArrayRef<mlir::Operation *> reductions);
/// Of such rows, in pieces that a program holds; nothing: it has no registers for them. `vector`: elements of one where rows
/// begin in the middle of vectors, else 0.
std::optional<GroupKernel> emitHeldPieces(const Group &group, RowKernel &row,
                                          llvm::ArrayRef<mlir::Operation *> reductions,
                                          int64_t vector);

} // namespace tilescope::model
