// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/trace/OperationScopes.h"

#include "compiler/dialects/ttng/ir/Dialect.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilescope::compiler {

static constexpr llvm::StringLiteral kLoad = "load", kCopy = "copy", kWait = "wait",
                                     kProduct = "product", kBarrier = "barrier", kStore = "store",
                                     kExchange = "exchange";

llvm::ArrayRef<llvm::StringRef> traceKinds() {
  static constexpr llvm::StringRef kKinds[] = {kLoad,    kCopy,  kWait,    kProduct,
                                               kBarrier, kStore, kExchange};
  return kKinds;
}

/// The buffer that a view is of.
static Value viewedBuffer(Value buffer) {
  while (Operation *op = buffer.getDefiningOp()) {
    if (!isa<ttg::MemDescIndexOp, ttg::MemDescSubsliceOp, ttg::MemDescReinterpretOp>(op))
      break;
    buffer = op->getOperand(0);
  }
  return buffer;
}

int32_t OperationKinds::queueOf(Value barrier) { return named(m_barriers[viewedBuffer(barrier)]); }

std::optional<OperationKind> OperationKinds::of(Operation *op) {
  using Kind = std::optional<OperationKind>;
  return llvm::TypeSwitch<Operation *, Kind>(op)
      .Case<tt::LoadOp, tt::AtomicRMWOp, tt::AtomicCASOp>([](auto) { return OperationKind{kLoad}; })
      .Case<tt::StoreOp>([](auto) { return OperationKind{kStore}; })
      .Case<ttg::AsyncCopyGlobalToLocalOp>([](auto) { return OperationKind{kCopy}; })
      .Case<ttg::AsyncCommitGroupOp>([&](auto) { return OperationKind{kCopy, named(m_copies), 1}; })
      .Case<ttg::AsyncWaitOp>([&](ttg::AsyncWaitOp wait) {
        return OperationKind{kWait, named(m_copies), 0, wait.getNum()};
      })
      // What a phase of a barrier waits for begins where it says how much that is.
      .Case<ttng::BarrierExpectOp>([&](ttng::BarrierExpectOp expect) {
        return OperationKind{kCopy, queueOf(expect.getAlloc()), 1};
      })
      .Case<ttng::AsyncTMACopyGlobalToLocalOp, ttng::AsyncTMAGatherOp>(
          [](auto) { return OperationKind{kCopy}; })
      .Case<ttng::WaitBarrierOp>(
          [&](ttng::WaitBarrierOp wait) { return OperationKind{kWait, queueOf(wait.getAlloc())}; })
      .Case<ttng::AsyncTMACopyLocalToGlobalOp, ttng::AsyncTMAReduceOp, ttng::AsyncTMAScatterOp>(
          [&](auto) { return OperationKind{kStore, named(m_stores), 1}; })
      .Case<ttng::TMAStoreWaitOp>([&](ttng::TMAStoreWaitOp wait) {
        return OperationKind{kWait, named(m_stores), 0, int32_t(wait.getPendings())};
      })
      .Case<ttng::WarpGroupDotOp>([&](ttng::WarpGroupDotOp dot) {
        return dot.getIsAsync() ? OperationKind{kProduct, named(m_products), 1}
                                : OperationKind{kProduct};
      })
      .Case<ttng::WarpGroupDotWaitOp>([&](ttng::WarpGroupDotWaitOp wait) {
        return OperationKind{kWait, named(m_products), 0, int32_t(wait.getPendings())};
      })
      .Case<tt::DotOp, ttng::TCGen5MMAOp, ttng::TCGen5MMAScaledOp>(
          [](auto) { return OperationKind{kProduct}; })
      .Case<ttg::BarrierOp, ttng::ClusterBarrierOp, ttng::ClusterWaitOp>(
          [](auto) { return OperationKind{kBarrier}; })
      .Case<ttg::LocalAllocOp>([](ttg::LocalAllocOp alloc) {
        return alloc.getSrc() ? Kind(OperationKind{kExchange}) : std::nullopt;
      })
      .Case<tt::ReduceOp, tt::ScanOp, ttg::ConvertLayoutOp, ttg::LocalLoadOp, ttg::LocalStoreOp,
            ttg::LocalGatherOp, ttg::LocalScatterOp>([](auto) { return OperationKind{kExchange}; })
      .Default([](auto) { return std::nullopt; });
}

bool isWithoutCode(Operation *op) {
  return isa<arith::ConstantOp, ttg::MemDescIndexOp, ttg::MemDescSubsliceOp, ttg::MemDescTransOp,
             ttg::MemDescReshapeOp, ttg::MemDescReinterpretOp>(op);
}

namespace {
/// Builds the parts of a block from front to back.
class PartFinder {
public:
  PartFinder(Block &block, OperationKinds &kinds) : m_block(block), m_kinds(kinds) {}

  SmallVector<ScopedPart> run();

private:
  void add(Operation *op, const OperationKind &kind);
  /// The part that `op` goes on with, where nothing that makes code lies between.
  ScopedPart *before(Operation *op);
  void addAwaited(Operation *op);

  Block &m_block;
  OperationKinds &m_kinds;
  SmallVector<ScopedPart> m_parts;
  /// By the operation that uses the value first.
  llvm::DenseMap<Operation *, SmallVector<ScopedPart, 2>> m_awaited;
};
} // namespace

ScopedPart *PartFinder::before(Operation *op) {
  if (m_parts.empty() || m_parts.back().awaited)
    return nullptr;
  for (Operation *each = m_parts.back().last->getNextNode(); each != op; each = each->getNextNode())
    if (each == nullptr || !isWithoutCode(each))
      return nullptr;
  return &m_parts.back();
}

/// The first operation of the block that uses the value.
static Operation *firstUser(Value value, Block &block) {
  Operation *first = nullptr;
  for (Operation *user : value.getUsers()) {
    Operation *here = block.findAncestorOpInBlock(*user);
    if (here && (first == nullptr || here->isBeforeInBlock(first)))
      first = here;
  }
  return first;
}

void PartFinder::addAwaited(Operation *op) {
  const auto found = m_awaited.find(op);
  if (found != m_awaited.end())
    m_parts.append(found->second);
}

void PartFinder::add(Operation *op, const OperationKind &kind) {
  // A group of copies ends where its last copy does.
  ScopedPart *previous = before(op);
  if (isa<ttg::AsyncCommitGroupOp>(op) && previous && previous->kind.name == kCopy &&
      previous->kind.queue == 0) {
    previous->last = op;
    previous->kind = kind;
    return;
  }
  ScopedPart part{op, op, op, kind, {}};
  // Operands that are read for this product.
  if (isa<tt::DotOp>(op))
    for (; previous && isa<ttg::LocalLoadOp>(previous->named); previous = before(part.first)) {
      part.first = previous->first;
      m_parts.pop_back();
    }
  m_parts.push_back(part);
  if (kind.name != kLoad || op->getNumResults() == 0)
    return;
  Operation *user = firstUser(op->getResult(0), m_block);
  if (!user)
    return;
  const int32_t queue = m_kinds.newQueue();
  m_parts.back().kind.queue = queue;
  m_parts.back().kind.starts = 1;
  m_awaited[user].push_back({user, nullptr, op, {kWait, queue, 0, 0}, op->getResult(0)});
}

SmallVector<ScopedPart> PartFinder::run() {
  for (Operation &op : m_block) {
    addAwaited(&op);
    if (const std::optional<OperationKind> kind = m_kinds.of(&op))
      add(&op, *kind);
  }
  return std::move(m_parts);
}

SmallVector<ScopedPart> scopedParts(Block &block, OperationKinds &kinds) {
  return PartFinder(block, kinds).run();
}

} // namespace tilescope::compiler
