// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/RingTurns.h"

#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/pipeline/LoopNumbers.h"
#include "compiler/pipeline/SharedSteps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>
#include <map>

using namespace mlir;

namespace tilescope::compiler {
namespace {

/// What is done with a slot.
struct SlotUse {
  /// Its number.
  Value slot;
  Operation *op = nullptr;
  bool isWrite = false;
};

} // namespace

static void addUses(Value slot, Value buffer, std::vector<SlotUse> &uses) {
  for (Operation *user : buffer.getUsers()) {
    bool isUsed = false;
    if (const auto effects = ttg::bufferEffectsOf(user))
      for (const MemoryEffects::EffectInstance &effect : *effects) {
        if (effect.getValue() != buffer)
          continue;
        isUsed = true;
        uses.push_back({slot, user, isa<MemoryEffects::Write>(effect.getEffect())});
      }
    // Not an access: a view of the slot.
    if (!isUsed && user->getNumResults() == 1 &&
        isa<ttg::MemDescType>(user->getResult(0).getType()))
      addUses(slot, user->getResult(0), uses);
  }
}

/// In the order of the text.
static std::vector<SlotUse> usesOf(Operation *alloc) {
  std::vector<SlotUse> uses;
  for (Operation *user : alloc->getResult(0).getUsers())
    if (auto slot = dyn_cast<ttg::MemDescIndexOp>(user))
      addUses(slot.getIndex(), slot.getResult(), uses);
  std::ranges::stable_sort(uses, {}, [](const SlotUse &use) { return stageLineOf(use.op); });
  return uses;
}

int32_t slotsOf(Operation *alloc) {
  const bool isIndexed = llvm::any_of(alloc->getResult(0).getUsers(), [](Operation *user) {
    return isa<ttg::MemDescIndexOp>(user);
  });
  auto type = cast<ttg::MemDescType>(alloc->getResult(0).getType());
  return isIndexed ? static_cast<int32_t>(type.getShape().front()) : 1;
}

namespace {
/// Follows the blocks through the slots.
class Turns {
public:
  /// `most`: so many blocks there are.
  Turns(SharedRing &ring, std::optional<int64_t> most) : m_ring(ring), m_most(most) {}

  /// Of one access; nothing is added for a slot that nothing was written to.
  void add(int iteration, int slot, bool isWrite) {
    // What is loaded ahead is left out where no iteration is left for it.
    if (isWrite && m_most && m_numBlocks >= *m_most)
      return;
    if (isWrite)
      m_held[slot] = m_numBlocks++;
    if (const auto held = m_held.find(slot); held != m_held.end()) {
      const RingTurn turn{iteration, slot, isWrite, held->second};
      if (m_ring.turns.empty() || m_ring.turns.back() != turn)
        m_ring.turns.push_back(turn);
    }
  }

private:
  SharedRing &m_ring;
  std::optional<int64_t> m_most;
  std::map<int, int> m_held;
  int m_numBlocks = 0;
};
} // namespace

std::optional<SharedRing> findRing(Operation *alloc, Operation *&loop) {
  const int slots = slotsOf(alloc);
  const std::vector<SlotUse> uses = usesOf(alloc);
  const auto inLoop = std::ranges::find_if(
      uses, [](const SlotUse &use) { return isa<scf::ForOp>(use.op->getParentOp()); });
  if (slots < 2 || inLoop == uses.end())
    return std::nullopt;
  auto around = cast<scf::ForOp>(inLoop->op->getParentOp());
  loop = around;
  LoopNumbers numbers(around);
  const std::optional<int64_t> numIterations = numbers.numIterations();
  SharedRing ring;
  ring.numIterations =
      static_cast<int32_t>(std::min<int64_t>(2 * slots, numIterations.value_or(2 * slots)));
  Turns turns(ring, numIterations);
  for (int iteration = -1; iteration < ring.numIterations; ++iteration) {
    for (const SlotUse &use : uses) {
      const bool isBefore =
          use.op->getBlock() == around->getBlock() && use.op->isBeforeInBlock(around);
      const bool isInside = use.op->getBlock() == around.getBody();
      if (iteration < 0 ? !isBefore : !isInside)
        continue;
      const std::optional<int64_t> slot = numbers.find(use.slot);
      if (!slot || *slot < 0 || *slot >= slots)
        return std::nullopt;
      turns.add(iteration, static_cast<int>(*slot), use.isWrite);
    }
    if (iteration >= 0)
      numbers.advance();
  }
  return ring;
}

} // namespace tilescope::compiler
