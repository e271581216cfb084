// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Names, literals, displays, comprehensions, and what follows a primary: calls, subscripts,
// attributes.
#include "compiler/syntax/JoinedLines.h"
#include "compiler/syntax/ParserImpl.h"

namespace tilescope::compiler::ast {

const Expr *Parser::parsePrimary() {
  Begin begin = here();
  return parseTrailers(parseAtom(), begin);
}

const Expr *Parser::parseTrailers(const Expr *value, Begin begin) {
  while (true) {
    switch (kind()) {
    case TokenKind::LParen:
      value = parseCall(value, begin);
      break;
    case TokenKind::LBracket:
      value = parseSubscript(value, begin);
      break;
    case TokenKind::Dot: {
      advance();
      Attribute *node = make<Attribute>();
      node->value = value;
      node->attrRange = {here(), here(), m_options.file};
      if (at(TokenKind::Name)) {
        node->attrRange = currentRange();
        node->attr = identifier(advance());
      } else if (!readKeywordMember(*node)) {
        reportHere(DiagnosticKind::SyntaxExpectedToken,
                   "expected a name after `.`, found " + describeCurrent());
      }
      value = finish(node, begin);
      break;
    }
    default:
      return value;
    }
    if (m_panic)
      return value;
  }
}

const Expr *Parser::parseCall(const Expr *func, Begin begin) {
  Call *node = make<Call>();
  node->func = func;
  Nodes<Expr> args;
  Nodes<Keyword> keywords;
  Begin openAt = here();
  open();
  parseArguments(args, keywords);
  bool isGenerator = args.size() == 1 && keywords.empty() &&
                     args[0]->kind == NodeKind::GeneratorExp && args[0]->range.begin == openAt;
  close(TokenKind::RParen, "`,` or `)` after the argument");
  if (isGenerator) {
    // As the only argument, a generator expression owns the parentheses of the call.
    ListComp *generator = m_tree.arena.make<ListComp>(*static_cast<const ListComp *>(args[0]));
    generator->range.end = m_lastEnd;
    args[0] = generator;
  }
  node->args = seq(args);
  node->keywords = seq(keywords);
  return finish(node, begin);
}

/// Arguments of a call or a class up to the closing parenthesis, which is left.
void Parser::parseArguments(Nodes<Expr> &args, Nodes<Keyword> &keywords) {
  Begin openAt = m_lexer.range(m_openBrackets.back()).begin;
  bool sawKeyword = false, sawDoubleStar = false;
  while (!atAny({TokenKind::RParen, TokenKind::Newline, TokenKind::EndOfFile})) {
    Begin begin = here();
    if (accept(TokenKind::DoubleStar)) {
      Keyword *keyword = make<Keyword>();
      keyword->value = parseExpression();
      keywords.push_back(finishNode(keyword, begin));
      sawDoubleStar = true;
    } else if (at(TokenKind::Star)) {
      args.push_back(parseStarred(&Parser::parseExpression));
      if (sawDoubleStar)
        reportSoft(DiagnosticKind::SyntaxInvalidArguments, args.back()->range,
                   "iterable argument unpacking follows keyword argument unpacking");
    } else if (atKeywordArgument()) {
      Keyword *keyword = make<Keyword>();
      keyword->arg = identifier(advance());
      passKeywordSign();
      keyword->value = parseExpression();
      if (atAny({TokenKind::KwFor, TokenKind::KwAsync}))
        reportHere(DiagnosticKind::SyntaxInvalidArguments,
                   "a generator expression given by keyword needs parentheses");
      for (const Keyword *other : keywords)
        if (other->arg && *other->arg == *keyword->arg)
          reportSoft(DiagnosticKind::SyntaxInvalidArguments, rangeFrom(begin),
                     "keyword argument `" + std::string(*keyword->arg) + "` is repeated");
      keywords.push_back(finishNode(keyword, begin));
      sawKeyword = true;
    } else {
      const Expr *arg = parseNamedExpression();
      if (atAny({TokenKind::KwFor, TokenKind::KwAsync})) {
        bool isFirst = args.empty() && keywords.empty();
        arg = parseGeneratorArgument(arg, isFirst ? openAt : begin);
        if (!isFirst || (at(TokenKind::Comma) && kindAhead(1) != TokenKind::RParen))
          reportSoft(DiagnosticKind::SyntaxInvalidArguments, arg->range,
                     "a generator expression beside other arguments needs parentheses");
      } else if (at(TokenKind::Equal)) {
        reportHere(DiagnosticKind::SyntaxInvalidArguments,
                   "a keyword argument must be a name, e.g. `name=value`; use `==` to compare");
      } else if (sawKeyword || sawDoubleStar) {
        reportSoft(DiagnosticKind::SyntaxInvalidArguments, arg->range,
                   sawDoubleStar ? "positional argument follows keyword argument unpacking"
                                 : "positional argument follows keyword argument");
      }
      args.push_back(arg);
    }
    if (!atAny({TokenKind::Comma, TokenKind::RParen}))
      report(DiagnosticKind::SyntaxExpectedToken, currentRange(),
             "expected `,` or `)` after the argument, found " + describeCurrent(),
             atExpressionStart() ? std::vector{commaFix({m_lastEnd, m_lastEnd, m_options.file})}
                                 : std::vector<DiagnosticFix>());
    if (m_panic) {
      const Begin broken = here();
      skipElement(TokenKind::RParen);
      // What is skipped may be arguments that the call needs.
      InvalidExpr *skipped = make<InvalidExpr>();
      skipped->range = {broken, broken, m_options.file};
      skipped->height = 1;
      if (!m_panic)
        args.push_back(skipped);
    }
    if (!accept(TokenKind::Comma))
      break;
  }
}

const Expr *Parser::parseGeneratorArgument(const Expr *elt, Begin open) {
  ListComp *node = make<ListComp>(NodeKind::GeneratorExp);
  node->elt = elt;
  node->generators = parseComprehensions();
  return finish(node, open);
}

const Expr *Parser::parseSubscript(const Expr *value, Begin begin) {
  Subscript *node = make<Subscript>();
  node->value = value;
  open();
  Begin sliceBegin = here();
  if (at(TokenKind::RBracket)) {
    node->slice = invalidExpr("index");
  } else {
    const Expr *first = parseSliceItem();
    if (at(TokenKind::Comma) || first->kind == NodeKind::Starred) {
      Nodes<Expr> elts{first};
      while (accept(TokenKind::Comma) && !at(TokenKind::RBracket)) {
        elts.push_back(parseSliceItem());
        if (m_panic)
          skipElement(TokenKind::RBracket);
      }
      first = finishTuple(sliceBegin, std::move(elts));
    }
    node->slice = first;
  }
  close(TokenKind::RBracket, "`,`, `:` or `]` after the index");
  return finish(node, begin);
}

const Expr *Parser::parseSliceItem() {
  if (at(TokenKind::Star))
    return parseStarred(&Parser::parseBitOr);
  Begin begin = here();
  const Expr *lower = at(TokenKind::Colon) ? nullptr : parseNamedExpression();
  if (!at(TokenKind::Colon))
    return lower;
  auto parsePart = [&]() -> const Expr * {
    if (atAny({TokenKind::Colon, TokenKind::Comma, TokenKind::RBracket}))
      return nullptr;
    return parseExpression();
  };
  advance();
  Slice *node = make<Slice>();
  node->lower = lower;
  node->upper = parsePart();
  if (accept(TokenKind::Colon))
    node->step = parsePart();
  return finish(node, begin);
}

const Expr *Parser::constant(ConstantKind constantKind) {
  Begin begin = here();
  advance();
  Constant *node = make<Constant>();
  node->constantKind = constantKind;
  return finish(node, begin);
}

const Expr *Parser::parseAtom() {
  switch (kind()) {
  case TokenKind::Name: {
    Begin begin = here();
    Name *node = make<Name>();
    node->id = identifier(advance());
    return finish(node, begin);
  }
  case TokenKind::Number:
    return parseNumber();
  case TokenKind::String:
  case TokenKind::FStringStart:
    return parseStrings();
  case TokenKind::KwNone:
    return constant(ConstantKind::None);
  case TokenKind::KwTrue:
    return constant(ConstantKind::True);
  case TokenKind::KwFalse:
    return constant(ConstantKind::False);
  case TokenKind::Ellipsis:
    return constant(ConstantKind::Ellipsis);
  case TokenKind::LParen:
    return parseGroup();
  case TokenKind::LBracket:
    return parseListDisplay();
  case TokenKind::LBrace:
    return parseBraceDisplay();
  default:
    return invalidExpr("expression");
  }
}

/// `()`, `(a)`, `(a, b)`, `(x for x in y)`, `(yield)`
const Expr *Parser::parseGroup() {
  Begin begin = here();
  open();
  if (at(TokenKind::RParen)) {
    close(TokenKind::RParen, "`)`");
    return finishTuple(begin, {});
  }
  if (at(TokenKind::KwYield)) {
    const Expr *inner = parseYield();
    close(TokenKind::RParen, "`)`");
    return inner;
  }
  const Expr *first = parseStarExpression(true);
  if (atAny({TokenKind::KwFor, TokenKind::KwAsync})) {
    ListComp *node = make<ListComp>(NodeKind::GeneratorExp);
    node->elt = first;
    node->generators = parseComprehensions();
    close(TokenKind::RParen, "`)` after the generator expression");
    return finish(node, begin);
  }
  bool isTuple = at(TokenKind::Comma);
  if (!isTuple && first->kind == NodeKind::Starred)
    first = rejectPointer(first->range);
  Nodes<Expr> elts{first};
  if (m_panic)
    skipElement(TokenKind::RParen);
  while (accept(TokenKind::Comma)) {
    isTuple = true;
    if (at(TokenKind::RParen))
      break;
    elts.push_back(parseStarExpression(true));
    if (m_panic)
      skipElement(TokenKind::RParen);
  }
  close(TokenKind::RParen, "`,` or `)`");
  return isTuple ? finishTuple(begin, std::move(elts)) : castOperand(begin, first);
}

const Expr *Parser::parseListDisplay() {
  Begin begin = here();
  open();
  Nodes<Expr> elts;
  while (!atAny({TokenKind::RBracket, TokenKind::Newline, TokenKind::EndOfFile})) {
    elts.push_back(parseStarExpression(true));
    if (elts.size() == 1 && atAny({TokenKind::KwFor, TokenKind::KwAsync})) {
      ListComp *node = make<ListComp>(NodeKind::ListComp);
      node->elt = elts[0];
      node->generators = parseComprehensions();
      close(TokenKind::RBracket, "`]` after the list comprehension");
      return finish(node, begin);
    }
    if (m_panic)
      skipElement(TokenKind::RBracket);
    if (!accept(TokenKind::Comma))
      break;
  }
  close(TokenKind::RBracket, "`,` or `]`");
  List *node = make<List>();
  node->elts = seq(elts);
  return finish(node, begin);
}

/// Sets, dicts and their comprehensions.
const Expr *Parser::parseBraceDisplay() {
  Begin begin = here();
  open();
  if (at(TokenKind::RBrace) || at(TokenKind::DoubleStar))
    return parseDictRest(begin, nullptr, nullptr);
  const Expr *first = parseStarExpression(true);
  if (accept(TokenKind::Colon)) {
    const Expr *value = parseExpression();
    return parseDictRest(begin, first, value);
  }
  if (atAny({TokenKind::KwFor, TokenKind::KwAsync})) {
    ListComp *node = make<ListComp>(NodeKind::SetComp);
    node->elt = first;
    node->generators = parseComprehensions();
    close(TokenKind::RBrace, "`}` after the set comprehension");
    return finish(node, begin);
  }
  Nodes<Expr> elts{first};
  if (m_panic)
    skipElement(TokenKind::RBrace);
  while (accept(TokenKind::Comma)) {
    if (at(TokenKind::RBrace))
      break;
    elts.push_back(parseStarExpression(true));
    if (m_panic)
      skipElement(TokenKind::RBrace);
  }
  close(TokenKind::RBrace, "`,` or `}`");
  Set *node = make<Set>();
  node->elts = seq(elts);
  return finish(node, begin);
}

/// The rest of a dict, whose first key and value (null when none) were read.
const Expr *Parser::parseDictRest(Begin begin, const Expr *firstKey, const Expr *firstValue) {
  Nodes<Expr> keys, values;
  if (firstValue) {
    if (atAny({TokenKind::KwFor, TokenKind::KwAsync})) {
      DictComp *node = make<DictComp>();
      node->key = firstKey;
      node->value = firstValue;
      node->generators = parseComprehensions();
      close(TokenKind::RBrace, "`}` after the dict comprehension");
      return finish(node, begin);
    }
    keys.push_back(firstKey);
    values.push_back(firstValue);
  }
  if (m_panic)
    skipElement(TokenKind::RBrace);
  bool more = !firstValue || accept(TokenKind::Comma);
  while (more && !atAny({TokenKind::RBrace, TokenKind::Newline, TokenKind::EndOfFile})) {
    if (accept(TokenKind::DoubleStar)) {
      keys.push_back(nullptr);
      values.push_back(parseBitOr());
    } else {
      keys.push_back(parseExpression());
      const bool hasValue = expect(TokenKind::Colon, "after a dict key");
      values.push_back(hasValue ? parseExpression() : invalidExpr("a value"));
    }
    if (m_panic)
      skipElement(TokenKind::RBrace);
    more = accept(TokenKind::Comma);
  }
  close(TokenKind::RBrace, "`,` or `}`");
  Dict *node = make<Dict>();
  node->keys = seq(keys);
  node->values = seq(values);
  return finish(node, begin);
}

Seq<Comprehension> Parser::parseComprehensions() {
  Nodes<Comprehension> result;
  while (atAny({TokenKind::KwFor, TokenKind::KwAsync})) {
    Begin begin = here();
    Comprehension *node = make<Comprehension>();
    node->isAsync = accept(TokenKind::KwAsync);
    expect(TokenKind::KwFor, "after `async`");
    node->target = withContext(parseTargetList(), ExprContext::Store, "assign to");
    expect(TokenKind::KwIn, "after the target of `for`");
    node->iter = parseDisjunction();
    Nodes<Expr> ifs;
    while (accept(TokenKind::KwIf))
      ifs.push_back(parseDisjunction());
    node->ifs = seq(ifs);
    result.push_back(finishNode(node, begin));
    if (m_panic)
      break;
  }
  return seq(result);
}

} // namespace tilescope::compiler::ast
