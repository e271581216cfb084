// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/fusion/Fuse.h"

#include "compiler/dialects/tm/ir/Extents.h"
#include "compiler/dialects/tm/ir/NodeName.h"
#include "compiler/model/fusion/GroupGraph.h"

using namespace mlir;

namespace tilescope::model {

// Beyond these a kernel is hard to read, and its values no longer fit into registers.
static constexpr size_t kMostOperations = 64, kMostTensors = 14, kMostLines = 40;

namespace {
/// A tensor that an operation makes and another one reads.
struct Edge {
  Operation *from, *to;
  Value value;
  uint64_t bytes;
};
} // namespace

static std::vector<Edge> edgesOf(const GroupGraph &graph, ArrayRef<Group> groups) {
  std::vector<Edge> edges;
  for (const Group &group : groups) {
    Operation *operation = group.operations.front();
    llvm::SmallPtrSet<Operation *, 4> seen;
    for (const Value operand : operation->getOperands()) {
      Operation *maker = operand.getDefiningOp();
      if (maker && graph.contains(maker) && seen.insert(maker).second)
        edges.push_back({maker, operation, operand, tm::bytesOf(tensorType(operand)).value_or(0)});
    }
  }
  // Reshapes belong to what makes their elements; then what moves most.
  llvm::stable_sort(edges, [](const Edge &a, const Edge &b) {
    const bool isViewA = isa<tm::ReshapeOp>(a.to), isViewB = isa<tm::ReshapeOp>(b.to);
    return isViewA != isViewB ? isViewA : a.bytes > b.bytes;
  });
  return edges;
}

/// Why there is no kernel for the group; empty: there is one.
static std::string refusal(const Group &group) {
  if (group.operations.size() > kMostOperations)
    return "a kernel takes at most " + std::to_string(kMostOperations) + " operations";
  const GroupKernel made = emitGroup(group);
  if (!made.kernel)
    return made.reason;
  if (made.kernel->tensors.size() > kMostTensors)
    return "a kernel takes at most " + std::to_string(kMostTensors) + " tensors";
  if (size_t(llvm::count(made.kernel->body, '\n')) > kMostLines)
    return "the kernel would have more than " + std::to_string(kMostLines) + " lines";
  return "";
}

static std::string fusedReason(const Edge &edge, const GroupGraph &graph) {
  const Group &group = graph.group(graph.groupOf(edge.to));
  const bool isStored = llvm::is_contained(group.outputs(), edge.value);
  return isStored ? "it is stored for others, and not read again"
                  : "it stays in the kernel's registers";
}

/// Merges the groups of the edge, or says why not.
static std::string tryEdge(const Edge &edge, GroupGraph &graph) {
  const size_t from = graph.groupOf(edge.from), to = graph.groupOf(edge.to);
  if (from == to)
    return "";
  if (const auto between = graph.between(from, to))
    return "`" + tm::nodeName(graph.group(*between).operations.front()) +
           "` needs the one and makes what the other needs";
  if (std::string reason = refusal(graph.together(from, to)); !reason.empty())
    return reason;
  graph.merge(from, to);
  return "";
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

std::vector<Group> fuse(func::FuncOp function, compiler::ModelResult &result) {
  std::vector<Group> groups = singleGroups(function);
  // The emitter says what is missing.
  if (!isStatic(function))
    return groups;
  GroupGraph graph(groups);
  const std::vector<Edge> edges = edgesOf(graph, groups);
  std::vector<std::string> reasons;
  for (const Edge &edge : edges)
    reasons.push_back(tryEdge(edge, graph));
  for (const auto &[edge, reason] : llvm::zip_equal(edges, reasons)) {
    // Inside of a node there is nothing to tell.
    if (tm::nodeName(edge.from) == tm::nodeName(edge.to))
      continue;
    // What a later edge has brought together is fused as well.
    const bool isFused = graph.groupOf(edge.from) == graph.groupOf(edge.to);
    if (!isa<tm::ReshapeOp>(edge.to))
      result.edges.push_back({tm::nodeName(edge.from), tm::nodeName(edge.to), isFused,
                              isFused ? fusedReason(edge, graph) : reason, edge.bytes});
  }
  return graph.ordered();
}

} // namespace tilescope::model
