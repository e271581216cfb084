// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/layout/BoundedVector.h"

#include <bit>
#include <cstdint>
#include <optional>

namespace tilescope::compiler::gf2 {

/// Vectors of 64 bits over the field of two elements, kept in echelon form together with how each
/// row was made from what was inserted. Any number can be inserted; `solve` names the first 64
/// only, so callers that ask it insert no more.
class Basis {
public:
  /// Adds a vector; false when it depends on those before it, which then make do without it.
  bool insert(uint64_t vector) {
    uint64_t made = m_inserted < 64 ? uint64_t(1) << m_inserted : 0;
    ++m_inserted;
    reduce(vector, made);
    if (!vector)
      return false;
    m_rows[std::bit_width(vector) - 1] = {vector, made};
    m_leading |= uint64_t(1) << (std::bit_width(vector) - 1);
    return true;
  }

  /// Which inserted vectors (as bits, in the order of insertion) sum to `vector`; none when none
  /// do. Only vectors that were independent of their predecessors are used, so the answer is
  /// unique.
  std::optional<uint64_t> solve(uint64_t vector) const {
    uint64_t made = 0;
    reduce(vector, made);
    if (vector)
      return std::nullopt;
    return made;
  }

  bool spans(uint64_t vector) const { return solve(vector).has_value(); }
  int rank() const { return std::popcount(m_leading); }

  /// The same for all vectors that differ by sums of inserted ones, 0 for these themselves; the
  /// rest of a sum is the sum of the rests.
  uint64_t rest(uint64_t vector) const {
    uint64_t made = 0;
    reduce(vector, made);
    return vector;
  }
  /// A sum of inserted vectors whose highest bit is `bit`; 0 when there is none.
  uint64_t row(int bit) const { return m_leading >> bit & 1 ? m_rows[bit].vector : 0; }

private:
  struct Row {
    uint64_t vector;
    uint64_t made;
  };

  void reduce(uint64_t &vector, uint64_t &made) const {
    for (uint64_t candidates = vector & m_leading; candidates; candidates = vector & m_leading) {
      const Row &row = m_rows[std::bit_width(candidates) - 1];
      vector ^= row.vector;
      made ^= row.made;
    }
  }

  Row m_rows[64];
  uint64_t m_leading = 0;
  int m_inserted = 0;
};

} // namespace tilescope::compiler::gf2
