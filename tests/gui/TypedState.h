// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QFile>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>
#include <time.h>

namespace tilescope::tests {

inline int64_t monotonicNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ll + now.tv_nsec;
}

/// A text right after a key.
struct TypedState {
  int64_t timeNs = 0;
  uint64_t digest = 0;
  /// The text without a file, or that of the file.
  bool isUntitled = false;
};

inline uint64_t textDigest(std::string_view text) {
  uint64_t digest = 1469598103934665603ull;
  for (char c : text)
    digest = (digest ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return digest;
}

/// Survives the death of the process that adds to it: the kernel keeps mapped memory.
class TypedLog {
public:
  static constexpr qsizetype kCapacity = 4000;

  explicit TypedLog(const QString &path) : m_file(path) {
    if (m_file.open(QIODevice::ReadWrite) && m_file.resize(kCapacity * sizeof(TypedState)))
      m_states = reinterpret_cast<TypedState *>(m_file.map(0, m_file.size()));
    while (m_states && m_size < kCapacity && m_states[m_size].timeNs != 0)
      ++m_size;
  }

  void add(bool isUntitled, std::string_view text) {
    if (m_size == kCapacity)
      return;
    TypedState &state = m_states[m_size++];
    state.digest = textDigest(text);
    state.isUntitled = isUntitled;
    // The time says that the rest is there.
    std::atomic_signal_fence(std::memory_order_release);
    state.timeNs = monotonicNs();
  }

  qsizetype size() const { return m_size; }
  const TypedState &at(qsizetype index) const { return m_states[index]; }

private:
  QFile m_file;
  TypedState *m_states = nullptr;
  qsizetype m_size = 0;
};

} // namespace tilescope::tests
