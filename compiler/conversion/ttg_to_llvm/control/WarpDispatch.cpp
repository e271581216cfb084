// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/control/WarpDispatch.h"

#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include <numeric>

using namespace mlir;

namespace tilescope::compiler {

static constexpr int kWarpsPerRegisterGroup = 4;
/// Barriers by number: 0 is for the kernel proper, then this one, then one per partition.
static constexpr int kMeetingBarrier = 1, kFirstPartitionBarrier = 2, kNumBarriers = 16;
static constexpr int kOver = -1;

WarpPlan planWarps(ttg::WarpSpecializeOp op, int defaultWarps) {
  ArrayRef<int32_t> counts = op.getPartitionNumWarps();
  SmallVector<int> order(counts.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](int x, int y) { return counts[x] > counts[y]; });
  WarpPlan plan{SmallVector<int>(counts.size()), defaultWarps};
  for (int index : order) {
    plan.firstWarps[index] = plan.totalWarps;
    plan.totalWarps += counts[index];
  }
  if (auto stated = op.getWarpGroupStartIds())
    plan.firstWarps.assign(stated->begin(), stated->end());
  plan.totalWarps = llvm::alignTo(plan.totalWarps, kWarpsPerRegisterGroup);
  return plan;
}

int totalWarps(ModuleOp module) {
  int total = ttg::numWarps(module);
  module.walk([&](ttg::WarpSpecializeOp op) {
    total = std::max(total, planWarps(op, ttg::numWarps(module)).totalWarps);
  });
  return total;
}

static constexpr int kRegistersPerBlock = 65536, kMostRegisters = 248, kRegisterStep = 8;

int initialRegisters(ModuleOp module) {
  bool divides = false;
  module.walk([&](ttg::WarpSpecializeOp op) { divides |= op.getRequestedRegisters().has_value(); });
  if (!divides)
    return 0;
  const int perThread = kRegistersPerBlock / (totalWarps(module) * 32);
  return std::min(kMostRegisters, perThread / kRegisterStep * kRegisterStep);
}

WarpDispatch::WarpDispatch(Lowering &lowering, tt::FuncOp source, Block *entry)
    : m_lowering(lowering), m_source(source), m_entry(entry) {
  Region *body = entry->getParent();
  Builder &b = lowering.b;
  m_main = b.createBlock(body, body->end());
  m_wait = b.createBlock(body, body->end());
  lowering.wholeGroup().barrier = 0;
  b.setInsertionPointToEnd(entry);
  // From lane 0, so that the assembler knows that no warp is split.
  Value warp = shuffle(b, ShuffleMode::Index, lowering.warpId(), i32Constant(b, 0));
  Value isProper =
      LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ult, warp, i32Constant(b, lowering.numWarps()));
  LLVM::CondBrOp::create(b, isProper, m_main, m_wait);
}

Value WarpDispatch::stateAddress() { return m_lowering.sharedPointer(m_source); }

void WarpDispatch::meet() {
  callIntrinsic(m_lowering.b, "llvm.nvvm.barrier.cta.sync.all",
                {i32Constant(m_lowering.b, kMeetingBarrier)});
}

/// From `now` registers for each thread to `count`.
static void changeRegisters(Builder &b, int now, int count) {
  using Action = NVVM::SetMaxRegisterAction;
  if (count && now && count != now)
    NVVM::SetMaxRegisterOp::create(b, count, count > now ? Action::increase : Action::decrease);
}

void WarpDispatch::setRegisters(int count) {
  changeRegisters(m_lowering.b, initialRegisters(m_lowering.module().module), count);
}

LogicalResult WarpDispatch::lowerRegion(Region &region, Block *after) {
  Builder &b = m_lowering.b;
  Region *body = m_entry->getParent();
  llvm::ReversePostOrderTraversal<Region *> order(&region);
  for (Block *block : order) {
    if (block->isEntryBlock())
      continue;
    Block *lowered = m_lowering.blocks[block] = b.createBlock(body, body->end());
    for (BlockArgument argument : block->getArguments()) {
      Values values;
      for (Type type : m_lowering.expand(argument.getType()))
        values.push_back(lowered->addArgument(type, argument.getLoc()));
      m_lowering.set(argument, values);
    }
  }
  for (Block *block : order) {
    b.setInsertionPointToEnd(m_lowering.blocks[block]);
    for (Operation &op : *block) {
      if (isa<ttg::WarpYieldOp, ttg::WarpReturnOp>(op)) {
        Values results;
        for (Value value : op.getOperands())
          llvm::append_range(results, m_lowering.values(value));
        LLVM::BrOp::create(b, results, after);
      } else if (failed(m_lowering.lower(&op))) {
        return failure();
      }
    }
  }
  return success();
}

namespace {
/// Registers per thread while an operation's partitions are at work; 0: as before it.
struct RegisterShares {
  /// Of each group of 4 waiting warps.
  SmallVector<int> groups;
  /// Of the warps of the kernel proper.
  int proper = 0;
};
} // namespace

/// Registers go from groups of warps that need few to the kernel proper, which has `numWarps`.
static RegisterShares shareRegisters(ttg::WarpSpecializeOp op, const WarpPlan &plan, int numWarps) {
  RegisterShares shares;
  shares.groups.assign((plan.totalWarps - numWarps) / kWarpsPerRegisterGroup, 0);
  const auto requested = op.getRequestedRegisters();
  if (!requested || numWarps % kWarpsPerRegisterGroup != 0)
    return shares;
  constexpr int kFewest = 24;
  llvm::fill(shares.groups, kFewest);
  for (auto [first, count] : llvm::zip(plan.firstWarps, *requested)) {
    int &group = shares.groups[(first - numWarps) / kWarpsPerRegisterGroup];
    group = std::max<int>(group, llvm::alignTo(count, kRegisterStep));
  }
  const int left = kRegistersPerBlock / (kWarpsPerRegisterGroup * 32) -
                   std::accumulate(shares.groups.begin(), shares.groups.end(), 0);
  const int each = left / (numWarps / kWarpsPerRegisterGroup);
  shares.proper = std::clamp(each / kRegisterStep * kRegisterStep, kFewest, kMostRegisters);
  return shares;
}

/// Back from `count` registers to the `initial` ones.
static void restoreRegisters(Builder &b, int count, int initial) {
  changeRegisters(b, count, initial);
}

void WarpDispatch::handOver(ttg::WarpSpecializeOp op, int state) {
  Builder &b = m_lowering.b;
  m_lowering.emitIf(m_lowering.isFirstThread(), [&] {
    Value place = m_lowering.sharedPointer(op);
    int64_t offset = 0;
    for (Value capture : op.getCaptures())
      for (Value value : m_lowering.values(capture)) {
        LLVM::StoreOp::create(b, toStorage(b, value), advanceBytes(b, place, offset));
        offset += kCaptureBytes;
      }
    LLVM::StoreOp::create(b, i32Constant(b, state), stateAddress());
  });
  meet();
}

FailureOr<Block *> WarpDispatch::lowerGroup(ttg::WarpSpecializeOp op, const WarpPlan &plan,
                                            int group, int registers, Value warp, Block *task) {
  Builder &b = m_lowering.b;
  Region *body = m_entry->getParent();
  const int begin = m_lowering.numWarps() + group * kWarpsPerRegisterGroup;
  const int end = begin + kWarpsPerRegisterGroup;
  const auto isBelow = [&](int limit) {
    return LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ult, warp, i32Constant(b, limit));
  };
  Block *members = b.createBlock(body, body->end()), *others = b.createBlock(body, body->end());
  Block *finished = b.createBlock(body, body->end());
  b.setInsertionPointToEnd(task);
  LLVM::CondBrOp::create(b, isBelow(end), members, others);
  b.setInsertionPointToEnd(members);
  setRegisters(registers);
  for (auto [index, first] : llvm::enumerate(plan.firstWarps)) {
    const int last = first + op.getPartitionNumWarps()[index];
    // A large partition is in several groups.
    if (first >= end || last <= begin)
      continue;
    Block *rest = b.createBlock(body, body->end()), *part = b.createBlock(body, body->end());
    b.setInsertionPointToEnd(members);
    Value isMember = LLVM::AndOp::create(
        b, isBelow(last), LLVM::XOrOp::create(b, isBelow(first), intConstant(b, b.getI1Type(), 1)));
    LLVM::CondBrOp::create(b, isMember, part, rest);
    if (failed(lowerPartition(op, index, first, part, finished)))
      return failure();
    members = rest;
  }
  b.setInsertionPointToEnd(members);
  LLVM::BrOp::create(b, ValueRange(), finished);
  b.setInsertionPointToEnd(finished);
  meet();
  restoreRegisters(b, registers, initialRegisters(m_lowering.module().module));
  LLVM::BrOp::create(b, ValueRange(), m_wait);
  return others;
}

LogicalResult WarpDispatch::lower(ttg::WarpSpecializeOp op) {
  Builder &b = m_lowering.b;
  if (op.getPartitionNumWarps().size() + kFirstPartitionBarrier > kNumBarriers)
    return op.emitError("more partitions than a thread block has barriers");
  for (Value capture : op.getCaptures())
    if (isa<RankedTensorType>(capture.getType()))
      return op.emitError("a block in registers cannot be captured; hand it over in a buffer");
  const WarpPlan plan = planWarps(op, m_lowering.numWarps());
  const RegisterShares registers = shareRegisters(op, plan, m_lowering.numWarps());
  Region *body = m_entry->getParent();

  handOver(op, static_cast<int>(m_tasks.size()));
  Block *before = b.getInsertionBlock();
  Block *after = b.createBlock(body, body->end());
  for (Value result : op.getResults())
    for (Type type : m_lowering.expand(result.getType()))
      after->addArgument(type, op.getLoc());
  b.setInsertionPointToEnd(before);
  setRegisters(registers.proper);
  Block *inside = b.createBlock(body, body->end());
  b.setInsertionPointToEnd(before);
  LLVM::BrOp::create(b, ValueRange(), inside);
  m_lowering.blocks[&op.getDefaultRegion().front()] = inside;
  if (failed(lowerRegion(op.getDefaultRegion(), after)))
    return failure();

  // What waiting warps do: first by groups of 4 warps, which change their registers together.
  Block *task = b.createBlock(body, body->end());
  m_tasks.push_back(task);
  b.setInsertionPointToEnd(task);
  Value warp = shuffle(b, ShuffleMode::Index, m_lowering.warpId(), i32Constant(b, 0));
  for (auto [group, count] : llvm::enumerate(registers.groups)) {
    FailureOr<Block *> others = lowerGroup(op, plan, static_cast<int>(group), count, warp, task);
    if (failed(others))
      return failure();
    task = *others;
  }
  // Warps that only other operations need.
  b.setInsertionPointToEnd(task);
  meet();
  LLVM::BrOp::create(b, ValueRange(), m_wait);

  b.setInsertionPointToEnd(after);
  restoreRegisters(b, registers.proper, initialRegisters(m_lowering.module().module));
  meet();
  size_t next = 0;
  for (Value result : op.getResults()) {
    Values values;
    for (size_t count = m_lowering.expand(result.getType()).size(); count > 0; --count)
      values.push_back(after->getArgument(next++));
    m_lowering.set(result, std::move(values));
  }
  return success();
}

LogicalResult WarpDispatch::lowerPartition(ttg::WarpSpecializeOp op, unsigned index, int firstWarp,
                                           Block *begin, Block *end) {
  Builder &b = m_lowering.b;
  Region &partition = op.getPartitions()[index];
  auto group = std::make_unique<WarpGroup>();
  group->numWarps = op.getPartitionNumWarps()[index];
  group->firstWarp = firstWarp;
  group->barrier = kFirstPartitionBarrier + index;
  WarpGroup *outer = m_lowering.enterGroup(*group);
  m_groups.push_back(std::move(group));

  b.setInsertionPointToEnd(begin);
  Value place = m_lowering.sharedPointer(op);
  int64_t offset = 0;
  for (BlockArgument argument : partition.getArguments()) {
    Values values;
    for (Type type : m_lowering.expand(argument.getType())) {
      Value stored = LLVM::LoadOp::create(b, storageType(type), advanceBytes(b, place, offset));
      values.push_back(fromStorage(b, stored, type));
      offset += kCaptureBytes;
    }
    m_lowering.set(argument, std::move(values));
  }
  m_lowering.blocks[&partition.front()] = begin;
  LogicalResult result = lowerRegion(partition, end);
  m_lowering.enterGroup(*outer);
  return result;
}

void WarpDispatch::release() {
  m_lowering.emitIf(m_lowering.isFirstThread(), [&] {
    LLVM::StoreOp::create(m_lowering.b, i32Constant(m_lowering.b, kOver), stateAddress());
  });
  meet();
}

void WarpDispatch::finish() {
  Builder &b = m_lowering.b;
  Region *body = m_entry->getParent();
  Block *over = b.createBlock(body, body->end());
  LLVM::ReturnOp::create(b, ValueRange());
  b.setInsertionPointToEnd(m_wait);
  meet();
  Value state = LLVM::LoadOp::create(b, b.getI32Type(), stateAddress());
  SmallVector<int32_t> cases;
  for (size_t index = 0; index < m_tasks.size(); ++index)
    cases.push_back(index);
  SmallVector<ValueRange> nothing(cases.size());
  LLVM::SwitchOp::create(b, state, over, ValueRange(), cases, BlockRange(m_tasks), nothing);
}

} // namespace tilescope::compiler
