// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What makes attention of operations: softmax(q @ k * scale + mask) @ v, or softmax(where(mask, q @ k * scale, number)) @ v,
// with softmax along the last axis. One kernel computes it piece by piece, so the scores of all pairs are never in memory.
#pragma once

#include "compiler/model/emit/Anchor.h"

namespace tilescope::model {

struct AttentionPattern {
  tm::MatmulOp scores, result;
  /// Multiplies or divides all scores by `factor`, one number; null: nothing does.
  mlir::Operation *scale = nullptr;
  mlir::Value factor = {};
  /// Adds `added`, maybe repeated, to the scores; null: nothing does.
  mlir::Operation *addition = nullptr;
  mlir::Value added = {};
  /// Converts `added` to the type of the scores, and is of no other use; null: nothing does.
  mlir::Operation *widening = nullptr;
  /// Puts a number in the place of scores, as its condition says; null: nothing does.
  tm::WhereOp selection = {};
  /// Converts the scores to the type that softmax computes with; null: they have it.
  mlir::Operation *conversion = nullptr;
  tm::SoftmaxOp softmax;
  /// Converts the weights to the type of the values; null: they have it.
  mlir::Operation *narrowing = nullptr;

  /// In the order in which they follow each other.
  std::vector<mlir::Operation *> operations() const;
};

/// Nothing: the operations around are others, or their results are used elsewhere, too.
std::optional<AttentionPattern> attentionAround(tm::SoftmaxOp softmax);

/// That of which all operations are in the group.
std::optional<AttentionPattern> attentionIn(const Group &group);

/// Queries, keys and values, as the pattern's products have them.
std::vector<mlir::Value> factorsOf(const AttentionPattern &pattern);

/// Whether a factor that the operation makes can be read where its operand lies.
bool isReadInPlace(mlir::Operation *operation);

/// Nothing: a row of the result or of a factor is too long for a program, or batches do not match.
std::optional<Anchor> emitAttention(const AttentionPattern &pattern, const Group &group);

} // namespace tilescope::model
