// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Signature help and hovering.
#include "compiler/syntax/EditorServices.h"
#include "compiler/syntax/FunctionText.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>

namespace tilescope::compiler::ast {

std::string EditorDocument::resolvePath(const Expr &expr, const Scope &scope) const {
  // A local of the same name hides an import.
  const Expr *base = &expr;
  while (auto *attribute = as<Attribute>(base))
    base = attribute->value;
  if (auto *name = as<Name>(base)) {
    const Symbol *symbol = ScopeTable::lookUp(scope, name->id);
    const Symbol *global = ScopeTable::lookUp(scopes().moduleScope(), name->id);
    if (symbol && symbol != global)
      return {};
  }
  return index().resolve(expr);
}

static bool opens(TokenKind kind) {
  return kind == TokenKind::LParen || kind == TokenKind::LBracket || kind == TokenKind::LBrace;
}

static bool closes(TokenKind kind) {
  return kind == TokenKind::RParen || kind == TokenKind::RBracket || kind == TokenKind::RBrace;
}

static bool isClosed(const std::vector<Token> &tokens, size_t bracket) {
  int depth = 0;
  for (size_t i = bracket; i < tokens.size(); ++i) {
    depth += opens(tokens[i].kind) ? 1 : closes(tokens[i].kind) ? -1 : 0;
    if (depth == 0)
      return true;
  }
  return false;
}

/// Whether lines go on with what begins on a line whose bracket is still open: all but blank ones
/// are indented deeper.
static bool goesOn(std::string_view source, uint32_t first, uint32_t last) {
  size_t indentation = 0;
  size_t begin = 0;
  for (uint32_t line = 0; line <= last && begin <= source.size(); ++line) {
    const size_t end = std::min(source.find('\n', begin), source.size());
    const std::string_view text = source.substr(begin, end - begin);
    const size_t own = std::min(text.find_first_not_of(" \t\r"), text.size());
    const bool counts = own < text.size() || line == last;
    if (line == first)
      indentation = own;
    else if (line > first && counts && own <= indentation)
      return false;
    begin = end + 1;
  }
  return true;
}

std::optional<SignatureHelp> EditorDocument::signatureHelp(Position cursor) const {
  const std::vector<Token> &tokens = this->tokens();
  struct OpenCall {
    size_t token;
    int numCommas = 0;
    /// First token of the current argument.
    size_t argument = 0;
  };
  uint32_t offset = offsetOf(cursor);
  std::vector<OpenCall> open;
  for (size_t i = 0; i < tokens.size() && tokens[i].begin < offset; ++i) {
    if (opens(tokens[i].kind)) {
      open.push_back({i, 0, i + 1});
    } else if (closes(tokens[i].kind) && !open.empty()) {
      open.pop_back();
    } else if (tokens[i].kind == TokenKind::Comma && !open.empty()) {
      ++open.back().numCommas;
      open.back().argument = i + 1;
    }
  }
  while (!open.empty()) {
    OpenCall call = open.back();
    open.pop_back();
    bool isCall = tokens[call.token].kind == TokenKind::LParen && call.token > 0 &&
                  tokens[call.token - 1].kind == TokenKind::Name &&
                  !(call.token > 1 && tokens[call.token - 2].kind == TokenKind::KwDef);
    if (!isCall)
      continue;
    if (!isClosed(tokens, call.token) &&
        !goesOn(m_tree->source, tokens[call.token].beginLine, cursor.line))
      return std::nullopt;
    std::string_view callee = expressionBefore(m_tree->source, tokens[call.token - 1].end);
    ParsedExpression parsed = parseExpression(std::string(callee));
    if (!parsed.expr)
      return std::nullopt;
    SignatureHelp help;
    std::string path = resolvePath(*parsed.expr, scopes().scopeAt(cursor));
    const ReferenceEntry *entry = path.empty() ? nullptr : findReference(path);
    auto *attribute = as<Attribute>(parsed.expr);
    auto *name = as<Name>(parsed.expr);
    if (!entry && path.empty() && attribute)
      entry = findReference("tensor." + std::string(attribute->attr));
    if (entry) {
      help = {entry->signature, entry->doc, entry->parameters(), -1};
    } else if (std::optional<HoverInfo> own =
                   name ? describeFunction(name->id, name->range) : std::nullopt) {
      const ReferenceEntry text{"", ReferenceKind::Function, own->signature, own->doc};
      help = {text.signature, text.doc, text.parameters(), -1};
    } else {
      return std::nullopt;
    }
    help.bracket = tokens[call.token].begin;
    int numParameters = static_cast<int>(help.parameters.size());
    help.activeParameter = std::min(call.numCommas, numParameters - 1);
    bool isKeyword =
        call.argument + 1 < tokens.size() && tokens[call.argument].kind == TokenKind::Name &&
        tokens[call.argument + 1].kind == TokenKind::Equal && tokens[call.argument].begin < offset;
    for (int i = 0; isKeyword && i < numParameters; ++i)
      if (parameterName(help.parameters[i]) == textOf(tokens[call.argument]))
        help.activeParameter = i;
    return help;
  }
  return std::nullopt;
}

std::optional<HoverInfo> EditorDocument::describePath(std::string_view path,
                                                      SourceRange range) const {
  const ReferenceEntry *entry = findReference(path);
  if (!entry)
    return std::nullopt;
  return HoverInfo{range, entry->signature, entry->doc};
}

const FunctionDef *EditorDocument::findPlainFunction(std::string_view name) const {
  for (const Stmt *stmt : index().otherDefinitions)
    if (auto *def = as<FunctionDef>(stmt); def && def->name == name)
      return def;
  return nullptr;
}

std::optional<HoverInfo> EditorDocument::describeFunction(std::string_view name,
                                                          SourceRange range) const {
  if (const JitFunction *function = index().findFunction(name))
    return HoverInfo{range, signatureOf(*m_tree, *function), docstringOf(*function->def)};
  if (const FunctionDef *plain = findPlainFunction(name))
    return HoverInfo{range, signatureOf(*m_tree, *plain), docstringOf(*plain)};
  return std::nullopt;
}

std::optional<HoverInfo> EditorDocument::hover(Position position) const {
  // Parents come first: what is deeper is more exact, if anything is known of it. A module is
  // explained by what is taken from it.
  std::optional<HoverInfo> result;
  auto take = [&](std::optional<HoverInfo> found) {
    if (found)
      result = std::move(found);
  };
  auto takePath = [&](const std::string &path, const SourceRange &range) {
    const ReferenceEntry *entry = findReference(path);
    if (!entry || entry->kind != ReferenceKind::Module || !result)
      take(describePath(path, range));
  };
  walk(*m_tree->module, [&](const Node &node) {
    if (auto *attribute = as<Attribute>(&node); attribute && attribute->range.contains(position)) {
      const std::string path = resolvePath(*attribute, scopes().scopeAt(position));
      if (!path.empty())
        takePath(path, attribute->range);
      else if (attribute->attrRange.contains(position))
        take(describePath("tensor." + std::string(attribute->attr), attribute->attrRange));
    } else if (auto *name = as<Name>(&node); name && name->range.contains(position)) {
      const std::string path = resolvePath(*name, scopes().scopeAt(position));
      if (path.empty())
        take(describeFunction(name->id, name->range));
      else
        takePath(path, name->range);
    } else if (auto *def = as<FunctionDef>(&node); def && def->nameRange.contains(position)) {
      take(describeFunction(def->name, def->nameRange));
    }
    return true;
  });
  return result;
}

} // namespace tilescope::compiler::ast
