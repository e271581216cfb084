// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/memory/PlannedAccesses.h"

#include "compiler/analysis/WidthLimits.h"
#include "compiler/conversion/ttg_to_llvm/common/Exchange.h"
#include "compiler/conversion/ttg_to_llvm/common/MemoryPlans.h"
#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"
#include "compiler/conversion/ttg_to_llvm/memory/BulkBoxes.h"
#include "compiler/conversion/ttg_to_llvm/memory/PartialAccesses.h"
#include "compiler/conversion/ttg_to_llvm/memory/ProductReads.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/dialects/ttg/ir/ModuleAttributes.h"
#include "compiler/dialects/ttg/ir/WarpGather.h"
#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/dialects/ttng/ir/TensorBox.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilescope::compiler {
namespace {

constexpr int kWidestBytes = 16;

/// Where a buffer's elements are.
struct BufferLayout {
  LinearLayout layout;
  SmallVector<PaddingRule> padding = {};
  /// It begins at the start of what was allocated.
  bool isWhole = true;
};

/// Collects the accesses of one operation.
class Accesses {
public:
  Accesses(Operation *op, const AxisInfoMap &axes)
      : m_op(op), m_axes(axes), m_numWarps(ttg::numWarpsAround(op)),
        m_capability(ttg::computeCapability(op->getParentOfType<ModuleOp>())) {}

  PlannedAccesses take();

private:
  int numThreads() const { return m_numWarps * 32; }
  void addGlobal(MemoryAction action, Value pointers, Value mask, int width,
                 uint32_t vectorRegisters, bool isOnce);
  void addGlobal(MemoryAction action, Value pointers, Value mask, bool isOnce) {
    const int width = this->width(pointers, mask);
    addGlobal(action, pointers, mask, width, static_cast<uint32_t>(width - 1), isOnce);
  }
  int width(Value pointers, Value mask) const {
    return static_cast<int>(widthLimits(m_axes, pointers, mask).width());
  }
  void addShared(MemoryAction action, const BufferLayout &buffer, const LinearLayout &registers,
                 int64_t bytes, int repeats = 1);
  /// `ldmatrix` where it fits, else plain loads.
  void addMatrixLoad(const BufferLayout &buffer, const LinearLayout &registers, int64_t bytes,
                     int repeats = 1);
  void addAsyncCopy(ttg::AsyncCopyGlobalToLocalOp copy);
  void addRmw(tt::AtomicRMWOp rmw);
  /// How a result of one thread reaches the others.
  void addSharedResults();
  void addConversion(ttg::ConvertLayoutOp convert);
  void addBulkCopy(Type descriptor);

  Operation *m_op;
  const AxisInfoMap &m_axes;
  int m_numWarps, m_capability;
  PlannedAccesses m_result;
};

int64_t pointeeBytes(Value pointers) {
  return sharedElementBytes(getElementTypeOrSelf(tt::getPointeeType(pointers.getType())));
}

int argumentNumber(Value value) {
  auto argument = dyn_cast_or_null<BlockArgument>(value);
  const bool isOfKernel = argument && argument.getOwner()->isEntryBlock() &&
                          isa<tt::FuncOp>(argument.getOwner()->getParentOp());
  return isOfKernel ? static_cast<int>(argument.getArgNumber()) : -1;
}

BufferLayout layoutOf(Value buffer) {
  auto type = cast<ttg::MemDescType>(buffer.getType());
  BufferLayout result{ttg::toLinearLayout(type), paddingOf(type.getEncoding())};
  if (result.layout.hasIn(Dim::Block))
    result.layout = result.layout.dropIn(Dim::Block);
  for (Operation *op = buffer.getDefiningOp(); op && !isa<ttg::LocalAllocOp>(op);
       op = op->getOperand(0).getDefiningOp())
    result.isWhole &= !isa<ttg::MemDescSubsliceOp>(op);
  return result;
}

} // namespace

void Accesses::addGlobal(MemoryAction action, Value pointers, Value mask, int width,
                         uint32_t vectorRegisters, bool isOnce) {
  OperationAccess added;
  access::AccessPlan &plan = added.plan;
  plan.action = action;
  plan.elementBytes = static_cast<int>(pointeeBytes(pointers));
  plan.vectorElements = width;
  plan.vectorRegisters = vectorRegisters;
  plan.numWarps = m_numWarps;
  auto type = dyn_cast<RankedTensorType>(pointers.getType());
  if (type)
    plan.places = distinctRegisters(type).canonicalOuts();
  if (isOnce)
    plan.idleThreads =
        type ? copyMask(plan.places, numThreads()) : static_cast<uint32_t>(numThreads() - 1);
  const WidthLimits limits = widthLimits(m_axes, pointers, mask);
  auto [limit, cause] = explainWidth(m_axes, limits, width, plan.elementBytes);
  if (type && limits.width() > width)
    limit.reason = WidthReason::Operation;
  added.limit = limit;
  if (!limit.hiddenBy.empty()) {
    Operation *hiding = cause.getDefiningOp();
    added.hidingPlace = hiding->getLoc();
    cause = hiding->getOperand(1);
    if (auto splat = cause.getDefiningOp<tt::SplatOp>())
      cause = splat.getSrc();
  }
  added.limitingArgument = argumentNumber(cause);
  m_result.accesses.push_back(std::move(added));
}

static uint32_t maskOf(ArrayRef<int> bits) {
  uint32_t mask = 0;
  for (int bit : bits)
    mask |= 1u << bit;
  return mask;
}

void joinNeighbors(access::AccessPlan &plan) {
  const SmallVector<int> bits = vectorRegisterBits(plan.places, kWidestBytes / plan.elementBytes);
  plan.vectorElements = 1 << bits.size();
  plan.vectorRegisters = maskOf(bits);
}

static int vectorLimit(const BufferLayout &buffer, int64_t maxBytes, int64_t bytes) {
  int limit = static_cast<int>(std::max<int64_t>(1, maxBytes / bytes));
  for (const PaddingRule &rule : buffer.padding)
    limit = std::min<int>({limit, int(rule.interval), int(rule.padding)});
  return limit;
}

void Accesses::addShared(MemoryAction action, const BufferLayout &buffer,
                         const LinearLayout &registers, int64_t bytes, int repeats) {
  access::AccessPlan plan;
  plan.action = action;
  plan.places = placesInShared(buffer.layout, registers);
  plan.padding.assign(buffer.padding.begin(), buffer.padding.end());
  const SmallVector<int> bits =
      vectorRegisterBits(plan.places, vectorLimit(buffer, kWidestBytes, bytes));
  plan.elementBytes = static_cast<int>(bytes);
  plan.vectorElements = 1 << bits.size();
  plan.vectorRegisters = maskOf(bits);
  plan.numWarps = m_numWarps;
  if (action == MemoryAction::SharedStore)
    plan.idleThreads = copyMask(registers, numThreads());
  plan.isJumpedOver = true;
  m_result.accesses.push_back({std::move(plan), repeats});
}

void Accesses::addMatrixLoad(const BufferLayout &buffer, const LinearLayout &registers,
                             int64_t bytes, int repeats) {
  const LinearLayout places = placesInShared(buffer.layout, registers);
  const std::optional<MatrixForm> form = buffer.padding.empty() && buffer.isWhole
                                             ? findMatrixForm(places, static_cast<int>(bytes))
                                             : std::nullopt;
  if (!form)
    return addShared(MemoryAction::SharedLoad, buffer, registers, bytes, repeats);
  // Of each matrix, eight lanes name the rows.
  const ArrayRef<uint64_t> words = form->words;
  LinearLayout::Columns columns;
  const auto append = [&](auto &&part) {
    for (uint64_t column : part)
      columns.push_back(column);
    return static_cast<uint8_t>(std::size(part));
  };
  DimList ins;
  ins.push_back({Dim::Register, append(words.drop_front(form->countBits))});
  const uint8_t rowBits = append(form->rows);
  ins.push_back(
      {Dim::Lane, static_cast<uint8_t>(rowBits + append(words.take_front(form->countBits)))});
  ins.push_back({Dim::Warp, append(places.columns(Dim::Warp))});
  access::AccessPlan plan;
  plan.action = MemoryAction::MatrixLoad;
  plan.places = LinearLayout(ins, places.outs(), columns);
  plan.elementBytes = static_cast<int>(bytes);
  plan.vectorElements = static_cast<int>(kWidestBytes / bytes);
  plan.numWarps = m_numWarps;
  plan.numLanes = 8 << form->countBits;
  m_result.accesses.push_back({std::move(plan), repeats});
}

void Accesses::addAsyncCopy(ttg::AsyncCopyGlobalToLocalOp copy) {
  const int width = std::max<int>(this->width(copy.getSrc(), copy.getMask()), copy.getContiguity());
  const int64_t bytes = pointeeBytes(copy.getSrc());
  const BufferLayout buffer = layoutOf(copy.getResult());
  const LinearLayout places = placesInShared(
      buffer.layout, distinctRegisters(cast<RankedTensorType>(copy.getSrc().getType())));
  const SmallVector<int> bits = vectorRegisterBits(
      places, vectorLimit(buffer, std::min<int64_t>(kWidestBytes, width * bytes), bytes));
  addGlobal(MemoryAction::AsyncCopy, copy.getSrc(), copy.getMask(), 1 << bits.size(), maskOf(bits),
            true);
}

void Accesses::addSharedResults() {
  Value result = m_op->getResult(0);
  if (result.use_empty())
    return;
  access::AccessPlan plan;
  plan.elementBytes = static_cast<int>(sharedElementBytes(getElementTypeOrSelf(result.getType())));
  plan.numWarps = m_numWarps;
  uint32_t copies = static_cast<uint32_t>(numThreads() - 1);
  if (auto type = dyn_cast<RankedTensorType>(result.getType())) {
    plan.places = distinctRegisters(type).canonicalOuts();
    copies = copyMask(plan.places, numThreads());
  }
  if (copies == 0)
    return;
  joinNeighbors(plan);
  plan.action = MemoryAction::SharedLoad;
  m_result.accesses.push_back({plan});
  plan.action = MemoryAction::SharedStore;
  plan.idleThreads = copies;
  plan.isJumpedOver = true;
  m_result.accesses.push_back({std::move(plan)});
}

void Accesses::addRmw(tt::AtomicRMWOp rmw) {
  const Type element = getElementTypeOrSelf(rmw.getVal().getType());
  if (rmw.getAtomicRmwOp() == tt::RMWOp::FADD && !hasAtomicAdd(element, m_capability)) {
    m_result.uncounted =
        "this GPU adds bf16 in a loop, until no other thread has written meanwhile";
    return;
  }
  const bool acquires =
      rmw.getSem() == tt::MemSemantic::ACQUIRE || rmw.getSem() == tt::MemSemantic::ACQUIRE_RELEASE;
  const bool reduces = rmw->use_empty() && !acquires && rmw.getAtomicRmwOp() != tt::RMWOp::XCHG;
  const int width =
      atomicWidth(rmw, element, m_capability, this->width(rmw.getPtr(), rmw.getMask()));
  addGlobal(reduces ? MemoryAction::GlobalReduction : MemoryAction::GlobalAtomic, rmw.getPtr(),
            rmw.getMask(), width, static_cast<uint32_t>(width - 1), true);
  addSharedResults();
}

void Accesses::addConversion(ttg::ConvertLayoutOp convert) {
  const LinearLayout from = distinctRegisters(cast<RankedTensorType>(convert.getSrc().getType()));
  const LinearLayout to = distinctRegisters(cast<RankedTensorType>(convert.getType()));
  const int64_t bytes = sharedElementBytes(convert.getType().getElementType());
  const ExchangePlan plan = planExchange(from, to, static_cast<int>(bytes));
  OperationConversion &conversion = m_result.conversion.emplace();
  conversion.from = from;
  conversion.to = to;
  if (plan.kind == ExchangeKind::Registers) {
    conversion.moves = ConversionMoves::Registers;
    return;
  }
  if (plan.kind == ExchangeKind::Shuffles) {
    // One exchange moves 32 bits.
    constexpr int64_t kShuffleBytes = 4;
    conversion.moves = ConversionMoves::Lanes;
    conversion.shuffles = (int64_t(1) << plan.shuffles.sentRegister.size()) *
                          std::max<int64_t>(1, bytes / kShuffleBytes) * m_numWarps;
    return;
  }
  conversion.moves = ConversionMoves::Warps;
  const ExchangeParts parts = splitExchange(from, to, exchangePartBits(convert));
  conversion.parts = parts.count();
  const BufferLayout scratch{swizzledExchange(parts.from, parts.to, static_cast<int>(bytes))};
  addShared(MemoryAction::SharedStore, scratch, parts.from, bytes, parts.count());
  addMatrixLoad(scratch, parts.to, bytes, parts.count());
}

void Accesses::addBulkCopy(Type descriptor) {
  m_result.uncounted = bulkCopyWords(descriptor);
  const std::optional<ttng::TensorBox> box = ttng::tensorBox(descriptor);
  const std::optional<ttng::BulkOperands> operands = ttng::bulkOperands(m_op);
  if (!box || !operands)
    return;
  const RankedTensorType block = ttng::describedBlock(descriptor);
  OperationBulkCopy &copy = m_result.bulkCopy.emplace();
  copy.hasByteStrides = operands->hasByteStrides;
  copy.shape.isStore = !isa<ttng::AsyncTMACopyGlobalToLocalOp>(m_op);
  copy.shape.elementBytes = static_cast<int32_t>(sharedElementBytes(block.getElementType()));
  copy.shape.block.assign(block.getShape().begin(), block.getShape().end());
  copy.shape.box.assign(box->extents.begin(), box->extents.end());
  copy.shape.swizzleBytes = static_cast<int32_t>(box->swizzleBytes);
}

AccessCounts countExecution(const OperationAccess &access) {
  AccessCounts counts =
      access::countSharedExecution(access.plan) * static_cast<uint64_t>(access.repeats);
  if (access.numInstructions > 0)
    counts.instructions = counts.requests = static_cast<uint64_t>(access.numInstructions);
  return counts;
}

PlannedAccesses Accesses::take() {
  if (ttg::numCtas(m_op->getParentOfType<ModuleOp>()) > 1) {
    m_result.uncounted = "the blocks of a cluster share the work, and are not counted one by one";
    return std::move(m_result);
  }
  const auto registersOf = [](Value value) {
    return distinctRegisters(cast<RankedTensorType>(value.getType()));
  };
  const auto bytesOf = [](Value value) {
    return sharedElementBytes(getElementTypeOrSelf(value.getType()));
  };
  llvm::TypeSwitch<Operation *>(m_op)
      .Case([&](tt::LoadOp load) {
        addGlobal(MemoryAction::GlobalLoad, load.getPtr(), load.getMask(), false);
      })
      .Case([&](tt::StoreOp store) {
        addGlobal(MemoryAction::GlobalStore, store.getPtr(), store.getMask(), true);
      })
      .Case([&](tt::AtomicRMWOp rmw) { addRmw(rmw); })
      .Case([&](tt::AtomicCASOp cas) {
        addGlobal(MemoryAction::GlobalAtomic, cas.getPtr(), Value(), 1, 0, true);
        addSharedResults();
      })
      .Case([&](ttg::AsyncCopyGlobalToLocalOp copy) { addAsyncCopy(copy); })
      .Case([&](ttg::LocalAllocOp alloc) {
        addShared(MemoryAction::SharedStore, layoutOf(alloc), registersOf(alloc.getSrc()),
                  bytesOf(alloc.getSrc()));
      })
      .Case([&](ttg::LocalStoreOp store) {
        addShared(MemoryAction::SharedStore, layoutOf(store.getDst()), registersOf(store.getSrc()),
                  bytesOf(store.getSrc()));
      })
      .Case([&](ttg::LocalLoadOp load) {
        const Value result = load.getResult();
        if (isa<ttg::DotOperandEncodingAttr>(load.getType().getEncoding()))
          addMatrixLoad(layoutOf(load.getSrc()), registersOf(result), bytesOf(result));
        else
          addShared(MemoryAction::SharedLoad, layoutOf(load.getSrc()), registersOf(result),
                    bytesOf(result));
      })
      .Case([&](ttg::ConvertLayoutOp convert) { addConversion(convert); })
      .Case([&](ttng::WarpGroupDotOp dot) { addProductReads(dot, m_numWarps, m_result); })
      .Case([&](tt::ReduceOp reduce) { addPartials(reduce, m_numWarps, m_result.accesses); })
      .Case([&](tt::ScanOp scan) { addPartials(scan, m_numWarps, m_result.accesses); })
      .Case<tt::GatherOp, tt::HistogramOp>([&](auto read) {
        if constexpr (std::is_same_v<decltype(read), tt::GatherOp>)
          if (ttg::planWarpGather(read))
            return;
        m_result.uncounted = "which words of shared memory are touched depends on the data";
      })
      .Case([&](tt::AtomicPollOp) {
        m_result.uncounted = "how often it reads depends on when other programs write";
      })
      .Case<ttng::AsyncTMACopyGlobalToLocalOp, ttng::AsyncTMACopyLocalToGlobalOp,
            ttng::AsyncTMAReduceOp>([&](auto copy) { addBulkCopy(copy.getDesc().getType()); })
      .Default([&](Operation *) {
        m_result.uncounted = "a bulk copy is carried out by a unit of its own, in boxes";
      });
  return std::move(m_result);
}

bool touchesMemory(Operation *op) {
  if (auto alloc = dyn_cast<ttg::LocalAllocOp>(op))
    return bool(alloc.getSrc());
  return isa<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp, tt::AtomicPollOp,
             tt::ReduceOp, tt::ScanOp, tt::GatherOp, tt::HistogramOp, ttg::ConvertLayoutOp,
             ttg::LocalLoadOp, ttg::LocalStoreOp, ttg::AsyncCopyGlobalToLocalOp,
             ttng::WarpGroupDotOp>(op) ||
         (op->getName().getStringRef().starts_with("ttng.async_tma") &&
          !isa<ttng::TMAStoreWaitOp>(op));
}

PlannedAccesses accessesOf(Operation *op, const AxisInfoMap &axes) {
  return Accesses(op, axes).take();
}

} // namespace tilescope::compiler
