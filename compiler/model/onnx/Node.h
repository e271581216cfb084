// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/import/NodeBuilder.h"

#include "onnx.pb.h"

namespace tilescope::model {

class GraphReader;

/// The node's name, or its first output where it has none.
std::string nodeName(const onnx::NodeProto &node);

/// A node of the model while operations are made of it.
class Node : public NodeBuilder {
public:
  Node(const onnx::NodeProto &proto, int64_t version, GraphReader &graph);

  /// The version of the operator set of the node's domain.
  int64_t version() const { return m_version; }
  const onnx::NodeProto &proto() const { return m_proto; }
  GraphReader &graph() const { return m_graph; }

  size_t numOperands() const { return m_operands.size(); }
  /// Null where an optional one is left out.
  mlir::Value operand(size_t index) const;
  mlir::ValueRange operands() const { return m_operands; }
  mlir::RankedTensorType type(size_t index) const;
  mlir::Type element(size_t index) const { return type(index).getElementType(); }
  tm::ExtentList extents(size_t index) const { return tm::extentsOf(type(index)); }
  /// The elements of an operand that are known without running the model; null: they are not.
  const Known *known(size_t index) const;
  using NodeBuilder::known;
  /// As whole numbers; nothing where they are not known.
  std::optional<std::vector<tm::Extent>> knownSizes(size_t index) const;
  /// As numbers; nothing where one of them is symbolic.
  std::optional<std::vector<int64_t>> knownNumbers(size_t index) const;

  bool has(const char *attribute) const { return find(attribute) != nullptr; }
  int64_t integer(const char *attribute, int64_t otherwise);
  float real(const char *attribute, float otherwise);
  std::string text(const char *attribute, const std::string &otherwise);
  std::optional<std::vector<int64_t>> integers(const char *attribute);
  std::optional<std::vector<float>> reals(const char *attribute);
  /// Null without the attribute.
  const onnx::TensorProto *tensor(const char *attribute);
  const onnx::GraphProto *subgraph(const char *attribute);

  /// The second operand of two that are repeated to one shape. Before version 7 its axes are those from the attribute `axis` on.
  mlir::Value secondOperand();

  /// A fault where there are more or less operands.
  bool expectOperands(size_t least, size_t most);

  /// The node's results; those behind the last are left out.
  bool finish(llvm::ArrayRef<mlir::Value> results);
  bool finish(mlir::Value result) { return finish(llvm::ArrayRef(result)); }

private:
  const onnx::AttributeProto *find(const char *attribute) const;
  const onnx::AttributeProto *find(const char *attribute, onnx::AttributeProto::AttributeType type);

  const onnx::NodeProto &m_proto;
  int64_t m_version;
  GraphReader &m_graph;
  llvm::SmallVector<mlir::Value> m_operands;
};

} // namespace tilescope::model
