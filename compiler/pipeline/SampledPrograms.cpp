// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/SampledPrograms.h"

#include "compiler/interpreter/ArgumentUses.h"
#include "compiler/interpreter/Deadline.h"
#include "compiler/interpreter/PreparedKernel.h"

#include <algorithm>

namespace tilescope::compiler {

using interpreter::ArgumentUse;

/// Native code may be through with the whole grid long before.
static constexpr std::chrono::milliseconds kLongestSample(250);
/// Of the arguments that are changed.
static constexpr size_t kMostCopiedBytes = size_t{256} << 20;

/// Nothing: who executes some programs alone learns nothing.
static std::vector<ArgumentUse> usesIn(mlir::ModuleOp ttir, const InterpreterLaunch &launch) {
  tt::FuncOp kernel = interpreter::findKernel(ttir, "");
  if (!kernel || kernel.getNumArguments() != launch.arguments.size())
    return {};
  std::vector<ArgumentUse> uses = interpreter::argumentUses(kernel, ttir);
  const bool waits = std::ranges::any_of(
      uses, [](const ArgumentUse &use) { return use.isAwaited || use.isLookedAt; });
  return waits ? std::vector<ArgumentUse>() : uses;
}

static bool isFoundByNativeCode(const InterpreterFinding &finding) {
  using enum InterpreterFindingKind;
  switch (finding.kind) {
  case OutOfBoundsLoad:
  case OutOfBoundsStore:
  case OutOfBoundsAtomic:
  case InvalidPointer:
  case AssertFailed:
  case StepLimit:
  case Unsupported:
    return true;
  case WriteRace:
  case StoreConflict:
  case UndefinedStored:
  case UndefinedAddress:
  case DivisionByZero:
    return false;
  }
  return true;
}

std::vector<uint64_t> outermostPrograms(const InterpreterLaunch &launch) {
  const uint64_t numPrograms = interpreter::numPrograms(launch.grid);
  std::vector<uint64_t> programs;
  if (numPrograms > 0)
    programs.push_back(0);
  if (numPrograms > 1)
    programs.push_back(numPrograms - 1);
  return programs;
}

std::optional<Interpretation> samplePrograms(mlir::ModuleOp ttir, const InterpreterLaunch &launch,
                                             const InterpreterOptions &options,
                                             const std::vector<uint64_t> &programs,
                                             SampleMemory memory) {
  const std::vector<ArgumentUse> uses = usesIn(ttir, launch);
  if (uses.empty() || programs.empty())
    return std::nullopt;
  InterpreterLaunch sample = launch;
  sample.watches.clear();
  std::vector<std::vector<std::byte>> copies;
  size_t bytes = 0;
  for (size_t i = 0; i < uses.size(); ++i) {
    InterpreterArgument &argument = sample.arguments[i];
    argument.countUnwritten = false;
    const bool isCopied =
        uses[i].isUpdated ||
        (uses[i].isStored && (uses[i].isLoaded || memory == SampleMemory::Copied));
    if (!argument.data || !isCopied)
      continue;
    bytes += argument.sizeBytes;
    if (bytes > kMostCopiedBytes)
      return std::nullopt;
    argument.data = copies.emplace_back(argument.data, argument.data + argument.sizeBytes).data();
  }
  InterpreterOptions quick = options;
  quick.maxPrints = 0;
  quick.progress = nullptr;
  const interpreter::Deadline deadline(options.stop, kLongestSample);
  quick.stop = deadline.token();
  Interpretation result = interpretPrograms(ttir, sample, quick, programs);
  if (result.cancelled)
    return std::nullopt;
  std::erase_if(result.findings, isFoundByNativeCode);
  // How many others there are is not known.
  for (InterpreterFinding &finding : result.findings)
    finding.numPrograms = 1;
  result.numFindings = result.findings.size();
  return result;
}

} // namespace tilescope::compiler
