// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/AllLaunches.h"
#include "app/commands/Commands.h"
#include "app/commands/CompileFile.h"
#include "app/commands/DiagnosticText.h"
#include "app/launch/SuggestedBlock.h"
#include "compiler/artifacts/CpuTarget.h"
#include "profiler/data/OutputFolder.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

namespace tilescope::app {

using compiler::CompileResult;
using compiler::PassRecord;
using compiler::Stage;
using compiler::StageId;
using nlohmann::json;
using profiler::OutputFolder;

namespace fs = std::filesystem;

std::string stageNames(std::string_view separator, unsigned traits) {
  std::string names;
  for (const compiler::StageKind &kind : compiler::kStageKinds)
    if (kind.traits & traits)
      names.append(names.empty() ? std::string_view() : separator).append(kind.name);
  return names;
}

Result<std::set<StageId>> parseEmit(const std::string &list) {
  std::set<StageId> stages;
  std::string_view rest = list;
  while (!rest.empty()) {
    const std::string_view name = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    const auto kind = std::ranges::find(compiler::kStageKinds, name, &compiler::StageKind::name);
    if (kind == compiler::kStageKinds.end())
      return Error{ErrorCode::Usage, "unknown stage `" + std::string(name) + "`",
                   "stages are " + stageNames(", ")};
    stages.insert(kind->id);
  }
  return stages;
}

static double milliseconds(int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e6; }

/// The name that files of this kernel begin with: that of the launch when there may be several.
static std::string baseName(const CompiledFile &file, bool allLaunches) {
  if (allLaunches)
    return file.request.selection.launch;
  return file.result.kernel.empty() ? fs::path(file.request.path).stem().string()
                                    : file.result.kernel;
}

/// `BASE.STAGE` in the folder; their paths are added to `paths`.
static Status writeStages(const CompiledFile &file, const std::set<StageId> &wanted,
                          const OutputFolder &folder, const std::string &base,
                          std::map<StageId, std::string> &paths) {
  for (const Stage &stage : file.result.stages) {
    if (!stage.ok || !wanted.contains(stage.id))
      continue;
    const std::string name = base + "." + std::string(compiler::stageName(stage.id));
    if (Status status = folder.write(name, stage.text); !status)
      return status;
    paths[stage.id] = folder.pathOf(name);
  }
  return {};
}

/// `KERNEL.passes/03-ttgir-coalesce.mlir`: the IR after every pass that changed it, in order.
static Status writePasses(const CompiledFile &file, const OutputFolder &folder,
                          const std::string &base) {
  const Result<OutputFolder> target = folder.folder(base + ".passes");
  if (!target)
    return target.error();
  int number = 0;
  for (const PassRecord &pass : file.result.passes) {
    ++number;
    if (pass.ir.empty())
      continue;
    const std::string prefix = (number < 10 ? "0" : "") + std::to_string(number);
    const std::string name =
        prefix + "-" + std::string(compiler::stageName(pass.stage)) + "-" + pass.name + ".mlir";
    if (Status status = target->write(name, pass.ir); !status)
      return status;
  }
  return {};
}

static Status writeFiles(const CompiledFile &file, const CompileOptions &options,
                         const std::set<StageId> &wanted, std::map<StageId, std::string> &paths) {
  const Result<OutputFolder> folder =
      OutputFolder::make(options.outputFolder.empty() ? "." : options.outputFolder);
  if (!folder)
    return folder.error();
  const std::string base = baseName(file, options.allLaunches);
  if (!options.outputFolder.empty())
    if (Status status = writeStages(file, wanted, *folder, base, paths); !status)
      return status;
  return options.passes ? writePasses(file, *folder, base) : Status();
}

static json resourcesJson(const compiler::Resources &resources) {
  const auto known = [](int64_t value) { return value < 0 ? json() : json(value); };
  return {{"registers", known(resources.registers)},
          {"shared_bytes", known(resources.sharedBytes)},
          {"spill_bytes", known(resources.spillBytes)},
          {"threads", known(resources.threads)}};
}

static json resultJson(const CompiledFile &file, const std::set<StageId> &wanted,
                       const std::map<StageId, std::string> &paths) {
  const CompileResult &result = file.result;
  json stages = json::array();
  for (const Stage &stage : result.stages) {
    json entry = {{"name", compiler::stageName(stage.id)},
                  {"ok", stage.ok},
                  {"ms", milliseconds(stage.durationNs)},
                  {"path", nullptr}};
    if (const auto it = paths.find(stage.id); it != paths.end())
      entry["path"] = it->second;
    else if (wanted.contains(stage.id) && stage.id != StageId::Cubin)
      entry["text"] = stage.text;
    stages.push_back(std::move(entry));
  }
  json passes = json::array();
  for (const PassRecord &pass : result.passes)
    passes.push_back({{"stage", compiler::stageName(pass.stage)},
                      {"name", pass.name},
                      {"ms", milliseconds(pass.durationNs)},
                      {"changed", pass.changed}});
  json diagnostics = json::array();
  for (const compiler::Diagnostic &diagnostic : result.diagnostics)
    diagnostics.push_back(diagnosticJson(diagnostic, result.files));
  return {
      {"kernel", result.kernel},
      {"target", result.target},
      {"options", result.options},
      {"signature", result.signature},
      {"constexprs", result.constexprs},
      {"assumptions", compiler::sentences(result.assumptions)},
      {"suggested_block", profiler::formatLaunchBlock(suggestedBlock(result, file.request.text))},
      {"ok", result.ok},
      {"stages", std::move(stages)},
      {"passes", std::move(passes)},
      {"diagnostics", std::move(diagnostics)},
      {"resources", resourcesJson(result.resources)},
      {"total_ms", milliseconds(result.totalNs)}};
}

static void printTimings(const CompileResult &result) {
  std::fprintf(stderr, "%-40s %10s\n", "stage, pass", "ms");
  for (const Stage &stage : result.stages) {
    std::fprintf(stderr, "%-40s %10.3f%s\n", std::string(compiler::stageName(stage.id)).c_str(),
                 milliseconds(stage.durationNs), stage.ok ? "" : "  failed");
    for (const PassRecord &pass : result.passes)
      if (pass.stage == stage.id)
        std::fprintf(stderr, "  %-38s %10.3f%s\n", pass.name.c_str(), milliseconds(pass.durationNs),
                     pass.changed ? "" : "  unchanged");
  }
  std::fprintf(stderr, "%-40s %10.3f\n", "total", milliseconds(result.totalNs));
}

/// Several stages without a folder are told apart by a heading.
static void printStages(const CompileResult &result, const std::set<StageId> &wanted) {
  const auto isShown = [&](const Stage &stage) {
    return stage.ok && wanted.contains(stage.id) &&
           (stage.id != StageId::Cubin || wanted.size() == 1);
  };
  const auto count = std::count_if(result.stages.begin(), result.stages.end(), isShown);
  for (const Stage &stage : result.stages) {
    if (!isShown(stage))
      continue;
    if (count > 1)
      std::printf("==== %s ====\n", std::string(compiler::stageTitle(stage.id)).c_str());
    std::fwrite(stage.text.data(), 1, stage.text.size(), stdout);
  }
}

/// The first stage that was asked for by name and kernels for the target do not have.
static Status checkStages(const CompileResult &result, const std::set<StageId> &named) {
  using namespace compiler::stage_trait;
  const unsigned trait = compiler::isCpuTarget(result.target) ? Cpu : Gpu;
  const auto foreign =
      std::ranges::find_if(named, [&](StageId id) { return !compiler::stageKind(id).has(trait); });
  if (foreign == named.end())
    return {};
  return Error{ErrorCode::Usage,
               "kernels for `" + result.target + "` have no stage `" +
                   std::string(compiler::stageName(*foreign)) + "`",
               "they have " + stageNames(", ", trait)};
}

/// A stage that was asked for by name and cannot be made here is the environment's fault.
static bool isMissing(const CompileResult &result, const std::set<StageId> &named) {
  return result.ok && std::any_of(named.begin(), named.end(),
                                  [&](StageId id) { return result.stage(id) == nullptr; });
}

/// Compiles one kernel and writes what was asked for; `document` receives what `--json` prints.
static int compileOne(compiler::WorkerClient &worker, const CompileOptions &options,
                      const compiler::Selection &selection, const std::set<StageId> &named,
                      json &document) {
  std::set<StageId> wanted = named;
  if (named.empty())
    for (const compiler::StageKind &kind : compiler::kStageKinds)
      wanted.insert(kind.id);

  CompileFileOptions compile;
  compile.stopAfter = *wanted.rbegin();
  compile.recordPassIr = options.passes;
  compile.wanted.passIr = options.passes;
  compile.wanted.layouts = compile.wanted.values = false;
  Result<CompiledFile> file = compileFile(worker, options.file, selection, compile);
  const auto fail = [&](const Error &error) {
    document = errorJson(error);
    return reportError(error);
  };
  if (!file)
    return fail(file.error());
  if (Status status = checkStages(file->result, named); !status)
    return fail(status.error());

  std::map<StageId, std::string> paths;
  if (!options.outputFolder.empty() || options.passes)
    if (Status status = writeFiles(*file, options, wanted, paths); !status)
      return fail(status.error());
  printDiagnostics(file->result.diagnostics, file->result.files);
  if (options.json)
    document = resultJson(*file, wanted, paths);
  else if (options.outputFolder.empty())
    printStages(file->result, wanted);
  if (options.timings)
    printTimings(file->result);
  if (!file->result.ok)
    return 1;
  return isMissing(file->result, named) ? 3 : 0;
}

/// Compiles every launch of the file in one worker; the others go on when one fails.
static int compileAllLaunches(compiler::WorkerClient &worker, const CompileOptions &options,
                              compiler::Selection selection, const std::set<StageId> &named,
                              json &documents) {
  const Result<InputFile> input = readInput(options.file, selection.kernel);
  if (!input) {
    documents = errorJson(input.error());
    return reportError(input.error());
  }
  const Result<std::vector<std::string>> names = allLaunches(*input);
  if (!names) {
    documents = errorJson(names.error());
    return reportError(names.error());
  }
  documents = json::array();
  int worst = 0;
  for (const std::string &name : *names) {
    selection.launch = name;
    json document = json::object();
    worst = std::max(worst, compileOne(worker, options, selection, named, document));
    document["launch"] = name;
    documents.push_back(std::move(document));
  }
  return worst;
}

int runCompile(const CompileOptions &options) {
  Result<compiler::Selection> selection = toSelection(options.selection);
  if (!selection)
    return reportError(selection.error(), options.json);
  if (!options.tritonVersion.empty())
    selection->options["triton_version"] = '"' + options.tritonVersion + '"';
  const Result<std::set<StageId>> named = parseEmit(options.emit);
  if (!named)
    return reportError(named.error(), options.json);
  if (options.allLaunches && options.outputFolder.empty())
    return reportError({ErrorCode::Usage, "`--all-launches` needs a folder for the stages",
                        "`--out DIR` names it"},
                       options.json);
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  json document;
  const int status = options.allLaunches
                         ? compileAllLaunches(worker, options, *selection, *named, document)
                         : compileOne(worker, options, *selection, *named, document);
  if (options.json)
    printJson(document);
  return status;
}

} // namespace tilescope::app
