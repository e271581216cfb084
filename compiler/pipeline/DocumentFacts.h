// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is known of the values of a document in MLIR, under the names and at the places that the
// document itself uses.
#pragma once

#include "compiler/artifacts/LayoutFacts.h"
#include "compiler/artifacts/ValueFacts.h"

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace tilescope::compiler {

/// Reads the names and places of values out of what the parser noted; `sources` holds the document
/// alone. Both are referred to.
class DocumentFacts {
public:
  DocumentFacts(const mlir::AsmParserState &parsed, llvm::SourceMgr &sources);

  /// The value as its definition writes it, without the `%`; empty for `%12` and the like.
  std::string nameOf(mlir::Value value) const;
  /// The type of every value, where it is defined and wherever it is used.
  std::vector<ValueFacts> values() const;
  /// The layouts of the blocks and buffers in `module`, in the order of the text.
  std::vector<LayoutFacts> layouts(mlir::ModuleOp module) const;

private:
  using Definition = mlir::AsmParserState::SMDefinition;

  SourceRange range(llvm::SMRange range) const;
  /// Null when the document does not name it.
  const Definition *definitionOf(mlir::Value value) const;

  const mlir::AsmParserState &m_parsed;
  llvm::SourceMgr &m_sources;
};

} // namespace tilescope::compiler
