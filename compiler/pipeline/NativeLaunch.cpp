// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/NativeLaunch.h"

#include "compiler/artifacts/DebugPath.h"
#include "compiler/interpreter/ArgumentUses.h"
#include "compiler/interpreter/PreparedKernel.h"
#include "compiler/native/CompileGuard.h"
#include "compiler/native/Processor.h"
#include "compiler/native/SavedCode.h"
#include "compiler/pipeline/BuildId.h"
#include "compiler/pipeline/CompilerState.h"
#include "compiler/pipeline/CompilerVersion.h"
#include "compiler/pipeline/IrText.h"
#include "compiler/pipeline/MlirDiagnostics.h"
#include "compiler/pipeline/SourceIndex.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <algorithm>
#include <csignal>

namespace tilescope::compiler {

bool argumentsOverlap(const std::vector<InterpreterArgument> &arguments) {
  std::vector<std::pair<const std::byte *, const std::byte *>> spans;
  for (const InterpreterArgument &argument : arguments)
    if (argument.data && argument.sizeBytes)
      spans.emplace_back(argument.data, argument.data + argument.sizeBytes);
  std::ranges::sort(spans);
  return std::ranges::adjacent_find(spans, [](const auto &left, const auto &right) {
           return right.first < left.second;
         }) != spans.end();
}

std::vector<uint64_t> wordsOf(const std::vector<InterpreterArgument> &arguments,
                              bool checksBounds) {
  std::vector<uint64_t> words;
  for (const InterpreterArgument &argument : arguments)
    words.push_back(argument.data ? reinterpret_cast<uint64_t>(argument.data) : argument.bits);
  if (checksBounds)
    for (const InterpreterArgument &argument : arguments)
      words.push_back(argument.data ? argument.sizeBytes : 0);
  return words;
}

/// At most, by all executions of a store together.
static uint64_t bytesOfStore(tt::StoreOp store, uint64_t numPrograms) {
  if (store->getParentOfType<mlir::LoopLikeOpInterface>())
    return UINT64_MAX;
  const mlir::Type type = store.getValue().getType(), element = mlir::getElementTypeOrSelf(type);
  const auto block = mlir::dyn_cast<mlir::RankedTensorType>(type);
  const uint64_t count = block ? static_cast<uint64_t>(block.getNumElements()) : 1;
  const uint64_t size = element.isIntOrFloat() ? (element.getIntOrFloatBitWidth() + 7) / 8 : 8;
  return count * size * numPrograms;
}

bool writesPastCaches(mlir::ModuleOp ttir, const InterpreterLaunch &launch) {
  tt::FuncOp kernel = interpreter::findKernel(ttir, "");
  if (!kernel || kernel.getNumArguments() != launch.arguments.size())
    return false;
  const std::vector<interpreter::ArgumentUse> uses = interpreter::argumentUses(kernel, ttir);
  uint64_t inArguments = 0;
  for (size_t i = 0; i < uses.size(); ++i)
    if (uses[i].isStored && !uses[i].isLoaded && launch.arguments[i].data)
      inArguments += launch.arguments[i].sizeBytes;
  const uint64_t cache = native::lastCacheBytes();
  if (inArguments <= cache)
    return false;
  const uint64_t numPrograms = interpreter::numPrograms(launch.grid);
  uint64_t byStores = 0;
  kernel.walk([&](tt::StoreOp store) {
    const uint64_t bytes = bytesOfStore(store, numPrograms);
    byStores += std::min(bytes, UINT64_MAX - byStores);
  });
  return byStores > cache;
}

/// Everything that the code depends on, and the places that it names.
static ContentKey keyOf(mlir::ModuleOp ttir, const native::NativeOptions &options) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  ttir.print(stream, mlir::OpPrintingFlags().enableDebugInfo());
  return KeyBuilder()
      .add(text)
      .add(options.argumentsOverlap)
      .add(options.checkBounds)
      .add(options.noteDoubts)
      .add(options.isExact)
      .add(options.streamsStores)
      .key();
}

/// Everything that kept code depends on beside that; nothing: it is not known which program this is.
static std::optional<ContentKey> keptKeyOf(const ContentKey &key) {
  static const std::string id = buildId();
  if (id.empty())
    return std::nullopt;
  const native::Processor processor = native::hostProcessor();
  KeyBuilder builder;
  builder.add(id).add(llvmVersion()).add(processor.triple).add(processor.name);
  for (const std::string &feature : processor.features)
    builder.add(feature);
  return builder.add(key[0]).add(key[1]).key();
}

/// Takes code from the folder of kept code, or compiles and leaves it there.
static Result<native::NativeKernel> findOrCompile(CompileJob &job, mlir::ModuleOp ttir,
                                                  const native::NativeOptions &options,
                                                  const ContentKey &key) {
  const std::optional<ContentKey> kept = job.keepsCode ? keptKeyOf(key) : std::nullopt;
  const std::optional<std::string> bytes = kept ? job.state.code.find(*kept) : std::nullopt;
  if (bytes)
    if (std::optional<native::SavedCode> saved = native::readSavedCode(*bytes))
      if (Result<native::NativeKernel> kernel = native::NativeKernel::load(std::move(*saved)))
        return kernel;
  Result<native::NativeKernel> kernel = native::NativeKernel::compile(ttir, options);
  if (kernel && kept)
    job.state.code.insert(*kept, native::writeSavedCode(kernel->save()));
  return kernel;
}

Result<native::NativeKernel> compileNative(CompileJob &job, mlir::ModuleOp ttir,
                                           const native::NativeOptions &options,
                                           std::vector<Diagnostic> &reported) {
  const ContentKey key = keyOf(ttir, options);
  if (std::shared_ptr<const native::NativeKernel> known = job.state.nativeKernels.find(key))
    return *known;
  if (job.state.hasNativeCrashed)
    return Error{ErrorCode::Internal, "LLVM crashed on a kernel before", ""};
  job.step(StageId::Ttir, "compile for the CPU");
  DiagnosticCollector collector(*ttir.getContext(), DiagnosticKind::RunUnsupported, job.files,
                                reported);
  job.state.hasNativeCrashed = true;
  Result<native::NativeKernel> kernel = native::compileGuarded([&] {
    Result<native::NativeKernel> compiled = findOrCompile(job, ttir, options, key);
    job.state.hasNativeCrashed = false;
    return compiled;
  });
  if (kernel)
    job.state.nativeKernels.insert(key, *kernel, kernel->codeBytes());
  return kernel;
}

native::GridOutcome runPrograms(CompileJob &job, const native::NativeKernel &kernel,
                                const std::vector<uint64_t> &words, const InterpreterLaunch &launch,
                                const InterpreterOptions &options) {
  native::GridOptions grid;
  grid.grid = launch.grid;
  grid.threads = &job.state.programThreads;
  grid.numThreads = options.numThreads;
  grid.stop = options.stop;
  grid.maxProgramDuration = options.maxProgramDuration;
  grid.maxPrints = options.maxPrints;
  grid.progress = options.progress;
  return native::runGrid(kernel, words, grid);
}

void addPrints(const native::NativeKernel &kernel, native::GridOutcome &run,
               Interpretation &outcome) {
  for (native::ProgramPrint &print : run.prints)
    outcome.prints.push_back(
        {print.programId,
         interpreter::choosePlace(kernel.prints()[print.number].places, outcome.files),
         std::move(print.text)});
}

bool mayPrintUndefined(const native::NativeKernel &kernel, const native::GridOutcome &run) {
  return !kernel.prints().empty() && !run.doubtful.empty();
}

/// The file and where in it something begins.
static std::pair<uint32_t, Position> beginOf(CompileJob &job, const native::CodePlace &place) {
  return {job.files.indexOf(decodeDebugPath(place.path)),
          {place.line - 1, place.column > 0 ? place.column - 1 : 0}};
}

static SourceRange rangeOf(CompileJob &job, mlir::ModuleOp ttir, const native::CodePlace &place) {
  const auto [file, begin] = beginOf(job, place);
  SourceIndex index;
  indexRanges(ttir, job.files, index);
  return index.startingAt(file, begin).value_or(job.files.restOfLine(file, begin));
}

/// As the interpreter does: where the loop looks whether it goes on.
static std::optional<SourceRange> rangeOfLoop(CompileJob &job, mlir::LoopLikeOpInterface loop) {
  mlir::Operation *first = &loop->getRegion(0).front().front();
  const std::vector<SourceRange> ranges = sourceRanges(
      mlir::isa<mlir::scf::WhileOp>(*loop) ? first->getLoc() : loop->getLoc(), job.files);
  return ranges.empty() ? std::nullopt : std::optional(ranges.front());
}

/// Of a kernel with one loop; nothing: it has none, or several. A function that native code has called
/// may have been interrupted, whose caller is not known.
static std::optional<SourceRange> onlyLoop(CompileJob &job, mlir::ModuleOp ttir) {
  std::vector<mlir::LoopLikeOpInterface> loops;
  ttir.walk([&](mlir::LoopLikeOpInterface loop) { loops.push_back(loop); });
  return loops.size() == 1 ? rangeOfLoop(job, loops.front()) : std::nullopt;
}

/// The innermost loop around a place; nothing: there is none.
static std::optional<SourceRange> loopAround(CompileJob &job, mlir::ModuleOp ttir,
                                             const native::CodePlace &place) {
  const std::pair begin = beginOf(job, place);
  std::optional<SourceRange> loop;
  ttir.walk([&](mlir::Operation *op) {
    auto around = op->getParentOfType<mlir::LoopLikeOpInterface>();
    if (!around ||
        std::ranges::none_of(sourceRanges(op->getLoc(), job.files), [&](const SourceRange &each) {
          return std::pair(each.file, each.begin) == begin;
        }))
      return mlir::WalkResult::advance();
    loop = rangeOfLoop(job, around);
    return mlir::WalkResult::interrupt();
  });
  return loop;
}

/// A loop of which its text says that it does not end; nothing: there is none.
static std::optional<SourceRange> toldLoop(const CompileJob &job) {
  const auto told =
      std::ranges::find(job.result.diagnostics, DiagnosticKind::EndlessLoop, &Diagnostic::kind);
  return told == job.result.diagnostics.end() ? std::nullopt : std::optional(told->range);
}

static std::string signalText(int signal) {
  switch (signal) {
  case SIGSEGV:
  case SIGBUS:
    return "accesses memory that is not there";
  case SIGILL:
    return "has an instruction that this processor does not know";
  default:
    return "ended with signal " + std::to_string(signal);
  }
}

InterpreterFinding faultFinding(CompileJob &job, mlir::ModuleOp ttir,
                                const native::GridFault &fault, const std::array<int32_t, 3> &grid,
                                std::chrono::nanoseconds limit) {
  InterpreterFinding finding;
  finding.programId = fault.programId;
  if (!fault.places.empty())
    finding.range = rangeOf(job, ttir, fault.places.front());
  if (fault.signal == 0) {
    std::optional<SourceRange> loop =
        fault.places.empty() ? onlyLoop(job, ttir) : loopAround(job, ttir, fault.places.front());
    if (!loop)
      loop = toldLoop(job);
    finding.kind = InterpreterFindingKind::StepLimit;
    finding.range = loop.value_or(finding.range);
    finding.message =
        "the program was stopped after " +
        std::to_string(std::chrono::duration_cast<std::chrono::seconds>(limit).count()) +
        " seconds: " + (loop ? "this loop" : "it") + " does not seem to end";
    return finding;
  }
  finding.kind = InterpreterFindingKind::InvalidPointer;
  finding.message = programText(fault.programId, {grid[0], grid[1], grid[2]}) + " of `" +
                    job.result.kernel + "` " + signalText(fault.signal) +
                    "; `--checked` names the argument";
  return finding;
}

} // namespace tilescope::compiler
