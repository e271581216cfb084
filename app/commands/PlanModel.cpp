// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/PlanModel.h"

#include "app/commands/ModelData.h"
#include "app/commands/ModelText.h"
#include "app/commands/ReadModel.h"

#include <cstdio>

namespace tilescope::app {

Result<PlannedModel> planModel(compiler::WorkerClient &worker, compiler::ModelRequest request,
                               const std::string &inputs) {
  if (!inputs.empty()) {
    const Result<compiler::ModelResult> model = readModel(worker, request);
    if (!model)
      return model.error();
    if (Status status = addExtents(inputs, *model, request); !status)
      return status.error();
  }
  request.text = compiler::ModelText::Plan;
  Result<compiler::ModelResult> model = readModel(worker, request);
  if (!model)
    return model.error();
  std::fputs(modelDiagnosticsText(request.path, *model).c_str(), stderr);
  if (!model->ok)
    return Error{ErrorCode::InvalidInput, "", ""};
  Result<ModelPlan> plan = parseModelPlan(model->text);
  if (!plan)
    return plan.error();
  model->text.clear();
  return PlannedModel{std::move(*model), std::move(*plan)};
}

} // namespace tilescope::app
