// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/UnorderedAccesses.h"

#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/interpreter/AddressSlice.h"
#include "compiler/pipeline/StagePasses.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"

#include <algorithm>
#include <map>
#include <set>

using namespace mlir;

namespace tilescope::compiler {
namespace {

/// The operations of a module in the order of its text, and those that make warps wait.
class AccessOrder {
public:
  explicit AccessOrder(ModuleOp module);

  const std::vector<tt::StoreOp> &stores() const { return m_stores; }
  const std::vector<tt::LoadOp> &loads() const { return m_loads; }
  /// Whether the load may follow the store in one program, with nothing between them that makes
  /// warps wait.
  bool mayFollow(tt::LoadOp load, tt::StoreOp store);

private:
  bool hasBarrier(unsigned begin, unsigned end) const {
    const auto first = m_barriers.lower_bound(begin);
    return first != m_barriers.end() && *first < end;
  }

  llvm::DenseMap<Operation *, unsigned> m_numbers;
  std::set<unsigned> m_barriers;
  std::vector<tt::StoreOp> m_stores;
  std::vector<tt::LoadOp> m_loads;
};

} // namespace

static bool isLocalConversion(ttg::ConvertLayoutOp convert) {
  const ttg::ConversionKind kind =
      ttg::classifyConversion(convert.getSrc().getType(), convert.getType());
  return kind == ttg::ConversionKind::None || kind == ttg::ConversionKind::Registers ||
         kind == ttg::ConversionKind::Lanes;
}

/// Whether the operation may make warps wait for each other; what is not known may.
static bool mayMakeWarpsWait(Operation *op) {
  if (isa<tt::LoadOp, tt::StoreOp>(op))
    return false;
  if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(op))
    return !convert.getSrc().getType().getEncoding() || !isLocalConversion(convert);
  if (isa<scf::SCFDialect>(op->getDialect()) || isa<ModuleOp, tt::FuncOp>(op) ||
      op->hasTrait<OpTrait::IsTerminator>())
    return false;
  // Reductions and the like, whose results other warps may have a part in.
  return op->getNumRegions() != 0 || !isMemoryEffectFree(op) ||
         isa<tt::DotOp, tt::DotScaledOp, tt::GatherOp, tt::HistogramOp>(op);
}

AccessOrder::AccessOrder(ModuleOp module) {
  unsigned next = 0;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    const unsigned number = next++;
    m_numbers[op] = number;
    if (auto store = dyn_cast<tt::StoreOp>(op))
      m_stores.push_back(store);
    else if (auto load = dyn_cast<tt::LoadOp>(op))
      m_loads.push_back(load);
    else if (mayMakeWarpsWait(op))
      m_barriers.insert(number);
    // What it consists of is its own.
    return op->getNumRegions() != 0 && m_barriers.contains(number) ? WalkResult::skip()
                                                                   : WalkResult::advance();
  });
}

bool AccessOrder::mayFollow(tt::LoadOp load, tt::StoreOp store) {
  const unsigned first = m_numbers[store], then = m_numbers[load];
  if (first < then)
    return !hasBarrier(first, then);
  // In the next iteration of a loop around both.
  auto loop = store->getParentOfType<LoopLikeOpInterface>();
  while (loop && !loop->isProperAncestor(load))
    loop = loop->getParentOfType<LoopLikeOpInterface>();
  if (!loop)
    return false;
  unsigned end = first;
  loop->walk([&](Operation *op) { end = std::max(end, m_numbers[op] + 1); });
  return !hasBarrier(first, end) && !hasBarrier(m_numbers[loop], then);
}

/// Whether a pair of TTIR may be of one tensor, and of different elements of a block.
static bool mayMeet(tt::StoreOp store, tt::LoadOp load) {
  if (store.getPtr() == load.getPtr() || !isa<RankedTensorType>(load.getType()) ||
      !isa<RankedTensorType>(store.getValue().getType()))
    return false;
  const std::optional<unsigned> stored = interpreter::argumentOf(store.getPtr());
  const std::optional<unsigned> loaded = interpreter::argumentOf(load.getPtr());
  return !stored || !loaded || *stored == *loaded;
}

/// The warp that holds each element of a block; of several the first, which is the one that stores.
static std::shared_ptr<const std::vector<uint16_t>> warpsOf(RankedTensorType type) {
  if (!type.getEncoding())
    return nullptr;
  const LinearLayout layout = ttg::toLinearLayout(type).canonicalOuts();
  const int below = layout.inBits(Dim::Register) + layout.inBits(Dim::Lane);
  auto warps = std::make_shared<std::vector<uint16_t>>(static_cast<size_t>(type.getNumElements()));
  for (uint64_t place = uint64_t{1} << layout.totalInBits(); place-- > 0;)
    if (const uint64_t element = layout.applyPacked(place); element < warps->size())
      (*warps)[element] = static_cast<uint16_t>(place >> below);
  return warps;
}

/// The pairs as TTGIR has them, by the places of their operations.
static std::vector<UnorderedAccesses> pairsOf(ModuleOp module) {
  std::vector<UnorderedAccesses> pairs;
  // One place may have several operations: they must agree.
  std::map<const void *, std::shared_ptr<const std::vector<uint16_t>>> warps;
  std::set<const void *> doubtful;
  const auto note = [&](Operation *op, Type type) {
    const void *place = op->getLoc().getAsOpaquePointer();
    const auto block = dyn_cast<RankedTensorType>(type);
    std::shared_ptr<const std::vector<uint16_t>> held = block ? warpsOf(block) : nullptr;
    const auto [known, isNew] = warps.try_emplace(place, held);
    if (!held || (!isNew && (!known->second || *known->second != *held)))
      doubtful.insert(place);
    return place;
  };
  AccessOrder order(module);
  for (tt::StoreOp store : order.stores())
    for (tt::LoadOp load : order.loads())
      if (mayMeet(store, load) && order.mayFollow(load, store)) {
        UnorderedAccesses &pair = pairs.emplace_back();
        pair.store = note(store, store.getValue().getType());
        pair.load = note(load, load.getType());
      }
  std::erase_if(pairs, [&](const UnorderedAccesses &pair) {
    return doubtful.contains(pair.store) || doubtful.contains(pair.load);
  });
  for (UnorderedAccesses &pair : pairs) {
    pair.storing = warps[pair.store];
    pair.loading = warps[pair.load];
  }
  return pairs;
}

/// Whether TTGIR has anything to say of the kernel.
static bool mayHavePairs(ModuleOp module) {
  AccessOrder order(module);
  return llvm::any_of(order.stores(), [&](tt::StoreOp store) {
    return llvm::any_of(order.loads(), [&](tt::LoadOp load) {
      return mayMeet(store, load) && order.mayFollow(load, store);
    });
  });
}

std::vector<UnorderedAccesses> unorderedAccesses(CompileJob &job, const TtirKernel &kernel) {
  ModuleOp module = *kernel.module;
  if (job.entryIsIr() || !mayHavePairs(module))
    return {};
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager passes(copy->getContext());
  addStagePasses(StageId::Ttgir, passes, kernel.facts.options);
  const ScopedDiagnosticHandler quiet(copy->getContext(),
                                      [](mlir::Diagnostic &) { return success(); });
  if (failed(passes.run(*copy)))
    return {};
  return pairsOf(*copy);
}

} // namespace tilescope::compiler
