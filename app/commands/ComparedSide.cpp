// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ComparedSide.h"

#include "app/commands/MakePackage.h"
#include "app/exchange/RecordedFile.h"
#include "app/launch/TritonCache.h"
#include "profiler/analysis/Occupancy.h"
#include "profiler/data/FileIo.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>

namespace tilescope::app {

namespace {

/// `FILE`, `FILE@launch` or `FILE@cuda:80`, taken apart.
struct SideName {
  std::string file;
  /// A launch block, or a target.
  std::string variant;
};

} // namespace

static SideName parseSide(const std::string &text) {
  const size_t at = text.rfind('@');
  std::error_code ignored;
  if (at == std::string::npos || std::filesystem::exists(text, ignored))
    return {text, ""};
  return {text.substr(0, at), text.substr(at + 1)};
}

/// The facts that a package has without its source.
static Inspection inspectPackage(const profiler::KernelPackage &package) {
  Inspection inspection;
  inspection.file.request.path = package.sourcePath;
  inspection.file.result.ok = true;
  inspection.file.result.kernel = package.symbol;
  inspection.file.result.target = package.target;
  inspection.file.plan = package.plan;
  compiler::Stage &code = inspection.file.result.stages.emplace_back();
  code.id = compiler::StageId::Cubin;
  code.ok = !package.cubin.empty();
  code.text = package.cubin;
  compiler::Resources &resources = inspection.resources;
  resources.registers = package.registers.value_or(-1);
  resources.spillBytes = package.spillBytes.value_or(-1);
  resources.sharedBytes = package.sharedBytes;
  resources.threads = int64_t(package.numWarps) * 32;
  inspection.occupancy =
      profiler::occupancyOn(package.target, {resources.registers, resources.sharedBytes,
                                             static_cast<int32_t>(resources.threads)});
  inspection.notes.push_back("accesses: `" + package.symbol + "` was read without its source");
  return inspection;
}

static Result<ComparedSide> readPackageSide(const std::string &path) {
  Result<profiler::KernelPackage> package = profiler::readPackage(path);
  if (!package)
    return package.error();
  return ComparedSide{
      .name = path, .inspection = inspectPackage(*package), .package = std::move(*package)};
}

/// What was measured before is compared in a report.
static Error notComparable(const std::string &file, Error error) {
  const Result<std::optional<profiler::Recording>> recording = readRecordedFile(file);
  if (!recording || !*recording)
    return error;
  return {ErrorCode::InvalidInput,
          "`" + file + "` is " + std::string(profiler::recordingTitle((*recording)->kind)) +
              ", and kernels are compared here",
          "`tilescope report A B --compare -o report.html` compares what was measured"};
}

Result<ComparedSide> readSide(compiler::WorkerClient &worker, const std::string &text,
                              compiler::Selection selection) {
  if (text.ends_with(".tskernel"))
    return readPackageSide(text);
  const SideName name = parseSide(text);
  if (name.variant.starts_with("cuda:"))
    selection.target = name.variant;
  else if (!name.variant.empty())
    selection.launch = name.variant;
  const Result<InputFile> input = readInput(name.file, selection.kernel);
  if (!input)
    return notComparable(name.file, input.error());
  Result<Inspection> inspection = inspectInput(worker, *input, selection);
  if (!inspection)
    return inspection.error();
  ComparedSide side{
      .name = text, .input = *input, .selection = selection, .inspection = std::move(*inspection)};
  if (!side.inspection.ok())
    return side;
  Result<profiler::KernelPackage> package = makePackage(side.inspection.file);
  if (package)
    side.package = std::move(*package);
  else
    side.packageMissing = package.error();
  return side;
}

bool isMachineCode(const std::string &text) { return text.ends_with(".cubin"); }

/// A number of the metadata; `fallback` where they have none.
static int64_t numberOf(const compiler::Selection &facts, const char *name, int64_t fallback) {
  const auto found = facts.options.find(name);
  if (found == facts.options.end())
    return fallback;
  int64_t value = fallback;
  std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
  return value;
}

/// What is too large stays too large.
static int32_t smallNumber(int64_t value) {
  return static_cast<int32_t>(std::clamp<int64_t>(value, 0, INT32_MAX));
}

Result<ComparedSide> readMachineCode(const std::string &path,
                                     const profiler::KernelPackage &launched) {
  Result<std::string> bytes = profiler::readFile(path);
  if (!bytes)
    return bytes.error();
  const std::string json = std::filesystem::path(path).replace_extension(".json").string();
  const compiler::Selection facts = metadataBeside(path);
  if (!facts.options.contains("num_warps") || facts.target.empty())
    return Error{ErrorCode::InvalidInput,
                 "`" + path + "` does not say how it is launched: `" + json +
                     "` is missing, or states no target and number of warps",
                 "Triton's cache has both beside each other"};
  profiler::KernelPackage package = launched;
  package.symbol = std::filesystem::path(path).stem().string();
  package.target = facts.target;
  package.numWarps = smallNumber(numberOf(facts, "num_warps", 4));
  package.numCtas = smallNumber(numberOf(facts, "num_ctas", 1));
  package.sharedBytes = numberOf(facts, "shared", 0);
  package.globalScratchBytes = numberOf(facts, "global_scratch_size", 0);
  package.registers.reset();
  package.spillBytes.reset();
  package.sourcePath = path;
  package.sourceText.clear();
  package.generator = "triton";
  package.ptx.clear();
  package.cubin = std::move(*bytes);
  // The numbers are as trusted as those of any package.
  Result<profiler::KernelPackage> checked =
      profiler::decodePackage(profiler::encodePackage(package));
  if (!checked)
    return Error{ErrorCode::InvalidInput, "`" + json + "` states numbers that no device has", ""};
  return ComparedSide{
      .name = path, .inspection = inspectPackage(*checked), .package = std::move(*checked)};
}

} // namespace tilescope::app
