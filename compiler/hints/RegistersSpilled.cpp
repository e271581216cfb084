// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"

namespace tilescope::compiler {

void findRegistersSpilled(const HintFacts &facts, std::vector<FoundHint> &hints) {
  // A few words at the kernel's ends cost nothing that can be measured.
  constexpr int64_t kFewBytes = 32;
  constexpr int64_t kRegistersOfMultiprocessor = 65536;
  const Resources &resources = facts.resources;
  if (resources.spillBytes <= kFewBytes)
    return;
  FoundHint hint;
  hint.kind = HintKind::RegistersSpilled;
  hint.rank = 1;
  hint.range = facts.kernel.kernel;
  hint.message = "each thread spills " + bytesText(static_cast<uint64_t>(resources.spillBytes)) +
                 " of registers to memory";
  hint.evidence.push_back(countText(resources.registers, "register") + " a thread, " +
                          countText(facts.numWarps, "warp"));
  hint.gain = "the stores and loads of what was spilled";
  hint.advice = "smaller blocks, or twice the warps for the same block";
  if (facts.ownRegisterLimit > 0) {
    // Kernels that were measured with so few bytes are faster so.
    const int64_t threads = kRegistersOfMultiprocessor / facts.ownRegisterLimit;
    hint.rank = 3;
    hint.message += ", since Tilescope keeps to " + countText(facts.ownRegisterLimit, "register") +
                    " a thread, so that a multiprocessor holds " + std::to_string(threads) +
                    " threads; Triton has no such limit";
    hint.gain += ", for fewer threads on a multiprocessor";
    hint.advice = "measure it with `maxnreg = 255` in `[options]`, which takes the limit away";
    hint.change = ProposedChange{.kind = ChangeKind::Option, .name = "maxnreg", .value = "255"};
  }
  hints.push_back(std::move(hint));
}

} // namespace tilescope::compiler
