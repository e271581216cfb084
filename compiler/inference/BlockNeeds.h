// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which parameters of a function must be blocks, and of which rank, since the body takes them or
// what it computes from them as such.
//
//   def normalize(x, eps):
//     return x / tl.sqrt(tl.sum(x * x, axis=1)[:, None] + eps)
//
//   x is a block of rank 2: it is summed up along dimension 1; eps may be a scalar
#pragma once

#include "compiler/inference/ParameterUses.h"
#include "compiler/inference/ValueFlow.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace tilescope::compiler::inference {

class BlockNeeds : protected ValueFlow {
protected:
  /// `takesBlocks`: kernels call the function, and may pass blocks.
  BlockNeeds(const ast::ModuleIndex &index, const ast::JitFunction &kernel, bool takesBlocks)
      : ValueFlow(index, kernel), m_takesBlocks(takesBlocks) {}

  /// An expression must be a block. In functions that kernels call so must be a parameter that it
  /// is computed from, element by element. Returns whether there is one.
  bool needsRank(const ast::Expr *expr, int rank, int depth = 0);
  /// The same where an expression is a block because of a function of arrays: what no kernel calls
  /// has none as a parameter, so that the parameter stands for an array.
  void needsArray(const ast::Expr *expr, int rank);
  /// Reads a call that takes blocks only.
  void readBlockUse(const ast::Call &call, const std::string &name);

  /// Whether it is surely a block with one dimension: `tl.arange` leads to it, and nothing on the
  /// way may change the rank.
  bool isVector(const ast::Expr &expr);

  const bool m_takesBlocks;

private:
  /// Whether something in an expression is a block, whatever the parameters are.
  bool isBlock(const ast::Expr &expr);
  bool namesBlock(std::string_view name);
  /// Whether a node leaves the rank as it is.
  bool keepsRank(const ast::Node &node) const;
  /// Of functions that return a block of the shape of their argument.
  bool followsCall(const ast::Call &call, const std::function<bool(const ast::Expr *)> &follow);
  void readArrayCall(const ast::Call &call, const ast::Attribute &method);
  /// `m`, `m[:, None] & n`
  void markMask(const ast::Expr *expr, int depth = 0, bool isWhole = true);

  /// What is known about names: see `isBlock`.
  std::map<std::string_view, bool> m_blocks;
};

} // namespace tilescope::compiler::inference
