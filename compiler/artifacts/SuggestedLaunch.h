// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilescope::compiler {

struct SuggestedSize {
  std::string name;
  int64_t value = 0;
  bool operator==(const SuggestedSize &) const = default;
};

struct SuggestedTensor {
  std::vector<std::string> shape;
  /// The kernel does not say how far it goes: the shape may be too small.
  bool isGuess = false;
  /// What it holds is read, and not only added to.
  bool isRead = false;
  bool isWritten = false;
  /// What it holds are indices below this extent; empty for data.
  std::string indicesBelow;
  /// These indices ascend: an entry is where something begins, and the next one where it ends.
  bool isAscending = false;
  /// They say how many of something there are: a loop ends there, or a mask.
  bool areLengths = false;
  /// A root or a logarithm is taken of what it holds.
  bool isPositive = false;
  bool operator==(const SuggestedTensor &) const = default;
};

/// A first launch of a kernel that says nothing about one, read off its IR. All texts are
/// expressions of a launch block.
struct SuggestedLaunch {
  /// Named after the arguments that hold them, where there are such.
  std::vector<SuggestedSize> sizes;
  /// By name.
  std::map<std::string, SuggestedTensor> tensors;
  /// Values of integer arguments, by name: sizes, strides, others.
  std::map<std::string, std::string> integers;
  /// One to three extents; empty when nothing is known.
  std::vector<std::string> grid;
  /// What the programs count ends elsewhere, too: there may be more of them.
  bool isGridGuess = false;
  /// The kernel leaves nothing behind; shapes are those of what it loads.
  bool storesNothing = false;
  bool operator==(const SuggestedLaunch &) const = default;
};

} // namespace tilescope::compiler
