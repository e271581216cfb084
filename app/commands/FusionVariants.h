// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A model with the user's choices of fusions beside the same one without them: what differs is what they cost or
// save.
#pragma once

#include "app/commands/PlanModel.h"
#include "app/commands/RunModel.h"

#include <nlohmann/json_fwd.hpp>

namespace tilescope::app {

/// One of two plans of a model.
struct FusionVariant {
  size_t numKernels = 0;
  /// What its kernels move.
  uint64_t bytes = 0;
  /// What they take at least, in microseconds; nothing: not known.
  std::optional<double> leastUs;
  /// Positions of the kernels that the other one does not have.
  std::vector<size_t> own;
  /// What these take together, in microseconds; nothing: not measured.
  std::optional<profiler::TimeStats> ownUs;
};

struct FusionVariants {
  FusionVariant chosen, planned;
  /// What `leastUs` is about, such as `H100 SXM`.
  std::string device;
  /// What `ownUs` was measured on; empty: nothing was measured.
  std::string measuredOn;
};

/// What the kernels are and what they will take at least on a target.
FusionVariants compareVariants(const compiler::ModelResult &chosen,
                               const compiler::ModelResult &planned, const std::string &target);

/// Plans of one model and what both read.
struct VariantsToMeasure {
  /// The path of the model's file.
  std::string file;
  const ModelPlan &chosen, &planned;
  const std::vector<profiler::Tensor> &inputs;
  ModelRunHooks hooks = {};
  /// How many runs of each have been done.
  std::function<void(size_t done, size_t total)> progress = {};
};

/// Runs both in turn, on the processor with each launch repeated, and adds what the kernels take in which they
/// differ.
Status measureVariants(compiler::WorkerClient &worker, const VariantsToMeasure &models,
                       FusionVariants &variants);

/// Two lines, one for each plan.
std::string variantsText(const FusionVariants &variants);
nlohmann::json variantsJson(const FusionVariants &variants);

} // namespace tilescope::app
