// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/Interpreter.h"

#include "compiler/interpreter/AddressSlice.h"
#include "compiler/interpreter/CollectedAccesses.h"
#include "compiler/interpreter/Deadline.h"
#include "compiler/interpreter/Definedness.h"
#include "compiler/interpreter/GridRun.h"
#include "compiler/interpreter/OrderCheck.h"
#include "compiler/interpreter/OutsideFinding.h"
#include "compiler/interpreter/OutsideReach.h"
#include "compiler/interpreter/PreparedKernel.h"
#include "compiler/interpreter/SourceLocations.h"
#include "compiler/interpreter/TraceKernel.h"

#include "mlir/IR/BuiltinOps.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <new>
#include <optional>
#include <thread>
#include <tuple>

using namespace mlir;

namespace tilescope::compiler {

using namespace interpreter;
using Clock = std::chrono::steady_clock;

namespace {

InterpreterFinding unsupported(SourceRange range, std::string message) {
  InterpreterFinding finding;
  finding.kind = InterpreterFindingKind::Unsupported;
  finding.range = range;
  finding.message = std::move(message);
  return finding;
}

/// The i-th of those that are executed.
std::array<int32_t, 3> chosenProgram(uint64_t i, const std::array<int32_t, 3> &grid,
                                     const TraceOptions *trace) {
  if (!trace)
    return programAt(i, grid);
  return trace->program ? *trace->program
                        : programAt(trace->sample.first + i * trace->sample.stride, grid);
}

/// How many of the grid's programs are executed.
uint64_t numChosen(const std::array<int32_t, 3> &grid, const TraceOptions *trace) {
  if (trace && trace->program)
    return 1;
  const uint64_t all = numPrograms(grid);
  if (!trace)
    return all;
  const ProgramSample &sample = trace->sample;
  const uint64_t behind = all > sample.first ? all - sample.first : 0;
  return std::min(sample.count, (behind + sample.stride - 1) / sample.stride);
}

/// "in line 21", " of helper.py" added where it is another file than that of `near`.
std::string placeText(const SourceRange &range, const SourceRange &near,
                      const std::vector<std::string> &files) {
  std::string text = "in line " + std::to_string(range.begin.line + 1);
  if (range.file == near.file || range.file >= files.size())
    return text;
  const std::string &path = files[range.file];
  return text + " of " + path.substr(path.rfind('/') + 1);
}

/// Accesses that race with others: says where these are, or leaves them out where the other is a
/// store that races with stores already, of which a load knows no more.
void completePairs(std::multimap<uint64_t, RawFinding> &findings, Interpretation &result,
                   const TranslationContext &context) {
  std::set<uint32_t> racing;
  for (const auto &[program, raw] : findings)
    if (!raw.other && (raw.finding.kind == InterpreterFindingKind::WriteRace ||
                       raw.finding.kind == InterpreterFindingKind::StoreConflict))
      racing.insert(raw.location);
  result.numFindings -= std::erase_if(findings, [&](const auto &each) {
    return each.second.other && racing.contains(*each.second.other);
  });
  for (auto &[program, raw] : findings) {
    if (!raw.other)
      continue;
    std::string cure = raw.cure;
    if (const size_t at = cure.find('%'); at != std::string::npos)
      cure.replace(at, 1, "`" + raw.finding.argument + "`");
    const SourceRange other = getSourceRange(context.locations[*raw.other], result.files);
    raw.finding.otherRange = other;
    raw.finding.message +=
        " " +
        placeText(other, getSourceRange(context.locations[raw.location], result.files),
                  result.files) +
        ": " + raw.effect + "; " + cure;
  }
}

/// Brings together what the threads found, in the order of the programs.
void collect(Interpretation &result, std::vector<std::unique_ptr<Frame>> &frames,
             const Execution &execution, const TranslationContext &context) {
  // Programs run on one thread each, which keeps the order within them.
  std::multimap<uint64_t, RawFinding> findings;
  std::multimap<uint64_t, RawPrint> prints;
  for (std::unique_ptr<Frame> &frame : frames) {
    result.statistics.instructions += frame->executed;
    result.statistics.bytesLoaded += frame->bytesLoaded;
    result.statistics.bytesStored += frame->bytesStored;
    result.numFindings += frame->numFindings;
    result.completed &= frame->allCompleted;
    for (RawFinding &raw : frame->findings)
      findings.emplace(indexOf(raw.finding.programId, execution.grid), std::move(raw));
    for (RawPrint &raw : frame->prints)
      prints.emplace(indexOf(raw.print.programId, execution.grid), std::move(raw));
  }
  completePairs(findings, result, context);
  // Each thread has reported it once.
  std::map<std::tuple<uint32_t, InterpreterFindingKind, std::optional<uint32_t>, bool>, size_t>
      places;
  std::vector<std::set<uint64_t>> programs(result.findings.size());
  for (auto &[program, raw] : findings) {
    const bool isPerPlace = raw.finding.kind != InterpreterFindingKind::StepLimit;
    const auto [place, isNew] =
        places.try_emplace({raw.location, raw.finding.kind, raw.other, raw.finding.isInFront()},
                           result.findings.size());
    if (isPerPlace && !isNew) {
      --result.numFindings;
      if (place->second >= result.findings.size())
        continue;
      std::set<uint64_t> &known = programs[place->second];
      const size_t before = known.size();
      known.insert(raw.programs.begin(), raw.programs.end());
      result.findings[place->second].numPrograms +=
          raw.finding.numPrograms - raw.programs.size() + (known.size() - before);
      continue;
    }
    if (result.findings.size() == execution.maxFindings)
      continue;
    raw.finding.range = getSourceRange(context.locations[raw.location], result.files);
    if (joinsCopy(execution, raw.finding, result.findings)) {
      --result.numFindings;
      // Its programs are those of the other one.
      place->second = SIZE_MAX;
      continue;
    }
    result.findings.push_back(std::move(raw.finding));
    programs.push_back(std::move(raw.programs));
  }
  for (auto &[program, raw] : prints) {
    if (result.prints.size() == execution.maxPrints)
      break;
    raw.print.range = getSourceRange(context.locations[raw.location], result.files);
    result.prints.push_back(std::move(raw.print));
  }
}

void collectWriters(Interpretation &result, const std::vector<std::unique_ptr<Frame>> &frames,
                    const Execution &execution, const TranslationContext &context) {
  for (size_t i = 0; i < execution.watches.size(); ++i) {
    WatchHit last;
    for (const std::unique_ptr<Frame> &frame : frames)
      if (i < frame->watchHits.size() && frame->watchHits[i].order > last.order)
        last = frame->watchHits[i];
    if (last.order == 0)
      continue;
    const Watch &watch = execution.watches[i];
    result.writers.push_back(
        {{watch.area->name, watch.beginBytes / static_cast<int64_t>(watch.area->elementSize)},
         last.programId,
         getSourceRange(context.locations[last.location], result.files)});
  }
}

void collectLost(Interpretation &result, const LostNumbers &lost,
                 const TranslationContext &context) {
  for (uint32_t location = 0; location < lost.size(); ++location)
    if (lost.has(location))
      result.lostNumbers.push_back(
          {getSourceRange(context.locations[location], result.files), lost.at(location)});
}

void collectUndefined(Interpretation &result, const Program &program,
                      const TranslationContext &context) {
  for (const Instruction &op : program.code) {
    if (!leavesUndefined(op))
      continue;
    const SourceRange range = getSourceRange(context.locations[op.location], result.files);
    if (std::ranges::find(result.undefinedLoads, range) == result.undefinedLoads.end())
      result.undefinedLoads.push_back(range);
  }
}

void countUnwritten(Interpretation &result, const InterpreterLaunch &launch,
                    const std::vector<MemoryArea> &areas) {
  for (size_t i = 0; i < areas.size(); ++i) {
    const MemoryArea &area = areas[i];
    if (!launch.arguments[i].countUnwritten || !area.writers)
      continue;
    UnwrittenElements unwritten{area.name};
    const size_t numParts = area.elementSize / area.granule;
    for (size_t element = 0; element < area.size / area.elementSize; ++element) {
      const uint32_t *writers = area.writers + element * numParts;
      if (std::find(writers, writers + numParts, 0u) == writers + numParts)
        continue;
      if (unwritten.count++ == 0)
        unwritten.first = static_cast<int64_t>(element);
    }
    if (unwritten.count > 0)
      result.unwritten.push_back(std::move(unwritten));
  }
}

} // namespace

/// `trace` may be null, and so may `sequence`, which is the grid's own order.
static Interpretation runKernel(ModuleOp module, const InterpreterLaunch &launch,
                                const InterpreterOptions &options, const TraceOptions *trace,
                                const ProgramSequence *sequence) {
  Interpretation result;
  result.files = options.files;
  auto reject = [&](Location location, std::string message) {
    result.findings.push_back(
        unsupported(getSourceRange(location, result.files), std::move(message)));
    result.numFindings = 1;
    return result;
  };
  auto start = Clock::now();
  PreparedKernel prepared;
  if (auto fault =
          prepared.prepare(module, launch, options, {trace && trace->addressesOnly, nullptr}))
    return reject(fault->location, std::move(fault->message));
  const Execution &execution = prepared.execution;
  const TranslationContext &context = prepared.context;
  const uint64_t numPrograms = numChosen(launch.grid, trace);

  auto translated = Clock::now();
  unsigned available =
      options.numThreads ? options.numThreads : std::max(1u, std::thread::hardware_concurrency());
  auto numThreads = static_cast<unsigned>(std::clamp<uint64_t>(numPrograms, 1, available));
  result.completed = true;
  RunGrid run;
  try {
    const ProgramSequence inOrder{numPrograms,
                                  [&](uint64_t i) { return chosenProgram(i, launch.grid, trace); }};
    run = runGrid(prepared, sequence ? *sequence : inOrder, numThreads, options,
                  trace ? trace->observer : nullptr);
  } catch (const std::bad_alloc &) {
    result.completed = false;
    return reject(prepared.kernel.getLoc(),
                  "the blocks of one program need " +
                      std::to_string(execution.program->memorySize >> 20) +
                      " MiB of memory, which is more than is available");
  }
  collect(result, run.frames, execution, context);
  collectWriters(result, run.frames, execution, context);
  collectMaskedOff(result, execution, context);
  collectFilled(result, execution, context);
  collectLost(result, execution.lostNumbers, context);
  collectUndefined(result, *prepared.program, context);
  if (run.waiting.inVain != 0)
    result.waiting = {run.waiting.inVain, run.waiting.atOnce, run.waiting.programId,
                      getSourceRange(context.locations[run.waiting.location], result.files)};
  countUnwritten(result, launch, execution.areas);
  result.cancelled = options.stop.stop_requested();
  result.completed &= !result.cancelled;
  result.statistics.programs = numPrograms;
  result.statistics.threads = numThreads;
  result.statistics.translateDuration = translated - start;
  result.statistics.runDuration = Clock::now() - translated;
  return result;
}

static bool isUndefined(const InterpreterFinding &finding) {
  return finding.kind == InterpreterFindingKind::UndefinedStored ||
         finding.kind == InterpreterFindingKind::UndefinedAddress;
}

/// Finds out which loads leave undefined what the run has found so, by one more run for each of them.
static void findSources(ModuleOp module, const InterpreterLaunch &launch,
                        const InterpreterOptions &options, OutsideReach &memory,
                        Interpretation &result) {
  constexpr size_t kMostLoads = 8;
  const size_t numLoads = result.undefinedLoads.size();
  if (std::ranges::none_of(result.findings, isUndefined) || numLoads < 2 || numLoads > kMostLoads ||
      !memory.canRepeat(result, numLoads))
    return;
  InterpreterOptions second = options;
  second.maxPrints = 0;
  second.files = result.files;
  second.progress = nullptr;
  for (const SourceRange &load : result.undefinedLoads) {
    second.onlyUndefined = load;
    const Deadline deadline(options.stop, OrderCheck::longestSecond(result));
    second.stop = deadline.token();
    memory.begin();
    const Interpretation repeated = runKernel(module, launch, second, nullptr, nullptr);
    memory.restore();
    for (InterpreterFinding &finding : result.findings)
      if (isUndefined(finding) &&
          std::ranges::any_of(repeated.findings, [&](const InterpreterFinding &each) {
            return each.kind == finding.kind && each.range == finding.range;
          }))
        finding.sources.push_back(load);
    if (repeated.completed)
      continue;
    // What is known of some of them may leave out others.
    for (InterpreterFinding &finding : result.findings)
      finding.sources.clear();
    return;
  }
}

Interpretation interpret(ModuleOp module, const InterpreterLaunch &launch,
                         const InterpreterOptions &options) {
  OrderCheck order(module, launch, options);
  OutsideReach outside(module, launch, options);
  Interpretation result = runKernel(module, launch, options, nullptr, nullptr);
  if (outside.isWanted(result)) {
    InterpreterOptions second = outside.optionsAfter(result);
    const Deadline deadline(options.stop, OrderCheck::longestSecond(result));
    second.stop = deadline.token();
    outside.begin();
    outside.end(runKernel(module, launch, second, nullptr, nullptr), result);
    result.cancelled = options.stop.stop_requested();
    result.completed &= !result.cancelled;
  }
  findSources(module, launch, options, outside, result);
  while (order.isWanted(result)) {
    const ProgramSequence other = order.otherOrder();
    InterpreterOptions second = order.optionsAfter(result);
    const Deadline deadline(options.stop, OrderCheck::longestSecond(result));
    second.stop = deadline.token();
    order.beginSecond();
    order.endSecond(runKernel(module, launch, second, nullptr, &other), result);
    result.cancelled = options.stop.stop_requested();
    result.completed &= !result.cancelled;
  }
  return result;
}

Interpretation interpretPrograms(ModuleOp module, const InterpreterLaunch &launch,
                                 const InterpreterOptions &options,
                                 const std::vector<uint64_t> &programs) {
  InterpreterOptions oneByOne = options;
  oneByOne.numThreads = 1;
  const ProgramSequence chosen{programs.size(),
                               [&](uint64_t i) { return programAt(programs[i], launch.grid); }};
  Interpretation result = runKernel(module, launch, oneByOne, nullptr, &chosen);
  result.statistics.programs = programs.size();
  return result;
}

AddressNeeds findAddressNeeds(ModuleOp module) {
  AddressNeeds needs;
  tt::FuncOp kernel = findKernel(module, "");
  if (!kernel)
    return needs;
  std::optional<AddressSlice> slice = findAddressSlice(kernel);
  needs.isWhole = !slice;
  if (slice)
    needs.arguments = std::move(slice->arguments);
  return needs;
}

Interpretation traceKernel(ModuleOp module, const InterpreterLaunch &launch,
                           const InterpreterOptions &options, const TraceOptions &trace) {
  InterpreterOptions quiet = options;
  quiet.findRaces = quiet.findUndefined = false;
  return runKernel(module, launch, quiet, &trace, nullptr);
}

} // namespace tilescope::compiler
