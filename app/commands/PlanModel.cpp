// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/PlanModel.h"

#include "app/commands/ModelData.h"
#include "app/commands/ReadModel.h"

namespace tilescope::app {

Result<PlannedModel> planModel(compiler::WorkerClient &worker, compiler::ModelRequest request,
                               const std::string &inputs, const std::stop_token &stop) {
  if (!inputs.empty()) {
    const Result<compiler::ModelResult> model = readModel(worker, request, stop);
    if (!model)
      return model.error();
    if (Status status = addExtents(inputs, *model, request); !status)
      return status.error();
  }
  request.text = compiler::ModelText::Plan;
  Result<compiler::ModelResult> model = readModel(worker, request, stop);
  if (!model)
    return model.error();
  if (!model->ok)
    return PlannedModel{std::move(*model), {}};
  Result<ModelPlan> plan = parseModelPlan(model->text);
  if (!plan)
    return plan.error();
  model->text.clear();
  return PlannedModel{std::move(*model), std::move(*plan)};
}

} // namespace tilescope::app
