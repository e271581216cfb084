// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ReadModel.h"

#include "app/commands/CompileFile.h"
#include "app/commands/ModelText.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

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
  if (at != std::string::npos && text.find(',', at) != std::string::npos)
    return Error{ErrorCode::Usage, "`" + text + "` has several numbers for an extent",
                 "only `tilescope model export` takes several, and writes what runs each of them"};
  return Error{ErrorCode::Usage, "`" + text + "` does not give an extent a number",
               "write it as NAME=VALUE: `--dim batch=8`"};
}

/// `scores:positive`, or what is wrong with it.
static Result<compiler::FusionChoice> parseFusion(const std::string &text,
                                                  compiler::FusionWish wish) {
  const size_t at = text.find(':');
  if (at == std::string::npos || at == 0 || at + 1 == text.size())
    return Error{ErrorCode::Usage, "`" + text + "` does not name two nodes",
                 "write them as FROM:TO, as `tilescope model fuse` lists them"};
  return compiler::FusionChoice{text, wish};
}

Result<compiler::ModelRequest> modelRequest(const std::vector<std::string> &extents,
                                            const std::string &form, const FusionOptions &fusions) {
  compiler::ModelRequest request;
  if (!fusions.isEmpty() && form != "fused")
    return Error{ErrorCode::Usage, "`--form " + form + "` has no fusions to choose",
                 "`--fuse` and `--no-fuse` are for `--form fused`"};
  for (const auto &[texts, wish] : {std::pair(&fusions.fused, compiler::FusionWish::Fused),
                                    {&fusions.apart, compiler::FusionWish::Apart}})
    for (const std::string &text : *texts) {
      auto choice = parseFusion(text, wish);
      if (!choice)
        return choice.error();
      request.fusions.push_back(std::move(*choice));
    }
  if (form == "canonical")
    request.form = compiler::ModelForm::Canonical;
  if (form == "fused")
    request.form = compiler::ModelForm::Fused;
  for (const std::string &text : extents) {
    auto extent = parseExtent(text);
    if (!extent)
      return extent.error();
    if (std::ranges::any_of(request.extents,
                            [&](const auto &other) { return other.first == extent->first; }))
      return Error{ErrorCode::Usage, "`--dim` has two numbers for `" + extent->first + "`",
                   "a model is read for one number of each extent"};
    request.extents.push_back(std::move(*extent));
  }
  return request;
}

bool hasBulkCopies(std::string_view target) { return target == "cuda:90"; }

Result<compiler::ModelResult> readModel(compiler::WorkerClient &worker,
                                        const compiler::ModelRequest &request,
                                        const std::stop_token &stop) {
  compiler::ModelMessage message;
  message.request = request;
  Result<compiler::ModelDoneReply> reply = worker.readModel(std::move(message), stop);
  if (!reply)
    return reply.error();
  if (reply->cancelled || stop.stop_requested())
    return Error{ErrorCode::Cancelled, "another model is read", ""};
  compiler::ModelResult result = std::move(reply->result);
  for (const compiler::Diagnostic &diagnostic : reply->diagnostics)
    result.diagnostics.push_back({diagnostic.severity, "", "", diagnostic.message});
  return result;
}

Result<compiler::ModelResult> readOneModel(const std::string &file,
                                           Result<compiler::ModelRequest> request,
                                           compiler::ModelText text,
                                           std::optional<double> timeLimit) {
  if (!request)
    return request.error();
  request->path = file;
  request->text = text;
  compiler::WorkerClient worker(workerOptions(timeLimit));
  Result<compiler::ModelResult> result = readModel(worker, *request);
  if (result)
    std::fputs(modelDiagnosticsText(file, *result).c_str(), stderr);
  return result;
}

} // namespace tilescope::app
