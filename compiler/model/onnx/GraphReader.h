// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/ModelResult.h"
#include "compiler/dialects/tm/ir/Extents.h"
#include "compiler/model/onnx/ModelFiles.h"
#include "compiler/model/shape/KnownValues.h"

#include "llvm/ADT/StringSet.h"
#include "mlir/IR/Builders.h"

#include <stop_token>

namespace tilescope::model {

/// Makes a function of the model's graph, with what it says about it in a `ModelResult`. A node that
/// cannot be read takes those that use it with it, and the others are read on.
class GraphReader {
public:
  GraphReader(ModelFiles &files, const compiler::ModelRequest &request,
              compiler::ModelResult &result, mlir::OpBuilder &builder);

  /// Null after faults. Stops early where the token says so.
  mlir::func::FuncOp read(std::stop_token stop);

  // What nodes need.
  mlir::OpBuilder &builder() const { return m_builder; }
  ModelFiles &files() const { return m_files; }
  mlir::Location locationOf(const onnx::NodeProto &node) const;
  /// Null where no value has the name.
  mlir::Value value(llvm::StringRef name) const;
  /// False where a value has the name already.
  bool define(llvm::StringRef name, mlir::Value value);
  /// Null where the elements are not known.
  const Known *known(mlir::Value value) const;
  /// The operation's result, or a constant or sizes in its place.
  mlir::Value folded(mlir::Operation *operation);
  /// The tensor as a constant or a weight; null after a fault about the node, or, without one, about
  /// the model.
  mlir::Value read(const onnx::TensorProto &tensor, const onnx::NodeProto *node);
  /// The graph's outputs, read in place; false after faults.
  bool readInline(const onnx::GraphProto &graph, llvm::SmallVectorImpl<mlir::Value> &outputs);

  void report(const onnx::NodeProto &node, const std::string &message);
  void report(const std::string &message, compiler::Severity severity = compiler::Severity::Error);

private:
  bool readInputs(const onnx::GraphProto &graph);
  bool readInitializers(const onnx::GraphProto &graph);
  bool readNodes(const onnx::GraphProto &graph);
  bool readNode(const onnx::GraphProto &graph, const onnx::NodeProto &node);
  bool canRead(const onnx::GraphProto &graph, const onnx::NodeProto &node);
  void giveUp(const onnx::NodeProto &node);
  bool outputsOf(const onnx::GraphProto &graph, llvm::SmallVectorImpl<mlir::Value> &outputs);
  mlir::RankedTensorType inputType(const onnx::ValueInfoProto &input);
  tm::Extent inputExtent(const onnx::TensorShapeProto::Dimension &extent, const std::string &name);
  void countWeights();
  void setNames(mlir::func::FuncOp function);
  void listNode(const onnx::NodeProto &node);
  void countOperator(const onnx::NodeProto &node, bool isSupported);
  int64_t versionOf(const std::string &domain) const;
  void add(compiler::ModelDiagnostic diagnostic);

  ModelFiles &m_files;
  const compiler::ModelRequest &m_request;
  compiler::ModelResult &m_result;
  mlir::OpBuilder &m_builder;
  std::stop_token m_stop;
  mlir::Block *m_body = nullptr;
  /// One for each graph that is being read, innermost last.
  std::vector<llvm::StringMap<mlir::Value>> m_scopes;
  /// Values that nodes which could not be read would have made.
  llvm::StringSet<> m_lost;
  llvm::DenseMap<mlir::Value, Known> m_known;
  llvm::StringSet<> m_usedSymbols;
  size_t m_numLeftOut = 0;
};

} // namespace tilescope::model
