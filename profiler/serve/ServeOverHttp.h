// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/serve/InferenceProtocol.h"

namespace tilescope::profiler {

struct ServeOptions {
  ServedModel model;
  std::string address = "127.0.0.1:8000";
  /// The program with its arguments that has the model, as `ModelProcess` starts it.
  std::vector<std::string> command;
  /// Seconds that an inference may take.
  double timeLimitS = 10;
};

/// Serves a model by the Open Inference Protocol, until SIGINT or SIGTERM.
Status serveOverHttp(const ServeOptions &options);

} // namespace tilescope::profiler
