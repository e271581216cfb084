// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Dimensions that one index runs over together:
//
//   p < H * W                      x_ptr + p          x_ptr has the shape [H, W]
#pragma once

#include "compiler/analysis/SizeValues.h"

#include <map>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// The sides of what single indices run over, by the product at which these end.
class PlaneSides {
public:
  /// Returns the product of `sides`, as an extent. Each becomes as long as if an array had them all as its
  /// dimensions.
  std::string add(std::vector<std::string> sides, std::vector<SizeNeeds> &sizes);

  /// A shape with one dimension for each side in place of each extent that is such a product.
  std::vector<std::string> split(const std::vector<std::string> &shape) const;

private:
  std::map<std::string, std::vector<std::string>> m_sides;
};

} // namespace tilescope::compiler
