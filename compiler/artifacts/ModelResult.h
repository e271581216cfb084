// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is known of a model file: what views and commands show of it.
#pragma once

#include "compiler/artifacts/Diagnostic.h"

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

struct ModelRequest {
  std::string path;
  /// Numbers for symbolic extents, by name.
  std::vector<std::pair<std::string, int64_t>> extents;
  ModelText text = ModelText::None;
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

struct ModelResult {
  bool ok = false;
  std::string producer;
  int64_t formatVersion = 0;
  /// Domains (empty: the standard's) with the versions of their operator sets.
  std::vector<std::pair<std::string, int64_t>> operatorSets;
  uint64_t numNodes = 0;
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
  /// What was asked for.
  std::string text;
  std::vector<ModelDiagnostic> diagnostics;
  bool operator==(const ModelResult &) const = default;
};

} // namespace tilescope::compiler
