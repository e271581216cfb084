// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/DiagnosticText.h"
#include "app/commands/ModelCommands.h"
#include "app/commands/ModelText.h"
#include "app/commands/ReadModel.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace tilescope::app {

int runModelFuse(const ModelFuseOptions &options) {
  Result<compiler::ModelResult> result =
      readOneModel(options.file, modelRequest(options.extents, "fused"),
                   compiler::ModelText::Kernels, options.timeLimit);
  if (!result)
    return reportError(result.error(), options.json);
  // The kernels' text is what `model compile` is for.
  result->text.clear();
  if (options.json)
    printJson(modelJson(options.file, *result));
  else
    std::fputs(fusionText(*result).c_str(), stdout);
  return result->ok ? 0 : 1;
}

} // namespace tilescope::app
