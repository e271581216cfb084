// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/LeftoverKeys.h"

#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/Specialization.h"
#include "compiler/support/NearestName.h"
#include "compiler/support/Text.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::compiler::frontend {

/// The line of a launch block in which `key` is; empty where the block goes on in another one.
static SourceRange blockLine(const ast::SyntaxTree &tree, const SourceRange &key) {
  for (const SourceRange &comment : tree.comments) {
    const std::string_view text = tree.text(comment);
    const bool isWhole = std::ranges::count(text, '[') == std::ranges::count(text, ']') &&
                         std::ranges::count(text, '{') == std::ranges::count(text, '}');
    if (comment.begin.line == key.begin.line && isWhole)
      return comment;
  }
  return {};
}

/// The lines of comments, one below the other, that `key` is in.
static SourceRange commentsAround(const ast::SyntaxTree &tree, const SourceRange &key) {
  const auto at = std::ranges::find(tree.comments, key.begin.line,
                                    [](const SourceRange &each) { return each.begin.line; });
  if (at == tree.comments.end())
    return {};
  auto first = at, last = at;
  while (first != tree.comments.begin() && std::prev(first)->begin.line + 1 == first->begin.line)
    --first;
  while (std::next(last) != tree.comments.end() &&
         std::next(last)->begin.line == last->begin.line + 1)
    ++last;
  return {first->begin, last->end, key.file};
}

/// The constexpr of the kernel that has no key of its own, and `name` is meant for.
static std::string_view meantConstexpr(const FunctionObject &function, std::string_view name) {
  std::vector<std::string_view> missing;
  for (const ast::Arg *parameter : parametersOf(function.definition))
    if (isConstexprAnnotation(function.module, parameter->annotation) &&
        !launchBlockKey(*function.module.tree, parameter->arg))
      missing.push_back(parameter->arg);
  const auto longer = std::ranges::find_if(
      missing, [&](std::string_view parameter) { return extendsName(parameter, name); });
  return longer == missing.end() ? closestName(name, missing) : *longer;
}

/// Has `from` renamed at all its places in a text that begins at `range`.
static DiagnosticFix renaming(const ast::SyntaxTree &tree, const SourceRange &range,
                              std::string_view from, std::string_view to) {
  const std::string_view text = tree.text(range);
  std::string renamed;
  size_t done = 0;
  for (const std::string_view word : wordsIn(text)) {
    const auto at = static_cast<size_t>(word.data() - text.data());
    if (word != from)
      continue;
    renamed.append(text, done, at - done).append(to);
    done = at + from.size();
  }
  renamed.append(text.substr(done));
  return {range, std::move(renamed), "write `" + std::string(to) + "`"};
}

void explainLeftover(const FunctionObject &function, const SourceRange &key,
                     Diagnostic &diagnostic) {
  const ast::SyntaxTree &tree = *function.module.tree;
  const std::string name(tree.text(key));
  const SourceRange block = commentsAround(tree, key);
  if (const std::string_view meant = meantConstexpr(function, name);
      !meant.empty() && block != SourceRange()) {
    diagnostic.message =
        "the kernel has no `" + name + "`: its constexpr is called `" + std::string(meant) + "`";
    diagnostic.notes.clear();
    diagnostic.fixes = {renaming(tree, block, name, meant)};
    return;
  }
  const SourceRange line = blockLine(tree, key);
  if (line == SourceRange())
    return;
  const std::string_view text = tree.text(line);
  const size_t begin = std::min(text.find_first_not_of("# "), text.size());
  constexpr size_t kLongest = 30;
  const std::string_view entry = text.substr(begin);
  const std::string shown(entry.size() <= kLongest ? entry : std::string_view(name));
  diagnostic.message = "`" + shown + "` is not used: `" + std::string(function.definition.name) +
                       "` has no such parameter";
  diagnostic.fixes.push_back(
      {{{line.begin.line, 0}, {line.begin.line + 1, 0}, key.file}, "", "delete `" + shown + "`"});
}

} // namespace tilescope::compiler::frontend
