// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/MakePackage.h"

#include <functional>

namespace tilescope::app {

struct PointToCompile {
  size_t index = 0;
  compiler::Selection selection;
  /// With what its launch will take.
  bool estimate = false;
};

struct CompiledPoint {
  size_t index = 0;
  CompiledPackage package;
};

/// Compiles selections of one file in `jobs` worker processes. `done` is called on the caller's
/// thread, as results come, in any order; its error ends the rest, and so does one about the
/// workers.
Status compilePoints(const InputFile &input, const std::vector<PointToCompile> &points,
                     unsigned jobs, std::optional<double> timeLimit,
                     const std::function<Status(CompiledPoint)> &done);

} // namespace tilescope::app
