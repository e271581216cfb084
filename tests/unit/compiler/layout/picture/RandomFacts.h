// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/LayoutFacts.h"

#include <map>
#include <random>

namespace tilescope::compiler::test {

/// Deterministic random layouts of small tensors, whatever their rank. They need not hold every
/// element, may hold some often, and reach beyond the tensor.
class RandomFacts {
public:
  int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(m_engine); }
  LayoutFacts next();

private:
  std::mt19937_64 m_engine{20261122};
};

/// A layout worked out place by place, without any algebra beyond the definition of `LayoutBases`.
struct Exhaustive {
  explicit Exhaustive(const LayoutFacts &facts);

  /// The coordinates that each place holds; places are numbered with the first dimension lowest.
  std::vector<std::vector<int64_t>> held;
  /// Places that hold a coordinate, lowest first.
  std::map<std::vector<int64_t>, std::vector<uint64_t>> holders;
  /// The part of a place that belongs to a dimension.
  int64_t component(uint64_t place, const std::string &input) const;
  std::vector<std::pair<std::string, int>> inputs;
};

} // namespace tilescope::compiler::test
