// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/ModelResult.h"
#include "compiler/dialects/tm/ir/Extents.h"
#include "compiler/model/shape/KnownValues.h"

#include "llvm/ADT/StringSet.h"
#include "mlir/IR/Builders.h"

namespace tilescope::model {

/// The function that a model file becomes, with what its `ModelResult` says about the file: what
/// readers of all formats share.
class GraphBuilder {
public:
  GraphBuilder(const compiler::ModelRequest &request, compiler::ModelResult &result,
               mlir::OpBuilder &builder);

  mlir::OpBuilder &builder() const { return m_builder; }
  mlir::Location named(llvm::StringRef name) const;
  /// Null where the elements are not known.
  const Known *known(mlir::Value value) const;
  /// The operation's result, or a constant or sizes in its place.
  mlir::Value folded(mlir::Operation *operation);
  /// An extent of an input: a symbol, or the number that was asked for.
  tm::Extent inputExtent(const std::string &symbol);

  void report(const std::string &node, const std::string &operatorName, const std::string &message);
  void report(const std::string &message, compiler::Severity severity = compiler::Severity::Error);

protected:
  const compiler::ModelRequest &request() const { return m_request; }
  compiler::ModelResult &result() const { return m_result; }

  /// Begins the function; all that is built goes into it.
  void begin(llvm::StringRef name);
  mlir::Value addInput(const std::string &name, mlir::RankedTensorType type);
  /// A fault for each extent that was asked for and that no input has.
  void checkExtents();
  void countOperator(const std::string &name, const std::string &domain, bool isSupported);
  static compiler::ModelTensor describe(const std::string &name, mlir::Value value);
  /// Ends the function. Outputs that could not be read are null. Null after faults.
  mlir::func::FuncOp finish(llvm::ArrayRef<std::pair<std::string, mlir::Value>> outputs);

private:
  void countWeights();
  void setNames();

  const compiler::ModelRequest &m_request;
  compiler::ModelResult &m_result;
  mlir::OpBuilder &m_builder;
  mlir::func::FuncOp m_function;
  mlir::Block *m_body = nullptr;
  llvm::DenseMap<mlir::Value, Known> m_known;
  llvm::StringSet<> m_usedSymbols;
  size_t m_numLeftOut = 0;
};

} // namespace tilescope::model
