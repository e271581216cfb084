// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/data/Tensor.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tilescope::app {

/// The order of a model's launches and the tensors between them, as `compiler/model/plan` writes it.
struct ModelPlan {
  /// A view of a buffer.
  struct Tensor {
    /// Of the model, or the parameter of a kernel.
    std::string name;
    profiler::Dtype dtype = profiler::Dtype::Fp32;
    std::vector<int64_t> shape;
    size_t buffer = 0;
    bool isResult = false;
  };
  /// What a buffer holds before the first step, or where in the arena steps write it.
  struct Buffer {
    std::optional<size_t> input;
    /// Elements so many times.
    std::string data;
    uint64_t repeat = 0;
    /// A place in a file; without a name in the model's own.
    bool isInFile = false;
    std::string file;
    uint64_t offset = 0, bytes = 0;
    /// Where the file has its axes in another order: which of them each axis is, and the extents after that.
    std::vector<int64_t> order, shape;
    /// From the step that writes it to the last one that reads it; an output is read after the last step.
    struct Life {
      uint64_t at = 0, bytes = 0;
      size_t first = 0, last = 0;
    };
    std::optional<Life> life;
  };
  struct Step {
    std::string node, function, block;
    std::vector<Tensor> tensors;
  };
  /// Definitions by name.
  std::map<std::string, std::string> functions;
  /// Those that are no longer what was planned.
  std::set<std::string> editedFunctions = {};
  std::vector<Buffer> buffers;
  std::vector<Step> steps;
  std::vector<Tensor> inputs, outputs;
  /// All that steps write lies in one arena; no arena is smaller than its fullest step.
  uint64_t arenaBytes = 0, leastArenaBytes = 0;
};

/// The error: a tensor is too large to be run, or the worker is another version.
Result<ModelPlan> parseModelPlan(const std::string &text);

} // namespace tilescope::app
