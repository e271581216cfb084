// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/FusionVariants.h"
#include "compiler/artifacts/ModelResult.h"
#include "profiler/data/Measurement.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::app {

/// What a model takes: once, for each new shape, and again and again. Times are in microseconds.
struct ModelBench {
  struct Kernel {
    std::string function, node;
    uint64_t bytes = 0, flops = 0;
    /// Nothing: not measured.
    std::optional<profiler::TimeStats> us = {};
    /// What the device takes at least for these bytes and operations; nothing: not known.
    std::optional<double> leastUs = {};
    /// When it ran in one of the steady runs, from the begin of the first kernel; nothing: not known.
    struct Span {
      double startUs = 0, us = 0;
    };
    std::optional<Span> span = {};
  };
  /// `NVIDIA H200`, `CPU (native code)`.
  std::string device;
  /// Reading the model and planning its run, and compiling its kernels with the first run.
  double readUs = 0, firstUs = 0;
  /// Planning again with all kernels compiled, which a new shape costs at least.
  double shapeUs = 0;
  /// All kernels, as one CUDA graph or one after another.
  profiler::TimeStats steadyUs;
  bool isGraph = false;
  std::vector<Kernel> kernels;
  /// What there is to know of the times.
  std::vector<std::string> notes;
  /// What was found in kernels.
  std::vector<compiler::ModelDiagnostic> findings;
  /// Where the user has chosen fusions.
  std::optional<FusionVariants> variants;
};

/// Of the largest kernels first.
std::string benchText(const std::string &file, const ModelBench &bench);
nlohmann::json benchJson(const std::string &file, const ModelBench &bench);

} // namespace tilescope::app
