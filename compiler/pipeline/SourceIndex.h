// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/pipeline/FileTable.h"

#include <map>
#include <optional>

namespace tilescope::compiler {

/// Finds the whole range again when only its start is left, as in LLVM IR and PTX.
class SourceIndex {
public:
  void add(const SourceRange &range);
  /// The range that starts there. Of several the longest: an expression, not its first operand.
  std::optional<SourceRange> startingAt(uint32_t file, Position begin) const;

private:
  std::map<std::pair<uint32_t, Position>, Position> m_ends;
};

} // namespace tilescope::compiler
