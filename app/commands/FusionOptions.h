// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string>
#include <vector>

namespace tilescope::app {

/// Edges between nodes, each `FROM:TO`, that one kernel is to compute, and those that none may.
struct FusionOptions {
  std::vector<std::string> fused, apart;

  bool isEmpty() const { return fused.empty() && apart.empty(); }
};

} // namespace tilescope::app
