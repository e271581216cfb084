// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/import/GraphBuilder.h"
#include "compiler/model/onnx/ModelFiles.h"

#include <stop_token>

namespace tilescope::model {

/// Makes a function of an ONNX model's graph. A node that cannot be read takes those that use it with
/// it, and the others are read on.
class GraphReader : public GraphBuilder {
public:
  GraphReader(ModelFiles &files, const compiler::ModelRequest &request,
              compiler::ModelResult &result, mlir::OpBuilder &builder);

  /// Null after faults. Stops early where the token says so.
  mlir::func::FuncOp read(std::stop_token stop);

  // What nodes need.
  ModelFiles &files() const { return m_files; }
  /// Null where no value has the name.
  mlir::Value value(llvm::StringRef name) const;
  /// False where a value has the name already.
  bool define(llvm::StringRef name, mlir::Value value);
  /// The tensor as a constant or a weight; null after a fault about the node, or, without one, about
  /// the model.
  mlir::Value read(const onnx::TensorProto &tensor, const onnx::NodeProto *node);
  /// The graph's outputs, read in place; false after faults.
  bool readInline(const onnx::GraphProto &graph, llvm::SmallVectorImpl<mlir::Value> &outputs);

  void report(const onnx::NodeProto &node, const std::string &message);
  using GraphBuilder::report;

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
  void listNode(const onnx::NodeProto &node);
  int64_t versionOf(const std::string &domain) const;

  ModelFiles &m_files;
  std::stop_token m_stop;
  /// One for each graph that is being read, innermost last.
  std::vector<llvm::StringMap<mlir::Value>> m_scopes;
  /// Values that nodes which could not be read would have made.
  llvm::StringSet<> m_lost;
};

} // namespace tilescope::model
