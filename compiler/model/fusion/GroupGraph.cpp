// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/fusion/GroupGraph.h"

using namespace mlir;

namespace tilescope::model {

GroupGraph::GroupGraph(std::vector<Group> groups) : m_groups(std::move(groups)) {
  m_users.resize(m_groups.size());
  m_used.resize(m_groups.size());
  unsigned position = 0;
  for (const auto &[number, group] : llvm::enumerate(m_groups))
    for (Operation *operation : group.operations) {
      m_groupOf[operation] = number;
      m_positions[operation] = position++;
    }
  for (const auto &[number, group] : llvm::enumerate(m_groups))
    for (Operation *operation : group.operations)
      for (const Value operand : operation->getOperands())
        if (Operation *maker = operand.getDefiningOp(); maker && contains(maker)) {
          m_users[groupOf(maker)].insert(number);
          m_used[number].insert(groupOf(maker));
        }
}

unsigned GroupGraph::lastPosition(size_t group) const {
  return m_positions.at(m_groups[group].operations.back());
}

std::optional<size_t> GroupGraph::between(size_t from, size_t to) const {
  // No way leads back, so only groups that begin before the last one ends are of interest.
  const unsigned end = lastPosition(to);
  std::vector<std::pair<size_t, size_t>> open;
  llvm::DenseSet<size_t> seen;
  for (const size_t user : m_users[from])
    if (user != to)
      open.emplace_back(user, user);
  while (!open.empty()) {
    const auto [group, first] = open.back();
    open.pop_back();
    if (group == to)
      return first;
    if (!seen.insert(group).second || m_positions.at(m_groups[group].operations.front()) > end)
      continue;
    for (const size_t user : m_users[group])
      open.emplace_back(user, first);
  }
  return std::nullopt;
}

Group GroupGraph::together(size_t a, size_t b) const {
  Group group = m_groups[a];
  group.operations.insert(group.operations.end(), m_groups[b].operations.begin(),
                          m_groups[b].operations.end());
  llvm::sort(group.operations, [&](Operation *left, Operation *right) {
    return m_positions.at(left) < m_positions.at(right);
  });
  return group;
}

void GroupGraph::merge(size_t from, size_t to) {
  m_groups[to] = together(from, to);
  for (Operation *operation : m_groups[from].operations)
    m_groupOf[operation] = to;
  m_groups[from].operations.clear();
  for (const size_t user : m_users[from]) {
    m_used[user].erase(from);
    if (user != to) {
      m_used[user].insert(to);
      m_users[to].insert(user);
    }
  }
  for (const size_t used : m_used[from]) {
    m_users[used].erase(from);
    if (used != to) {
      m_users[used].insert(to);
      m_used[to].insert(used);
    }
  }
  m_users[from].clear();
  m_used[from].clear();
}

std::vector<Group> GroupGraph::ordered() const {
  std::vector<size_t> numOpen;
  std::set<std::pair<unsigned, size_t>> ready;
  for (size_t i = 0; i < m_groups.size(); ++i) {
    numOpen.push_back(m_used[i].size());
    if (!m_groups[i].operations.empty() && numOpen[i] == 0)
      ready.emplace(lastPosition(i), i);
  }
  std::vector<Group> result;
  while (!ready.empty()) {
    const size_t next = ready.begin()->second;
    ready.erase(ready.begin());
    result.push_back(m_groups[next]);
    for (const size_t user : m_users[next])
      if (--numOpen[user] == 0)
        ready.emplace(lastPosition(user), user);
  }
  return result;
}

} // namespace tilescope::model
