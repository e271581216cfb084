// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/KernelText.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::app {

/// `pid + tl.arange(0, BLOCK)`: `pid` is the number of the program, and not that of its first element.
struct BareSum {
  const compiler::ast::BinOp *sum = nullptr;
  const compiler::ast::Expr *number = nullptr;
  size_t axis = 0;
  /// As the source has it.
  std::string block = {};
};

/// An access at an address that has such a sum in it.
struct ReachedAccess {
  const compiler::ast::Call *call = nullptr;
  /// `load`, `store`, `atomic_add`
  std::string_view name;
  std::string_view array;
};

/// Reads such sums off a kernel, which must outlive it.
class BareSums {
public:
  explicit BareSums(const KernelText &kernel);

  const std::vector<BareSum> &sums() const { return m_sums; }
  std::vector<ReachedAccess> accesses() const;

private:
  const compiler::ast::Expr *valueOf(const compiler::ast::Expr *expr) const;
  void readSum(const compiler::ast::BinOp &sum);
  bool isReached(const compiler::ast::Expr &expr) const;
  void spread();
  std::string_view arrayOf(const compiler::ast::Expr *address) const;

  const KernelText &m_kernel;
  std::vector<BareSum> m_sums;
  /// Parts of longer sums.
  std::set<const compiler::ast::Expr *> m_inner;
  /// The names that the sums have, and those of what is computed from them.
  std::set<std::string_view> m_reached;
};

} // namespace tilescope::app
