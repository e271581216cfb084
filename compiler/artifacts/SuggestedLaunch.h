// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// A first launch of a kernel that says nothing about one, read off its IR: one number, `size`,
/// stands for every extent. All texts are expressions of a launch block.
struct SuggestedLaunch {
  /// Small enough for the tensor of the highest rank.
  int64_t size = 4096;
  /// Extents of a tensor argument, by name; a tensor that is missing here has `size` elements.
  std::map<std::string, std::vector<std::string>> shapes;
  /// Values of integer arguments that are strides, by name; any other integer is `size`.
  std::map<std::string, std::string> strides;
  /// One to three extents; empty when nothing is known.
  std::vector<std::string> grid;
  bool operator==(const SuggestedLaunch &) const = default;
};

} // namespace tilescope::compiler
