// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Trace.h"

#include <QString>

#include <memory>
#include <string>

namespace tilescope::views {

/// What a TraceView shows: a trace, and the file that its lines are of.
struct TraceContent {
  profiler::TraceData trace;
  std::string kernel;
  /// As the scopes name it; empty: not known.
  std::string sourcePath;
  /// `GPU 0`, and when it was recorded.
  QString origin;
};
using TraceContentPointer = std::shared_ptr<const TraceContent>;

} // namespace tilescope::views
