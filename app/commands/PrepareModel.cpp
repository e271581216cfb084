// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/PrepareModel.h"

#include "app/commands/ModelData.h"
#include "app/commands/ModelText.h"
#include "app/commands/ReadModel.h"

#include <cstdio>
#include <unistd.h>

namespace tilescope::app {

Result<std::optional<PreparedModel>> prepareModel(compiler::WorkerClient &worker,
                                                  const ModelSource &source) {
  Result<compiler::ModelRequest> request =
      modelRequest(source.extents, source.form, source.fusions);
  if (!request)
    return request.error();
  request->path = source.file;
  request->hasBulkCopies = hasBulkCopies(source.target);
  Result<PlannedModel> planned = planModel(worker, *request, source.inputs);
  if (!planned)
    return planned.error();
  std::fputs(modelDiagnosticsText(source.file, planned->model).c_str(), stderr);
  if (!planned->model.ok)
    return std::optional<PreparedModel>();
  Result<std::vector<profiler::Tensor>> inputs = inputTensors(planned->plan, source.inputs);
  if (!inputs)
    return inputs.error();
  return std::optional(PreparedModel{std::move(*planned), std::move(*inputs)});
}

void printFindings(const std::string &file, std::vector<compiler::ModelDiagnostic> findings) {
  compiler::ModelResult result;
  result.diagnostics = std::move(findings);
  std::fputs(modelDiagnosticsText(file, result).c_str(), stderr);
}

std::function<void(size_t done, size_t total)> tellCompiled() {
  if (isatty(STDERR_FILENO) == 0)
    return {};
  return [](size_t done, size_t total) {
    std::fprintf(stderr, "\r\x1b[K");
    if (done < total)
      std::fprintf(stderr, "compiled %zu of %zu kernels", done, total);
    std::fflush(stderr);
  };
}

} // namespace tilescope::app
