// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/plan/PlanMemory.h"

using namespace mlir;

namespace tilescope::model {

Value storageOf(Value value) {
  while (auto reshape = value.getDefiningOp<tm::ReshapeOp>())
    value = reshape.getOperand();
  return value;
}

int64_t storageBytes(RankedTensorType type) {
  return type.getNumElements() * std::max(1U, type.getElementTypeBitWidth() / 8);
}

const PlannedTensor *MemoryPlan::find(Value value) const {
  const auto found = positions.find(storageOf(value));
  return found == positions.end() ? nullptr : &tensors[found->second];
}

static void use(MemoryPlan &plan, Value value, int64_t step) {
  const auto found = plan.positions.find(storageOf(value));
  if (found != plan.positions.end())
    plan.tensors[found->second].life.last = step;
}

static void noteStep(MemoryPlan &plan, const EmittedStep &step, int64_t number) {
  for (const EmittedTensor &tensor : step.kernel.tensors) {
    Value storage = storageOf(tensor.value);
    if (tensor.isResult && plan.positions.try_emplace(storage, plan.tensors.size()).second)
      plan.tensors.push_back({storage, {storageBytes(tensorType(tensor.value)), number, number}});
    else
      use(plan, storage, number);
  }
}

MemoryPlan planMemory(func::FuncOp function, const Emission &emission) {
  MemoryPlan plan;
  for (const auto &[number, step] : llvm::enumerate(emission.steps))
    noteStep(plan, step, int64_t(number));
  for (const Value output : function.getBody().front().getTerminator()->getOperands())
    use(plan, output, int64_t(emission.steps.size()));
  std::vector<Lifetime> lifetimes;
  for (const PlannedTensor &tensor : plan.tensors)
    lifetimes.push_back(tensor.life);
  const Arena arena = planArena(lifetimes);
  for (const auto &[tensor, offset] : llvm::zip_equal(plan.tensors, arena.offsets))
    tensor.offset = offset;
  plan.bytes = arena.bytes;
  plan.leastBytes = arena.leastBytes;
  return plan;
}

static compiler::ModelSlot slotOf(const PlannedTensor &tensor, const Emission &emission) {
  const auto step = uint32_t(tensor.life.first);
  const RankedTensorType type = tensorType(tensor.value);
  compiler::ModelSlot slot{step,
                           {emission.steps[step].node, tritonType(type.getElementType()), {}},
                           uint64_t(tensor.offset),
                           uint64_t(tensor.life.bytes),
                           uint32_t(tensor.life.last)};
  for (const int64_t extent : type.getShape())
    slot.tensor.extents.push_back(std::to_string(extent));
  return slot;
}

void describeMemory(const MemoryPlan &plan, const Emission &emission,
                    compiler::ModelResult &result) {
  result.arenaBytes = uint64_t(plan.bytes);
  result.leastArenaBytes = uint64_t(plan.leastBytes);
  for (const PlannedTensor &tensor : plan.tensors)
    result.slots.push_back(slotOf(tensor, emission));
  for (const auto &[kernel, step] : llvm::zip_equal(result.kernels, emission.steps)) {
    for (const EmittedTensor &tensor : step.kernel.tensors)
      if (const PlannedTensor *read = plan.find(tensor.value); read && !tensor.isResult)
        kernel.sources.push_back(uint32_t(read->life.first));
    llvm::sort(kernel.sources);
    kernel.sources.erase(llvm::unique(kernel.sources), kernel.sources.end());
  }
}

} // namespace tilescope::model
