// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/ShownOperations.h"

#include "compiler/pipeline/StageNames.h"

#include <algorithm>
#include <deque>
#include <optional>

using namespace mlir;

namespace tilescope::compiler {

static std::pair<uint32_t, std::string> keyOf(Operation *op) {
  return {lineOf(op).value_or(UINT32_MAX), op->getName().getStringRef().str()};
}

/// Its name, and where it comes from.
static std::string identityOf(Operation *op, const Stage &stage) {
  std::string identity = op->getName().getStringRef().str();
  const auto &lines = stage.sourceMap.lines;
  const uint32_t line = lineOf(op).value_or(UINT32_MAX);
  const auto found = std::ranges::lower_bound(lines, line, {}, &LineMapping::line);
  if (found == lines.end() || found->line != line || found->sources.empty())
    return identity;
  const SourceRange &place = found->sources.front();
  for (const uint32_t number :
       {place.file, place.begin.line, place.begin.column, place.end.line, place.end.column})
    identity += "," + std::to_string(number);
  return identity;
}

ShownOperations::ShownOperations(const Text &executed, const Text &shown) {
  std::map<std::string, std::deque<Operation *>> left;
  shown.module->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { left[identityOf(op, shown.stage)].push_back(op); });
  executed.module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    const auto same = left.find(identityOf(op, executed.stage));
    if (same == left.end() || same->second.empty())
      return;
    m_shown.emplace(keyOf(op), same->second.front());
    same->second.pop_front();
  });
}

Operation *ShownOperations::of(Operation *executed) const {
  const auto found = m_shown.find(keyOf(executed));
  return found == m_shown.end() ? nullptr : found->second;
}

Value ShownOperations::of(Value executed) const {
  if (auto result = dyn_cast<OpResult>(executed)) {
    Operation *shown = of(result.getOwner());
    return shown && shown->getNumResults() == result.getOwner()->getNumResults()
               ? Value(shown->getResult(result.getResultNumber()))
               : Value();
  }
  auto argument = cast<BlockArgument>(executed);
  Operation *parent = argument.getOwner()->getParentOp();
  Operation *shown = parent ? of(parent) : nullptr;
  const unsigned region = argument.getOwner()->getParent()->getRegionNumber();
  if (!shown || region >= shown->getNumRegions() || shown->getRegion(region).empty())
    return {};
  Block &block = shown->getRegion(region).front();
  return argument.getOwner()->isEntryBlock() &&
                 block.getNumArguments() == argument.getOwner()->getNumArguments()
             ? Value(block.getArgument(argument.getArgNumber()))
             : Value();
}

} // namespace tilescope::compiler
