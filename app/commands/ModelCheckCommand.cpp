// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CompileFile.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/ModelCommands.h"
#include "app/commands/ModelText.h"
#include "profiler/data/Text.h"

#include <charconv>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace tilescope::app {

/// `batch=8`; names may hold `=` themselves.
static Result<std::pair<std::string, int64_t>> parseExtent(const std::string &text) {
  const size_t at = text.rfind('=');
  int64_t value = -1;
  if (at != std::string::npos && at > 0) {
    const char *end = text.data() + text.size();
    const auto [next, fault] = std::from_chars(text.data() + at + 1, end, value);
    if (fault == std::errc() && next == end && value >= 0)
      return std::pair(text.substr(0, at), value);
  }
  return Error{ErrorCode::Usage, "`" + text + "` does not give an extent a number",
               "write it as NAME=VALUE: `--dim batch=8`"};
}

static Result<compiler::ModelRequest> requestOf(const ModelCheckOptions &options) {
  compiler::ModelRequest request;
  request.wantsText = !options.emit.empty();
  for (const std::string &text : options.extents) {
    auto extent = parseExtent(text);
    if (!extent)
      return extent.error();
    request.extents.push_back(std::move(*extent));
  }
  return request;
}

/// What ended the worker is said of the model that it was reading.
static compiler::ModelResult resultOf(const compiler::ModelDoneReply &reply) {
  compiler::ModelResult result = reply.result;
  for (const compiler::Diagnostic &diagnostic : reply.diagnostics)
    result.diagnostics.push_back({diagnostic.severity, "", "", diagnostic.message});
  return result;
}

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
  const Result<compiler::ModelRequest> request = requestOf(options);
  if (!request)
    return reportError(request.error(), options.json);
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  nlohmann::json documents = nlohmann::json::array();
  bool ok = true;
  for (const std::string &path : options.files) {
    compiler::ModelMessage message;
    message.request = *request;
    message.request.path = path;
    const Result<compiler::ModelDoneReply> reply = worker.readModel(std::move(message));
    if (!reply)
      return reportError(reply.error(), options.json);
    const compiler::ModelResult result = resultOf(*reply);
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
