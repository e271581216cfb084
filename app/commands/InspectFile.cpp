// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/InspectFile.h"

#include "app/commands/DiagnosticText.h"
#include "app/commands/InspectPlanned.h"
#include "compiler/artifacts/CpuTarget.h"
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

static LivePeak livePeak(const compiler::Stage &stage, const compiler::machine::CodeLiveness &code,
                         const std::string &source) {
  LivePeak peak;
  const size_t step = code.peak();
  peak.stage = compiler::stageName(stage.id);
  peak.line = code.lines[step];
  const auto &counts = code.counts[step];
  peak.registers = counts[0];
  peak.uniformRegisters = counts[1];
  peak.predicates = counts[2] + counts[3];
  for (const compiler::machine::AliveGroup &group :
       compiler::machine::aliveGroups(code, step, stage.sourceMap))
    peak.values.push_back(
        {group.place,
         group.place ? compiler::machine::placeName(source, *group.place) : std::string(),
         group.registers, compiler::machine::valueNames(code, group.values)});
  return peak;
}

static void findLivePeaks(Inspection &inspection) {
  using compiler::StageId;
  const CompileResult &result = inspection.file.result;
  const std::string &source = inspection.file.request.text;
  const compiler::Stage *sass = result.stage(StageId::Sass), *cubin = result.stage(StageId::Cubin);
  const compiler::Stage *ptx = result.stage(StageId::Ptx);
  const auto add = [&](const compiler::Stage &stage, const compiler::machine::CodeLiveness &code) {
    if (!code.empty())
      inspection.livePeaks.push_back(livePeak(stage, code, source));
  };
  if (sass && sass->ok)
    add(*sass, compiler::machine::sassLiveness(sass->text, cubin ? cubin->text : std::string()));
  else
    inspection.notes.push_back(
        "live registers of machine code: nvdisasm, which reads it, is missing");
  if (ptx && ptx->ok)
    add(*ptx, compiler::machine::ptxLiveness(ptx->text));
}

/// What the machine lacks is among the notes.
static bool isOfMachine(const compiler::Diagnostic &diagnostic) {
  return diagnostic.kind == compiler::DiagnosticKind::ToolMissing &&
         diagnostic.severity == compiler::Severity::Note;
}

/// Of the processor's widest vectors; 0 where only its code tells.
static unsigned vectorBytesOf(std::string_view target) {
  const auto found = std::ranges::find(compiler::kCpuTargets, target, &compiler::CpuTarget::name);
  return found == compiler::kCpuTargets.end() ? 0 : found->vectorBytes;
}

/// Accesses by warps, shared memory and registers of threads are what only GPUs have.
static void findCpuCode(Inspection &inspection) {
  const compiler::Stage *assembly = inspection.file.result.stage(compiler::StageId::Assembly);
  if (assembly && assembly->ok)
    inspection.cpuCode = compiler::machine::cpuCode(assembly->text, assembly->sourceMap,
                                                    vectorBytesOf(inspection.file.result.target));
  inspection.notes.push_back(
      "accesses, hints and the predicted time are those of a GPU: `--target cuda:90` counts them");
}

static Status countAccesses(compiler::WorkerClient &worker, const InspectFileOptions &options,
                            Inspection &inspection) {
  compiler::InspectMessage message;
  message.request = inspection.file.request;
  message.launchPlan = profiler::launchPlanToJson(*inspection.file.plan);
  message.program = options.program;
  message.wantsHints = options.wantsHints && !options.program;
  Result<compiler::InspectDoneReply> done = worker.inspect(std::move(message), options.stop);
  if (!done)
    return done.error();
  if (!done->files.empty()) {
    inspection.files = std::move(done->files);
    inspection.files.front() = {inspection.file.request.path, inspection.file.request.text};
  }
  for (const compiler::Diagnostic &diagnostic : done->diagnostics)
    if (!isOfMachine(diagnostic) &&
        std::ranges::find(inspection.diagnostics, diagnostic) == inspection.diagnostics.end())
      inspection.diagnostics.push_back(diagnostic);
  if (done->ok) {
    inspection.memory = std::move(done->facts);
    inspection.hints = std::move(done->hints);
    if (!options.program)
      inspection.estimate = std::move(done->estimate);
  }
  return {};
}

/// Which parts of their tensors bulk copies move: of the first program, where all were counted.
static Status recordBulkCopies(compiler::WorkerClient &worker, const InspectFileOptions &options,
                               Inspection &inspection) {
  if (!inspection.memory || inspection.memory->uncounted.empty())
    return {};
  compiler::InspectMessage message;
  message.request = inspection.file.request;
  message.launchPlan = profiler::launchPlanToJson(*inspection.file.plan);
  message.program = options.program.value_or(std::array<int32_t, 3>{});
  message.record = compiler::RecordRequest();
  Result<compiler::InspectDoneReply> done = worker.inspect(std::move(message), options.stop);
  if (!done)
    return done.error();
  if (done->ok)
    inspection.record = std::move(done->record);
  return {};
}

static Status findPlanned(compiler::WorkerClient &worker, const InspectFileOptions &options,
                          Inspection &inspection) {
  Result<compiler::InspectDoneReply> done = inspectPlanned(worker, inspection.file, options.stop);
  if (!done)
    return done.error();
  if (done->ok) {
    inspection.shared = std::move(done->shared);
    inspection.loops = std::move(done->loops);
  }
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
  using compiler::StageId;
  const auto bit = [](StageId stage) { return 1u << static_cast<int>(stage); };
  compile.wanted = {.stages = bit(StageId::Ttir) | bit(StageId::Ttgir) | bit(StageId::Assembly) |
                              bit(StageId::Ptx) | bit(StageId::Cubin) | bit(StageId::Sass),
                    .passes = false,
                    .passIr = false,
                    .layouts = false,
                    .values = false};
  compile.stopAfter = options.stopAfter;
  Result<CompiledFile> file = compileInput(worker, input, selection, compile);
  if (!file)
    return file.error();
  Inspection inspection;
  inspection.file = std::move(*file);
  const CompileResult &result = inspection.file.result;
  inspection.diagnostics = result.diagnostics;
  std::erase_if(inspection.diagnostics, isOfMachine);
  inspection.files = result.files;
  if (compiler::isCpuTarget(result.target)) {
    if (options.program)
      return Error{ErrorCode::Usage,
                   "`--program` chooses whose accesses are counted, and those of `" +
                       result.target + "` are not",
                   "leave `--program` out, or choose a GPU: `--target cuda:90`"};
    if (result.ok)
      findCpuCode(inspection);
    return inspection;
  }
  // A kernel that needs too much has a map of what takes it.
  if (options.wantsPlanned)
    if (Status status = findPlanned(worker, options, inspection); !status)
      return status.error();
  if (!result.ok)
    return inspection;
  inspection.resources = resourcesOf(result);
  const compiler::Resources &used = inspection.resources;
  inspection.occupancy = profiler::occupancyOn(
      result.target, {used.registers, used.sharedBytes, static_cast<int32_t>(used.threads)});
  if (options.stopAfter == StageId::Sass)
    findLivePeaks(inspection);
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
  if (!options.countsAccesses)
    return inspection;
  if (Status status = countAccesses(worker, options, inspection); !status)
    return status.error();
  if (Status status = recordBulkCopies(worker, options, inspection); !status)
    return status.error();
  return inspection;
}

} // namespace tilescope::app
