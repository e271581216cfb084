// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tm/ir/Extents.h"
#include "compiler/model/shape/KnownValues.h"

#include "mlir/IR/Builders.h"

#include <optional>
#include <string>
#include <vector>

#include "onnx.pb.h"

namespace tilescope::model {

class GraphReader;

/// A node of the model while operations are made of it. The first fault is kept; after it nothing
/// more is made, so that a rule needs to look at faults only where it goes on by what it has made.
class Node {
public:
  Node(const onnx::NodeProto &proto, int64_t version, GraphReader &graph);

  /// The version of the operator set of the node's domain.
  int64_t version() const { return m_version; }
  const onnx::NodeProto &proto() const { return m_proto; }
  mlir::MLIRContext *context() const;
  mlir::OpBuilder &builder() const;
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
  const Known *known(mlir::Value value) const;
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

  /// Counted from the front, below `rank`; a fault where it is not.
  int64_t axis(int64_t axis, int64_t rank);
  std::optional<std::vector<int64_t>> axes(std::vector<int64_t> axes, int64_t rank);
  /// A fault where there are more or less operands.
  bool expectOperands(size_t least, size_t most);

  /// A type; null, and a fault, where its extents are out of range.
  mlir::RankedTensorType tensorType(llvm::ArrayRef<tm::Extent> extents, mlir::Type element);
  /// That of operands whose extents of 1 are repeated.
  mlir::RankedTensorType broadcast(llvm::ArrayRef<mlir::Value> operands, mlir::Type element);
  tm::Extent number(int64_t value) const { return tm::number(context(), value); }
  /// The extent of an axis that only running the model tells.
  tm::Extent unknownExtent(size_t axis) const;

  /// The result of an operation, or what it folds to; null after a fault.
  template <typename Op, typename... Arguments>
  mlir::Value emit(mlir::RankedTensorType type, Arguments &&...arguments) {
    if (m_failed || !type)
      return {};
    return folded(Op::create(builder(), m_location, type, std::forward<Arguments>(arguments)...));
  }
  /// All results.
  template <typename Op, typename... Arguments>
  llvm::SmallVector<mlir::Value> emitAll(llvm::ArrayRef<mlir::Type> types,
                                         Arguments &&...arguments) {
    if (m_failed || llvm::is_contained(types, mlir::Type()))
      return {};
    auto op = Op::create(builder(), m_location, types, std::forward<Arguments>(arguments)...);
    return {op->result_begin(), op->result_end()};
  }
  /// A number as a tensor without axes.
  mlir::Value scalar(double value, mlir::Type element);

  /// Extents, as a tensor of int64.
  mlir::Value sizes(llvm::ArrayRef<tm::Extent> values, llvm::ArrayRef<tm::Extent> extents);

  /// The node's results; those behind the last are left out.
  bool finish(llvm::ArrayRef<mlir::Value> results);
  bool finish(mlir::Value result) { return finish(llvm::ArrayRef(result)); }
  /// Keeps the fault if it is the first; false.
  bool fail(const std::string &message);
  bool failed() const { return m_failed; }

private:
  const onnx::AttributeProto *find(const char *attribute) const;
  const onnx::AttributeProto *find(const char *attribute, onnx::AttributeProto::AttributeType type);
  mlir::Value folded(mlir::Operation *operation);

  const onnx::NodeProto &m_proto;
  int64_t m_version;
  GraphReader &m_graph;
  mlir::Location m_location;
  llvm::SmallVector<mlir::Value> m_operands;
  bool m_failed = false;
};

} // namespace tilescope::model
