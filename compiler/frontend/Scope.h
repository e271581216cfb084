// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/frontend/Value.h"

#include <string_view>
#include <utility>
#include <vector>

namespace tilescope::compiler::frontend {

/// The local names of one function in the order in which they were first bound: the order in which
/// loops and branches list the values they pass on. Names live in syntax trees.
class Scope {
public:
  struct Entry {
    std::string_view name;
    Value value;
  };

  const Value *find(std::string_view name) const {
    for (const Entry &entry : m_entries)
      if (entry.name == name)
        return &entry.value;
    return nullptr;
  }
  void set(std::string_view name, Value value) {
    for (Entry &entry : m_entries)
      if (entry.name == name) {
        entry.value = std::move(value);
        return;
      }
    m_entries.push_back({name, std::move(value)});
  }
  void erase(std::string_view name) {
    std::erase_if(m_entries, [&](const Entry &entry) { return entry.name == name; });
  }
  const std::vector<Entry> &entries() const { return m_entries; }

private:
  std::vector<Entry> m_entries;
};

} // namespace tilescope::compiler::frontend
