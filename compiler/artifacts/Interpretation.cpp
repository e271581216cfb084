// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/Interpretation.h"

namespace tilescope::compiler {

std::string programText(const std::array<int32_t, 3> &id, const std::array<int64_t, 3> &grid) {
  if (grid[1] == 1 && grid[2] == 1)
    return "program " + std::to_string(id[0]);
  return "program (" + std::to_string(id[0]) + ", " + std::to_string(id[1]) +
         (grid[2] == 1 ? "" : ", " + std::to_string(id[2])) + ")";
}

} // namespace tilescope::compiler
