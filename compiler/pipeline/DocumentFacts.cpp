// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/DocumentFacts.h"

#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/LayoutFactsOf.h"
#include "compiler/types/TypeText.h"

#include "llvm/Support/SourceMgr.h"

namespace tilescope::compiler {

using mlir::AsmParserState;

static std::string typeText(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// As the frontend names it, `fp32[64]`, and then the layout, if it has one.
static std::string wordsOf(mlir::Type type) {
  const auto named = [](auto block) {
    return blockTypeText(typeText(block.getElementType()),
                         {block.getShape().begin(), block.getShape().end()});
  };
  const auto layout = [](mlir::Attribute encoding) {
    std::string text;
    llvm::raw_string_ostream(text) << encoding;
    return " · " + text;
  };
  if (auto block = mlir::dyn_cast<mlir::RankedTensorType>(type))
    return named(block) + (block.getEncoding() ? layout(block.getEncoding()) : "");
  if (auto buffer = mlir::dyn_cast<ttg::MemDescType>(type))
    return named(buffer) + " shared" + layout(buffer.getEncoding());
  return elementTypeText(typeText(type));
}

static llvm::StringRef textOf(llvm::SMRange range) {
  return {range.Start.getPointer(),
          static_cast<size_t>(range.End.getPointer() - range.Start.getPointer())};
}

DocumentFacts::DocumentFacts(const AsmParserState &parsed, llvm::SourceMgr &sources)
    : m_parsed(parsed), m_sources(sources) {}

SourceRange DocumentFacts::range(llvm::SMRange range) const {
  const auto [line, column] = m_sources.getLineAndColumn(range.Start);
  const Position begin{line - 1, column - 1};
  return {begin, {begin.line, begin.column + static_cast<uint32_t>(textOf(range).size())}, 0};
}

const DocumentFacts::Definition *DocumentFacts::definitionOf(mlir::Value value) const {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    const AsmParserState::BlockDefinition *block = m_parsed.getBlockDef(argument.getOwner());
    const bool isNamed = block && argument.getArgNumber() < block->arguments.size();
    return isNamed ? &block->arguments[argument.getArgNumber()] : nullptr;
  }
  const AsmParserState::OperationDefinition *op = m_parsed.getOpDef(value.getDefiningOp());
  const unsigned number = llvm::cast<mlir::OpResult>(value).getResultNumber();
  const Definition *found = nullptr;
  if (op)
    for (const auto &group : op->resultGroups)
      if (group.startIndex <= number)
        found = &group.definition;
  return found;
}

std::string DocumentFacts::nameOf(mlir::Value value) const {
  const Definition *definition = definitionOf(value);
  const llvm::StringRef name = definition ? textOf(definition->loc) : llvm::StringRef();
  const bool isNamed = name.size() > 1 && name[0] == '%' && !llvm::isDigit(name[1]);
  return isNamed ? name.drop_front().str() : "";
}

std::vector<ValueFacts> DocumentFacts::values() const {
  std::vector<ValueFacts> values;
  const auto add = [&](const Definition &definition, const std::string &type) {
    // A value that the text does not name has no place.
    if (!definition.loc.isValid())
      return;
    values.push_back({range(definition.loc), type});
    for (const llvm::SMRange &use : definition.uses)
      values.push_back({range(use), type});
  };
  for (const AsmParserState::OperationDefinition &op : m_parsed.getOpDefs())
    for (size_t i = 0; i < op.resultGroups.size(); ++i) {
      const unsigned end = i + 1 < op.resultGroups.size() ? op.resultGroups[i + 1].startIndex
                                                          : op.op->getNumResults();
      std::string types;
      for (unsigned result = op.resultGroups[i].startIndex; result < end; ++result)
        types += (types.empty() ? "" : ", ") + wordsOf(op.op->getResult(result).getType());
      add(op.resultGroups[i].definition, types);
    }
  for (const AsmParserState::BlockDefinition &block : m_parsed.getBlockDefs())
    for (size_t i = 0; i < block.arguments.size(); ++i)
      add(block.arguments[i], wordsOf(block.block->getArgument(i).getType()));
  return values;
}

std::vector<LayoutFacts> DocumentFacts::layouts(mlir::ModuleOp module) const {
  const auto nameAt = [this](mlir::Value value) {
    const Definition *definition = definitionOf(value);
    return definition ? textOf(definition->loc).str() : std::string();
  };
  const auto sourceOf = [this](mlir::Value value) {
    const Definition *definition = definitionOf(value);
    return definition ? range(definition->loc) : SourceRange();
  };
  const auto lineOf = [&](mlir::Value value) { return sourceOf(value).begin.line; };
  return ttg::layoutFactsOf(module, {nameAt, typeText, lineOf, sourceOf});
}

} // namespace tilescope::compiler
