// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/DiagnosticText.h"
#include "app/commands/ModelCommands.h"
#include "app/commands/ModelText.h"
#include "app/commands/ReadModel.h"

#include <cstdio>
#include <fstream>

namespace tilescope::app {

int runModelCompile(const ModelCompileOptions &options) {
  Result<compiler::ModelRequest> request =
      modelRequest(options.extents, options.form, options.fusions);
  if (request)
    request->hasBulkCopies = hasBulkCopies(options.target);
  const Result<compiler::ModelResult> result = readOneModel(
      options.file, std::move(request), compiler::ModelText::Kernels, options.timeLimit);
  if (!result)
    return reportError(result.error());
  // Kernels of the operations that have one are of use where others have none.
  if (result->text.empty())
    return 1;
  std::ofstream file(options.output, std::ios::binary);
  file << result->text;
  file.close();
  if (!file)
    return reportError({ErrorCode::Environment, "cannot write `" + options.output + "`", ""});
  return result->ok ? 0 : 1;
}

} // namespace tilescope::app
