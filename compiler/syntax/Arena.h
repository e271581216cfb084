// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tilescope::compiler::ast {

/// Memory for one syntax tree: allocation is a pointer bump and everything is freed at once, so
/// only types without a destructor may live here. Addresses are stable, also when the arena is
/// moved.
class Arena {
public:
  Arena() = default;
  Arena(Arena &&) = default;
  Arena &operator=(Arena &&) = default;

  /// A new T in the arena, value-initialized from `args`.
  template <typename T, typename... Args> T *make(Args &&...args) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (allocate(sizeof(T), alignof(T))) T(std::forward<Args>(args)...);
  }

  /// Copies a contiguous list of trivially copyable elements into the arena.
  template <typename T> std::span<const T> copy(const T *elements, size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (count == 0)
      return {};
    void *memory = allocate(sizeof(T) * count, alignof(T));
    std::memcpy(memory, elements, sizeof(T) * count);
    return {static_cast<const T *>(memory), count};
  }
  template <typename T> std::span<const T> copy(const std::vector<T> &elements) {
    return copy(elements.data(), elements.size());
  }
  /// Copies a text into the arena.
  std::string_view copy(std::string_view text) {
    std::span<const char> chars = copy(text.data(), text.size());
    return {chars.data(), chars.size()};
  }

private:
  static constexpr size_t kBlockBytes = 64 * 1024;

  void *allocate(size_t size, size_t alignment) {
    size_t padding = (alignment - reinterpret_cast<uintptr_t>(m_next) % alignment) % alignment;
    if (!m_next || padding + size > static_cast<size_t>(m_end - m_next)) {
      size_t blockBytes = size > kBlockBytes ? size : kBlockBytes;
      m_blocks.push_back(std::make_unique_for_overwrite<std::byte[]>(blockBytes));
      m_next = m_blocks.back().get();
      m_end = m_next + blockBytes;
      padding = 0;
    }
    void *result = m_next + padding;
    m_next += padding + size;
    return result;
  }

  std::vector<std::unique_ptr<std::byte[]>> m_blocks;
  std::byte *m_next = nullptr;
  std::byte *m_end = nullptr;
};

} // namespace tilescope::compiler::ast
