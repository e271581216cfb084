// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/GuessedAgain.h"

#include "app/launch/ChangeBetween.h"
#include "compiler/syntax/FunctionText.h"

#include <algorithm>
#include <cctype>

namespace tilescope::app {

using profiler::LaunchBlock;
using profiler::LaunchEdit;
using profiler::LaunchExpression;

static bool isSame(const std::vector<LaunchExpression> &stated,
                   const std::vector<std::string> &guessed) {
  return std::ranges::equal(stated, guessed, {}, &LaunchExpression::text);
}

/// Visits the names in an expression that are not called.
template <class Visit> static void forEachName(const std::string &expression, Visit visit) {
  for (size_t at = 0; at < expression.size();) {
    size_t end = at;
    while (end < expression.size() && compiler::ast::isWordByte(expression[end]))
      ++end;
    const bool isName = end > at && !std::isdigit(static_cast<unsigned char>(expression[at]));
    if (isName && !expression.substr(end).starts_with('('))
      visit(expression.substr(at, end - at));
    at = std::max(end, at + 1);
  }
}

namespace {
/// Collects the edits of a block.
class Guessing {
public:
  Guessing(const LaunchBlock &block, const compiler::SuggestedLaunch &suggestion)
      : m_block(block), m_suggestion(suggestion) {}

  /// Extents become others. Their mark stays: the kernel as it is now may be wrong.
  void change(const std::vector<std::string> &extents, std::vector<std::string> path) {
    for (const std::string &extent : extents)
      needAll(extent);
    edits.push_back({std::move(path), profiler::tomlList(extents)});
  }

  /// Strides that are products of extents follow them.
  void changeStride(const profiler::LaunchArgument &argument) {
    const auto known = m_suggestion.integers.find(argument.name);
    if (known == m_suggestion.integers.end() || known->second == argument.value.text ||
        argument.value.text.find('*') == std::string::npos)
      return;
    needAll(known->second);
    edits.push_back({{"args", argument.name}, profiler::tomlValue(known->second)});
  }

  std::vector<LaunchEdit> edits;
  /// All names of the new extents have values.
  bool isKnown = true;

private:
  void needAll(const std::string &expression) {
    forEachName(expression, [&](const std::string &name) { need(name); });
  }

  /// A size that the block lacks is added to it.
  void need(const std::string &name) {
    const auto states = [&](const std::vector<profiler::LaunchEntry> &entries) {
      return std::ranges::find(entries, name, &profiler::LaunchEntry::name) != entries.end();
    };
    if (states(m_block.sizes) || states(m_block.constexprs))
      return;
    const auto size = std::ranges::find(m_suggestion.sizes, name, &compiler::SuggestedSize::name);
    if (size == m_suggestion.sizes.end())
      isKnown = false;
    else
      edits.push_back({{"sizes", name}, std::to_string(size->value)});
  }

  const LaunchBlock &m_block;
  const compiler::SuggestedLaunch &m_suggestion;
};
} // namespace

std::optional<compiler::DiagnosticFix> guessAgain(std::string_view text, size_t index,
                                                  const LaunchBlock &block,
                                                  const compiler::SuggestedLaunch &suggestion) {
  Guessing guessing(block, suggestion);
  for (const profiler::LaunchArgument &argument : block.args) {
    const auto known = suggestion.tensors.find(argument.name);
    if (argument.isGuess && known != suggestion.tensors.end() &&
        !isSame(argument.shape, known->second.shape))
      guessing.change(known->second.shape, {"args", argument.name, "shape"});
  }
  const bool changesShapes = !guessing.edits.empty();
  if (changesShapes)
    for (const profiler::LaunchArgument &argument : block.args)
      if (!argument.isTensor)
        guessing.changeStride(argument);
  const bool changesGrid =
      block.isGridGuess && !suggestion.grid.empty() && !isSame(block.grid, suggestion.grid);
  if (changesGrid)
    guessing.change(suggestion.grid, {"grid"});
  if (guessing.edits.empty() || !guessing.isKnown)
    return std::nullopt;
  const Result<std::string> edited = profiler::editLaunchBlock(text, index, guessing.edits);
  if (!edited || *edited == text)
    return std::nullopt;
  return changeBetween(text, *edited,
                       !changesGrid    ? "guess the shapes again"
                       : changesShapes ? "guess the shapes and the grid again"
                                       : "guess the grid again");
}

bool isAsSuggested(const LaunchBlock &block, const compiler::SuggestedLaunch &suggestion) {
  const auto isSuggestedSize = [&](const profiler::LaunchEntry &size) {
    return std::ranges::any_of(suggestion.sizes, [&](const compiler::SuggestedSize &each) {
      return each.name == size.name && std::to_string(each.value) == size.value.text;
    });
  };
  const auto isSuggestedArgument = [&](const profiler::LaunchArgument &argument) {
    const auto tensor = suggestion.tensors.find(argument.name);
    const auto integer = suggestion.integers.find(argument.name);
    return argument.expected.text.empty() &&
           (tensor == suggestion.tensors.end() || isSame(argument.shape, tensor->second.shape)) &&
           (integer == suggestion.integers.end() || integer->second == argument.value.text);
  };
  return !block.args.empty() && block.sizes.size() == suggestion.sizes.size() &&
         std::ranges::all_of(block.sizes, isSuggestedSize) &&
         std::ranges::all_of(block.args, isSuggestedArgument) &&
         isSame(block.grid, suggestion.grid);
}

} // namespace tilescope::app
