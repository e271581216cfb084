// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Loads the factors of dots ahead of their use. With three stages, the ring has three slots:
//
//   for k:                            copy(0) -> slot 0; copy(1) -> slot 1
//     %a = tt.load %p                 for k:
//     tt.dot … convert %a …    =>       wait until copy(k) is there; barrier
//     %p = addptr %p …                  copy(k+2) -> slot (k+2) % 3
//                                       %a = local_load slot k % 3
//                                       tt.dot … %a …
//
// The slot that a copy fills was read in the iteration before, so one barrier serves both. Products
// of warp groups read the slots themselves; where they stay under way, the copy comes after the
// wait for the product of the iteration before. Where the threads convert what they read and write
// it back for the warp groups, the barrier before the product says that all have read; the copy
// then comes last in the iteration, and fills the slot that was read in it: one slot fewer.
//
// The loop may branch, and store what it does not load (LoadsAhead).
//
// What a descriptor describes comes in bulk copies, which one thread starts (BulkLoads): each slot has a barrier, which all wait
// for in place of their own copies.
#include "compiler/analysis/AxisInfo.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/transforms/ttg/BulkLoads.h"
#include "compiler/transforms/ttg/LayoutTransfer.h"
#include "compiler/transforms/ttg/LoadsAhead.h"
#include "compiler/transforms/ttg/OperandBuffers.h"
#include "compiler/transforms/ttg/Passes.h"
#include "compiler/transforms/ttg/PredicatedOperations.h"
#include "compiler/transforms/ttg/RingJoins.h"
#include "compiler/transforms/ttg/SlotCounter.h"
#include "compiler/transforms/ttg/WarpGroupPipeline.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"

using namespace mlir;

namespace tilescope::ttg {

#define GEN_PASS_DEF_PIPELINELOADS
#include "compiler/transforms/ttg/Passes.h.inc"

namespace {

/// One innermost loop.
class LoopPipeline {
public:
  LoopPipeline(scf::ForOp loop, int stages, const compiler::AxisInfoMap &axes)
      : m_loop(loop), m_stages(stages), m_axes(axes) {}

  void run() {
    std::optional<LoadsAhead> found = LoadsAhead::of(m_loop, m_axes);
    if (!found)
      return;
    m_loads = std::move(found->loads);
    m_widths = std::move(found->widths);
    m_ahead = std::move(found->addresses);
    m_loads.remove_if([](Operation *load) { return isInBulk(load) && !fitsRing(load); });
    m_copiesLast = everyProductIsPrepared();
    fitSharedMemory();
    if (m_loads.empty() || m_stages < 2)
      return;
    IRRewriter rewriter(m_loop.getContext());
    llvm::SetVector<int> lengths;
    for (Operation *load : m_loads)
      lengths.insert(ringLength(load));
    m_counters =
        addSlotCounters(rewriter, m_loop, lengths.getArrayRef(), llvm::any_of(m_loads, isInBulk));
    useRing(rewriter);
    scf::PipeliningOption options;
    options.getScheduleFn = [this](scf::ForOp, auto &schedule) { schedule = m_schedule; };
    options.supportDynamicLoops = true;
    options.peelEpilogue = false;
    options.predicateFn = predicated;
    rewriter.setInsertionPoint(m_loop);
    FailureOr<scf::ForOp> pipelined = scf::pipelineForLoop(rewriter, m_loop, options);
    if (succeeded(pipelined)) {
      m_loop = *pipelined;
      // The copies of the next iterations may stay under way.
      for (AsyncWaitOp wait : m_loop.getBody()->getOps<AsyncWaitOp>())
        wait.setNum(m_stages - 2);
    }
    endRing(rewriter);
  }

private:
  static bool isInBulk(Operation *load) { return isa<tt::DescriptorLoadOp>(load); }

  /// Whether bulk copies bring the block to where products read it.
  static bool fitsRing(Operation *load) {
    auto alloc = dyn_cast_or_null<LocalAllocOp>(factorOf(load));
    return alloc && fitsBulkCopies(alloc.getType().getEncoding());
  }

  /// Whether the threads write a factor of each product in the loop: the barrier that this takes
  /// lies behind all their reads.
  bool everyProductIsPrepared() {
    auto isPrepared = [&](Value factor) {
      auto alloc = factor.getDefiningOp<LocalAllocOp>();
      if (!alloc || alloc->getBlock() != m_loop.getBody())
        return false;
      Operation *load = alloc.getSrc() ? alloc.getSrc().getDefiningOp() : nullptr;
      return !load || !m_loads.contains(load) || factorOf(load) != alloc;
    };
    bool found = false;
    for (Operation &op : *m_loop.getBody()) {
      SmallVector<Value> factors = factorsOf(op);
      if (factors.empty())
        continue;
      found = true;
      if (!isa<ttng::WarpGroupDotOp>(op) || llvm::none_of(factors, isPrepared))
        return false;
    }
    return found;
  }

  /// Warp groups may still read the slots of this iteration when the next copies begin.
  int ringLength(Operation *load) const {
    const bool isReadByThreads = !isa_and_nonnull<LocalAllocOp>(factorOf(load));
    return m_copiesLast && isReadByThreads ? m_stages - 1 : m_stages;
  }

  /// With room for the barriers of slots that bulk copies fill.
  int64_t ringBytes() const {
    int64_t bytes = llvm::any_of(m_loads, isInBulk) ? m_stages * int64_t(sizeof(int64_t)) : 0;
    for (Operation *load : m_loads) {
      auto type = cast<RankedTensorType>(load->getResult(0).getType());
      bytes += ringLength(load) * ShapedType::getNumElements(shapePerBlock(type)) *
               tt::getElementBitWidth(type) / 8;
    }
    return bytes;
  }

  void fitSharedMemory() {
    int64_t limit = sharedMemoryLimit(computeCapability(m_loop->getParentOfType<ModuleOp>())) -
                    storedBlockBytes(m_loop);
    // Buffers from before the loop that warp groups read stay in shared memory beside the ring.
    m_loop->getParentOfType<tt::FuncOp>()->walk([&](LocalAllocOp alloc) {
      MemDescType type = alloc.getType();
      if (m_loop.isDefinedOutsideOfLoop(alloc))
        limit -= type.getNumElements() * type.getElementTypeBitWidth() / 8;
    });
    while (m_stages > 1 && ringBytes() > limit)
      --m_stages;
  }

  /// Replaces the loads, and notes in which stage and order everything runs.
  void useRing(IRRewriter &rewriter) {
    Location loc = m_loop.getLoc();
    Block *body = m_loop.getBody();
    SmallVector<Operation *> ahead, rest;
    for (Operation &op : body->without_terminator())
      if (m_ahead.contains(&op) || computesNextFilled(&op))
        ahead.push_back(&op);
      else if (!m_loads.contains(&op))
        rest.push_back(&op);

    // Operations that run ahead move to the front, then the copies, the wait, and the reads.
    Operation *front = rest.empty() ? body->getTerminator() : rest.front();
    for (Operation *load : m_loads)
      if (load->isBeforeInBlock(front))
        front = load;
    for (Operation *op : ahead)
      if (front->isBeforeInBlock(op))
        op->moveBefore(front);
    rewriter.setInsertionPoint(front);
    SmallVector<Value> tokens;
    SmallVector<Operation *> copies, waits;
    Value barrier = expectBulk(rewriter, copies);
    for (Operation *load : m_loads) {
      m_rings.push_back(allocate(rewriter, load));
      if (auto bulk = dyn_cast<tt::DescriptorLoadOp>(load))
        copyBulk(rewriter, bulk, m_rings.back(), barrier, copies);
      else
        tokens.push_back(copy(rewriter, cast<tt::LoadOp>(load), m_rings.back(), copies));
    }
    if (!tokens.empty()) {
      copies.push_back(AsyncCommitGroupOp::create(rewriter, loc, tokens));
      waits.push_back(AsyncWaitOp::create(rewriter, loc, ValueRange(), 0));
    }
    waitForBulk(rewriter, waits);
    SmallVector<Operation *> reads;
    for (auto [load, ring] : llvm::zip(m_loads, m_rings)) {
      // Loads are erased on the way, so what was the front may be gone.
      rewriter.setInsertionPointAfter(reads.empty() ? waits.back() : reads.back());
      read(rewriter, load, ring, reads);
    }

    joinRings(m_loop, m_rings);

    llvm::erase_if(rest, [&](Operation *op) { return m_erased.contains(op); });
    schedule(waits, ahead, copies, reads, rest);
  }

  /// Makes the barriers of the slots, and says how much comes to the next one; null: nothing comes in bulk.
  Value expectBulk(IRRewriter &rewriter, SmallVector<Operation *> &made) {
    int64_t bytes = 0;
    for (Operation *load : m_loads)
      if (auto bulk = dyn_cast<tt::DescriptorLoadOp>(load))
        bytes += bytesOf(bulk);
    if (bytes == 0)
      return {};
    Location loc = m_loop.getLoc();
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(m_loop);
      m_barriers = makeBarriers(rewriter, loc, m_stages);
      m_always = arith::ConstantIntOp::create(rewriter, loc, 1, 1);
    }
    Value barrier = barrierOf(rewriter, loc, m_barriers, counterOf(m_barriers).filled);
    made.push_back(barrier.getDefiningOp());
    made.push_back(ttng::BarrierExpectOp::create(rewriter, loc, barrier, uint32_t(bytes), m_always,
                                                 IntegerAttr()));
    return barrier;
  }

  void copyBulk(IRRewriter &rewriter, tt::DescriptorLoadOp load, Value ring, Value barrier,
                SmallVector<Operation *> &made) {
    Value slot = slotOf(rewriter, load.getLoc(), ring, counterOf(ring).filled);
    made.push_back(slot.getDefiningOp());
    made.push_back(copyInBulk(rewriter, load, slot, barrier, m_always));
  }

  void waitForBulk(IRRewriter &rewriter, SmallVector<Operation *> &made) {
    if (!m_barriers)
      return;
    const SlotCounter &counter = counterOf(m_barriers);
    Value barrier = barrierOf(rewriter, m_loop.getLoc(), m_barriers, counter.read);
    made.push_back(barrier.getDefiningOp());
    made.push_back(ttng::WaitBarrierOp::create(rewriter, m_loop.getLoc(), barrier, counter.parity,
                                               Value(), ValueRange()));
  }

  /// A copy may fill a slot only when the product that reads it is over.
  void schedule(ArrayRef<Operation *> waits, ArrayRef<Operation *> addresses,
                ArrayRef<Operation *> copies, ArrayRef<Operation *> reads,
                ArrayRef<Operation *> rest) {
    ttng::WarpGroupDotWaitOp products = keepProductsUnderWay(m_loop, m_rings);
    unsigned last = m_stages - 1;
    // The assembler orders what lies between two branches. A branch that addresses depend on goes
    // first, so that they are there when the copies may begin.
    const bool branches = llvm::any_of(addresses, llvm::IsaPred<scf::IfOp>);
    if (branches)
      scheduleAll(addresses, 0);
    const auto scheduleAhead = [&] {
      if (!branches)
        scheduleAll(addresses, 0);
      scheduleAll(copies, 0);
    };
    scheduleAll(waits, last);
    const bool copiesFirst = !products && !m_copiesLast;
    if (copiesFirst)
      scheduleAhead();
    scheduleAll(reads, last);
    // Branches that look at the sums find the copies under way.
    const auto *late =
        llvm::find_if(rest, [&](Operation *op) { return products && looksAt(op, products); });
    scheduleAll({rest.begin(), late}, last);
    if (products)
      m_schedule.push_back({products, last});
    if (!copiesFirst)
      scheduleAhead();
    scheduleAll({late, rest.end()}, last);
  }

  bool computesNextFilled(Operation *op) const {
    return llvm::any_of(m_counters, [&](const SlotCounter &counter) {
      return llvm::is_contained(counter.nextFilled, op);
    });
  }

  const SlotCounter &counterOf(Value ring) const {
    const auto length = cast<MemDescType>(ring.getType()).getShape().front();
    return *llvm::find_if(m_counters, [&](auto &counter) { return counter.length == length; });
  }

  static bool looksAt(Operation *op, Operation *producer) {
    return llvm::any_of(producer->getUsers(),
                        [&](Operation *user) { return op->isAncestor(user); });
  }

  void scheduleAll(ArrayRef<Operation *> operations, unsigned stage) {
    for (Operation *op : operations)
      m_schedule.push_back({op, stage});
  }

  void endRing(IRRewriter &rewriter) {
    rewriter.setInsertionPointAfter(waitBehindLoop(m_loop));
    AsyncWaitOp::create(rewriter, m_loop.getLoc(), ValueRange(), 0);
    for (Value ring : m_rings)
      LocalDeallocOp::create(rewriter, m_loop.getLoc(), ring);
    if (m_barriers)
      endBarriers(rewriter, m_loop.getLoc(), m_barriers);
  }

  Value allocate(IRRewriter &rewriter, Operation *load) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(m_loop);
    auto type = cast<RankedTensorType>(load->getResult(0).getType());
    SmallVector<int64_t> shape{ringLength(load)};
    llvm::append_range(shape, type.getShape());
    auto space = SharedMemorySpaceAttr::get(load->getContext());
    auto ring = MemDescType::get(shape, type.getElementType(), ringEncoding(load), space, true);
    return LocalAllocOp::create(rewriter, load->getLoc(), ring);
  }

  static Value slotOf(IRRewriter &rewriter, Location loc, Value ring, Value index) {
    auto type = cast<MemDescType>(ring.getType());
    auto slot = MemDescType::get(type.getShape().drop_front(), type.getElementType(),
                                 type.getEncoding(), type.getMemorySpace(), true);
    return MemDescIndexOp::create(rewriter, loc, slot, ring, index);
  }

  Value copy(IRRewriter &rewriter, tt::LoadOp load, Value ring, SmallVector<Operation *> &made) {
    Location loc = load.getLoc();
    Value slot = slotOf(rewriter, loc, ring, counterOf(ring).filled);
    auto copy = AsyncCopyGlobalToLocalOp::create(rewriter, loc, load.getPtr(), slot, load.getMask(),
                                                 Value(), load.getCache(), load.getEvict(), false,
                                                 m_widths.lookup(load));
    made.push_back(slot.getDefiningOp());
    made.push_back(copy);
    return copy.getToken();
  }

  void read(IRRewriter &rewriter, Operation *load, Value ring, SmallVector<Operation *> &made) {
    Location loc = load->getLoc();
    Value slot = slotOf(rewriter, loc, ring, counterOf(ring).read);
    Operation *user = factorOf(load) ? factorOf(load) : onlyConversionOf(load);
    Operation *replaced = user ? user : load;
    made.push_back(slot.getDefiningOp());
    Value value = slot;
    if (!isa<LocalAllocOp>(replaced)) {
      value =
          LocalLoadOp::create(rewriter, loc, replaced->getResult(0).getType(), slot).getResult();
      made.push_back(value.getDefiningOp());
    }
    rewriter.replaceOp(replaced, value);
    if (user) {
      m_erased.insert(user);
      rewriter.eraseOp(load);
    }
  }

  /// Memory is read in the layout that the value is wanted in.
  static Operation *onlyConversionOf(Operation *load) {
    auto convert =
        load->hasOneUse() ? dyn_cast<ConvertLayoutOp>(*load->user_begin()) : ConvertLayoutOp();
    return convert && convert->getBlock() == load->getBlock() ? convert : nullptr;
  }

  scf::ForOp m_loop;
  int m_stages;
  const compiler::AxisInfoMap &m_axes;
  llvm::SetVector<Operation *> m_loads;
  /// Elements that one copy of a thread can move.
  llvm::DenseMap<tt::LoadOp, unsigned> m_widths;
  /// What addresses are computed from, in the loop.
  llvm::SetVector<Operation *> m_ahead;
  /// Per load.
  SmallVector<Value> m_rings;
  SmallVector<SlotCounter> m_counters;
  /// Of slots that bulk copies fill, or null; and what their copies depend on before the loop is pipelined.
  Value m_barriers, m_always;
  /// Copies follow the products of their iteration.
  bool m_copiesLast = false;
  llvm::DenseSet<Operation *> m_erased;
  std::vector<std::pair<Operation *, unsigned>> m_schedule;
};

struct PipelineLoads : impl::PipelineLoadsBase<PipelineLoads> {
  using PipelineLoadsBase::PipelineLoadsBase;

  void runOnOperation() override {
    if (computeCapability(getOperation()) < 80)
      return markAllAnalysesPreserved();
    SmallVector<std::pair<scf::ForOp, int>> loops;
    getOperation().walk([&](scf::ForOp loop) {
      auto own = loop->getAttrOfType<IntegerAttr>(tt::kNumStagesAttr);
      int stages = own ? int(own.getInt()) : int(numStages);
      bool hasDot =
          llvm::any_of(*loop.getBody(), [](Operation &op) { return !factorsOf(op).empty(); });
      if (hasDot && stages > 1)
        loops.push_back({loop, stages});
    });
    if (!loops.empty()) {
      compiler::AxisInfoMap axes(getOperation());
      for (auto [loop, stages] : loops)
        LoopPipeline(loop, stages, axes).run();
    }
    lowerOtherBulkLoads(getOperation());
    chainProducts(getOperation());
  }
};

} // namespace
} // namespace tilescope::ttg
