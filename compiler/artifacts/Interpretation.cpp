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

std::string copiesNote(const InterpreterFinding &finding) {
  const uint64_t others = finding.numCopies - 1;
  return "the same in " + std::to_string(others) + " more " + (others == 1 ? "copy" : "copies") +
         " of this statement" + (finding.copiesText.empty() ? "" : ", at " + finding.copiesText) +
         ": an unrolled loop has one for each round, a function one for each call";
}

} // namespace tilescope::compiler
