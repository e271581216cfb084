// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/InspectFile.h"

#include "app/commands/DiagnosticText.h"
#include "profiler/analysis/Occupancy.h"

#include <algorithm>
#include <cstdlib>

namespace tilescope::app {

using compiler::CompileResult;

bool Inspection::ok() const { return file.result.ok && !hasErrors(diagnostics); }

/// What the machine code takes; what only the cubin shows is -1 without it.
static compiler::Resources resourcesOf(const CompileResult &result) {
  compiler::Resources resources = result.resources;
  if (resources.sharedBytes < 0)
    resources.sharedBytes = result.metadata.sharedBytes;
  if (resources.threads < 0)
    resources.threads = int64_t(result.metadata.numWarps) * 32;
  return resources;
}

static std::optional<profiler::Occupancy> occupancyOf(const compiler::Resources &resources,
                                                      const std::string &target) {
  const int capability = target.starts_with("cuda:") ? std::atoi(target.c_str() + 5) : 0;
  const std::optional<profiler::SmLimits> limits = profiler::smLimits(capability);
  if (!limits || resources.registers < 0)
    return std::nullopt;
  return profiler::occupancy(*limits, {resources.registers, resources.sharedBytes,
                                       static_cast<int32_t>(resources.threads)});
}

static Status countAccesses(compiler::WorkerClient &worker, const InspectFileOptions &options,
                            Inspection &inspection) {
  compiler::InspectMessage message;
  message.request = inspection.file.request;
  message.launchPlan = profiler::launchPlanToJson(*inspection.file.plan);
  message.program = options.program;
  message.wantsHints = !options.program;
  Result<compiler::InspectDoneReply> done = worker.inspect(std::move(message), options.stop);
  if (!done)
    return done.error();
  if (!done->files.empty()) {
    inspection.files = std::move(done->files);
    inspection.files.front() = {inspection.file.request.path, inspection.file.request.text};
  }
  for (const compiler::Diagnostic &diagnostic : done->diagnostics)
    if (std::ranges::find(inspection.diagnostics, diagnostic) == inspection.diagnostics.end())
      inspection.diagnostics.push_back(diagnostic);
  if (done->ok) {
    inspection.memory = std::move(done->facts);
    inspection.hints = std::move(done->hints);
  }
  return {};
}

/// What keeps it from being known is no fault of the kernel: a file of PTX has no buffers.
static Status findShared(compiler::WorkerClient &worker, const InspectFileOptions &options,
                         Inspection &inspection) {
  compiler::InspectMessage message;
  message.request = inspection.file.request;
  message.sharedMemory = true;
  Result<compiler::InspectDoneReply> done = worker.inspect(std::move(message), options.stop);
  if (!done)
    return done.error();
  if (done->ok)
    inspection.shared = std::move(done->shared);
  return {};
}

static bool isInGrid(const std::array<int32_t, 3> &program, const profiler::LaunchPlan &plan) {
  for (size_t axis = 0; axis < 3; ++axis)
    if (program[axis] < 0 || program[axis] >= plan.grid[axis])
      return false;
  return true;
}

Result<Inspection> inspectInput(compiler::WorkerClient &worker, const InputFile &input,
                                const compiler::Selection &selection,
                                const InspectFileOptions &options) {
  CompileFileOptions compile;
  compile.stop = options.stop;
  compile.wanted = {
      .stages = 0, .passes = false, .passIr = false, .layouts = false, .values = false};
  compile.stopAfter = compiler::StageId::Cubin;
  Result<CompiledFile> file = compileInput(worker, input, selection, compile);
  if (!file)
    return file.error();
  Inspection inspection;
  inspection.file = std::move(*file);
  const CompileResult &result = inspection.file.result;
  inspection.diagnostics = result.diagnostics;
  inspection.files = result.files;
  // A kernel that needs too much has a map of what takes it.
  if (Status status = findShared(worker, options, inspection); !status)
    return status.error();
  if (!result.ok)
    return inspection;
  inspection.resources = resourcesOf(result);
  inspection.occupancy = occupancyOf(inspection.resources, result.target);
  if (inspection.resources.registers < 0)
    inspection.notes.push_back("registers and occupancy: ptxas, which reports them, is missing");
  if (!inspection.file.plan) {
    inspection.notes.push_back("accesses: the file does not say how its kernel is launched");
    return inspection;
  }
  if (options.program && !isInGrid(*options.program, *inspection.file.plan))
    return Error{ErrorCode::Usage, "`--program` names no program of the grid",
                 "the grid is " + std::to_string(inspection.file.plan->grid[0]) + " x " +
                     std::to_string(inspection.file.plan->grid[1]) + " x " +
                     std::to_string(inspection.file.plan->grid[2])};
  if (Status status = countAccesses(worker, options, inspection); !status)
    return status.error();
  return inspection;
}

} // namespace tilescope::app
