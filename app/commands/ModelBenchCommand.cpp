// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CompileFile.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/MeasureModel.h"
#include "app/commands/ModelCommands.h"
#include "app/commands/ModelText.h"
#include "app/commands/PrepareModel.h"
#include "app/commands/ReadModel.h"
#include "app/commands/RunModelOnGpu.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace tilescope::app {

int runModelBench(const ModelBenchOptions &options) {
  const Result<RunPlace> place = modelPlace(options.where, "");
  if (!place)
    return reportError(place.error(), options.json);
  Result<compiler::ModelRequest> request =
      modelRequest(options.extents, options.form, options.fusions);
  if (!request)
    return reportError(request.error(), options.json);
  request->path = options.file;
  const Result<std::string> target = gpuTargetAt(*place);
  if (!target)
    return reportError(target.error(), options.json);
  request->hasBulkCopies = hasBulkCopies(*target);
  ModelToMeasure model{std::move(*request), options.inputs};
  model.hooks.place = *place;
  model.hooks.timeLimit = options.timeLimit.value_or(model.hooks.timeLimit);
  model.hooks.compiled = tellCompiled();
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  const Result<MeasuredModel> measured = measureModel(worker, model);
  if (!measured)
    return reportError(measured.error(), options.json);
  std::fputs(modelDiagnosticsText(options.file, measured->model).c_str(), stderr);
  if (!measured->bench) {
    if (options.json)
      printJson(modelJson(options.file, measured->model));
    return 1;
  }
  printFindings(options.file, measured->bench->findings);
  if (options.json)
    printJson(benchJson(options.file, *measured->bench));
  else
    std::fputs(benchText(options.file, *measured->bench).c_str(), stdout);
  return 0;
}

} // namespace tilescope::app
