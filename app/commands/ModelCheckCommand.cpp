// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CompileFile.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/ModelCommands.h"
#include "app/commands/ModelText.h"
#include "app/commands/ReadModel.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace tilescope::app {

static void print(const ModelCheckOptions &options, const std::string &path,
                  const compiler::ModelResult &result) {
  std::fputs(modelDiagnosticsText(path, result).c_str(), stderr);
  if (options.json)
    return;
  if (!options.emit.empty())
    std::fputs(result.text.c_str(), stdout);
  else if (result.numNodes > 0)
    std::fputs(modelText(path, result).c_str(), stdout);
}

int runModelCheck(const ModelCheckOptions &options) {
  Result<compiler::ModelRequest> request = modelRequest(options.extents, options.form);
  if (!request)
    return reportError(request.error(), options.json);
  if (!options.emit.empty())
    request->text = compiler::ModelText::Ir;
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  nlohmann::json documents = nlohmann::json::array();
  bool ok = true;
  for (const std::string &path : options.files) {
    request->path = path;
    const Result<compiler::ModelResult> read = readModel(worker, *request);
    if (!read)
      return reportError(read.error(), options.json);
    const compiler::ModelResult &result = *read;
    ok &= result.ok;
    print(options, path, result);
    if (options.json)
      documents.push_back(modelJson(path, result));
  }
  // One file is its own document.
  if (options.json && documents.size() == 1)
    printJson(documents.front());
  else if (options.json)
    printJson({{"ok", ok}, {"files", std::move(documents)}});
  return ok ? 0 : 1;
}

} // namespace tilescope::app
