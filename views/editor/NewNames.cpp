// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/NewNames.h"

#include "compiler/syntax/EditorServices.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <optional>

namespace tilescope::views {

namespace ast = compiler::ast;

static QString tr(const char *text) { return QCoreApplication::translate("Renaming", text); }

static bool isIdentifier(const QString &name) {
  static const QRegularExpression kName(QStringLiteral("^[\\p{L}_][\\p{L}\\p{N}_]*$"),
                                        QRegularExpression::UseUnicodePropertiesOption);
  return kName.match(name).hasMatch();
}

static bool isReserved(const QString &name) {
  static const QStringList kWords{
      QStringLiteral("False"),  QStringLiteral("None"),     QStringLiteral("True"),
      QStringLiteral("and"),    QStringLiteral("as"),       QStringLiteral("assert"),
      QStringLiteral("async"),  QStringLiteral("await"),    QStringLiteral("break"),
      QStringLiteral("class"),  QStringLiteral("continue"), QStringLiteral("def"),
      QStringLiteral("del"),    QStringLiteral("elif"),     QStringLiteral("else"),
      QStringLiteral("except"), QStringLiteral("finally"),  QStringLiteral("for"),
      QStringLiteral("from"),   QStringLiteral("global"),   QStringLiteral("if"),
      QStringLiteral("import"), QStringLiteral("in"),       QStringLiteral("is"),
      QStringLiteral("lambda"), QStringLiteral("nonlocal"), QStringLiteral("not"),
      QStringLiteral("or"),     QStringLiteral("pass"),     QStringLiteral("raise"),
      QStringLiteral("return"), QStringLiteral("try"),      QStringLiteral("while"),
      QStringLiteral("with"),   QStringLiteral("yield")};
  return kWords.contains(name);
}

/// The function at the top level of the file that a place is in; -1: none. What it is called is not
/// in it.
static int functionAt(const ast::EditorDocument &document, Position position) {
  int index = 0;
  for (const ast::Stmt *statement : document.tree().module->body) {
    const auto *function = ast::as<ast::FunctionDef>(statement);
    if (function && function->range.contains(position) && !function->nameRange.contains(position))
      return index;
    ++index;
  }
  return -1;
}

/// The places of another name that is called `name`, one of which is at `offset`; empty: there is
/// only a word of these letters.
static std::vector<SourceRange> namesAt(const ast::EditorDocument &document, size_t offset) {
  const std::vector<uint32_t> &lines = document.tree().lineOffsets;
  const auto behind = std::ranges::upper_bound(lines, static_cast<uint32_t>(offset));
  const auto line = static_cast<uint32_t>(behind - lines.begin() - 1);
  const Position position{line, static_cast<uint32_t>(offset) - lines[line]};
  return document.isInsideText(position) ? std::vector<SourceRange>()
                                         : document.references(position);
}

static bool isWordByte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80);
}

/// Whether something that is called `name` already is used in a function that uses `places`, too.
static std::optional<Position> clash(const ast::EditorDocument &document,
                                     const std::vector<SourceRange> &places,
                                     const std::string &name) {
  std::vector<int> functions;
  for (const SourceRange &place : places)
    // Those in launch blocks follow.
    if (!document.isInsideText(place.begin))
      functions.push_back(functionAt(document, place.begin));
  const std::string &text = document.tree().source;
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at > 0 && isWordByte(text[at - 1])) || (end < text.size() && isWordByte(text[end])))
      continue;
    for (const SourceRange &other : namesAt(document, at))
      if (std::ranges::count(functions, functionAt(document, other.begin)) > 0)
        return other.begin;
  }
  return std::nullopt;
}

QString nameProblem(const ast::EditorDocument &document, const std::vector<SourceRange> &places,
                    const std::string &name) {
  const QString shown = QString::fromStdString(name);
  if (name.empty())
    return tr("a name has at least one letter.");
  if (!isIdentifier(shown))
    return tr("`%1` is not a name: a name has letters, digits and `_`, and no digit first.")
        .arg(shown);
  if (isReserved(shown))
    return tr("`%1` is a word of the language.").arg(shown);
  if (const std::optional<Position> other = clash(document, places, name))
    return tr("`%1` is something else already, in line %2.").arg(shown).arg(other->line + 1);
  return {};
}

std::string moduleOf(const ast::EditorDocument &document, const std::vector<SourceRange> &places,
                     std::string_view name) {
  std::string module;
  for (const ast::Stmt *statement : document.tree().module->body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *plain = ast::as<ast::Import>(&node);
      const auto *from = ast::as<ast::ImportFrom>(&node);
      const bool isHere =
          (plain || from) && std::ranges::any_of(places, [&](const SourceRange &place) {
            return node.range.contains(place.begin);
          });
      if (isHere)
        for (const ast::Alias *alias : plain ? plain->names : from->names)
          if (alias->name == name && !alias->asname)
            module = plain ? std::string(name)
                           : std::string(static_cast<size_t>(from->level), '.') +
                                 std::string(from->module.value_or(""));
      return module.empty();
    });
  return module;
}

} // namespace tilescope::views
