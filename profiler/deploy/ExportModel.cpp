// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/deploy/ExportModel.h"

#include "profiler/deploy/RuntimeSources.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tilescope::profiler {

static std::string tensorLines(const std::string &set, const char *what,
                               const std::vector<ModelPort> &ports) {
  std::string text;
  for (const ModelPort &port : ports)
    text += fmt::format("|{} {} | `{}` | {} | [{}] |\n", set, what, port.name,
                        dtypeName(port.dtype), fmt::join(port.shape, ", "));
  return text;
}

static std::string tensorTable(const std::vector<ModelPackage> &packages) {
  const bool hasSets = packages.size() > 1;
  std::string text = hasSets ? "| set | | name | type | shape |\n| --- | --- | --- | --- | --- |\n"
                             : "| | name | type | shape |\n| --- | --- | --- | --- |\n";
  for (size_t i = 0; i < packages.size(); ++i) {
    const std::string set = hasSets ? fmt::format(" {} |", i) : "";
    text += tensorLines(set, "input", packages[i].inputs) +
            tensorLines(set, "output", packages[i].outputs);
  }
  return text + (hasSets ? "\n`tilescope_model_use_shapes` takes the set into use that has a "
                           "request's shapes.\n"
                         : "");
}

static std::string readme(const DeployPlanMaker &packages) {
  const ModelPackage &package = packages.packages().front();
  return fmt::format(R"(# {0}

{1}
Its kernels are compiled for `{2}`. They need an NVIDIA GPU, its driver for CUDA 12 or later, and {3:.1f} MiB of its memory.

```
cmake -B build && cmake --build build
build/example{4}
```

or `c++ -O2 -std=c++17 example.cpp tilescope_*.cpp -ldl -o example`. The example reads an `.npy` file for each input, writes `output_0.npy`
and so on, and prints how long a run takes. `tilescope_model.h` is all that a program of your own needs, in C or C++;
`model.plan` (a text), `model.weights` and `kernels/` must be in one folder at run time.

`tilescope-runner serve-model . --http 127.0.0.1:8000` serves the same folder over HTTP. Written by {5}.
)",
                     package.model, tensorTable(packages.packages()), package.target,
                     static_cast<double>(packages.memoryBytes()) / 0x1p20,
                     package.inputs.empty() ? "" : " INPUT.npy…", package.generator);
}

Status exportModel(DeployPlanMaker &packages, const OutputFolder &folder) {
  const Result<DeployPlan> plan = packages.finish();
  if (!plan)
    return plan.error();
  const Result<OutputFolder> kernels = folder.folder("kernels");
  if (!kernels)
    return kernels.error();
  for (const auto &[name, code] : plan->kernels)
    if (Status status = kernels->write(name, code); !status)
      return status;
  for (const auto &[name, text] : runtimeSources())
    if (Status status = folder.write(std::string(name), text); !status)
      return status;
  if (Status status = folder.write("model.weights", plan->weights); !status)
    return status;
  if (Status status = folder.write("README.md", readme(packages)); !status)
    return status;
  // Last: without it there is no model.
  return folder.write("model.plan", plan->text);
}

} // namespace tilescope::profiler
