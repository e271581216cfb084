// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/ModelPlan.h"

namespace tilescope::app {

/// The buffers of a run, in this machine's memory. What steps write shares one arena, as the plan has it.
class ModelBuffers {
public:
  /// `model`: the path of its file, which has the weights; `inputs` are those of the plan. Both arguments that
  /// are references must outlive this object.
  ModelBuffers(const ModelPlan &plan, std::string model,
               const std::vector<profiler::Tensor> &inputs)
      : m_plan(plan), m_model(std::move(model)), m_inputs(inputs) {}

  /// What a view shows now.
  Result<profiler::Tensor> load(const ModelPlan::Tensor &view) const;
  /// What a step has written.
  Status store(const ModelPlan::Tensor &view, const profiler::Tensor &tensor);
  /// What a buffer that no step writes holds; of elements so many times, once.
  Result<profiler::TensorBytes> contents(size_t buffer) const;

private:
  Result<profiler::TensorBytes> fromFile(const ModelPlan::Buffer &buffer) const;

  const ModelPlan &m_plan;
  std::string m_model;
  const std::vector<profiler::Tensor> &m_inputs;
  /// Made with the first result.
  profiler::TensorBytes m_arena;
};

} // namespace tilescope::app
