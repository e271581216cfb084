// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Whether two kernels compute the same: both run on the CPU, each as its launch says, and outputs of the same name are
// compared.
#pragma once

#include "app/commands/ComparedSide.h"
#include "profiler/data/Measurement.h"

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace tilescope::app {

struct OutputsOfBoth {
  /// Those of the second kernel that the first one has with the same shape and type, compared with its.
  std::vector<profiler::OutputResult> outputs;
  /// Why nothing was compared; empty when it was.
  std::string missing;
};

/// Runs both. Thread: the worker's.
OutputsOfBoth outputsOfBoth(compiler::WorkerClient &worker,
                            const std::array<ComparedSide, 2> &sides);

/// A line for each output.
std::string outputsText(const OutputsOfBoth &both);

/// The same as fields of a document: `outputs`, or `outputs_missing`.
void addOutputs(const OutputsOfBoth &both, nlohmann::json &document);

} // namespace tilescope::app
