// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/ModelBench.h"

#include <cstdint>
#include <functional>

namespace tilescope::app {

/// What of measuring a model is under way.
enum class MeasuringPhase : uint8_t {
  /// For a GPU.
  Compiles,
  /// The first run on the processor, which compiles each kernel before it runs.
  RunsFirst,
  /// Each kernel runs on the processor again and again.
  Repeats,
};

struct ModelToMeasure {
  /// With the path of the model.
  compiler::ModelRequest request;
  /// Folder with a file for each input; empty: random numbers.
  std::string inputs = {};
  /// A text with kernels of the model, maybe edited, in place of the generated ones, and its name for messages; empty:
  /// these.
  std::string text = {}, name = {};
  /// Where it runs; on the processor as machine code.
  ModelRunHooks hooks = {};
  /// How many kernels a phase is done with; may be empty.
  std::function<void(MeasuringPhase phase, size_t done, size_t total)> progress = {};
};

/// What is known of the model, also where it is at fault, and what it takes.
struct MeasuredModel {
  compiler::ModelResult model;
  /// Nothing: the model's diagnostics say why.
  std::optional<ModelBench> bench = {};
};

/// Reads the model, plans it and runs it: once, and again and again. Where fusions are chosen, also without them.
/// `worker` should not have compiled the model before: the first run says what that takes.
Result<MeasuredModel> measureModel(compiler::WorkerClient &worker, const ModelToMeasure &measured);

} // namespace tilescope::app
