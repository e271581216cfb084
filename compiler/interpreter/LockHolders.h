// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Who took a lock last: programs that wait for it in vain want to know.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace tilescope::compiler::interpreter {

struct LockHolder {
  std::array<int32_t, 3> programId{};
  /// By its place in the order of the grid, from 1.
  uint32_t program = 0;
  /// Of the comparison that set the lock.
  uint32_t location = 0;
};

/// By address. All threads of a run share it.
class LockHolders {
public:
  /// A comparison in a loop has changed what it looks at.
  void note(int64_t address, const LockHolder &holder) {
    const std::lock_guard lock(m_mutex);
    m_holders[address] = holder;
  }
  std::optional<LockHolder> at(int64_t address) const {
    const std::lock_guard lock(m_mutex);
    const auto found = m_holders.find(address);
    return found == m_holders.end() ? std::nullopt : std::optional(found->second);
  }

private:
  mutable std::mutex m_mutex;
  std::unordered_map<int64_t, LockHolder> m_holders;
};

} // namespace tilescope::compiler::interpreter
