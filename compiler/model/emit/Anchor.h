// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/emit/Group.h"

namespace tilescope::model {

/// A block of elements that a program computes of a result.
struct AnchorPart {
  /// The names or expressions of the elements, of where they are in the result, and of whether they
  /// are inside.
  std::string value, place, mask;
  /// Numbers in the body that already are coordinates of the elements.
  std::vector<Coordinate> coordinates = {};
};

/// A kernel without its end: elements of the result, and where they belong. What is computed of
/// them comes before they are stored.
struct Anchor : AnchorPart {
  /// The body computes `value`; nothing is written yet.
  EmittedKernel kernel;
  mlir::Value result;
  /// Where a program computes several blocks, all but the first one.
  std::vector<AnchorPart> others = {};
  /// As the launch sees the result, what NumPy computes, and of how many elements.
  std::vector<int64_t> shape = {};
  std::string expected = {};
  /// Where in the body what the elements need besides can be loaded before they are computed, so that it is there when they
  /// are: behind this many characters. 0: nowhere.
  size_t beforeLoop = 0;
  /// The elements have the result's type, not fp32.
  bool isOfResultType = false;
  /// What the stores say besides, where nothing comes behind them.
  std::string storeOptions = {};
};

/// Has the elements `x` of a result computed by themselves, one for each place `at`.
void placeElements(Anchor &anchor, mlir::Value result);

/// The beginning of a kernel that does so.
Anchor elementAnchor(const std::string &name, mlir::Value result);

/// Nothing: there is no template for the operation, or not for its shapes. All shapes are numbers.
std::optional<Anchor> emitGathering(mlir::Operation *operation);
/// Transposed factors that the group makes are read as they were before.
std::optional<Anchor> emitProduct(mlir::Operation *operation, const Group &group);
std::optional<Anchor> emitPad(mlir::Operation *operation, const Group &group);
std::optional<Anchor> emitConvolution(mlir::Operation *operation);
/// Convolutions and pooling of images whose channels come last.
std::optional<Anchor> emitChannelsLast(mlir::Operation *operation);
std::optional<Anchor> emitIndexed(mlir::Operation *operation);
std::optional<Anchor> emitPooling(mlir::Operation *operation);
std::optional<Anchor> emitResize(mlir::Operation *operation);
std::optional<Anchor> emitScatter(mlir::Operation *operation);
/// The values of a `topk` are gathered at its places, so nothing uses them.
std::optional<Anchor> emitTopPlaces(mlir::Operation *operation);

/// Products of a batch of matrices, the second one of each a row of `columns` elements after the other.
struct Product {
  mlir::Value left, right, addend, result;
  int64_t batch = 1, rows = 1, columns = 1, depth = 1;
  /// How far the next matrix is; 0: there is one for all.
  int64_t leftBatch = 0, rightBatch = 0;
  bool isLeftTransposed = false, isRightTransposed = false;
  /// Steps of what is added, for each row and column of the result.
  int64_t addendRow = 0, addendColumn = 0;
  /// Of the product and of what is added.
  double alpha = 1, beta = 1;
  /// Whether what comes behind it reads an element of another tensor for each of the result, or computes long functions.
  bool hasWorkBehind = false;

  bool addsMatrix() const { return addendRow != 0 && addendColumn != 0; }
};
Anchor productAnchor(const Product &product);

/// The product of the extents before the last two.
int64_t batchOf(llvm::ArrayRef<int64_t> shape);
/// Whether a factor is the same for the whole batch, or has one matrix for each of it.
bool fitsBatch(mlir::RankedTensorType factor, int64_t batch);
/// The operand of a transposition of the last two axes that the group makes; null: it is none.
mlir::Value beforeTranspose(mlir::Value factor, const Group &group);

} // namespace tilescope::model
