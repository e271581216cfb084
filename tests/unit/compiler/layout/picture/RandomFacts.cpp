// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/unit/compiler/layout/picture/RandomFacts.h"

namespace tilescope::compiler::test {

LayoutFacts RandomFacts::next() {
  LayoutFacts facts;
  const int bits[] = {1, 8, 16, 32, 64};
  facts.elementBits = bits[number(0, 4)];
  facts.shared = number(0, 3) == 0;
  for (int rank = number(0, 4); rank > 0; --rank)
    facts.shape.push_back(int64_t(1) << number(0, 3));
  // As buffers of three slots have.
  if (!facts.shape.empty() && number(0, 3) == 0)
    facts.shape[0] = 3;
  std::vector<std::string> inputs{"register", "lane", "warp", "block"};
  if (facts.shared)
    inputs = {"offset", "block"};
  // Bases of single bits, as most layouts have them, and any others.
  const bool isTidy = number(0, 1) == 0;
  for (const std::string &input : inputs) {
    facts.layout.push_back({input, {}});
    for (int bit = number(0, facts.shared ? 6 : 3); bit > 0; --bit) {
      std::vector<int32_t> basis(facts.shape.size());
      if (isTidy && !basis.empty())
        basis[static_cast<size_t>(number(0, static_cast<int>(basis.size()) - 1))] = 1
                                                                                    << number(0, 2);
      else
        for (size_t dim = 0; dim < basis.size(); ++dim)
          basis[dim] = number(0, static_cast<int>(facts.shape[dim]));
      facts.layout.back().bases.push_back(basis);
    }
  }
  return facts;
}

Exhaustive::Exhaustive(const LayoutFacts &facts) {
  std::vector<std::vector<int32_t>> bases;
  for (const LayoutBases &input : facts.layout) {
    inputs.emplace_back(input.input, static_cast<int>(input.bases.size()));
    bases.insert(bases.end(), input.bases.begin(), input.bases.end());
  }
  for (uint64_t place = 0; place < uint64_t(1) << bases.size(); ++place) {
    std::vector<int64_t> at(facts.shape.size());
    for (size_t bit = 0; bit < bases.size(); ++bit)
      for (size_t dim = 0; dim < at.size(); ++dim)
        if (place >> bit & 1)
          at[dim] ^= bases[bit][dim];
    held.push_back(at);
    holders[at].push_back(place);
  }
}

int64_t Exhaustive::component(uint64_t place, const std::string &input) const {
  for (const auto &[name, bits] : inputs) {
    if (name == input)
      return static_cast<int64_t>(place % (uint64_t(1) << bits));
    place >>= bits;
  }
  return 0;
}

} // namespace tilescope::compiler::test
