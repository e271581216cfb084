// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/fusion/Fuse.h"

#include "compiler/dialects/tm/ir/Extents.h"
#include "compiler/model/emit/AttentionPattern.h"
#include "compiler/model/fusion/FusionChoices.h"

#include <limits>
#include <tuple>

using namespace mlir;

namespace tilescope::model {

using compiler::FusionWish;

// Beyond these a kernel is hard to read, and its values no longer fit into registers.
static constexpr size_t kMostOperations = 64, kMostTensors = 14, kMostLines = 40;

static std::vector<FusionEdge> edgesOf(const GroupGraph &graph, ArrayRef<Group> groups) {
  std::vector<FusionEdge> edges;
  for (const Group &group : groups) {
    Operation *operation = group.operations.front();
    llvm::SmallPtrSet<Operation *, 4> seen;
    for (const Value operand : operation->getOperands()) {
      Operation *maker = operand.getDefiningOp();
      if (maker && graph.contains(maker) && seen.insert(maker).second)
        edges.push_back({maker, operation, operand, tm::bytesOf(tensorType(operand)).value_or(0)});
    }
  }
  return edges;
}

/// Reshapes belong to what makes their elements; then what was chosen, and what moves most.
static void sortByTurn(std::vector<FusionEdge> &edges, const FusionChoices &choices) {
  const auto turn = [&](const FusionEdge &edge) {
    return std::tuple(!isa<tm::ReshapeOp>(edge.to), choices.turn(edge),
                      std::numeric_limits<uint64_t>::max() - edge.bytes);
  };
  llvm::stable_sort(edges,
                    [&](const FusionEdge &a, const FusionEdge &b) { return turn(a) < turn(b); });
}

/// Why there is no kernel for the group; empty: there is one. Who wants it has it however large it is.
static std::string refusal(const Group &group, bool isWanted) {
  if (!isWanted && group.operations.size() > kMostOperations)
    return "a kernel takes at most " + std::to_string(kMostOperations) + " operations";
  const GroupKernel made = emitGroup(group);
  if (!made.kernel)
    return made.reason;
  if (isWanted)
    return "";
  if (made.kernel->tensors.size() > kMostTensors)
    return "a kernel takes at most " + std::to_string(kMostTensors) + " tensors";
  if (numLines(*made.kernel) > kMostLines)
    return "the kernel would have more than " + std::to_string(kMostLines) + " lines";
  return "";
}

static std::string fusedReason(const FusionEdge &edge, const GroupGraph &graph) {
  const Group &group = graph.group(graph.groupOf(edge.to));
  const bool isStored = llvm::is_contained(group.outputs(), edge.value);
  return isStored ? "it is stored for others, and not read again"
                  : "it stays in the kernel's registers";
}

/// Merges the groups of the edge, or says why not.
static std::string tryEdge(const FusionEdge &edge, const FusionChoices &choices,
                           GroupGraph &graph) {
  const size_t from = graph.groupOf(edge.from), to = graph.groupOf(edge.to);
  if (from == to)
    return "";
  if (std::string reason = choices.keptApart(graph, from, to); !reason.empty())
    return reason;
  if (const auto between = graph.between(from, to))
    return "`" + tm::nodeName(graph.group(*between).operations.front()) +
           "` needs the one and makes what the other needs";
  const bool isWanted = choices.wish(edge) == FusionWish::Fused;
  if (std::string reason = refusal(graph.together(from, to), isWanted); !reason.empty())
    return reason;
  graph.merge(from, to);
  return "";
}

/// The pattern with what only moves its factors: those are read where they lie.
static std::vector<Operation *> withMovements(const AttentionPattern &pattern,
                                              const GroupGraph &graph) {
  std::vector<Operation *> operations = pattern.operations();
  std::vector<Value> factors = factorsOf(pattern);
  const auto isWithin = [&](Operation *operation) {
    return llvm::is_contained(operations, operation);
  };
  // What several factors are cut out of follows when all of them have been seen.
  for (size_t before = 0; before != operations.size();) {
    before = operations.size();
    for (size_t i = 0; i < factors.size(); ++i) {
      Operation *maker = factors[i].getDefiningOp();
      if (!maker || !graph.contains(maker) || isWithin(maker) || !isReadInPlace(maker) ||
          !llvm::all_of(maker->getUsers(), isWithin))
        continue;
      operations.push_back(maker);
      factors.insert(factors.end(), maker->operand_begin(), maker->operand_end());
    }
  }
  llvm::sort(operations, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return operations;
}

/// Whether all became one group.
static bool mergeAll(ArrayRef<Operation *> operations, const FusionChoices &choices,
                     GroupGraph &graph) {
  if (!refusal(Group{operations.vec()}, false).empty())
    return false;
  for (Operation *operation : operations)
    for (const Value operand : operation->getOperands())
      if (Operation *maker = operand.getDefiningOp();
          maker && llvm::is_contained(operations, maker) &&
          !choices.keptApart(graph, graph.groupOf(maker), graph.groupOf(operation)).empty())
        return false;
  for (size_t i = 1; i < operations.size(); ++i)
    graph.merge(graph.groupOf(operations[i - 1]), graph.groupOf(operations[i]));
  return true;
}

/// Brings together what only makes sense as a whole: a kernel of some of it would be of no use to the others.
static void mergeAttention(func::FuncOp function, const FusionChoices &choices, GroupGraph &graph) {
  for (auto softmax : function.getOps<tm::SoftmaxOp>())
    if (const auto pattern = attentionAround(softmax))
      if (!mergeAll(withMovements(*pattern, graph), choices, graph))
        mergeAll(pattern->operations(), choices, graph);
}

static bool isStatic(func::FuncOp function) {
  return llvm::all_of(function.getBody().front(), [](Operation &operation) {
    return llvm::all_of(operation.getResultTypes(),
                        [](Type type) { return cast<RankedTensorType>(type).hasStaticShape(); });
  });
}

void countUnfused(func::FuncOp function, compiler::ModelResult &result) {
  if (!isStatic(function))
    return;
  for (const Group &group : singleGroups(function))
    if (const GroupKernel made = emitGroup(group); made.kernel) {
      ++result.numUnfusedKernels;
      result.unfusedBytes += bytesMoved(*made.kernel);
    }
}

/// What became of an edge; one that cannot be fused as was chosen is an error.
static void tellEdge(const FusionEdge &edge, const std::string &reason,
                     const FusionChoices &choices, const GroupGraph &graph,
                     compiler::ModelResult &result) {
  // What a later edge has brought together is fused as well.
  const bool isFused = graph.groupOf(edge.from) == graph.groupOf(edge.to);
  const std::string from = tm::nodeName(edge.from), to = tm::nodeName(edge.to);
  const FusionWish wish = choices.wish(edge);
  result.edges.push_back(
      {from, to, isFused, isFused ? fusedReason(edge, graph) : reason, edge.bytes, wish});
  if (isFused || wish != FusionWish::Fused)
    return;
  result.ok = false;
  result.diagnostics.push_back(
      {compiler::Severity::Error, "", "",
       "`" + from + "` and `" + to + "` cannot be fused as was chosen: " + reason});
}

std::vector<Group> fuse(func::FuncOp function, ArrayRef<compiler::FusionChoice> chosen,
                        compiler::ModelResult &result) {
  std::vector<Group> groups = singleGroups(function);
  // The emitter says what is missing.
  if (!isStatic(function))
    return groups;
  GroupGraph graph(groups);
  std::vector<FusionEdge> edges = edgesOf(graph, groups);
  const FusionChoices choices(chosen, edges);
  sortByTurn(edges, choices);
  mergeAttention(function, choices, graph);
  std::vector<std::string> reasons;
  for (const FusionEdge &edge : edges)
    reasons.push_back(tryEdge(edge, choices, graph));
  choices.report(result);
  for (const auto &[edge, reason] : llvm::zip_equal(edges, reasons))
    if (edge.isTold())
      tellEdge(edge, reason, choices, graph, result);
  return graph.ordered();
}

} // namespace tilescope::model
