// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/Interpreter.h"

#include "compiler/interpreter/AddressSlice.h"
#include "compiler/interpreter/Definedness.h"
#include "compiler/interpreter/SourceLocations.h"
#include "compiler/interpreter/TraceKernel.h"
#include "compiler/interpreter/Translator.h"
#include "compiler/interpreter/kernels/FloatFormats.h"
#include "compiler/transforms/tt/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <thread>

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

/// The module without descriptors: itself, or a copy in which they are pointers; null if that
/// fails.
ModuleOp withoutDescriptors(ModuleOp module, OwningOpRef<ModuleOp> &copy) {
  bool hasDescriptors =
      module
          ->walk([](Operation *op) {
            return isa<tt::MakeTensorDescOp, tt::DescriptorLoadOp, tt::DescriptorStoreOp,
                       tt::DescriptorReduceOp, tt::DescriptorGatherOp, tt::DescriptorScatterOp>(op)
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted();
  if (!hasDescriptors)
    return module;
  copy = module.clone();
  PassManager passes(module.getContext());
  passes.addPass(tt::createRewriteTensorDescriptorToPointer());
  return succeeded(passes.run(*copy)) ? *copy : ModuleOp();
}

tt::FuncOp findKernel(ModuleOp module, const std::string &name) {
  for (auto function : module.getOps<tt::FuncOp>())
    if (name.empty() ? function.isPublic() : function.getName() == name)
      return function;
  return nullptr;
}

/// Sets a scalar argument from its bits.
void setScalar(Slot &value, Element element, uint64_t bits) {
  switch (element) {
  case Element::F8E5M2:
    return value.set(decodeF8E5M2(static_cast<uint8_t>(bits)));
  case Element::F8E4M3:
    return value.set(decodeF8E4M3(static_cast<uint8_t>(bits)));
  case Element::F8E5M2FNUZ:
    return value.set(decodeFnuz<kF8E5M2FNUZ>(static_cast<uint8_t>(bits)));
  case Element::F8E4M3FNUZ:
    return value.set(decodeFnuz<kF8E4M3FNUZ>(static_cast<uint8_t>(bits)));
  case Element::F16:
    return value.set(decodeF16(static_cast<uint16_t>(bits)));
  case Element::BF16:
    return value.set(decodeBF16(static_cast<uint16_t>(bits)));
  default:
    std::memcpy(value.scalar.data(), &bits, storageSize(element));
  }
}

/// Puts the arguments where the programs read them.
void setArguments(Frame &frame, const Program &program, const InterpreterLaunch &launch) {
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    uint32_t id = program.arguments[i];
    Slot &value = frame.makeUniform(id);
    if (frame.info(id).element == Element::Pointer)
      value.setBase(areaAddress(i));
    else
      setScalar(value, frame.info(id).element, launch.arguments[i].bits);
  }
}

using WriterTable = std::unique_ptr<uint32_t, decltype(&std::free)>;

/// Tables of the programs that wrote each element of the arguments; pages that are never touched
/// cost nothing.
std::vector<WriterTable> makeWriterTables(tt::FuncOp kernel, std::vector<MemoryArea> &areas) {
  std::vector<WriterTable> tables;
  for (auto [type, area] : llvm::zip(kernel.getArgumentTypes(), areas)) {
    auto pointer = dyn_cast<tt::PointerType>(type);
    std::optional<Element> element =
        pointer && area.size ? getElement(pointer.getPointeeType()) : std::nullopt;
    if (!element)
      continue;
    size_t granule = interpreter::memorySize(*element);
    void *table = std::calloc(area.size / granule + 1, sizeof(uint32_t));
    if (!table)
      continue;
    area.granule = granule;
    area.writers = static_cast<uint32_t *>(table);
    tables.emplace_back(area.writers, &std::free);
  }
  return tables;
}

/// The programs of the grid in the order in which they are numbered, x fastest.
std::array<int32_t, 3> programAt(uint64_t index, const std::array<int32_t, 3> &grid) {
  auto x = static_cast<uint64_t>(grid[0]), y = static_cast<uint64_t>(grid[1]);
  return {static_cast<int32_t>(index % x), static_cast<int32_t>(index / x % y),
          static_cast<int32_t>(index / x / y)};
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
  uint64_t all = 1;
  for (const int32_t extent : grid)
    all *= static_cast<uint64_t>(extent);
  if (!trace)
    return all;
  const ProgramSample &sample = trace->sample;
  const uint64_t behind = all > sample.first ? all - sample.first : 0;
  return std::min(sample.count, (behind + sample.stride - 1) / sample.stride);
}

uint64_t indexOf(const std::array<int32_t, 3> &id, const std::array<int32_t, 3> &grid) {
  return static_cast<uint64_t>(id[0]) +
         static_cast<uint64_t>(grid[0]) *
             (static_cast<uint64_t>(id[1]) +
              static_cast<uint64_t>(grid[1]) * static_cast<uint64_t>(id[2]));
}

/// Reports the progress of the run until it goes out of scope.
class ProgressReport {
public:
  ProgressReport(const InterpreterOptions &options, const std::atomic<uint64_t> &done,
                 uint64_t total) {
    if (!options.progress)
      return;
    m_thread = std::jthread([&options, &done, total](std::stop_token stop) {
      std::mutex mutex;
      std::unique_lock lock(mutex);
      std::condition_variable_any wake;
      constexpr std::chrono::milliseconds kInterval(200);
      while (!wake.wait_for(lock, stop, kInterval, [&] { return stop.stop_requested(); }))
        options.progress(done, total);
    });
  }

private:
  std::jthread m_thread;
};

/// Runs all programs on several threads; returns the threads' frames. Throws std::bad_alloc, which
/// the caller catches.
std::vector<std::unique_ptr<Frame>> runGrid(const Execution &execution,
                                            const InterpreterLaunch &launch, uint64_t numPrograms,
                                            unsigned numThreads, const InterpreterOptions &options,
                                            const TraceOptions *trace) {
  std::vector<std::unique_ptr<Frame>> frames(numThreads);
  std::atomic<uint64_t> next = 0, done = 0;
  // Neighboring programs touch neighboring memory: hand them out in runs, but leave enough to
  // share.
  uint64_t chunk = std::clamp<uint64_t>(numPrograms / (uint64_t(numThreads) * 16), 1, 256);
  for (std::unique_ptr<Frame> &frame : frames) {
    frame = std::make_unique<Frame>(execution, *execution.program, 1);
    if (trace)
      frame->observer = &trace->observer();
  }
  std::atomic<bool> outOfMemory = false;
  auto work = [&](unsigned thread) {
    Frame &frame = *frames[thread];
    setArguments(frame, *execution.program, launch);
    while (!execution.stop.stop_requested() && !outOfMemory) {
      uint64_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
      if (begin >= numPrograms)
        return;
      try {
        for (uint64_t i = begin; i < std::min(begin + chunk, numPrograms); ++i)
          frame.runProgram(chosenProgram(i, launch.grid, trace));
        done += std::min(begin + chunk, numPrograms) - begin;
      } catch (const std::bad_alloc &) {
        outOfMemory = true;
      }
    }
  };
  ProgressReport progress(options, done, numPrograms);
  std::vector<std::jthread> threads;
  for (unsigned thread = 1; thread < numThreads; ++thread)
    threads.emplace_back(work, thread);
  work(0);
  threads.clear();
  if (outOfMemory)
    throw std::bad_alloc();
  return frames;
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
  // Each thread has reported it once.
  std::map<std::pair<uint32_t, InterpreterFindingKind>, size_t> places;
  for (auto &[program, raw] : findings) {
    const bool isPerPlace = raw.finding.kind != InterpreterFindingKind::StepLimit;
    const auto [place, isNew] =
        places.try_emplace({raw.location, raw.finding.kind}, result.findings.size());
    if (isPerPlace && !isNew) {
      --result.numFindings;
      if (place->second < result.findings.size())
        result.findings[place->second].numPrograms += raw.finding.numPrograms;
      continue;
    }
    if (result.findings.size() == execution.maxFindings)
      continue;
    raw.finding.range = getSourceRange(context.locations[raw.location], result.files);
    result.findings.push_back(std::move(raw.finding));
  }
  for (auto &[program, raw] : prints) {
    if (result.prints.size() == execution.maxPrints)
      break;
    raw.print.range = getSourceRange(context.locations[raw.location], result.files);
    result.prints.push_back(std::move(raw.print));
  }
}

/// The elements whose last writer is asked for, by the area that they lie in.
std::vector<Watch> makeWatches(const InterpreterLaunch &launch, std::vector<MemoryArea> &areas) {
  std::vector<Watch> watches;
  for (const ArgumentElement &watched : launch.watches)
    for (const MemoryArea &area : areas)
      if (area.writers && area.name == watched.argument) {
        const auto size = static_cast<int64_t>(area.granule);
        watches.push_back({&area, watched.element * size, (watched.element + 1) * size});
        break;
      }
  return watches;
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
        {{watch.area->name, watch.beginBytes / static_cast<int64_t>(watch.area->granule)},
         last.programId,
         getSourceRange(context.locations[last.location], result.files)});
  }
}

void countUnwritten(Interpretation &result, const InterpreterLaunch &launch,
                    const std::vector<MemoryArea> &areas) {
  for (size_t i = 0; i < areas.size(); ++i) {
    const MemoryArea &area = areas[i];
    if (!launch.arguments[i].countUnwritten || !area.writers)
      continue;
    const std::span<const uint32_t> writers(area.writers, area.size / area.granule);
    const auto count = std::count(writers.begin(), writers.end(), 0u);
    if (count > 0)
      result.unwritten.push_back(
          {area.name, count, std::find(writers.begin(), writers.end(), 0u) - writers.begin()});
  }
}

/// Why the launch does not fit the kernel; empty when it does.
std::string misfitOf(tt::FuncOp kernel, const InterpreterLaunch &launch) {
  if (kernel.getNumArguments() != launch.arguments.size())
    return "the kernel takes " + std::to_string(kernel.getNumArguments()) +
           " arguments, but the launch passes " + std::to_string(launch.arguments.size());
  if (*std::min_element(launch.grid.begin(), launch.grid.end()) < 0)
    return "the grid has a negative extent";
  return {};
}

/// What the caller says about every program.
void takeOptions(Execution &execution, const InterpreterOptions &options) {
  execution.findConflicts = options.findRaces;
  execution.maxFindings = options.maxFindings;
  execution.maxPrints = options.maxPrints;
  execution.maxInstructionsPerProgram = options.maxInstructionsPerProgram;
  execution.maxProgramDuration = options.maxProgramDuration;
  execution.truncateToTf32 = options.truncateToTf32;
  execution.stop = options.stop;
}

} // namespace

/// `trace` may be null.
static Interpretation runKernel(ModuleOp module, const InterpreterLaunch &launch,
                                const InterpreterOptions &options, const TraceOptions *trace) {
  Interpretation result;
  result.files = options.files;
  auto reject = [&](Location location, std::string message) {
    result.findings.push_back(
        unsupported(getSourceRange(location, result.files), std::move(message)));
    result.numFindings = 1;
    return result;
  };
  auto start = Clock::now();
  OwningOpRef<ModuleOp> copy;
  ModuleOp executed = withoutDescriptors(module, copy);
  if (!executed)
    return reject(module.getLoc(),
                  "the tensor descriptors of the kernel cannot be executed on the CPU");
  tt::FuncOp kernel = findKernel(executed, options.kernel);
  if (!kernel)
    return reject(module.getLoc(), options.kernel.empty()
                                       ? "there is no kernel"
                                       : "there is no kernel `" + options.kernel + "`");
  if (std::string problem = misfitOf(kernel, launch); !problem.empty())
    return reject(kernel.getLoc(), std::move(problem));

  TranslationContext context;
  std::optional<llvm::DenseSet<Value>> slice;
  if (trace && trace->addressesOnly)
    slice = findAddressSlice(kernel);
  context.slice = slice ? &*slice : nullptr;
  std::shared_ptr<Program> program = Translator(context).translateKernel(kernel);
  if (!program)
    return reject(context.error->location, context.error->message);

  const uint64_t numPrograms = numChosen(launch.grid, trace);
  Execution execution;
  execution.program = program.get();
  execution.grid = launch.grid;
  std::shared_ptr<Program> definedness;
  if (options.findUndefined)
    definedness = trackDefinedness(*program);
  execution.definedness = definedness.get();
  for (const InterpreterArgument &argument : launch.arguments)
    execution.areas.push_back(
        {argument.data, argument.data ? argument.sizeBytes : 0, argument.name, nullptr, 0});
  std::vector<WriterTable> writers;
  if (options.findRaces)
    writers = makeWriterTables(kernel, execution.areas);
  execution.watches = makeWatches(launch, execution.areas);
  takeOptions(execution, options);

  auto translated = Clock::now();
  unsigned available =
      options.numThreads ? options.numThreads : std::max(1u, std::thread::hardware_concurrency());
  auto numThreads = static_cast<unsigned>(std::clamp<uint64_t>(numPrograms, 1, available));
  result.completed = true;
  std::vector<std::unique_ptr<Frame>> frames;
  try {
    frames = runGrid(execution, launch, numPrograms, numThreads, options, trace);
  } catch (const std::bad_alloc &) {
    result.completed = false;
    return reject(kernel.getLoc(), "the blocks of one program need " +
                                       std::to_string(program->memorySize >> 20) +
                                       " MiB of memory, which is more than is available");
  }
  collect(result, frames, execution, context);
  collectWriters(result, frames, execution, context);
  countUnwritten(result, launch, execution.areas);
  result.cancelled = options.stop.stop_requested();
  result.completed &= !result.cancelled;
  result.statistics.programs = numPrograms;
  result.statistics.threads = numThreads;
  result.statistics.translateDuration = translated - start;
  result.statistics.runDuration = Clock::now() - translated;
  return result;
}

Interpretation interpret(ModuleOp module, const InterpreterLaunch &launch,
                         const InterpreterOptions &options) {
  return runKernel(module, launch, options, nullptr);
}

bool addressesDependOnData(ModuleOp module) {
  tt::FuncOp kernel = findKernel(module, "");
  return kernel && !findAddressSlice(kernel);
}

Interpretation traceKernel(ModuleOp module, const InterpreterLaunch &launch,
                           const InterpreterOptions &options, const TraceOptions &trace) {
  InterpreterOptions quiet = options;
  quiet.findRaces = quiet.findUndefined = false;
  return runKernel(module, launch, quiet, &trace);
}

} // namespace tilescope::compiler
