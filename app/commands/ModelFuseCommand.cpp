// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CompileFile.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/FusionVariants.h"
#include "app/commands/ModelCommands.h"
#include "app/commands/ModelText.h"
#include "app/commands/ModelTimes.h"
#include "app/commands/ReadModel.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

namespace tilescope::app {

/// The same model as the compiler fuses it by itself; what there is to say of it has been said.
static Result<compiler::ModelResult> withoutChoices(const ModelFuseOptions &options) {
  Result<compiler::ModelRequest> request = modelRequest(options.extents, "fused");
  if (!request)
    return request.error();
  request->path = options.file;
  request->text = compiler::ModelText::Kernels;
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  return readModel(worker, *request);
}

int runModelFuse(const ModelFuseOptions &options) {
  Result<compiler::ModelResult> result =
      readOneModel(options.file, modelRequest(options.extents, "fused", options.fusions),
                   compiler::ModelText::Kernels, options.timeLimit);
  if (!result)
    return reportError(result.error(), options.json);
  // The kernels' text is what `model compile` is for.
  result->text.clear();
  std::optional<FusionVariants> variants;
  if (result->ok && !options.fusions.isEmpty()) {
    const Result<compiler::ModelResult> planned = withoutChoices(options);
    if (!planned)
      return reportError(planned.error(), options.json);
    variants = compareVariants(*result, *planned, kUsualTarget);
  }
  if (options.json) {
    nlohmann::json document = modelJson(options.file, *result);
    if (variants)
      document["variants"] = variantsJson(*variants);
    printJson(document);
  } else {
    std::fputs(fusionText(*result).c_str(), stdout);
    if (variants)
      std::fputs(variantsText(*variants).c_str(), stdout);
  }
  return result->ok ? 0 : 1;
}

} // namespace tilescope::app
