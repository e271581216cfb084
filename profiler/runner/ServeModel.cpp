// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/runner/ServeModel.h"

#include "profiler/runner/JobProcess.h"
#include "profiler/serve/HttpServer.h"
#include "profiler/serve/ModelProcess.h"
#include "profiler/serve/ServeOverHttp.h"

#include <cstdlib>
#include <filesystem>

namespace tilescope::profiler {

Status serveModel(const ServeModelOptions &options) {
  // Before the folder is read.
  if (const Result<HttpAddress> address = parseHttpAddress(options.address); !address)
    return address.error();
  Result<ServedModel> model = readServedModel(options.folder, options.name);
  if (!model)
    return model.error();
  return serveOverHttp(
      {std::move(*model),
       options.address,
       {ownChild().arguments.front(), "model-child",
        std::filesystem::absolute(options.folder).string(), std::to_string(options.device)},
       options.timeLimitS});
}

int modelChildMain(const std::string &folder, const std::string &device) {
  return serveModelProcess(folder, std::atoi(device.c_str()));
}

} // namespace tilescope::profiler
