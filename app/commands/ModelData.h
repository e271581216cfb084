// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Folders with the tensors that go into a model and come out of it: `NAME.npy` or `NAME.pb`, or, as ONNX's own
// test data have them, `input_0.pb`, `output_0.pb` and so on, by position. What a file's name cannot hold is `_` there.
#pragma once

#include "app/commands/ModelPlan.h"
#include "compiler/artifacts/ModelResult.h"

namespace tilescope::app {

/// Adds the extents that the files of inputs tell: `N` of `[N, 3]` where the file has [2, 3].
Status addExtents(const std::string &folder, const compiler::ModelResult &model,
                  compiler::ModelRequest &request);

/// The inputs, in the plan's order. Without a folder real numbers are random, and integers 0.
Result<std::vector<profiler::Tensor>> inputTensors(const ModelPlan &plan,
                                                   const std::string &folder);

/// What the outputs should be, in the plan's order; nothing where the folder has no file for an output.
Result<std::vector<std::optional<profiler::Tensor>>> expectedOutputs(const ModelPlan &plan,
                                                                     const std::string &folder);

/// Writes `NAME.npy` for each output.
Status writeOutputs(const ModelPlan &plan, const std::vector<profiler::Tensor> &outputs,
                    const std::string &folder);

} // namespace tilescope::app
