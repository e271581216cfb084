// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <string>

namespace tilescope::profiler {

struct ServeModelOptions {
  /// That `tilescope model export` wrote.
  std::string folder;
  std::string address = "127.0.0.1:8000";
  /// In addresses; empty: that of the model's file, without its ending.
  std::string name;
  int device = 0;
  /// Seconds that an inference may take.
  double timeLimitS = 10;
};

/// Serves a model over HTTP by the Open Inference Protocol, until SIGINT or SIGTERM. Without a GPU that fits it answers that the
/// model is not ready, and why: the folder has machine code of a GPU alone.
Status serveModel(const ServeModelOptions &options);

/// The process with the model, which `serveModel` starts as this program with `model-child FOLDER DEVICE`.
int modelChildMain(const std::string &folder, const std::string &device);

} // namespace tilescope::profiler
