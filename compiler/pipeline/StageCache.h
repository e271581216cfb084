// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace tilescope::compiler {

/// Names a value by everything that determines it.
using ContentKey = std::array<uint64_t, 2>;

/// Builds a key piece by piece. Pieces are kept apart: ("ab", "c") and ("a", "bc") differ.
class KeyBuilder {
public:
  KeyBuilder &add(std::string_view text);
  KeyBuilder &add(uint64_t number);
  ContentKey key() const;

private:
  std::string m_bytes;
};

/// Values by content key; the ones unused for longest go when their sizes exceed the limit.
template <typename Value> class StageCache {
public:
  explicit StageCache(size_t limitBytes) : m_limitBytes(limitBytes) {}

  std::shared_ptr<const Value> find(const ContentKey &key) {
    const auto it = m_entries.find(key);
    if (it == m_entries.end())
      return nullptr;
    m_order.splice(m_order.begin(), m_order, it->second);
    return it->second->value;
  }

  void insert(const ContentKey &key, Value value, size_t sizeBytes) {
    if (const auto it = m_entries.find(key); it != m_entries.end()) {
      m_sizeBytes -= it->second->sizeBytes;
      m_order.erase(it->second);
      m_entries.erase(it);
    }
    m_order.push_front({key, std::make_shared<const Value>(std::move(value)), sizeBytes});
    m_entries[key] = m_order.begin();
    m_sizeBytes += sizeBytes;
    while (m_sizeBytes > m_limitBytes && m_order.size() > 1) {
      m_sizeBytes -= m_order.back().sizeBytes;
      m_entries.erase(m_order.back().key);
      m_order.pop_back();
    }
  }

  size_t size() const { return m_order.size(); }
  size_t sizeBytes() const { return m_sizeBytes; }

private:
  struct Entry {
    ContentKey key;
    std::shared_ptr<const Value> value;
    size_t sizeBytes;
  };
  size_t m_limitBytes;
  size_t m_sizeBytes = 0;
  /// The one used last comes first.
  std::list<Entry> m_order;
  std::map<ContentKey, typename std::list<Entry>::iterator> m_entries;
};

} // namespace tilescope::compiler
