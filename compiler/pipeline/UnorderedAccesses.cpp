// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/UnorderedAccesses.h"

#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/interpreter/AddressSlice.h"
#include "compiler/interpreter/ArgumentReach.h"
#include "compiler/interpreter/ArgumentUses.h"
#include "compiler/interpreter/PreparedKernel.h"
#include "compiler/interpreter/SourceLocations.h"
#include "compiler/pipeline/StagePasses.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

using namespace mlir;

namespace tilescope::compiler {
namespace {

/// The operations of a module in the order of its text, and those that make warps wait.
class AccessOrder {
public:
  explicit AccessOrder(ModuleOp module);

  /// The loads and stores.
  const std::vector<Operation *> &accesses() const { return m_accesses; }
  /// The operations at which warps wait for each other.
  const std::vector<Operation *> &waits() const { return m_waits; }
  /// Whether an access may follow another one in one program, with nothing between them that makes
  /// warps wait.
  bool mayFollow(Operation *then, Operation *first);

private:
  bool hasBarrier(unsigned begin, unsigned end) const {
    const auto first = m_barriers.lower_bound(begin);
    return first != m_barriers.end() && *first < end;
  }

  llvm::DenseMap<Operation *, unsigned> m_numbers;
  std::set<unsigned> m_barriers;
  std::vector<Operation *> m_accesses;
  std::vector<Operation *> m_waits;
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
    if (isa<tt::StoreOp, tt::LoadOp>(op)) {
      m_accesses.push_back(op);
    } else if (mayMakeWarpsWait(op)) {
      m_barriers.insert(number);
      m_waits.push_back(op);
    }
    // What it consists of is its own.
    return op->getNumRegions() != 0 && m_barriers.contains(number) ? WalkResult::skip()
                                                                   : WalkResult::advance();
  });
}

/// Whether a program executes one or the other.
static bool areApart(Operation *first, Operation *then) {
  for (auto each = first->getParentOfType<scf::IfOp>(); each;
       each = each->getParentOfType<scf::IfOp>())
    if (each->isProperAncestor(then))
      return each.getThenRegion().isAncestor(first->getParentRegion()) !=
             each.getThenRegion().isAncestor(then->getParentRegion());
  return false;
}

bool AccessOrder::mayFollow(Operation *then, Operation *first) {
  const unsigned begin = m_numbers[first], end = m_numbers[then];
  if (begin < end && !areApart(first, then))
    return !hasBarrier(begin, end);
  // In the next iteration of a loop around both.
  auto loop = first->getParentOfType<LoopLikeOpInterface>();
  while (loop && !loop->isProperAncestor(then))
    loop = loop->getParentOfType<LoopLikeOpInterface>();
  if (!loop)
    return false;
  unsigned last = begin;
  loop->walk([&](Operation *op) { last = std::max(last, m_numbers[op] + 1); });
  return !hasBarrier(begin, last) && !hasBarrier(m_numbers[loop], end);
}

static Value pointerOf(Operation *access) { return access->getOperand(0); }

/// The type of what is loaded or stored.
static Type typeOf(Operation *access) {
  auto store = dyn_cast<tt::StoreOp>(access);
  return store ? store.getValue().getType() : access->getResult(0).getType();
}

/// Whether what a load has of a scalar goes into blocks, so that all warps work on it.
static bool isSpread(Operation *load) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Value> waiting(load->getResults());
  while (!waiting.empty())
    for (Operation *user : waiting.pop_back_val().getUsers()) {
      if (isa<tt::SplatOp>(user))
        return true;
      if (isMemoryEffectFree(user) && seen.insert(user).second)
        llvm::append_range(waiting, user->getResults());
    }
  return false;
}

/// Whether a pair may be of one tensor, and of elements that different warps hold.
static bool mayMeet(Operation *first, Operation *then) {
  const bool isStore = isa<tt::StoreOp>(first), isThenStore = isa<tt::StoreOp>(then);
  if (first == then || (!isStore && !isThenStore))
    return false;
  const bool isBlock = isa<RankedTensorType>(typeOf(first));
  const bool areScalars = !isBlock && !isa<RankedTensorType>(typeOf(then));
  // One warp stores a scalar.
  if (areScalars && (isStore == isThenStore || !isSpread(isStore ? then : first)))
    return false;
  if (isBlock && pointerOf(first) == pointerOf(then))
    return false;
  const std::optional<unsigned> one = interpreter::argumentOf(pointerOf(first));
  const std::optional<unsigned> other = interpreter::argumentOf(pointerOf(then));
  return !one || !other || *one == *other;
}

/// Calls `found` with the pairs of a module between which nothing makes warps wait.
static void forEachPair(AccessOrder &order,
                        llvm::function_ref<void(Operation *, Operation *)> found) {
  for (Operation *first : order.accesses())
    for (Operation *then : order.accesses())
      if (mayMeet(first, then) && order.mayFollow(then, first))
        found(first, then);
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

static WarpAccess accessOf(Operation *op) {
  const auto block = dyn_cast<RankedTensorType>(typeOf(op));
  const bool isStore = isa<tt::StoreOp>(op);
  const uint16_t ofScalar = isStore || !isSpread(op) ? 0 : kEveryWarp;
  return {op->getLoc().getAsOpaquePointer(), isStore,
          block ? warpsOf(block) : std::make_shared<const std::vector<uint16_t>>(1, ofScalar)};
}

/// The pairs as TTGIR has them, by the places of their operations.
static WarpOrder orderOf(ModuleOp module) {
  WarpOrder found;
  // One place may have several operations: they must agree.
  std::map<const void *, WarpAccess> known;
  std::set<const void *> doubtful;
  const auto note = [&](Operation *op) {
    const WarpAccess access = accessOf(op);
    const WarpAccess &other = known.try_emplace(access.place, access).first->second;
    if (!access.warps || !other.warps || other.isStore != access.isStore ||
        *other.warps != *access.warps)
      doubtful.insert(access.place);
    return other;
  };
  AccessOrder order(module);
  forEachPair(order, [&](Operation *first, Operation *then) {
    found.unordered.push_back({note(first), note(then)});
  });
  std::erase_if(found.unordered, [&](const UnorderedAccesses &pair) {
    return doubtful.contains(pair.first.place) || doubtful.contains(pair.then.place);
  });
  for (Operation *wait : order.waits())
    found.waits.push_back(wait->getLoc().getAsOpaquePointer());
  return found;
}

/// Whether the operation is an atomic one of a single element that is to tell other programs what its own
/// has done so far. One thread executes it, which has done a part of that.
static bool tellsAlone(Operation *op) {
  const auto tells = [](tt::MemSemantic sem, tt::MemSyncScope scope) {
    return (sem == tt::MemSemantic::RELEASE || sem == tt::MemSemantic::ACQUIRE_RELEASE) &&
           scope != tt::MemSyncScope::CTA;
  };
  if (op->getNumResults() != 1 || isa<RankedTensorType>(op->getResult(0).getType()))
    return false;
  if (auto update = dyn_cast<tt::AtomicRMWOp>(op))
    return tells(update.getSem(), update.getScope());
  auto exchange = dyn_cast<tt::AtomicCASOp>(op);
  return exchange && tells(exchange.getSem(), exchange.getScope());
}

/// Calls `found` with stores of blocks and the atomic operations that are to tell of them, of which nothing
/// makes warps wait between the two: a program that is told may not see what other warps have stored. Both
/// are of arguments that programs learn something from.
static void forEachUntold(ModuleOp module, AccessOrder &order,
                          llvm::function_ref<void(Operation *, Operation *)> found) {
  tt::FuncOp kernel = interpreter::findKernel(module, "");
  if (!kernel)
    return;
  const std::vector<interpreter::ArgumentUse> uses = interpreter::argumentUses(kernel, module);
  const auto has = [&](Operation *op, bool interpreter::ArgumentUse::*use) {
    const std::optional<unsigned> argument = interpreter::argumentOf(pointerOf(op));
    return argument && *argument < uses.size() && uses[*argument].*use;
  };
  module.walk([&](Operation *atomic) {
    if (!tellsAlone(atomic) || !has(atomic, &interpreter::ArgumentUse::isLookedAt))
      return;
    for (Operation *store : order.accesses())
      if (isa<tt::StoreOp>(store) && isa<RankedTensorType>(typeOf(store)) &&
          has(store, &interpreter::ArgumentUse::isLoaded) && order.mayFollow(atomic, store))
        found(store, atomic);
  });
}

/// Whether TTGIR has anything to say of the kernel.
static bool mayHavePairs(ModuleOp module) {
  AccessOrder order(module);
  bool isFound = false;
  forEachPair(order, [&](Operation *, Operation *) { isFound = true; });
  forEachUntold(module, order, [&](Operation *, Operation *) { isFound = true; });
  return isFound;
}

/// Whether several warps hold parts of what is stored.
static bool isOfSeveralWarps(Operation *store) {
  const WarpAccess access = accessOf(store);
  return access.warps &&
         std::ranges::any_of(*access.warps, [](uint16_t warp) { return warp != 0; });
}

namespace {
/// An atomic operation that tells other programs of stores that some warps may not have done.
struct UntoldStores {
  Operation *atomic;
  Operation *first;
  std::set<unsigned> arguments;
};
} // namespace

/// Those of a module, in the order of their atomic operations.
static std::vector<UntoldStores> untoldStores(ModuleOp module) {
  AccessOrder order(module);
  std::vector<UntoldStores> untold;
  forEachUntold(module, order, [&](Operation *store, Operation *atomic) {
    if (!isOfSeveralWarps(store))
      return;
    auto same = std::ranges::find(untold, atomic->getLoc(),
                                  [](const UntoldStores &each) { return each.atomic->getLoc(); });
    if (same == untold.end())
      same = untold.insert(untold.end(), {atomic, store, {}});
    same->arguments.insert(*interpreter::argumentOf(pointerOf(store)));
  });
  return untold;
}

/// The arguments that hold something else where programs read what is stored too early; nothing: any may.
static std::optional<std::vector<std::string>> reachedBy(const UntoldStores &stores,
                                                         const TtirKernel &kernel) {
  tt::FuncOp function = interpreter::findKernel(*kernel.module, "");
  const std::vector<KernelParameter> &parameters = kernel.facts.metadata.parameters;
  if (!function || function.getNumArguments() != parameters.size())
    return std::nullopt;
  llvm::BitVector reached(function.getNumArguments());
  for (const unsigned each : stores.arguments)
    reached |= interpreter::argumentsReachedBy(each, function);
  std::vector<std::string> names;
  for (const unsigned each : reached.set_bits())
    names.push_back(parameters[each].name);
  return reached.all() ? std::nullopt : std::optional(names);
}

/// Here, a barrier of its own precedes such an operation; Triton puts none. `module`: the kernel's TTGIR.
static void reportUntold(CompileJob &job, ModuleOp module, const TtirKernel &kernel) {
  std::vector<std::string> files;
  for (const SourceFile &file : job.files.files())
    files.push_back(file.path);
  const std::vector<KernelParameter> &parameters = kernel.facts.metadata.parameters;
  for (const UntoldStores &untold : untoldStores(module)) {
    Diagnostic &diagnostic = job.report(
        DiagnosticKind::RunWriteRace, Severity::Warning,
        "one thread executes this operation, and nothing makes it wait for the other warps, which "
        "store what it tells other programs of; put `tl.debug_barrier()` in front of it",
        {"Tilescope's code has a barrier there, Triton's has none"});
    diagnostic.range = interpreter::getSourceRange(untold.atomic->getLoc(), files);
    diagnostic.labels.push_back(
        {interpreter::getSourceRange(untold.first->getLoc(), files), "stored here"});
    if (std::optional<std::vector<std::string>> reached = reachedBy(untold, kernel))
      diagnostic.cause.outputs = std::move(*reached);
    else
      diagnostic.cause.need = Need::Pointer;
    const unsigned argument = *interpreter::argumentOf(pointerOf(untold.first));
    if (argument < parameters.size())
      diagnostic.cause.subject = parameters[argument].name;
  }
}

WarpOrder unorderedAccesses(CompileJob &job, const TtirKernel &kernel) {
  ModuleOp module = *kernel.module;
  if (job.entryIsIr() || kernel.facts.options.numWarps == 1 || !mayHavePairs(module))
    return {};
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager passes(copy->getContext());
  addStagePasses(StageId::Ttgir, passes, kernel.facts.options);
  const ScopedDiagnosticHandler quiet(copy->getContext(),
                                      [](mlir::Diagnostic &) { return success(); });
  if (failed(passes.run(*copy)))
    return {};
  reportUntold(job, *copy, kernel);
  return orderOf(*copy);
}

} // namespace tilescope::compiler
