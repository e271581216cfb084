// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"

#include <algorithm>

namespace tilescope::compiler {
namespace {

/// What a program takes a little too much of.
struct Cliff {
  /// What it takes, with its unit, and what would be better.
  std::string now, better;
  OccupancyStep step;
};

} // namespace

static bool isNear(int64_t now, const std::optional<OccupancyStep> &better) {
  constexpr int64_t kPart = 12;
  return better && now > 0 && now - better->value <= std::max<int64_t>(1, now / kPart);
}

static FoundHint hintFor(const HintFacts &facts, const Cliff &cliff) {
  const DeviceFacts &device = *facts.device;
  const int32_t warpsEach = device.warps / device.blocks;
  FoundHint hint;
  hint.kind = HintKind::OccupancyCliff;
  hint.range = facts.kernel.kernel;
  hint.message = cliff.now + ", where " + cliff.better + " would let " +
                 countText(cliff.step.blocks, "program") + " run on a multiprocessor instead of " +
                 std::to_string(device.blocks);
  hint.evidence.push_back(std::to_string(device.warps) + " of " + std::to_string(device.mostWarps) +
                          " warps now, " + std::to_string(cliff.step.blocks * warpsEach) + " then");
  hint.evidence.push_back("limited by " + device.limiter);
  hint.gain = "warps to run while others wait, where the kernel waits for memory";
  return hint;
}

void findOccupancyCliff(const HintFacts &facts, std::vector<FoundHint> &hints) {
  if (!facts.device || facts.device->blocks == 0)
    return;
  // Half of the warps hide most waits.
  const DeviceFacts &device = *facts.device;
  if (2 * device.warps >= device.mostWarps)
    return;
  // All of a small launch's programs run at once as it is.
  const bool isCounted = facts.memory.programs > 0 && !facts.memory.program;
  if (isCounted && facts.memory.programs <= device.atOnce())
    return;
  const int64_t registers = facts.resources.registers, shared = facts.resources.sharedBytes;
  if (isNear(registers, device.fewerRegisters)) {
    const std::string most = std::to_string(device.fewerRegisters->value);
    hints.push_back(hintFor(
        facts, {std::to_string(registers) + " registers a thread", most, *device.fewerRegisters}));
    hints.back().advice = "`maxnreg = " + most + "`, if nothing is spilled then, or smaller blocks";
    hints.back().change =
        ProposedChange{.kind = ChangeKind::Option, .name = "maxnreg", .value = most};
  } else if (isNear(shared, device.lessShared)) {
    const auto size = [](int64_t bytes) { return bytesText(static_cast<uint64_t>(bytes)); };
    hints.push_back(hintFor(facts, {size(shared) + " of shared memory",
                                    size(device.lessShared->value), *device.lessShared}));
    hints.back().advice = "smaller blocks, or one stage fewer of copies";
  }
}

} // namespace tilescope::compiler
