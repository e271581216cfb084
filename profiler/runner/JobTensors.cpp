// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/runner/JobTensors.h"

#include "profiler/analysis/ReferenceComparison.h"
#include "profiler/data/Base64.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/Npy.h"

#include <filesystem>
#include <unistd.h>

namespace tilescope::profiler {

using nlohmann::json;

/// Names of arguments can be names of files: `checkPlan` saw to it.
static std::string npyPath(const std::string &folder, const std::string &name) {
  return (std::filesystem::path(folder) / (name + ".npy")).string();
}

Status checkFolders(const json &params) {
  for (const auto &[key, option] : {std::pair("inputs", "--inputs"), {"compare", "--compare"}})
    if (const std::string folder = params.value(key, ""); !folder.empty())
      if (Status status = requireFolder(folder, option); !status)
        return status;
  return {};
}

static Status dumpInputs(const std::string &path, const std::vector<RunTensor> &tensors) {
  const Result<OutputFolder> folder = OutputFolder::make(path);
  if (!folder)
    return folder.error();
  for (const RunTensor &tensor : tensors)
    if (Status status = writeNpy(*folder, tensor.name, tensor.before); !status)
      return status;
  return {};
}

static Status dumpOutputs(const std::string &path, const std::vector<RunTensor> &tensors) {
  const Result<OutputFolder> folder = OutputFolder::make(path);
  if (!folder)
    return folder.error();
  for (const RunTensor &tensor : tensors) {
    if (Status status = writeNpy(*folder, tensor.name, tensor.after); !status)
      return status;
    // What began with data needs no flags.
    const Unwritten unwritten = tensor.unwritten.isNone() ? true : tensor.unwritten;
    if (Status status = writeUnwritten(*folder, tensor.name, tensor.after, unwritten); !status)
      return status;
  }
  return {};
}

Status dumpAll(const json &params, RunOutcome &outcome) {
  const std::string after = params.value("dump", ""), before = params.value("dump_inputs", "");
  if (!before.empty())
    if (Status status = dumpInputs(before, outcome.tensors); !status)
      return status;
  if (after.empty())
    return {};
  for (OutputResult &output : outcome.measurement.outputs)
    output.path = npyPath(after, output.name);
  return dumpOutputs(after, outcome.tensors);
}

Status compareOutputs(const json &params, const KernelPackage &package, RunOutcome &outcome) {
  const std::string folder = params.value("compare", "");
  if (folder.empty())
    return {};
  bool anyCompared = false;
  for (size_t i = 0; i < outcome.tensors.size(); ++i) {
    const RunTensor &tensor = outcome.tensors[i];
    const std::string path = npyPath(folder, tensor.name);
    std::error_code error;
    if (!std::filesystem::exists(std::filesystem::symlink_status(path, error)))
      continue;
    auto expected = readNpy(path);
    if (!expected)
      return expected.error();
    const PlanTensor &argument = *package.plan.argument(tensor.name)->tensor();
    // A package does not say what its kernel rounds.
    outcome.measurement.outputs[i].comparison = compareWithReference(
        tensor.after, *expected, argument, {{}, comparisonOptions(argument).poisoned});
    anyCompared = true;
  }
  if (!anyCompared && !outcome.tensors.empty())
    return Error{ErrorCode::InvalidInput,
                 "`--compare`: `" + folder + "` holds no reference for any argument",
                 "references are named `<argument>.npy`"};
  return {};
}

Status InputFolder::open(const json &params, const LaunchPlan &plan) {
  m_path = params.value("inputs", "");
  if (!params.contains("inputs_base64"))
    return {};
  std::string folder = (std::filesystem::temp_directory_path() / "tilescope-XXXXXX").string();
  if (!mkdtemp(folder.data()))
    return Error{ErrorCode::Environment, "cannot create a temporary folder for the inputs", ""};
  m_path = m_own = folder;
  for (const auto &[name, text] : params.at("inputs_base64").items()) {
    auto bytes = decodeBase64(text.get_ref<const std::string &>());
    if (!bytes || !plan.argument(name))
      return Error{ErrorCode::InvalidInput, "`inputs_base64` has no tensor for `" + name + "`", ""};
    if (Status status = writeFile(npyPath(folder, name), *bytes); !status)
      return status;
  }
  return {};
}

} // namespace tilescope::profiler
