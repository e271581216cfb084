// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Hint.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// A change of the source that should make a hint go. It is tried before the user is told of it.
struct ProposedChange {
  /// An option of the launch block gets this value.
  std::string option, value;
  /// Or the call at the hint's place goes without these arguments.
  std::vector<std::string> droppedArguments;
};

struct FoundHint : Hint {
  std::optional<ProposedChange> change;
};

} // namespace tilescope::compiler
