// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is known of a model file: what views and commands show of it.
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/artifacts/ModelKernelForm.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tilescope::compiler {

/// What of a model is wanted as text.
enum class ModelText : uint8_t {
  None,
  /// The dialect `tm`.
  Ir,
  /// A Python file with a kernel for each form of operation.
  Kernels,
  /// JSON: that file, and the order of its launches with the tensors that they read and write.
  Plan,
};

/// How far a model is rewritten before its text is made.
enum class ModelForm : uint8_t {
  /// As the file has it, without what only computes shapes.
  Read,
  /// With fewer and plainer operations.
  Canonical,
  /// And with operations that one kernel computes together.
  Fused,
};

/// A file that has more nodes is read, and the others are only counted.
inline constexpr size_t kMostListedNodes = 100'000;

/// What the user wants of an edge between two nodes.
enum class FusionWish : uint8_t {
  /// The compiler decides.
  None,
  /// One kernel computes both nodes.
  Fused,
  /// No kernel computes both.
  Apart,
};

struct FusionChoice {
  /// `FROM:TO`, as `edgeName` writes it; names of nodes may hold colons themselves.
  std::string edge;
  FusionWish wish = FusionWish::Fused;
  bool operator==(const FusionChoice &) const = default;
};

struct ModelRequest {
  std::string path;
  /// Numbers for symbolic extents, by name.
  std::vector<std::pair<std::string, int64_t>> extents;
  ModelText text = ModelText::None;
  ModelForm form = ModelForm::Read;
  /// For the fused form; those that come first are obeyed first.
  std::vector<FusionChoice> fusions = {};
  /// Whether kernels are for GPUs whose bulk copies bring products their factors; else they are for any device.
  bool hasBulkCopies = false;
  bool operator==(const ModelRequest &) const = default;
};

/// A finding about a node of the model, or about the whole model.
struct ModelDiagnostic {
  Severity severity = Severity::Error;
  /// The node, or its first output where it has no name; empty: the whole model.
  std::string node;
  /// Of the node.
  std::string operatorName;
  /// Worded as those of `Diagnostic`.
  std::string message;
  bool operator==(const ModelDiagnostic &) const = default;
};

struct ModelTensor {
  std::string name;
  /// As the format writes it: `float`, `int64`.
  std::string elementType;
  /// Each is a number or an expression of names.
  std::vector<std::string> extents;
  bool operator==(const ModelTensor &) const = default;
};

/// How often an operator is used.
struct ModelOperator {
  std::string name;
  /// Empty: the standard's.
  std::string domain;
  uint64_t count = 0;
  bool isSupported = false;
  bool operator==(const ModelOperator &) const = default;
};

/// A change of the graph.
struct ModelRewrite {
  /// What is done everywhere: `batch norm into convolution`.
  std::string rule;
  /// The node that went.
  std::string node;
  /// What became of it.
  std::string message;
  bool operator==(const ModelRewrite &) const = default;
};

/// A node of the file.
struct ModelNode {
  /// Or its first output, where it has no name.
  std::string name;
  std::string operatorName;
  /// Names of tensors; those that are left out are empty.
  std::vector<std::string> inputs;
  std::vector<ModelTensor> outputs;
  bool operator==(const ModelNode &) const = default;
};

/// A launch.
struct ModelKernel {
  std::string function;
  /// Whose results it computes.
  std::vector<std::string> nodes;
  /// Of the tensors that it reads and writes, each counted once.
  uint64_t bytes = 0;
  /// The name of its launch block.
  std::string launch;
  ModelKernelForm form = ModelKernelForm::Elements;
  /// Floating-point operations.
  uint64_t flops = 0;
  /// Positions of the kernels whose results it reads, in order.
  std::vector<uint32_t> sources;
  bool operator==(const ModelKernel &) const = default;
};

/// A tensor between two nodes, and whether it stays inside of a kernel.
struct ModelEdge {
  std::string from, to;
  bool isFused = false;
  /// Why, or why not.
  std::string reason;
  /// What is not moved where it is fused.
  uint64_t bytes = 0;
  /// What the request wants of it.
  FusionWish wish = FusionWish::None;
  bool operator==(const ModelEdge &) const = default;
};

/// What a choice calls the edge: `FROM:TO`.
inline std::string edgeName(const ModelEdge &edge) { return edge.from + ":" + edge.to; }

/// Where a kernel's result lies in the arena while it lives.
struct ModelSlot {
  /// Position of the kernel that writes it; the first step in which it lives.
  uint32_t kernel = 0;
  /// The type in Triton's words, and numbers.
  ModelTensor tensor;
  uint64_t offset = 0;
  uint64_t bytes = 0;
  /// The last step that reads it, one behind the last kernel for an output of the model.
  uint32_t last = 0;
  bool operator==(const ModelSlot &) const = default;
};

struct ModelResult {
  bool ok = false;
  /// `ONNX`, `PyTorch export`
  std::string format;
  std::string producer;
  int64_t formatVersion = 0;
  /// Domains (empty: the standard's) with the versions of their operator sets.
  std::vector<std::pair<std::string, int64_t>> operatorSets;
  uint64_t numNodes = 0;
  /// In the order of the file, up to `kMostListedNodes`.
  std::vector<ModelNode> nodes;
  /// By count, most first.
  std::vector<ModelOperator> operators;
  std::vector<ModelTensor> inputs, outputs;
  /// Names that the inputs' extents use, in order.
  std::vector<std::string> symbols;
  /// Tensors that the model brings along, weights and other constants.
  uint64_t numWeights = 0;
  uint64_t weightBytes = 0;
  /// Of these in other files than the model's.
  uint64_t externalBytes = 0;
  /// Operations after folding.
  uint64_t numOperations = 0;
  /// In their order; those of what only computes shapes are not among them.
  std::vector<ModelRewrite> rewrites;
  /// In the order in which they run; where kernels were asked for.
  std::vector<ModelKernel> kernels;
  /// Between operations of the canonical form; where they were fused.
  std::vector<ModelEdge> edges;
  /// In the order in which they are written; where kernels were asked for.
  std::vector<ModelSlot> slots;
  uint64_t arenaBytes = 0;
  /// What the slots of the fullest step take: no arena is smaller.
  uint64_t leastArenaBytes = 0;
  /// Those of one kernel for each operation.
  uint64_t numUnfusedKernels = 0;
  uint64_t unfusedBytes = 0;
  /// What was asked for.
  std::string text;
  std::vector<ModelDiagnostic> diagnostics;
  bool operator==(const ModelResult &) const = default;
};

} // namespace tilescope::compiler
