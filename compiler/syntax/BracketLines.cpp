// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/BracketLines.h"

namespace tilescope::compiler::ast {

bool opensBracket(TokenKind kind) {
  return kind == TokenKind::LParen || kind == TokenKind::LBracket || kind == TokenKind::LBrace;
}

bool closesBracket(TokenKind kind) {
  return kind == TokenKind::RParen || kind == TokenKind::RBracket || kind == TokenKind::RBrace;
}

std::vector<std::pair<uint32_t, uint32_t>> bracketLines(const std::vector<Token> &tokens) {
  std::vector<std::pair<uint32_t, uint32_t>> lines;
  std::vector<uint32_t> open;
  for (const Token &token : tokens) {
    if (opensBracket(token.kind)) {
      open.push_back(token.beginLine);
    } else if (closesBracket(token.kind) && !open.empty()) {
      lines.emplace_back(open.back(), token.endLine);
      open.pop_back();
    }
  }
  return lines;
}

} // namespace tilescope::compiler::ast
