// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/Commands.h"
#include "app/commands/ResultJson.h"
#include "app/commands/Session.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>

namespace tilescope::app {

namespace {

using compiler::CompileResult;
using compiler::Stage;
using compiler::StageId;

std::optional<StageId> stageNamed(std::string_view name) {
  for (int i = 0; i < compiler::kNumStages; ++i)
    if (compiler::stageName(static_cast<StageId>(i)) == name)
      return static_cast<StageId>(i);
  return std::nullopt;
}

/// The stages of `--emit`; empty: all that the machine allows.
Result<std::vector<StageId>> parseEmit(const std::string &list) {
  std::vector<StageId> stages;
  if (list.empty())
    return stages;
  for (const std::string &name : splitList(list)) {
    std::optional<StageId> stage = stageNamed(name);
    if (!stage)
      return Error{ErrorCode::Usage, fmt::format("`{}` is no stage", name),
                   "stages are ast, ttir, ttgir, llir, ptx, cubin and sass"};
    stages.push_back(*stage);
  }
  return stages;
}

Status writeFile(const std::filesystem::path &path, const std::string &content) {
  std::ofstream stream(path, std::ios::binary);
  stream << content;
  stream.close();
  if (!stream)
    return Error{ErrorCode::Environment, fmt::format("cannot write `{}`", path.string()),
                 "check that the folder exists and the disk has room"};
  return {};
}

bool isWanted(const std::vector<StageId> &emit, StageId id) {
  return emit.empty() || std::find(emit.begin(), emit.end(), id) != emit.end();
}

/// Writes `DIR/<kernel>.<stage>`; with passes also `DIR/<kernel>.<number>.<stage>.<pass>.mlir`.
Result<std::map<StageId, std::string>> writeStages(const CompileResult &result,
                                                   const CompileArguments &arguments,
                                                   const std::vector<StageId> &emit) {
  std::map<StageId, std::string> paths;
  std::filesystem::path folder = arguments.out;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::string kernel = result.kernel.empty() ? "module" : result.kernel;
  for (const Stage &stage : result.stages) {
    if (!stage.ok || !isWanted(emit, stage.id))
      continue;
    std::filesystem::path path = folder / fmt::format("{}.{}", kernel, stageName(stage.id));
    if (Status status = writeFile(path, stage.text))
      return *status;
    paths[stage.id] = path.string();
  }
  if (!arguments.passes)
    return paths;
  int number = 0;
  for (const compiler::PassRecord &pass : result.passes) {
    ++number;
    if (pass.ir.empty())
      continue;
    std::string name =
        fmt::format("{}.{:02}.{}.{}.mlir", kernel, number, stageName(pass.stage), pass.name);
    std::replace(name.begin(), name.end(), '/', '-');
    if (Status status = writeFile(folder / name, pass.ir))
      return *status;
  }
  return paths;
}

void printSummary(const CompileResult &result) {
  fmt::print("{} for {}\n", result.kernel.empty() ? "(no kernel)" : result.kernel, result.target);
  for (const std::string &assumption : result.assumptions)
    fmt::print("  assumed: {}\n", assumption);
  for (const Stage &stage : result.stages)
    fmt::print("  {:8} {:>9.3f} ms {:>9} bytes{}{}\n", stageTitle(stage.id),
               static_cast<double>(stage.durationNs) / 1e6, stage.text.size(),
               stage.cached ? "  cached" : "", stage.ok ? "" : "  failed");
  const compiler::Resources &resources = result.resources;
  auto number = [](int64_t value) { return value < 0 ? std::string("?") : std::to_string(value); };
  fmt::print("  registers {}, shared memory {} bytes, spills {} bytes, {} threads\n",
             number(resources.registers), number(resources.sharedBytes),
             number(resources.spillBytes), number(resources.threads));
}

void printTimings(const CompileResult &result, FILE *stream) {
  for (const Stage &stage : result.stages) {
    fmt::print(stream, "{:8} {:>9.3f} ms\n", stageTitle(stage.id),
               static_cast<double>(stage.durationNs) / 1e6);
    for (const compiler::PassRecord &pass : result.passes)
      if (pass.stage == stage.id)
        fmt::print(stream, "  {:40} {:>9.3f} ms{}\n", pass.name,
                   static_cast<double>(pass.durationNs) / 1e6, pass.changed ? "" : "  no change");
  }
  fmt::print(stream, "{:8} {:>9.3f} ms\n", "total", static_cast<double>(result.totalNs) / 1e6);
}

} // namespace

int runCompile(const CompileArguments &arguments) {
  Result<std::vector<StageId>> emit = parseEmit(arguments.emit);
  if (!emit)
    return reportError(emit.error());
  if (arguments.passes && arguments.out.empty())
    return reportError({ErrorCode::Usage, "--passes needs --out", "name the folder to write to"});
  Result<compiler::Selection> selection = toSelection(arguments.selection);
  if (!selection)
    return reportError(selection.error());
  Result<Document> document = openDocument(arguments.file, *selection);
  if (!document)
    return reportError(document.error());

  document->request.recordPassIr = arguments.passes;
  if (!emit->empty())
    document->request.stopAfter = *std::max_element(emit->begin(), emit->end());
  compiler::WantedParts wanted;
  wanted.passIr = arguments.passes;
  compiler::WorkerClient client(workerOptions());
  Result<CompileResult> compiled = client.compile(document->request, wanted);
  if (!compiled)
    return reportError(compiled.error());
  addLaunchDiagnostics(document->launch, *compiled);

  std::map<StageId, std::string> paths;
  if (!arguments.out.empty()) {
    Result<std::map<StageId, std::string>> written = writeStages(*compiled, arguments, *emit);
    if (!written)
      return reportError(written.error());
    paths = std::move(*written);
  }
  printDiagnostics(compiled->diagnostics, compiled->files, arguments.file);

  bool missing = std::any_of(emit->begin(), emit->end(), [&](StageId id) {
    const Stage *stage = compiled->stage(id);
    return !stage || !stage->ok;
  });
  if (arguments.asJson) {
    fmt::print("{}\n", compileResultToJson(*compiled, arguments.file, paths, arguments.out.empty())
                           .dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else if (emit->size() == 1 && arguments.out.empty()) {
    if (!missing)
      std::fwrite(compiled->stage(emit->front())->text.data(), 1,
                  compiled->stage(emit->front())->text.size(), stdout);
    if (arguments.timings)
      printTimings(*compiled, stderr);
  } else {
    printSummary(*compiled);
    for (const auto &[id, path] : paths)
      fmt::print("  wrote {}\n", path);
    if (arguments.timings)
      printTimings(*compiled, stdout);
  }
  if (!compiled->ok)
    return kInputAtFault;
  return missing ? kEnvironmentLacks : kDone;
}

} // namespace tilescope::app
