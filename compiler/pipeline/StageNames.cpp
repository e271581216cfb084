// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/StageNames.h"

#include "mlir/IR/Location.h"

using namespace mlir;

namespace tilescope::compiler {

std::optional<uint32_t> lineOf(Operation *op) {
  const auto place = op->getLoc()->findInstanceOf<FileLineColLoc>();
  return place ? std::optional(place.getLine() - 1) : std::nullopt;
}

static std::string textOf(llvm::SMRange range) {
  return {range.Start.getPointer(), range.End.getPointer()};
}

static std::pair<uint32_t, std::string> keyOf(Operation *op) {
  return {lineOf(op).value_or(UINT32_MAX), op->getName().getStringRef().str()};
}

StageNames::StageNames(const AsmParserState &parsed) {
  for (const AsmParserState::OperationDefinition &each : parsed.getOpDefs()) {
    std::vector<std::string> &names = m_results[keyOf(each.op)];
    names.resize(each.op->getNumResults());
    for (size_t group = 0; group < each.resultGroups.size(); ++group) {
      const unsigned first = each.resultGroups[group].startIndex;
      const unsigned end = group + 1 < each.resultGroups.size()
                               ? each.resultGroups[group + 1].startIndex
                               : each.op->getNumResults();
      const std::string name = textOf(each.resultGroups[group].definition.loc);
      for (unsigned i = first; i < end; ++i)
        names[i] = end - first > 1 ? name + "#" + std::to_string(i - first) : name;
    }
  }
  // Blocks of one operation are told apart by their order; only the first has names that matter.
  for (const AsmParserState::BlockDefinition &each : parsed.getBlockDefs()) {
    Operation *parent = each.block->getParentOp();
    if (!parent || !each.block->isEntryBlock() || each.block->getParent()->getRegionNumber() > 0)
      continue;
    std::vector<std::string> &names = m_arguments[keyOf(parent)];
    for (const AsmParserState::SMDefinition &argument : each.arguments)
      names.push_back(textOf(argument.loc));
  }
}

std::string StageNames::of(Value value) const {
  const auto at = [](const auto &table, Operation *op, unsigned index) {
    const auto found = table.find(keyOf(op));
    return found != table.end() && index < found->second.size() ? found->second[index]
                                                                : std::string();
  };
  if (auto result = dyn_cast<OpResult>(value))
    return at(m_results, result.getOwner(), result.getResultNumber());
  auto argument = cast<BlockArgument>(value);
  Block *block = argument.getOwner();
  if (!block->getParentOp() || !block->isEntryBlock() || block->getParent()->getRegionNumber() > 0)
    return {};
  return at(m_arguments, block->getParentOp(), argument.getArgNumber());
}

} // namespace tilescope::compiler
