// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/allocation/SharedPlaces.h"

#include "compiler/conversion/ttg_to_llvm/common/BlockText.h"
#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"
#include "compiler/dialects/ttg/ir/ModuleAttributes.h"
#include "compiler/dialects/ttg/ir/RingTurns.h"

using namespace mlir;

namespace tilescope::compiler {

using SizesOfCallees = llvm::DenseMap<Operation *, int64_t>;

std::string describeShared(Operation *op) {
  if (auto alloc = dyn_cast<ttg::LocalAllocOp>(op))
    return "a buffer of " + blockText(alloc.getType());
  if (isa<tt::FuncOp>(op))
    return "what groups of warps do next";
  if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(op))
    return "handing a block of " + blockText(cast<RankedTensorType>(convert.getType())) +
           " between threads";
  if (auto call = dyn_cast<tt::CallOp>(op))
    return "what `" + call.getCallee().str() + "` uses";
  return "scratch of `" + op->getName().getStringRef().str() + "`";
}

/// Everything that the function keeps in shared memory, in the order of its ends.
static SmallVector<SharedPlace> requestsOf(tt::FuncOp function, const Timeline &time,
                                           const BufferAliases &aliases,
                                           const SizesOfCallees &callees) {
  SmallVector<SharedPlace> all;
  for (auto &[op, interval] : bufferLives(function, time, aliases))
    if (auto alloc = dyn_cast<ttg::LocalAllocOp>(op))
      all.push_back({op,
                     {bufferBytes(alloc.getType()), bufferAlignment(alloc), interval.begin,
                      interval.end, time.at(op).group}});
  bool splitsWarps = false;
  SymbolTableCollection symbols;
  for (const auto &[op, moment] : time) {
    splitsWarps |= isa<ttg::WarpSpecializeOp>(op);
    int64_t size = scratchBytes(op);
    // A called function's memory is scratch of the call.
    if (auto call = dyn_cast<tt::CallOp>(op))
      if (Operation *callee = symbols.lookupNearestSymbolFrom(call, call.getCalleeAttr()))
        size = callees.lookup(callee);
    if (size > 0)
      all.push_back({op, {size, kScratchAlignment, moment.begin, moment.end, moment.group}});
  }
  // The map's order is arbitrary; places must not be.
  llvm::stable_sort(all, [&](const SharedPlace &x, const SharedPlace &y) {
    return time.at(x.op).end < time.at(y.op).end;
  });
  // Waiting warps look there for what to do, at any time.
  if (splitsWarps)
    all.push_back({function, {kDispatchBytes, 16, 0, INT64_MAX}});
  return all;
}

static std::optional<ttg::RingTurn> turnOf(const SharedPlace &place) {
  auto ring = dyn_cast<ttg::LocalAllocOp>(place.op);
  return ring ? ttg::ringTurnOf(ring) : std::nullopt;
}

/// The place of the first ring of the group.
static SharedPlace &firstOf(const SharedPlace &later, MutableArrayRef<SharedPlace> all) {
  return *llvm::find_if(all, [group = turnOf(later)->group](const SharedPlace &each) {
    const auto turn = turnOf(each);
    return turn && turn->group == group && turn->begin == 0;
  });
}

/// The later rings of groups whose slots take turns: the first ones have the bytes of all from then on.
static SmallVector<SharedPlace> takeLaterRings(SmallVector<SharedPlace> &all) {
  auto *const end = std::stable_partition(all.begin(), all.end(), [](const SharedPlace &each) {
    const auto turn = turnOf(each);
    return !turn || turn->begin == 0;
  });
  SmallVector<SharedPlace> others(end, all.end());
  all.erase(end, all.end());
  for (const SharedPlace &later : others) {
    MemoryRequest &request = firstOf(later, all).request;
    request.size += later.request.size;
    request.begin = std::min(request.begin, later.request.begin);
    request.end = std::max(request.end, later.request.end);
  }
  return others;
}

static int64_t plan(SmallVector<SharedPlace> &all) {
  SmallVector<SharedPlace> others = takeLaterRings(all);
  SmallVector<MemoryRequest> requests;
  for (const SharedPlace &place : all)
    requests.push_back(place.request);
  const MemoryPlan plan = planMemory(requests);
  for (auto [place, offset] : llvm::zip(all, plan.offsets))
    place.offset = offset;
  for (SharedPlace &later : others)
    later.offset = firstOf(later, all).offset + turnOf(later)->begin;
  all.append(others);
  return plan.total;
}

/// Makes the largest operation need less that reaches beyond the limit; false when none can.
static bool reduceLargest(ArrayRef<SharedPlace> all, int64_t limit) {
  SmallVector<SharedPlace> beyond;
  for (const SharedPlace &far : all)
    if (far.end() > limit)
      for (const SharedPlace &one : all)
        if (one.request.meets(far.request))
          beyond.push_back(one);
  llvm::stable_sort(beyond, [](const SharedPlace &x, const SharedPlace &y) {
    return x.request.size > y.request.size;
  });
  return llvm::any_of(beyond, [](const SharedPlace &one) { return reduceScratch(one.op); });
}

static SharedPlaces place(tt::FuncOp function, const BufferAliases &aliases,
                          const SizesOfCallees &callees, int64_t limit) {
  const Timeline time(function.getBody());
  SharedPlaces result{function, {}, 0};
  do {
    result.places = requestsOf(function, time, aliases, callees);
    result.total = plan(result.places);
  } while (result.total > limit && reduceLargest(result.places, limit));
  Builder builder(function.getContext());
  for (const SharedPlace &each : result.places)
    each.op->setAttr(ttg::kAllocationOffsetAttr, builder.getI32IntegerAttr(each.offset));
  return result;
}

SmallVector<SharedPlaces>
placeSharedMemory(ModuleOp module, int64_t limit,
                  llvm::function_ref<const BufferAliases &(tt::FuncOp)> aliasesOf) {
  SmallVector<SharedPlaces> all;
  SymbolTable symbols(module);
  SizesOfCallees sizes;
  llvm::DenseSet<Operation *> begun;
  std::function<void(tt::FuncOp)> visit = [&](tt::FuncOp function) {
    if (!begun.insert(function).second)
      return;
    function.walk([&](tt::CallOp call) {
      if (auto callee = symbols.lookup<tt::FuncOp>(call.getCallee()))
        visit(callee);
    });
    if (function.isDeclaration())
      return;
    all.push_back(place(function, aliasesOf(function), sizes, limit));
    sizes[function] = all.back().total;
  };
  for (auto function : module.getOps<tt::FuncOp>())
    visit(function);
  return all;
}

} // namespace tilescope::compiler
