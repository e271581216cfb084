// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Exchange.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"
#include "compiler/conversion/ttg_to_llvm/memory/ClusterAccess.h"
#include "compiler/conversion/ttg_to_llvm/memory/MatrixLoad.h"
#include "compiler/conversion/ttg_to_llvm/memory/SharedAccess.h"

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

/// The registers of a part: those that have its number at these bits.
static SmallVector<int> registersOfPart(const LinearLayout &layout, int part,
                                        ArrayRef<std::pair<int, int>> bitsOfNumber) {
  SmallVector<int> registers;
  for (int index = 0; index < layout.inSize(Dim::Register); ++index)
    if (llvm::all_of(bitsOfNumber, [&](std::pair<int, int> bit) {
          return (index >> bit.second & 1) == (part >> bit.first & 1);
        }))
      registers.push_back(index);
  return registers;
}

/// Through shared memory, in as many parts as there is room for. A warp that a part is not for
/// reads it like the others, and keeps what it has.
static Values exchangeThroughMemory(Lowering &lowering, ttg::ConvertLayoutOp op,
                                    const LinearLayout &from, const LinearLayout &to,
                                    Type element) {
  Builder &b = lowering.b;
  const ExchangeParts parts = splitExchange(from, to, exchangePartBits(op));
  SmallVector<std::pair<int, int>> fromBits, toBits, warpBits;
  for (auto [number, bit] : llvm::enumerate(parts.bits)) {
    fromBits.push_back({number, bit.fromRegister});
    (bit.toWarp < 0 ? toBits : warpBits)
        .push_back({number, bit.toWarp < 0 ? bit.toRegister : bit.toWarp});
  }
  SharedRegion region{lowering.sharedPointer(op),
                      swizzledExchange(parts.from, parts.to, storageBytes(element)),
                      {},
                      {}};
  Values results(to.inSize(Dim::Register));
  for (int part = 0; part < parts.count(); ++part) {
    // The part before is read by now.
    if (part > 0)
      lowering.barrier();
    Values sent;
    for (int index : registersOfPart(from, part, fromBits))
      sent.push_back(lowering.values(op.getSrc())[index]);
    storeToShared(lowering, region, parts.from, sent);
    lowering.barrier();
    Values received = loadMatrices(lowering, region, parts.to, element);
    if (received.empty())
      received = loadFromShared(lowering, region, parts.to, element);
    Value isMine;
    for (auto [number, bit] : warpBits) {
      Value own = LLVM::AndOp::create(b, lowering.warpId(), i32Constant(b, 1 << bit));
      Value holds = LLVM::ICmpOp::create(
          b, part >> number & 1 ? LLVM::ICmpPredicate::ne : LLVM::ICmpPredicate::eq, own,
          i32Constant(b, 0));
      isMine = isMine ? LLVM::AndOp::create(b, isMine, holds).getResult() : holds;
    }
    for (auto [index, value] : llvm::zip(registersOfPart(to, part, toBits), received)) {
      Value &result = results[index];
      result =
          isMine && result ? LLVM::SelectOp::create(b, isMine, value, result).getResult() : value;
    }
  }
  return results;
}

/// Where blocks of a cluster do not keep their parts of the tensor.
static LogicalResult convertBetweenParts(ttg::ConvertLayoutOp op, Lowering &lowering) {
  const LinearLayout &from = lowering.layout(op.getSrc().getType());
  const LinearLayout &to = lowering.layout(op.getType());
  const Values &values = lowering.values(op.getSrc());
  const std::optional<ClusterExchange> exchange =
      planClusterExchange(from, to, storageBytes(values.front().getType()));
  if (!exchange)
    return op.emitError("the blocks of a cluster hold parts of this tensor that depend on each "
                        "other, which layout conversions between blocks do not support");
  FailureOr<Values> results =
      exchangeInCluster(op, lowering, *exchange, lowering.sharedPointer(op), from, to, values);
  if (failed(results))
    return failure();
  lowering.set(op, std::move(*results));
  return success();
}

static LogicalResult lowerConvertLayout(ttg::ConvertLayoutOp op, Lowering &lowering) {
  const ConversionLayouts layouts = layoutsInBlock(op);
  if (!layouts.staysInParts)
    return convertBetweenParts(op, lowering);
  const LinearLayout &from = layouts.from, &to = layouts.to;
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
  case ExchangeKind::SharedMemory:
    results = exchangeThroughMemory(lowering, op, from, to, element);
    break;
  }
  lowering.set(op, std::move(results));
  return success();
}

void addConvertLayoutLowerings(LoweringTable &table) {
  table.add<ttg::ConvertLayoutOp>(lowerConvertLayout);
}

} // namespace tilescope::compiler
