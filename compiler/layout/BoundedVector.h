// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <type_traits>

namespace tilescope::compiler {

/// A vector of at most N elements that never allocates; copies touch only the used part.
template <typename T, size_t N> class BoundedVector {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  BoundedVector() {} // NOLINT: the unused part stays uninitialized on purpose
  BoundedVector(std::initializer_list<T> values) {
    for (const T &value : values)
      push_back(value);
  }
  BoundedVector(const BoundedVector &other) { assign(other); }
  BoundedVector &operator=(const BoundedVector &other) {
    assign(other);
    return *this;
  }

  static constexpr size_t capacity() { return N; }
  size_t size() const { return m_size; }
  bool empty() const { return m_size == 0; }
  bool full() const { return m_size == N; }
  T *begin() { return m_values; }
  T *end() { return m_values + m_size; }
  const T *begin() const { return m_values; }
  const T *end() const { return m_values + m_size; }
  T *data() { return m_values; }
  const T *data() const { return m_values; }
  T &operator[](size_t index) {
    assert(index < m_size);
    return m_values[index];
  }
  const T &operator[](size_t index) const {
    assert(index < m_size);
    return m_values[index];
  }
  T &back() { return (*this)[m_size - 1]; }
  const T &back() const { return (*this)[m_size - 1]; }

  void push_back(const T &value) {
    assert(m_size < N && "more elements than a layout may have");
    m_values[m_size++] = value;
  }
  void insert(size_t index, const T &value) {
    push_back(value);
    for (size_t i = m_size - 1; i > index; --i)
      m_values[i] = m_values[i - 1];
    m_values[index] = value;
  }
  void erase(size_t index) {
    assert(index < m_size);
    for (size_t i = index; i + 1 < m_size; ++i)
      m_values[i] = m_values[i + 1];
    --m_size;
  }
  void clear() { m_size = 0; }

  bool operator==(const BoundedVector &other) const {
    if (m_size != other.m_size)
      return false;
    for (size_t i = 0; i < m_size; ++i)
      if (!(m_values[i] == other.m_values[i]))
        return false;
    return true;
  }

private:
  void assign(const BoundedVector &other) {
    m_size = other.m_size;
    for (size_t i = 0; i < m_size; ++i)
      m_values[i] = other.m_values[i];
  }

  size_t m_size = 0;
  union {
    T m_values[N];
  };
};

} // namespace tilescope::compiler
