// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/LoopSteps.h"

#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/pipeline/LoopOperations.h"
#include "compiler/pipeline/SharedSteps.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {

int32_t LoopSteps::bufferNumber(Operation *alloc, bool isIndexed) {
  const auto known = std::ranges::find(m_allocations, alloc);
  const auto number = static_cast<int32_t>(known - m_allocations.begin());
  if (known == m_allocations.end()) {
    m_allocations.push_back(alloc);
    LoopBuffer &buffer = m_facts.buffers.emplace_back();
    buffer.range = m_sources.of(alloc);
    buffer.stageLine = stageLineOf(alloc);
    buffer.name = m_names.of(buffer.stageLine, buffer.range);
    auto type = cast<ttg::MemDescType>(alloc->getResult(0).getType());
    buffer.shape.assign(type.getShape().begin(), type.getShape().end());
    llvm::raw_string_ostream(buffer.elementType) << type.getElementType();
    buffer.isInTensorMemory = ttng::isInTensorMemory(type);
  }
  LoopBuffer &buffer = m_facts.buffers[static_cast<size_t>(number)];
  if (isIndexed && buffer.slots == 1 && buffer.shape.size() > 1) {
    buffer.slots = static_cast<int32_t>(buffer.shape.front());
    buffer.shape.erase(buffer.shape.begin());
  }
  return number;
}

std::optional<UsedSlot> LoopSteps::useOf(Value buffer, LoopNumbers &numbers) {
  const BufferPart part = bufferPartOf(buffer);
  if (!part.alloc)
    return std::nullopt;
  UsedSlot use{bufferNumber(part.alloc, part.slot != nullptr), 0};
  if (part.slot) {
    const std::optional<int64_t> slot = numbers.find(part.slot);
    const int64_t slots = m_facts.buffers[static_cast<size_t>(use.buffer)].slots;
    use.slot = slot && *slot >= 0 && *slot < slots ? static_cast<int32_t>(*slot) : -1;
  }
  return use;
}

/// Of what is copied, stored or signalled, the buffer's name; else the result's.
std::string LoopSteps::nameOf(Operation *op, LoopAction action) {
  Value buffer;
  if (const auto barriers = barriersOf(op); !barriers.empty() && !isCopy(action))
    buffer = barriers.front();
  else if (isCopy(action) || action == LoopAction::LocalStore) {
    const BufferUses uses = bufferUsesOf(op);
    buffer = uses.writes.empty() ? Value() : uses.writes.front();
  }
  if (action == LoopAction::Product || !buffer)
    return m_names.of(stageLineOf(op), m_sources.of(op));
  Operation *alloc = bufferPartOf(buffer).alloc;
  return alloc ? m_names.of(stageLineOf(alloc), m_sources.of(alloc)) : "";
}

uint32_t LoopSteps::numberOf(Operation *op, LoopAction action) {
  const auto [known, isNew] =
      m_numbers.try_emplace(op, static_cast<uint32_t>(m_facts.operations.size()));
  if (isNew) {
    LoopOperation &operation = m_facts.operations.emplace_back();
    operation.action = action;
    operation.operation = op->getName().getStringRef().str();
    operation.name = nameOf(op, action);
    operation.range = m_sources.of(op);
    operation.stageLine = stageLineOf(op);
    operation.partition = m_partition;
    operation.pending = pendingOf(op);
    operation.isAsync = isUnderWayBehind(op);
  }
  return known->second;
}

/// Arithmetic of one line is one step.
bool LoopSteps::continuesArithmetic(const LoopOperation &operation, int32_t iteration) const {
  if (operation.action != LoopAction::Arithmetic || m_steps.empty() ||
      m_steps.back().iteration != iteration)
    return false;
  const LoopOperation &before = m_facts.operations[m_steps.back().operation];
  return before.action == LoopAction::Arithmetic &&
         before.range.begin.line == operation.range.begin.line &&
         before.range.file == operation.range.file;
}

void LoopSteps::add(Operation *op, LoopNumbers &numbers, int32_t iteration) {
  const std::optional<LoopAction> action = loopActionOf(op);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    // Where nothing is known of it, as if it were taken.
    const bool isTaken = numbers.find(branch.getCondition()).value_or(1) != 0;
    Region &region = isTaken ? branch.getThenRegion() : branch.getElseRegion();
    if (!region.empty())
      addBlock(region.front(), numbers, iteration);
  }
  if (!action)
    return;
  LoopStep step;
  step.op = op;
  step.iteration = iteration;
  if (*action == LoopAction::Arithmetic) {
    LoopOperation operation;
    operation.action = *action;
    operation.range = m_sources.of(op);
    if (continuesArithmetic(operation, iteration))
      return;
  }
  step.operation = numberOf(op, *action);
  for (const Value condition : conditionsOf(op))
    step.isOff |= numbers.find(condition).value_or(1) == 0;
  const BufferUses uses = bufferUsesOf(op);
  const auto addUses = [&](const auto &buffers, auto &out) {
    for (const Value buffer : buffers)
      if (const std::optional<UsedSlot> use = useOf(buffer, numbers))
        out.push_back(*use);
  };
  addUses(uses.reads, step.reads);
  addUses(uses.writes, step.writes);
  addUses(barriersOf(op), step.barriers);
  for (const UsedSlot &barrier : step.barriers)
    m_facts.buffers[static_cast<size_t>(barrier.buffer)].isBarrier = true;
  if (auto wait = dyn_cast<ttng::WaitBarrierOp>(op))
    step.phase = numbers.find(wait.getPhase());
  m_steps.push_back(std::move(step));
}

void LoopSteps::addBlock(Block &block, LoopNumbers &numbers, int32_t iteration) {
  for (Operation &op : block)
    add(&op, numbers, iteration);
}

std::vector<LoopStep> LoopSteps::of(const LoopStrand &strand, int64_t numIterations) {
  m_steps.clear();
  m_partition = strand.partition;
  LoopNumbers numbers(strand.loop);
  if (strand.loop)
    numbers.assumeIterations(numIterations);
  for (Operation *op : strand.before)
    add(op, numbers, kBeforeLoop);
  scf::ForOp loop = strand.loop;
  const int64_t count =
      loop ? std::min(numIterations, numbers.numIterations().value_or(numIterations)) : 0;
  for (int32_t iteration = 0; iteration < count; ++iteration) {
    addBlock(*loop.getBody(), numbers, iteration);
    numbers.advance();
  }
  for (Operation *op : strand.behind)
    add(op, numbers, kBehindLoop);
  return std::move(m_steps);
}

int32_t mostSlots(const LoopStrand &strand) {
  int64_t most = 1;
  scf::ForOp loop = strand.loop;
  if (loop)
    loop.walk([&](Operation *op) {
      const BufferUses uses = bufferUsesOf(op);
      for (const auto &buffers : {uses.reads, uses.writes})
        for (const Value buffer : buffers)
          if (const BufferPart part = bufferPartOf(buffer); part.alloc && part.slot)
            most = std::max(
                most,
                cast<ttg::MemDescType>(part.alloc->getResult(0).getType()).getShape().front());
    });
  return static_cast<int32_t>(most);
}

} // namespace tilescope::compiler
