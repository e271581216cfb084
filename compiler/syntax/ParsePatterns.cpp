// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// `match` and its patterns.
#include "compiler/syntax/ParserImpl.h"

namespace tilescope::compiler::ast {

/// `match` is a keyword only when a subject, a colon and a line end follow. Null when it is a name.
const Stmt *Parser::tryParseMatch() {
  switch (kindAhead(1)) {
  case TokenKind::Equal:
  case TokenKind::Dot:
  case TokenKind::Comma:
  case TokenKind::Colon:
  case TokenKind::Newline:
  case TokenKind::Semicolon:
  case TokenKind::RParen:
    return nullptr;
  default:
    break;
  }
  Begin begin = here();
  Token token = current();
  Match *node = make<Match>();
  bool isMatch = speculate([&] {
    advance();
    Begin subjectBegin = here();
    if (!atExpressionStart())
      return false;
    const Expr *subject = parseStarExpression(true);
    if (at(TokenKind::Comma)) {
      Nodes<Expr> elts{subject};
      while (accept(TokenKind::Comma)) {
        if (at(TokenKind::Colon))
          break;
        elts.push_back(parseStarExpression(true));
      }
      subject = finishTuple(subjectBegin, std::move(elts));
    }
    node->subject = subject;
    return at(TokenKind::Colon) && kindAhead(1) == TokenKind::Newline;
  });
  if (!isMatch)
    return nullptr;
  const bool isSwitch = m_lexer.text(token) == "switch";
  if (isSwitch) {
    const uint32_t from = m_lexer.offset(node->subject->range.begin);
    const std::string subject =
        m_tree.source.substr(from, m_lexer.offset(node->subject->range.end) - from);
    reportSoft(DiagnosticKind::SyntaxExpectedToken, m_lexer.range(token),
               "Python has no `switch`: write `if " + subject + " == 0:`, then `elif " + subject +
                   " == 1:`");
  }
  advance();
  advance();
  Nodes<MatchCase> cases;
  if (!accept(TokenKind::Indent)) {
    reportSoft(DiagnosticKind::SyntaxExpectedBlock, currentRange(),
               "expected an indented block after `match` on line " +
                   std::to_string(token.beginLine + 1));
    return finishNode(node, begin);
  }
  uint32_t column = m_statementColumn;
  while (!atAny({TokenKind::Dedent, TokenKind::EndOfFile})) {
    if (atWord("case")) {
      m_statementColumn = here().column;
      cases.push_back(parseCase());
    } else if (!accept(TokenKind::Newline) && !accept(TokenKind::Indent)) {
      reportHere(DiagnosticKind::SyntaxExpectedToken,
                 "expected `case`, found " + describeCurrent());
      recoverStatement();
      if (accept(TokenKind::Indent)) {
        parseStatements();
        accept(TokenKind::Dedent);
      }
    }
  }
  m_statementColumn = column;
  accept(TokenKind::Dedent);
  node->cases = seq(cases);
  return isSwitch ? invalidStmt(begin) : finishNode(node, begin);
}

const MatchCase *Parser::parseCase() {
  Begin begin = here();
  Token token = advance();
  MatchCase *node = make<MatchCase>();
  node->pattern = parseOpenPatterns();
  if (!m_panic && accept(TokenKind::KwIf))
    node->guard = parseNamedExpression();
  node->body = parseBlock("`case`", token);
  return finishNode(node, begin);
}

const Pattern *Parser::invalidPattern(std::string expected) {
  Begin begin = here();
  reportHere(DiagnosticKind::SyntaxInvalidPattern,
             "expected " + expected + ", found " + describeCurrent());
  InvalidPattern *node = make<InvalidPattern>();
  node->range = {begin, begin, m_options.file};
  node->height = 1;
  return node;
}

/// `a, *b` without brackets, or one pattern.
const Pattern *Parser::parseOpenPatterns() {
  Begin begin = here();
  const Pattern *first = parseMaybeStarPattern();
  if (!at(TokenKind::Comma)) {
    if (first->kind == NodeKind::MatchStar)
      reportSoft(DiagnosticKind::SyntaxInvalidPattern, first->range,
                 "a starred pattern must be part of a sequence");
    return first;
  }
  Nodes<Pattern> patterns{first};
  while (accept(TokenKind::Comma)) {
    if (atAny({TokenKind::Colon, TokenKind::KwIf}))
      break;
    patterns.push_back(parseMaybeStarPattern());
  }
  MatchSequence *node = make<MatchSequence>();
  node->patterns = seq(patterns);
  return finishNode(node, begin);
}

const Pattern *Parser::parseMaybeStarPattern() {
  if (!at(TokenKind::Star))
    return parseAsPattern();
  Begin begin = here();
  advance();
  if (!at(TokenKind::Name))
    return invalidPattern("a name after `*`");
  MatchStar *node = make<MatchStar>();
  Identifier name = identifier(advance());
  if (name != "_")
    node->name = name;
  return finishNode(node, begin);
}

const Pattern *Parser::parseAsPattern() {
  Nesting nesting(*this);
  if (nesting.tooDeep())
    return invalidPattern("pattern");
  Begin begin = here();
  const Pattern *pattern = parseOrPattern();
  if (m_panic || !accept(TokenKind::KwAs))
    return pattern;
  if (!at(TokenKind::Name))
    return invalidPattern("a name after `as`");
  if (atWord("_"))
    reportSoft(DiagnosticKind::SyntaxInvalidPattern, currentRange(), "`_` cannot be a target");
  MatchAs *node = make<MatchAs>();
  node->pattern = pattern;
  node->name = identifier(advance());
  return finishNode(node, begin);
}

const Pattern *Parser::parseOrPattern() {
  Begin begin = here();
  const Pattern *first = parseClosedPattern();
  if (!at(TokenKind::VBar))
    return first;
  Nodes<Pattern> patterns{first};
  while (!m_panic && accept(TokenKind::VBar))
    patterns.push_back(parseClosedPattern());
  MatchOr *node = make<MatchOr>();
  node->patterns = seq(patterns);
  return finishNode(node, begin);
}

const Pattern *Parser::parseClosedPattern() {
  Begin begin = here();
  switch (kind()) {
  case TokenKind::KwNone:
  case TokenKind::KwTrue:
  case TokenKind::KwFalse: {
    MatchSingleton *node = make<MatchSingleton>();
    node->value = at(TokenKind::KwNone)   ? ConstantKind::None
                  : at(TokenKind::KwTrue) ? ConstantKind::True
                                          : ConstantKind::False;
    advance();
    return finishNode(node, begin);
  }
  case TokenKind::Number:
  case TokenKind::Minus:
  case TokenKind::String:
  case TokenKind::FStringStart:
    return parseValuePattern();
  case TokenKind::LParen:
  case TokenKind::LBracket:
    return parseSequencePattern();
  case TokenKind::LBrace:
    return parseMappingPattern();
  case TokenKind::Name:
    break;
  default:
    return invalidPattern("pattern");
  }
  if (kindAhead(1) == TokenKind::Dot || kindAhead(1) == TokenKind::LParen) {
    const Expr *name = parsePatternName();
    if (at(TokenKind::LParen))
      return parseClassPattern(name, begin);
    MatchValue *node = make<MatchValue>();
    node->value = name;
    return finishNode(node, begin);
  }
  MatchAs *node = make<MatchAs>();
  Identifier name = identifier(advance());
  if (name != "_")
    node->name = name;
  return finishNode(node, begin);
}

/// `a.b.c`
const Expr *Parser::parsePatternName() {
  Begin begin = here();
  Name *name = make<Name>();
  name->id = identifier(advance());
  const Expr *value = finish(name, begin);
  while (accept(TokenKind::Dot)) {
    Attribute *node = make<Attribute>();
    node->value = value;
    node->attrRange = currentRange();
    if (!at(TokenKind::Name)) {
      expect(TokenKind::Name, "after `.`");
      break;
    }
    node->attr = identifier(advance());
    value = finish(node, begin);
  }
  return value;
}

/// `1`, `-1`, `1 + 2j`
const Expr *Parser::parsePatternNumber() {
  Begin begin = here();
  auto parseSigned = [&]() -> const Expr * {
    Begin signBegin = here();
    bool isNegative = accept(TokenKind::Minus);
    if (!at(TokenKind::Number))
      return invalidExpr("number");
    const Expr *number = parseNumber();
    if (!isNegative)
      return number;
    UnaryOp *node = make<UnaryOp>();
    node->op = UnaryOpKind::USub;
    node->operand = number;
    return finish(node, signBegin);
  };
  const Expr *real = parseSigned();
  if (m_panic || !atAny({TokenKind::Plus, TokenKind::Minus}))
    return real;
  BinOp *node = make<BinOp>();
  node->left = real;
  node->op = advance().kind == TokenKind::Plus ? BinaryOpKind::Add : BinaryOpKind::Sub;
  node->right = at(TokenKind::Number) ? parseNumber() : invalidExpr("imaginary number");
  auto isImaginary = [](const Expr *expr) {
    auto *constant = as<Constant>(expr);
    return constant && constant->constantKind == ConstantKind::Complex;
  };
  if (!isImaginary(node->right) || isImaginary(real))
    reportSoft(DiagnosticKind::SyntaxInvalidPattern, rangeFrom(begin),
               "a pattern can add only a real and an imaginary number");
  return finish(node, begin);
}

const Pattern *Parser::parseValuePattern() {
  Begin begin = here();
  MatchValue *node = make<MatchValue>();
  bool isNumber = atAny({TokenKind::Number, TokenKind::Minus});
  node->value = isNumber ? parsePatternNumber() : parseStrings();
  if (node->value->kind == NodeKind::JoinedStr)
    reportSoft(DiagnosticKind::SyntaxInvalidPattern, node->value->range,
               "patterns may only match literals and attribute lookups");
  return finishNode(node, begin);
}

/// `[a, b]`, `(a, b)`; `(a)` is only a group.
const Pattern *Parser::parseSequencePattern() {
  Begin begin = here();
  bool isList = at(TokenKind::LBracket);
  TokenKind closer = isList ? TokenKind::RBracket : TokenKind::RParen;
  open();
  Nodes<Pattern> patterns;
  bool sawComma = false;
  while (!atAny({closer, TokenKind::Newline, TokenKind::EndOfFile})) {
    patterns.push_back(parseMaybeStarPattern());
    if (m_panic || !accept(TokenKind::Comma))
      break;
    sawComma = true;
  }
  close(closer, isList ? "`,` or `]` in the pattern" : "`,` or `)` in the pattern");
  bool isGroup = !isList && patterns.size() == 1 && !sawComma;
  if (isGroup && patterns[0]->kind != NodeKind::MatchStar)
    return patterns[0];
  if (isGroup)
    reportSoft(DiagnosticKind::SyntaxInvalidPattern, patterns[0]->range,
               "a starred pattern must be part of a sequence");
  MatchSequence *node = make<MatchSequence>();
  node->patterns = seq(patterns);
  return finishNode(node, begin);
}

const Pattern *Parser::parseMappingPattern() {
  Begin begin = here();
  MatchMapping *node = make<MatchMapping>();
  open();
  Nodes<Expr> keys;
  Nodes<Pattern> patterns;
  while (!atAny({TokenKind::RBrace, TokenKind::Newline, TokenKind::EndOfFile})) {
    if (accept(TokenKind::DoubleStar)) {
      if (!at(TokenKind::Name))
        expect(TokenKind::Name, "after `**`");
      else
        node->rest = identifier(advance());
    } else {
      switch (kind()) {
      case TokenKind::KwNone:
        keys.push_back(constant(ConstantKind::None));
        break;
      case TokenKind::KwTrue:
        keys.push_back(constant(ConstantKind::True));
        break;
      case TokenKind::KwFalse:
        keys.push_back(constant(ConstantKind::False));
        break;
      case TokenKind::String:
        keys.push_back(parseStrings());
        break;
      case TokenKind::Number:
      case TokenKind::Minus:
        keys.push_back(parsePatternNumber());
        break;
      case TokenKind::Name:
        keys.push_back(parsePatternName());
        break;
      default:
        keys.push_back(invalidExpr("a literal or a dotted name as key"));
      }
      if (!m_panic)
        expect(TokenKind::Colon, "after the key of a mapping pattern");
      patterns.push_back(parseAsPattern());
    }
    if (m_panic || !accept(TokenKind::Comma))
      break;
  }
  close(TokenKind::RBrace, "`,` or `}` in the pattern");
  node->keys = seq(keys);
  node->patterns = seq(patterns);
  return finishNode(node, begin);
}

const Pattern *Parser::parseClassPattern(const Expr *cls, Begin begin) {
  MatchClass *node = make<MatchClass>();
  node->cls = cls;
  open();
  Nodes<Pattern> patterns, keywordPatterns;
  std::vector<Identifier> attributes;
  while (!atAny({TokenKind::RParen, TokenKind::Newline, TokenKind::EndOfFile})) {
    if (at(TokenKind::Name) && kindAhead(1) == TokenKind::Equal) {
      attributes.push_back(identifier(advance()));
      advance();
      keywordPatterns.push_back(parseAsPattern());
    } else {
      if (!attributes.empty())
        reportSoft(DiagnosticKind::SyntaxInvalidPattern, currentRange(),
                   "positional patterns follow keyword patterns");
      patterns.push_back(parseAsPattern());
    }
    if (m_panic || !accept(TokenKind::Comma))
      break;
  }
  close(TokenKind::RParen, "`,` or `)` in the pattern");
  node->patterns = seq(patterns);
  node->kwdAttrs = m_tree.arena.copy(attributes);
  node->kwdPatterns = seq(keywordPatterns);
  return finishNode(node, begin);
}

} // namespace tilescope::compiler::ast
