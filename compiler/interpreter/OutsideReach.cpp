// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/OutsideReach.h"

#include "compiler/interpreter/ArgumentUses.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler::interpreter {

/// Longer runs are not repeated, nor are those of more memory.
static constexpr std::chrono::seconds kLongestRun(10);
static constexpr size_t kMostBytes = size_t{1} << 30;

static bool overlap(const InterpreterArgument &a, const InterpreterArgument &b) {
  const std::less<> isBefore;
  return a.data && b.data && isBefore(a.data, b.data + b.sizeBytes) &&
         isBefore(b.data, a.data + a.sizeBytes);
}

/// What the kernel does with its arguments. Stores through descriptors are not followed to them.
static std::vector<ArgumentUse> usesIn(tt::FuncOp kernel, ModuleOp module) {
  std::vector<ArgumentUse> uses = argumentUses(kernel, module);
  const bool hasDescriptors =
      module
          .walk([](Operation *op) {
            return isa<tt::DescriptorStoreOp, tt::DescriptorReduceOp, tt::DescriptorScatterOp>(op)
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted();
  if (hasDescriptors)
    for (ArgumentUse &use : uses)
      use.isLoaded = use.isStored = true;
  return uses;
}

OutsideReach::OutsideReach(ModuleOp module, const InterpreterLaunch &launch,
                           const InterpreterOptions &options)
    : m_launch(launch), m_options(options) {
  tt::FuncOp kernel = findKernel(module, options.kernel);
  if (!options.findUndefined || !kernel || kernel.getNumArguments() != launch.arguments.size())
    return;
  const std::vector<ArgumentUse> uses = usesIn(kernel, module);
  size_t numBytes = 0;
  for (size_t i = 0; i < uses.size(); ++i) {
    const InterpreterArgument &argument = launch.arguments[i];
    if (!argument.data || !(uses[i].isStored || uses[i].isUpdated))
      continue;
    Argument changed{i};
    for (size_t j = 0; j < uses.size(); ++j)
      changed.isKept |= (uses[j].isLoaded || uses[j].isUpdated) &&
                        (i == j || overlap(argument, launch.arguments[j]));
    numBytes += argument.sizeBytes;
    m_changed.push_back(std::move(changed));
  }
  if (numBytes > kMostBytes)
    m_changed.clear();
  for (Argument &each : m_changed) {
    const InterpreterArgument &argument = launch.arguments[each.index];
    if (each.isKept)
      each.before.assign(argument.data, argument.data + argument.sizeBytes);
  }
}

bool OutsideReach::isWanted(const Interpretation &result) const {
  return !m_changed.empty() && result.completed && result.statistics.runDuration <= kLongestRun &&
         std::ranges::find(result.findings, InterpreterFindingKind::OutOfBoundsLoad,
                           &InterpreterFinding::kind) != result.findings.end();
}

InterpreterOptions OutsideReach::optionsAfter(const Interpretation &result) const {
  InterpreterOptions options = m_options;
  options.isOutsideUndefined = true;
  options.maxPrints = 0;
  options.files = result.files;
  options.progress = nullptr;
  return options;
}

void OutsideReach::begin() {
  // Two arguments may share memory.
  for (Argument &each : m_changed) {
    const InterpreterArgument &argument = m_launch.arguments[each.index];
    each.after.assign(argument.data, argument.data + argument.sizeBytes);
  }
  for (const Argument &each : m_changed)
    if (each.isKept)
      std::ranges::copy(each.before, m_launch.arguments[each.index].data);
}

bool OutsideReach::canRepeat(const Interpretation &result, size_t times) const {
  return !m_changed.empty() && result.completed &&
         result.statistics.runDuration * static_cast<int64_t>(times) <= kLongestRun;
}

void OutsideReach::restore() {
  for (const Argument &each : m_changed)
    std::ranges::copy(each.after, m_launch.arguments[each.index].data);
}

void OutsideReach::end(const Interpretation &repeated, Interpretation &result) {
  // What decides where and whether the kernel writes is about all that it writes.
  const bool isAll = std::ranges::find(repeated.findings, InterpreterFindingKind::UndefinedAddress,
                                       &InterpreterFinding::kind) != repeated.findings.end();
  restore();
  for (const Argument &each : m_changed) {
    const InterpreterArgument &argument = m_launch.arguments[each.index];
    const bool isReached = std::ranges::any_of(repeated.findings, [&](const auto &finding) {
      return finding.kind == InterpreterFindingKind::UndefinedStored &&
             finding.argument == argument.name;
    });
    if (isAll || isReached)
      result.takingOutside.push_back(argument.name);
  }
}

} // namespace tilescope::compiler::interpreter
