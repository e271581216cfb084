// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/LayoutFacts.h"

#include <optional>
#include <string_view>

namespace tilescope::app {

/// A register of a thread.
struct HeldPlace {
  int64_t reg = 0, lane = 0, warp = 0;
  bool operator==(const HeldPlace &) const = default;
};

/// Which thread holds which element of a block in registers.
///
/// Example (asserted by the unit test "a block's elements are found in its threads"): 64 elements,
/// two neighbors a lane: element 5 is in register 1 of lane 2, and register 0 of lane 3 holds 6.
class HeldBlock {
public:
  /// `facts` must outlive the block.
  explicit HeldBlock(const compiler::LayoutFacts &facts) : m_facts(&facts) {}

  const compiler::LayoutFacts &facts() const { return *m_facts; }
  bool contains(const std::vector<int64_t> &element) const;
  /// Every place that holds the element, by warp, lane and register.
  std::vector<HeldPlace> holdersOf(const std::vector<int64_t> &element) const;
  /// Nothing: there is no such place.
  std::optional<std::vector<int64_t>> elementAt(const HeldPlace &place) const;
  /// "The block of 256 elements is spread over 4 warps of 32 lanes with 2 registers each."
  std::string words() const;

private:
  const std::vector<std::vector<int32_t>> &basesOf(std::string_view input) const;
  int64_t extentOf(std::string_view input) const;

  const compiler::LayoutFacts *m_facts;
};

} // namespace tilescope::app
