// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/constant/Int.h"
#include "profiler/data/Dtype.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilescope::app {

/// Looks whether expected values fit an integer type: wrapped, they would agree with results that
/// are as wrong. All values fit floating types, and truth values.
class IntegerRange {
public:
  explicit IntegerRange(profiler::Dtype dtype);
  void look(const std::vector<int64_t> &coordinates, double value);
  /// Whether an integer fits a type of 64 bits: the largest are not those of doubles.
  bool holds(const compiler::constant::Int &value) const;
  /// In words, how many do not fit and the first of them; empty: all do.
  std::string misfits() const;

private:
  profiler::Dtype m_dtype;
  double m_least = 0;
  /// The first number above those that fit.
  double m_end = 0;
  bool m_isInteger;
  int64_t m_numMisfits = 0;
  double m_first = 0;
  std::vector<int64_t> m_firstAt;
};

} // namespace tilescope::app
