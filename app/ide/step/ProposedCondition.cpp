// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/step/ProposedCondition.h"

#include "views/step/StepText.h"

#include <algorithm>
#include <cctype>

namespace tilescope::app {

using compiler::ValueFacts;

/// The variable that a range of the line is; empty: it is another expression.
static std::string_view variableAt(const SourceRange &range, std::string_view lineText) {
  if (range.begin.line != range.end.line || range.end.column > lineText.size())
    return {};
  const std::string_view text =
      lineText.substr(range.begin.column, range.end.column - range.begin.column);
  const bool isName = std::ranges::all_of(
      text, [](unsigned char c) { return std::isalnum(c) || c == '_' || c >= 0x80; });
  return isName && !text.empty() && !std::isdigit(static_cast<unsigned char>(text.front()))
             ? text
             : std::string_view();
}

static bool isFloat(const ValueFacts &value) {
  return value.type.starts_with("fp") || value.type.starts_with("bf");
}

static bool isBlock(const ValueFacts &value) {
  return isFloat(value) || value.type.starts_with("int") || value.type.starts_with("uint")
             ? value.type.ends_with(']')
             : false;
}

std::optional<NamedBlock> blockIn(const std::vector<ValueFacts> &values, uint32_t line,
                                  std::string_view lineText) {
  const ValueFacts *best = nullptr;
  // What the line computes is not there in front of it.
  const auto rank = [](const ValueFacts &value) {
    return (value.isDefinition ? 0 : 2) + (isFloat(value) ? 1 : 0);
  };
  for (const ValueFacts &value : values)
    if (value.range.file == 0 && value.range.begin.line == line && isBlock(value) &&
        !variableAt(value.range, lineText).empty() && (!best || rank(value) > rank(*best)))
      best = &value;
  if (!best)
    return std::nullopt;
  const std::string_view name = variableAt(best->range, lineText);
  return NamedBlock{QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())),
                    isFloat(*best)};
}

QStringList conditionsAbout(const NamedBlock &block) {
  QStringList conditions;
  for (const views::ConditionPreset &preset : views::conditionPresets())
    if (block.isFloat || !preset.isOfFloats)
      conditions << QString::fromLatin1(preset.condition).arg(block.name);
  return conditions;
}

} // namespace tilescope::app
