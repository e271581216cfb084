// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/SourceEdits.h"

#include "compiler/syntax/Ast.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <span>

namespace tilescope::compiler {

static const ast::Call *callAt(const ast::SyntaxTree &tree, const SourceRange &place) {
  const ast::Call *found = nullptr;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    if (call && call->range.begin == place.begin && call->range.end == place.end)
      found = call;
    return true;
  });
  return found;
}

std::optional<DiagnosticFix> dropArguments(const std::string &text, const SourceRange &place,
                                           const std::vector<std::string> &names) {
  const std::shared_ptr<const ast::SyntaxTree> tree = ast::parseModule(text);
  const ast::Call *call = callAt(*tree, place);
  if (!call || call->args.empty())
    return std::nullopt;
  std::string dropped;
  // From the end of the argument before the first to the end of the last.
  Position begin = call->args.back()->range.end, end;
  bool isBehind = false;
  for (const ast::Keyword *keyword : call->keywords) {
    // `**options` has no name.
    const std::string name(keyword->arg.value_or(""));
    const bool isDropped = std::ranges::find(names, name) != names.end();
    if (isDropped && isBehind)
      return std::nullopt;
    if (isDropped) {
      dropped += (dropped.empty() ? "`" : ", `") + name + "`";
      end = keyword->range.end;
    } else if (dropped.empty()) {
      begin = keyword->range.end;
    } else {
      isBehind = true;
    }
  }
  if (dropped.empty())
    return std::nullopt;
  return DiagnosticFix{{begin, end, 0}, "", "leave out " + dropped};
}

std::optional<DiagnosticFix> setArgument(const std::string &text, const SourceRange &place,
                                         const std::string &name, const std::string &value) {
  const std::shared_ptr<const ast::SyntaxTree> tree = ast::parseModule(text);
  const ast::Call *call = callAt(*tree, place);
  if (!call)
    return std::nullopt;
  const auto keyword = std::ranges::find_if(
      call->keywords, [&](const ast::Keyword *each) { return each->arg && *each->arg == name; });
  const ast::Expr *old = keyword != call->keywords.end() ? (*keyword)->value
                         : call->args.size() > 1         ? call->args[1]
                                                         : nullptr;
  if (!old)
    return std::nullopt;
  return DiagnosticFix{old->range, value, "set `" + name + "` to " + value};
}

/// The assignment of exactly the call at `place` to one name.
static const ast::Assign *assignmentAt(const ast::SyntaxTree &tree, const SourceRange &place) {
  const ast::Assign *found = nullptr;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    const auto *assign = ast::as<ast::Assign>(&node);
    if (assign && assign->targets.size() == 1 && ast::is<ast::Name>(assign->targets[0]) &&
        ast::is<ast::Call>(assign->value) && assign->value->range.begin == place.begin &&
        assign->value->range.end == place.end)
      found = assign;
    return true;
  });
  return found;
}

std::optional<DiagnosticFix> reuseResult(const std::string &text, const SourceRange &place,
                                         const SourceRange &earlier) {
  const std::shared_ptr<const ast::SyntaxTree> tree = ast::parseModule(text);
  const ast::Assign *first = assignmentAt(*tree, earlier);
  if (!first || !callAt(*tree, place))
    return std::nullopt;
  const std::string name(ast::as<ast::Name>(first->targets[0])->id);
  return DiagnosticFix{place, name, "use `" + name + "` again"};
}

static const ast::For *loopOf(const ast::SyntaxTree &tree, const ast::Stmt *statement) {
  const ast::For *found = nullptr;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    const auto *loop = ast::as<ast::For>(&node);
    if (loop && std::ranges::find(loop->body, statement) != loop->body.end())
      found = loop;
    return true;
  });
  return found;
}

static size_t lineBegin(const ast::SyntaxTree &tree, uint32_t line) {
  return tree.lineOffsets[line];
}

std::optional<DiagnosticFix> hoistAssignment(const std::string &text, const SourceRange &place) {
  const std::shared_ptr<const ast::SyntaxTree> tree = ast::parseModule(text);
  const ast::Assign *assign = assignmentAt(*tree, place);
  const ast::For *loop = assign ? loopOf(*tree, assign) : nullptr;
  if (!loop || loop->body.size() < 2)
    return std::nullopt;
  const SourceRange statement = assign->range;
  const uint32_t lastLine = statement.end.line;
  const size_t begin = lineBegin(*tree, loop->range.begin.line);
  const size_t from = lineBegin(*tree, statement.begin.line);
  const size_t to =
      lastLine + 1 < tree->lineOffsets.size() ? lineBegin(*tree, lastLine + 1) : text.size();
  // Lines of its own, one level within the loop.
  const std::string moved = text.substr(from, to - from);
  const std::string indent(loop->range.begin.column, ' ');
  const size_t written = moved.find_first_not_of(' ');
  if (written != statement.begin.column || statement.begin.line != lastLine ||
      moved.find(';') != std::string::npos || !moved.ends_with('\n'))
    return std::nullopt;
  std::string replacement = indent + moved.substr(written) + text.substr(begin, from - begin);
  const std::string name(ast::as<ast::Name>(assign->targets[0])->id);
  return DiagnosticFix{{{loop->range.begin.line, 0}, {lastLine + 1, 0}, 0},
                       std::move(replacement),
                       "load `" + name + "` before the loop"};
}

std::optional<DiagnosticFix> makeConstexpr(const std::string &text, const std::string &kernel,
                                           const std::string &parameter) {
  const std::shared_ptr<const ast::SyntaxTree> tree = ast::parseModule(text);
  for (const ast::Stmt *statement : tree->module->body) {
    const auto *function = ast::as<ast::FunctionDef>(statement);
    if (!function || function->name != kernel)
      continue;
    std::string annotation = "tl.constexpr";
    const ast::Arg *found = nullptr;
    for (const ast::Arg *argument : function->args->args) {
      if (argument->annotation && tree->text(argument->annotation->range).ends_with("constexpr"))
        annotation = tree->text(argument->annotation->range);
      if (argument->arg == parameter && !argument->annotation)
        found = argument;
    }
    if (found)
      return DiagnosticFix{{found->range.end, found->range.end, 0},
                           ": " + annotation,
                           "make `" + parameter + "` a `" + annotation + "`"};
  }
  return std::nullopt;
}

static std::span<const ast::Expr *const> elementsOf(const ast::Expr *list) {
  if (const auto *found = ast::as<ast::List>(list))
    return found->elts;
  const auto *found = ast::as<ast::Tuple>(list);
  return found ? found->elts : std::span<const ast::Expr *const>();
}

/// The value of `do_not_specialize` among the decorators of a function; null: there is none.
static const ast::Expr *unspecializedOf(const ast::FunctionDef &function) {
  for (const ast::Expr *decorator : function.decoratorList)
    if (const auto *call = ast::as<ast::Call>(decorator))
      for (const ast::Keyword *keyword : call->keywords)
        if (keyword->arg == "do_not_specialize")
          return keyword->value;
  return nullptr;
}

std::optional<DiagnosticFix> specialize(const std::string &text, const std::string &kernel,
                                        const std::string &parameter) {
  const std::shared_ptr<const ast::SyntaxTree> tree = ast::parseModule(text);
  for (const ast::Stmt *statement : tree->module->body) {
    const auto *function = ast::as<ast::FunctionDef>(statement);
    const ast::Expr *list =
        function && function->name == kernel ? unspecializedOf(*function) : nullptr;
    if (!list)
      continue;
    std::string left;
    bool isFound = false;
    for (const ast::Expr *element : elementsOf(list)) {
      const std::string_view written = tree->text(element->range);
      const bool isIt = written.size() == parameter.size() + 2 &&
                        written.substr(1, parameter.size()) == parameter;
      isFound |= isIt;
      if (!isIt)
        left += (left.empty() ? "" : ", ") + std::string(written);
    }
    if (isFound)
      return DiagnosticFix{list->range, "[" + left + "]", "specialize `" + parameter + "`"};
  }
  return std::nullopt;
}

} // namespace tilescope::compiler
