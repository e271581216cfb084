// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/TritonCache.h"

#include "profiler/data/BoundedJson.h"
#include "profiler/data/FileIo.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

namespace tilescope::app {

using compiler::Selection;
using compiler::StageId;
using nlohmann::json;

namespace fs = std::filesystem;

/// Triton's name of the option, which is ours too.
static constexpr std::array kOptions{
    "num_warps",        "num_stages", "num_ctas",           "maxnreg",
    "enable_fp_fusion", "shared",     "enable_reflect_ftz", "global_scratch_size"};

static std::optional<std::string> literal(const json &value) {
  if (value.is_boolean())
    return value.get<bool>() ? "True" : "False";
  if (value.is_number_integer())
    return std::to_string(value.get<int64_t>());
  return std::nullopt;
}

static Selection readMetadata(const fs::path &path) {
  Selection selection;
  const Result<std::string> text = profiler::readFile(path.string(), profiler::kLargestTextBytes);
  const Result<json> parsed = text ? profiler::parseJson(*text) : text.error();
  if (!parsed || !parsed->is_object() || !parsed->contains("num_warps"))
    return selection;
  const json &document = *parsed;
  for (const char *name : kOptions)
    if (const auto it = document.find(name); it != document.end())
      if (std::optional<std::string> text = literal(*it))
        selection.options[name] = *text;
  // Warp specialization adds warps to those that the kernel was compiled for; how many is not
  // stated.
  if (const auto warps = document.find("num_warps"); warps->is_number_integer())
    if (const auto count = warps->get<int64_t>(); (count & (count - 1)) != 0)
      selection.options.erase("num_warps");
  if (const auto target = document.find("target"); target != document.end() && target->is_object())
    if (const auto arch = target->find("arch"); arch != target->end() && arch->is_number_integer())
      selection.target = "cuda:" + std::to_string(arch->get<int64_t>());
  return selection;
}

/// Triton writes what it compiles from and machine code, but none of the texts that only show them.
static bool isInCache(const compiler::StageKind &kind) {
  using namespace compiler::stage_trait;
  return kind.has(Document) || !kind.has(Text);
}

static std::optional<StageId> stageOf(const fs::path &path) {
  const std::string ending = path.extension().string();
  for (const compiler::StageKind &kind : compiler::kStageKinds)
    if (isInCache(kind) && ending == "." + std::string(kind.name))
      return kind.id;
  return std::nullopt;
}

std::string CachedKernel::entryFile() const {
  return paths.empty() || paths.begin()->first >= StageId::Cubin ? "" : paths.begin()->second;
}

/// `prefix` begins the names.
static std::vector<CachedKernel> kernelsIn(const fs::path &folder, const std::string &prefix) {
  std::map<std::string, CachedKernel> kernels;
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, error)) {
    const std::optional<StageId> stage = stageOf(entry.path());
    if (!stage || !entry.is_regular_file(error))
      continue;
    CachedKernel &kernel = kernels[entry.path().stem().string()];
    kernel.paths[*stage] = entry.path().string();
  }
  std::vector<CachedKernel> result;
  for (auto &[name, kernel] : kernels) {
    kernel.name = prefix + name;
    kernel.selection = readMetadata(folder / (name + ".json"));
    result.push_back(std::move(kernel));
  }
  return result;
}

std::vector<CachedKernel> cachedKernels(const std::string &folder) {
  std::vector<CachedKernel> result = kernelsIn(folder, "");
  if (!result.empty())
    return result;
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, error))
    if (entry.is_directory(error))
      for (CachedKernel &kernel : kernelsIn(entry.path(), entry.path().filename().string() + "/"))
        result.push_back(std::move(kernel));
  std::ranges::sort(result, {}, &CachedKernel::name);
  return result;
}

Selection metadataBeside(const std::string &path) {
  return readMetadata(fs::path(path).replace_extension(".json"));
}

void completeSelection(Selection &chosen, const Selection &facts) {
  if (chosen.target.empty())
    chosen.target = facts.target;
  chosen.options.insert(facts.options.begin(), facts.options.end());
}

} // namespace tilescope::app
