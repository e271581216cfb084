// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/emit/Group.h"

#include <set>

namespace tilescope::model {

/// Groups of operations and which of them use others; groups only become larger.
class GroupGraph {
public:
  explicit GroupGraph(std::vector<Group> groups);

  size_t groupOf(mlir::Operation *operation) const { return m_groupOf.at(operation); }
  bool contains(mlir::Operation *operation) const { return m_groupOf.contains(operation); }
  const Group &group(size_t number) const { return m_groups[number]; }
  /// A group on a way from one to the other that passes through it; nothing: there is none.
  std::optional<size_t> between(size_t from, size_t to) const;
  /// Both as one, in the order of the model.
  Group together(size_t a, size_t b) const;
  void merge(size_t from, size_t to);
  /// In an order in which each comes behind those that it uses; otherwise as in the model.
  std::vector<Group> ordered() const;

private:
  unsigned lastPosition(size_t group) const;

  std::vector<Group> m_groups;
  std::vector<std::set<size_t>> m_users, m_used;
  llvm::DenseMap<mlir::Operation *, size_t> m_groupOf;
  llvm::DenseMap<mlir::Operation *, unsigned> m_positions;
};

} // namespace tilescope::model
