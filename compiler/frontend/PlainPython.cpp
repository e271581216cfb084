// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/PlainPython.h"

#include "compiler/frontend/Remedies.h"
#include "compiler/support/Text.h"

#include <algorithm>
#include <map>

namespace tilescope::compiler::frontend {

namespace {
/// What one fix is made of.
struct Rewrite {
  const Emitter &emitter;
  const Frame &frame;

  std::string_view text(const SourceRange &range) const {
    return sourceText(frame, emitter.fileRange(range));
  }
  std::string_view text(const ast::Node &node) const { return text(node.range); }
};
} // namespace

static std::string spaces(uint32_t count) { return std::string(count, ' '); }

/// The statements of a block, further to the left: as they stand at `column`, the first without what is
/// before it. Empty where they are not below the block's head, in lines of their own.
static std::string movedTo(const Rewrite &rewrite, const ast::Seq<ast::Stmt> &body,
                           const SourceRange &head) {
  if (body.empty() || body.front()->range.begin.line == head.begin.line)
    return {};
  const Position begin = body.front()->range.begin;
  const uint32_t less = begin.column - std::min(begin.column, head.begin.column);
  const std::string_view text = rewrite.text({begin, body.back()->range.end, head.file});
  std::string moved;
  for (std::string_view line : splitLines(text)) {
    if (!moved.empty()) {
      const size_t indent = std::min(line.find_first_not_of(' '), line.size());
      line.remove_prefix(std::min<size_t>(indent, less));
      moved += '\n';
    }
    moved.append(line);
  }
  return moved;
}

/// Whether a variable of that name is read below a node.
static bool reads(const ast::Node &node, std::string_view name) {
  bool isRead = false;
  ast::walk(node, [&](const ast::Node &each) {
    const auto *used = ast::as<ast::Name>(&each);
    isRead |= used && used->id == name;
    return !isRead;
  });
  return isRead;
}

static std::vector<DiagnosticFix> withoutWith(const Rewrite &rewrite, const ast::With &with) {
  for (const ast::WithItem *item : with.items) {
    if (!item->optionalVars)
      continue;
    const auto *name = ast::as<ast::Name>(item->optionalVars);
    if (!name || std::ranges::any_of(with.body, [&](const ast::Stmt *statement) {
          return reads(*statement, name->id);
        }))
      return {};
  }
  std::string moved = movedTo(rewrite, with.body, with.range);
  if (moved.empty())
    return {};
  return {{rewrite.emitter.fileRange(with.range), std::move(moved), "leave out the `with`"}};
}

/// Nothing is ever raised: handlers are not reached, and all else is.
static std::vector<DiagnosticFix> withoutTry(const Rewrite &rewrite, const ast::Try &tried) {
  std::string moved;
  for (const ast::Seq<ast::Stmt> *part : {&tried.body, &tried.orelse, &tried.finalbody}) {
    if (part->empty())
      continue;
    const std::string statements = movedTo(rewrite, *part, tried.range);
    if (statements.empty())
      return {};
    moved += (moved.empty() ? "" : "\n" + spaces(tried.range.begin.column)) + statements;
  }
  if (moved.empty())
    return {};
  return {{rewrite.emitter.fileRange(tried.range), std::move(moved),
           "leave out the `try`, since nothing is raised"}};
}

static std::vector<DiagnosticFix> tupleOf(const Rewrite &rewrite, const ast::Set &set) {
  const std::string_view text = rewrite.text(set);
  if (text.size() < 3 || set.elts.empty())
    return {};
  std::string code(text);
  code.front() = '(';
  code.back() = ')';
  if (set.elts.size() == 1 && text[text.size() - 2] != ',')
    code.insert(code.size() - 1, ",");
  const SourceRange range = rewrite.emitter.fileRange(set.range);
  return rewriteFix(rewrite.frame, range, range, std::move(code));
}

/// The key as the end of a name; empty: it is none.
static std::string_view keyName(const ast::Expr *key) {
  const auto *constant = key ? ast::as<ast::Constant>(key) : nullptr;
  if (!constant || constant->constantKind != ast::ConstantKind::Str || constant->text.empty())
    return {};
  const bool isName = std::ranges::all_of(constant->text, [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) != 0 || c == '_');
  });
  return isName ? constant->text : std::string_view();
}

namespace {
/// A dictionary that is assigned to a name, and every use of that name.
struct NamedTable {
  const ast::Assign *assign = nullptr;
  std::string_view name;
  std::vector<const ast::Subscript *> uses;
};
} // namespace

static NamedTable findTable(const ast::FunctionDef &function, const ast::Dict &table) {
  NamedTable found;
  const auto each = [&](const auto &visit) {
    for (const ast::Stmt *statement : function.body)
      ast::walk(*statement, [&](const ast::Node &node) {
        visit(node);
        return true;
      });
  };
  each([&](const ast::Node &node) {
    const auto *assign = ast::as<ast::Assign>(&node);
    if (assign && assign->value == &table && assign->targets.size() == 1 &&
        ast::is<ast::Name>(assign->targets.front())) {
      found.assign = assign;
      found.name = ast::as<ast::Name>(assign->targets.front())->id;
    }
  });
  size_t numNames = 0;
  each([&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    numNames += name && name->id == found.name;
    const auto *use = ast::as<ast::Subscript>(&node);
    const auto *base = use ? ast::as<ast::Name>(use->value) : nullptr;
    if (base && base->id == found.name)
      found.uses.push_back(use);
  });
  // Beside the one that is assigned, all are looked into.
  if (numNames != found.uses.size() + 1)
    found.assign = nullptr;
  return found;
}

static std::vector<DiagnosticFix> variablesOf(const Rewrite &rewrite, const ast::Dict &table) {
  const ast::FunctionDef *function = rewrite.frame.function;
  NamedTable found = function ? findTable(*function, table) : NamedTable();
  if (!found.assign || table.keys.empty())
    return {};
  const SourceRange assigned = found.assign->range;
  std::map<std::string_view, std::string> names;
  std::string code;
  for (size_t i = 0; i < table.keys.size(); ++i) {
    const std::string_view key = keyName(table.keys[i]), value = rewrite.text(*table.values[i]);
    std::string name = std::string(found.name) + "_" + std::string(key);
    const bool isTaken = std::ranges::any_of(
        function->body, [&](const ast::Stmt *statement) { return reads(*statement, name); });
    if (key.empty() || value.empty() || isTaken || names.contains(key))
      return {};
    code +=
        (i == 0 ? "" : "\n" + spaces(assigned.begin.column)) + name + " = " + std::string(value);
    names.emplace(key, std::move(name));
  }
  std::ranges::sort(found.uses, {}, [](const ast::Subscript *use) { return use->range.begin; });
  Position at = assigned.end;
  for (const ast::Subscript *use : found.uses) {
    const auto name = names.find(keyName(use->slice));
    if (name == names.end() || use->range.begin < at)
      return {};
    code.append(rewrite.text({at, use->range.begin, assigned.file})).append(name->second);
    at = use->range.end;
  }
  return {{rewrite.emitter.fileRange({assigned.begin, at, assigned.file}), std::move(code),
           "give each value a name of its own"}};
}

std::vector<DiagnosticFix> plainFixes(const Emitter &emitter, const Frame &frame,
                                      const ast::Node &node) {
  const Rewrite rewrite{emitter, frame};
  // Without the source there is nothing to write anew.
  if (rewrite.text(node).empty())
    return {};
  if (const auto *with = ast::as<ast::With>(&node))
    return withoutWith(rewrite, *with);
  if (const auto *tried = ast::as<ast::Try>(&node))
    return withoutTry(rewrite, *tried);
  if (const auto *set = ast::as<ast::Set>(&node))
    return tupleOf(rewrite, *set);
  const auto *table = ast::as<ast::Dict>(&node);
  return table ? variablesOf(rewrite, *table) : std::vector<DiagnosticFix>();
}

} // namespace tilescope::compiler::frontend
