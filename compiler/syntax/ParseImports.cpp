// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// `import` and `from … import`.
#include "compiler/syntax/ParserImpl.h"

namespace tilescope::compiler::ast {

std::string_view Parser::parseDottedName() {
  if (!at(TokenKind::Name)) {
    expect(TokenKind::Name, "of a module");
    return {};
  }
  std::string name(identifier(advance()));
  while (accept(TokenKind::Dot)) {
    if (!at(TokenKind::Name)) {
      expect(TokenKind::Name, "after `.`");
      break;
    }
    (name += '.') += identifier(advance());
  }
  return m_tree.arena.copy(std::string_view(name));
}

void Parser::parseImportedAs(Alias &alias) {
  if (!accept(TokenKind::KwAs))
    return;
  if (at(TokenKind::Name))
    alias.asname = identifier(advance());
  else
    expect(TokenKind::Name, "after `as`");
}

const Stmt *Parser::parseImport() {
  Begin begin = here();
  advance();
  Import *node = make<Import>();
  Nodes<Alias> names;
  do {
    Begin aliasBegin = here();
    Alias *alias = make<Alias>();
    alias->name = parseDottedName();
    parseImportedAs(*alias);
    names.push_back(finishNode(alias, aliasBegin));
  } while (!m_panic && accept(TokenKind::Comma));
  node->names = seq(names);
  return finishStmt(node, begin);
}

const Stmt *Parser::parseImportFrom() {
  Begin begin = here();
  advance();
  ImportFrom *node = make<ImportFrom>();
  while (atAny({TokenKind::Dot, TokenKind::Ellipsis}))
    node->level += advance().kind == TokenKind::Dot ? 1 : 3;
  if (at(TokenKind::Name) || node->level == 0)
    node->module = parseDottedName();
  if (!expect(TokenKind::KwImport, "after the module of `from`"))
    return finishStmt(node, begin);
  Nodes<Alias> names;
  auto parseAlias = [&] {
    Begin aliasBegin = here();
    Alias *alias = make<Alias>();
    if (!at(TokenKind::Name)) {
      expect(TokenKind::Name, "to import");
    } else {
      alias->name = identifier(advance());
      parseImportedAs(*alias);
    }
    names.push_back(finishNode(alias, aliasBegin));
  };
  if (at(TokenKind::Star)) {
    Begin aliasBegin = here();
    advance();
    Alias *alias = make<Alias>();
    alias->name = "*";
    names.push_back(finishNode(alias, aliasBegin));
  } else if (at(TokenKind::LParen)) {
    open();
    do {
      if (at(TokenKind::RParen) && !names.empty())
        break;
      parseAlias();
    } while (!m_panic && accept(TokenKind::Comma));
    close(TokenKind::RParen, "`,` or `)`");
  } else {
    do
      parseAlias();
    while (!m_panic && accept(TokenKind::Comma));
  }
  node->names = seq(names);
  return finishStmt(node, begin);
}

} // namespace tilescope::compiler::ast
