// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/import/GraphBuilder.h"
#include "compiler/model/torch_export/ExportFiles.h"
#include "compiler/model/torch_export/TensorAliases.h"

#include <stop_token>

namespace tilescope::model {

/// Makes a function of a program of `torch.export`. A node that cannot be read takes those that use it
/// with it, and the others are read on.
class ExportReader : public GraphBuilder {
public:
  ExportReader(const ExportFiles &files, const compiler::ModelRequest &request,
               compiler::ModelResult &result, mlir::OpBuilder &builder);

  /// Null after faults. Stops early where the token says so.
  mlir::func::FuncOp read(std::stop_token stop);

  // What nodes need.
  /// Null where no tensor has the name.
  mlir::Value value(llvm::StringRef name) const { return m_values.lookup(name); }
  /// A whole number that nodes compute from extents; null where none has the name.
  tm::Extent size(llvm::StringRef name) const { return m_sizes.lookup(name); }
  /// False where a value or a size has the name already.
  bool define(llvm::StringRef name, mlir::Value value);
  bool define(llvm::StringRef name, tm::Extent size);
  /// A result that no rule makes: an error only where it is used.
  void defineNothing(llvm::StringRef name) { m_unmade.insert(name); }
  /// Sets the new value of a tensor that a node changes in place.
  void redefine(llvm::StringRef name, mlir::Value value) { m_values[name] = value; }
  /// What the file says about a tensor; null: nothing.
  const ExportedTensor *described(llvm::StringRef name) const;
  /// A name that shares elements with those of `known`, is none of them, and is used behind the node
  /// that is being read; empty: none.
  std::string aliasUsedLater(llvm::ArrayRef<std::string> known) {
    return m_aliases.usedBehind(known, m_position);
  }
  bool isUsedLater(llvm::StringRef name) const { return m_aliases.isUsedBehind(name, m_position); }
  const ExportedNode *sliceMaker(llvm::StringRef name) const { return m_aliases.sliceMaker(name); }

private:
  void readInputs();
  /// A fault for each number that was asked for beyond what the file says of its symbol.
  void checkRanges();
  void readInput(const ExportedInput &input);
  mlir::Value readWeight(const ExportedInput &input);
  mlir::RankedTensorType typeOf(const std::string &what, const ExportedTensor &tensor);
  bool readNodes();
  bool readNode(const ExportedNode &node);
  bool canRead(const ExportedNode &node);
  bool isThere(const ExportedNode &node, const std::string &name);
  void giveUp(const ExportedNode &node);
  void listNode(const ExportedNode &node);
  llvm::SmallVector<std::pair<std::string, mlir::Value>> readOutputs();

  const ExportFiles &m_files;
  const ExportedProgram &m_program;
  std::stop_token m_stop;
  TensorAliases m_aliases;
  llvm::StringMap<mlir::Value> m_values;
  llvm::StringMap<tm::Extent> m_sizes;
  /// Names that could not be read.
  llvm::StringSet<> m_lost;
  llvm::StringSet<> m_unmade;
  size_t m_position = 0;
};

} // namespace tilescope::model
