// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/import/GraphBuilder.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope::model {

/// Makes operations of a node, whatever format it is from. The first fault is kept; after it nothing
/// more is made, so that a rule needs to look at faults only where it goes on by what it has made.
class NodeBuilder {
public:
  mlir::MLIRContext *context() const { return builder().getContext(); }
  mlir::OpBuilder &builder() const { return m_graph.builder(); }
  const Known *known(mlir::Value value) const { return value ? m_graph.known(value) : nullptr; }

  /// Counted from the front, below `rank`; a fault where it is not.
  int64_t axis(int64_t axis, int64_t rank);
  std::optional<std::vector<int64_t>> axes(std::vector<int64_t> axes, int64_t rank);

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
    return m_graph.folded(
        Op::create(builder(), m_location, type, std::forward<Arguments>(arguments)...));
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

  /// Keeps the fault if it is the first; false.
  bool fail(const std::string &message);
  bool failed() const { return m_failed; }

protected:
  /// `name` and `operatorName` are those of diagnostics, `firstOutput` that of unknown extents.
  NodeBuilder(GraphBuilder &graph, std::string name, std::string operatorName,
              std::string firstOutput);

private:
  GraphBuilder &m_graph;
  std::string m_name, m_operatorName, m_firstOutput;
  mlir::Location m_location;
  bool m_failed = false;
};

} // namespace tilescope::model
