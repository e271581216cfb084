// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/Emit.h"
#include "compiler/conversion/ttg_to_llvm/Exchange.h"
#include "compiler/conversion/ttg_to_llvm/Families.h"
#include "compiler/conversion/ttg_to_llvm/MatrixLoad.h"
#include "compiler/conversion/ttg_to_llvm/SharedAccess.h"

using namespace mlir;

namespace tilescope::compiler {

/// Registers whose index is flipped by `flips` of the lane's bits.
static Values flipRegisters(Lowering &lowering, Values values, ArrayRef<uint32_t> flips) {
  Builder &b = lowering.b;
  for (auto [bit, flip] : llvm::enumerate(flips)) {
    if (flip == 0)
      continue;
    Value masked = LLVM::AndOp::create(b, lowering.laneId(), i32Constant(b, 1 << bit));
    Value isSet = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, masked, i32Constant(b, 0));
    Values flipped;
    for (size_t index = 0; index < values.size(); ++index)
      flipped.push_back(LLVM::SelectOp::create(b, isSet, values[index ^ flip], values[index]));
    values = std::move(flipped);
  }
  return values;
}

static Values exchangeByShuffles(Lowering &lowering, const ShufflePlan &plan, Values values) {
  Builder &b = lowering.b;
  values = flipRegisters(lowering, std::move(values), plan.senderFlip);
  SmallVector<uint64_t> bases(plan.sourceOfLane.begin(), plan.sourceOfLane.end());
  Value source = applyBases(b, lowering.laneId(), bases);
  int rounds = 1 << plan.sentRegister.size();
  Values received;
  for (int round = 0; round < rounds; ++round) {
    uint32_t lane = 0, sent = 0;
    for (int bit = 0; round >> bit; ++bit)
      if (round >> bit & 1) {
        lane ^= plan.sourceOfRound[bit];
        sent ^= plan.sentRegister[bit];
      }
    Value from = lane ? LLVM::XOrOp::create(b, source, i32Constant(b, lane)).getResult() : source;
    received.push_back(shuffle(b, ShuffleMode::Index, values[sent], from));
  }
  return flipRegisters(lowering, std::move(received), plan.receiverFlip);
}

static LogicalResult lowerConvertLayout(ttg::ConvertLayoutOp op, Lowering &lowering) {
  const LinearLayout from = lowering.layout(op.getSrc().getType());
  const LinearLayout to = lowering.layout(op.getType());
  Type element = lowering.elementType(op.getType());
  const Values &values = lowering.values(op.getSrc());
  ExchangePlan plan = planExchange(from, to, storageBytes(element));
  Values results;
  switch (plan.kind) {
  case ExchangeKind::Registers:
    for (int index : plan.registers)
      results.push_back(values[index]);
    break;
  case ExchangeKind::Shuffles:
    results = exchangeByShuffles(lowering, plan.shuffles, values);
    break;
  case ExchangeKind::SharedMemory: {
    if (from.inBits(Dim::Block) > 0)
      return op.emitError("a layout conversion between the blocks of a cluster is not supported");
    SharedRegion region{lowering.sharedPointer(op), plan.shared, {}, {}};
    storeToShared(lowering, region, from, values);
    lowering.barrier();
    results = loadMatrices(lowering, region, to, element);
    if (results.empty())
      results = loadFromShared(lowering, region, to, element);
    break;
  }
  }
  lowering.set(op, std::move(results));
  return success();
}

void addConvertLayoutLowerings(LoweringTable &table) {
  table.add<ttg::ConvertLayoutOp>(lowerConvertLayout);
}

} // namespace tilescope::compiler
