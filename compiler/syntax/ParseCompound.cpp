// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Statements with a block, apart from definitions and `match`.
#include "compiler/syntax/ForeignLoop.h"
#include "compiler/syntax/IndentFix.h"
#include "compiler/syntax/ParserImpl.h"

namespace tilescope::compiler::ast {

namespace {
/// Sets a variable for a scope.
template <typename T> class Scoped {
public:
  Scoped(T &variable, T value) : m_variable(variable), m_saved(variable) { variable = value; }
  ~Scoped() { m_variable = m_saved; }

private:
  T &m_variable;
  T m_saved;
};
} // namespace

/// Null when the token begins no compound statement.
const Stmt *Parser::parseCompound() {
  switch (kind()) {
  case TokenKind::KwIf:
    return parseIf();
  case TokenKind::KwWhile:
    return parseWhile();
  case TokenKind::KwFor:
    return parseFor(here(), false);
  case TokenKind::KwWith:
    return parseWith(here(), false);
  case TokenKind::KwTry:
    return parseTry();
  case TokenKind::KwDef:
    return parseFunction(here(), false, {});
  case TokenKind::KwClass:
    return parseClass({});
  case TokenKind::At:
    return parseDecorated();
  case TokenKind::KwAsync:
    return parseAsync();
  case TokenKind::KwElif:
  case TokenKind::KwElse:
  case TokenKind::KwExcept:
  case TokenKind::KwFinally:
    return parseMisplacedClause();
  default:
    return atWord("match") || atWord("switch") ? tryParseMatch() : parseSlippedHead();
  }
}

/// `: NEWLINE INDENT statements DEDENT`, or simple statements on the same line.
Seq<Stmt> Parser::parseBlock(std::string_view owner, const Token &ownerToken) {
  if (m_panic)
    leaveBracketAtHeaderEnd();
  bool hadColon = expectBlockColon(owner);
  if (m_panic)
    recoverStatement();
  else if (!at(TokenKind::Newline)) {
    Nodes<Stmt> body;
    if (at(TokenKind::EndOfFile))
      return {};
    uint32_t column = m_statementColumn;
    parseSimpleLine(body);
    m_statementColumn = column;
    return seq(body);
  }
  accept(TokenKind::Newline);
  if (!at(TokenKind::Indent)) {
    if (!hadColon)
      return {};
    const bool isDefinition =
        ownerToken.kind == TokenKind::KwDef || ownerToken.kind == TokenKind::KwClass;
    std::vector<DiagnosticFix> fixes =
        indentFix(m_tree.source, m_lexer.lineOffsets(),
                  {here().line, m_statementColumn, isDefinition, m_options.file});
    if (!fixes.empty())
      m_explainedIndent = fixes.front().range.end.line + 1;
    reportSoft(DiagnosticKind::SyntaxExpectedBlock, currentRange(),
               "expected an indented block after " + std::string(owner) + " on line " +
                   std::to_string(ownerToken.beginLine + 1),
               std::move(fixes));
    m_missingBlockColumn = m_statementColumn;
    return {};
  }
  advance();
  uint32_t column = m_statementColumn;
  Nodes<Stmt> body = parseStatements();
  m_statementColumn = column;
  accept(TokenKind::Dedent);
  m_brokenLine = false;
  return seq(body);
}

Seq<Stmt> Parser::parseElse(std::string_view owner) {
  if (!at(TokenKind::KwElse))
    return {};
  Token token = advance();
  return parseBlock("`else`", token);
}

/// The condition of a branch or a loop, in which `=` outside of brackets is read as `==`.
const Expr *Parser::parseCondition() {
  Scoped condition(m_conditionBrackets, std::optional(m_openBrackets.size()));
  return parseNamedExpression();
}

const Stmt *Parser::parseIf() {
  Nesting nesting(*this);
  Begin begin = here();
  Token token = advance();
  If *node = make<If>();
  node->test = parseCondition();
  node->body = parseBlock(token.kind == TokenKind::KwIf ? "`if`" : "`elif`", token);
  // Long chains would nest the parser; they are read one by one and linked from the back.
  struct Link {
    If *node;
    Begin begin;
  };
  std::vector<Link> chain{{node, begin}};
  while (at(TokenKind::KwElif) || atForeignElif()) {
    Begin linkBegin = here();
    Token elif = passElif();
    If *link = make<If>();
    link->test = parseCondition();
    link->body = parseBlock("`elif`", elif);
    chain.push_back({link, linkBegin});
  }
  chain.back().node->orelse = parseElse("if");
  for (size_t i = chain.size(); i-- > 0;) {
    finishNode(chain[i].node, chain[i].begin);
    const Stmt *finished = chain[i].node;
    if (chain[i].node->height > kMaxTreeHeight) {
      report(DiagnosticKind::SyntaxNestedTooDeeply, chain[i].node->range,
             "too many `elif` in one chain");
      finished = finishNode(make<InvalidStmt>(), chain[i].begin);
    }
    if (i == 0)
      return finished;
    chain[i - 1].node->orelse = seq(Nodes<Stmt>{finished});
  }
  return node;
}

const Stmt *Parser::parseWhile() {
  Begin begin = here();
  Token token = advance();
  While *node = make<While>();
  node->test = parseCondition();
  {
    Scoped loop(m_loopDepth, m_loopDepth + 1);
    node->body = parseBlock("`while`", token);
  }
  node->orelse = parseElse("while");
  return finishNode(node, begin);
}

const Stmt *Parser::parseFor(Begin begin, bool isAsync) {
  Token token = advance();
  const std::string_view rest = std::string_view(m_tree.source).substr(current().begin);
  if (const std::optional<ForeignLoop> loop = foreignLoop(rest.substr(0, rest.find('\n')))) {
    const Begin at = here();
    const auto covering = [&](size_t length) {
      SourceRange range{at, at, m_options.file};
      range.end.column += static_cast<uint32_t>(length);
      return range;
    };
    std::vector<DiagnosticFix> fixes;
    if (loop->numReplaced > 0)
      fixes.push_back(
          {covering(loop->numReplaced), loop->replacement, "write `for " + loop->meant + ":`"});
    report(DiagnosticKind::SyntaxExpectedToken, covering(loop->length),
           "a loop of Python goes through a range: `for " + loop->meant + ":`", std::move(fixes));
  }
  For *node = make<For>(isAsync ? NodeKind::AsyncFor : NodeKind::For);
  node->target = withContext(parseTargetList(), ExprContext::Store, "assign to");
  if (expect(TokenKind::KwIn, "after the target of `for`"))
    node->iter = parseStarExpressions();
  else
    node->iter = invalidExpr("expression");
  {
    Scoped loop(m_loopDepth, m_loopDepth + 1);
    node->body = parseBlock("`for`", token);
  }
  node->orelse = parseElse("for");
  return finishNode(node, begin);
}

const WithItem *Parser::parseWithItem() {
  Begin begin = here();
  WithItem *item = make<WithItem>();
  item->contextExpr = parseExpression();
  if (accept(TokenKind::KwAs)) {
    const Expr *target = at(TokenKind::Star) ? parseStarred(&Parser::parseBitOr) : parseBitOr();
    item->optionalVars = withContext(target, ExprContext::Store, "assign to");
  }
  return finishNode(item, begin);
}

/// `with (a as b, c as d):`. False when the parentheses belong to an expression.
bool Parser::parseParenthesizedWithItems(Nodes<WithItem> &items) {
  open();
  do {
    if (at(TokenKind::RParen))
      break;
    items.push_back(parseWithItem());
  } while (!m_panic && accept(TokenKind::Comma));
  if (m_panic || items.empty() || !at(TokenKind::RParen))
    return false;
  close(TokenKind::RParen, "`)`");
  return at(TokenKind::Colon);
}

const Stmt *Parser::parseWith(Begin begin, bool isAsync) {
  Token token = advance();
  With *node = make<With>(isAsync ? NodeKind::AsyncWith : NodeKind::With);
  Nodes<WithItem> items;
  bool inParentheses =
      at(TokenKind::LParen) && speculate([&] { return parseParenthesizedWithItems(items); });
  if (!inParentheses) {
    items.clear();
    do
      items.push_back(parseWithItem());
    while (!m_panic && accept(TokenKind::Comma));
  }
  node->items = seq(items);
  node->body = parseBlock("`with`", token);
  return finishNode(node, begin);
}

const ExceptHandler *Parser::parseExceptHandler(bool &isStar) {
  Begin begin = here();
  Token token = advance();
  isStar = accept(TokenKind::Star);
  ExceptHandler *node = make<ExceptHandler>();
  if (!at(TokenKind::Colon)) {
    node->type = parseExpression();
    if (at(TokenKind::Comma))
      reportHere(DiagnosticKind::SyntaxExpectedToken,
                 "several exception types must be in parentheses");
    if (accept(TokenKind::KwAs)) {
      if (at(TokenKind::Name))
        node->name = identifier(advance());
      else
        expect(TokenKind::Name, "after `as`");
    }
  } else if (isStar) {
    reportHere(DiagnosticKind::SyntaxExpectedExpression,
               "expected an exception type after `except*`");
  }
  node->body = parseBlock(isStar ? "`except*`" : "`except`", token);
  return finishNode(node, begin);
}

const Stmt *Parser::parseTry() {
  Begin begin = here();
  Token token = advance();
  Try *node = make<Try>(NodeKind::Try);
  node->body = parseBlock("`try`", token);
  Nodes<ExceptHandler> handlers;
  bool hasStar = false, hasPlain = false;
  while (at(TokenKind::KwExcept)) {
    Token handlerToken = current();
    bool isStar = false;
    if (!handlers.empty() && !handlers.back()->type)
      reportSoft(DiagnosticKind::SyntaxMisplacedStatement, m_lexer.range(handlerToken),
                 "an `except` without a type must be the last");
    handlers.push_back(parseExceptHandler(isStar));
    (isStar ? hasStar : hasPlain) = true;
    if (hasStar && hasPlain)
      reportSoft(DiagnosticKind::SyntaxMisplacedStatement, m_lexer.range(handlerToken),
                 "one `try` cannot have both `except` and `except*`");
  }
  node->kind = hasStar ? NodeKind::TryStar : NodeKind::Try;
  node->handlers = seq(handlers);
  if (!handlers.empty())
    node->orelse = parseElse("try");
  bool hasFinally = at(TokenKind::KwFinally);
  if (hasFinally) {
    Token finallyToken = advance();
    node->finalbody = parseBlock("`finally`", finallyToken);
  }
  if (handlers.empty() && !hasFinally)
    reportSoft(DiagnosticKind::SyntaxExpectedToken, currentRange(),
               "expected `except` or `finally` after the block of `try` on line " +
                   std::to_string(token.beginLine + 1));
  return finishNode(node, begin);
}

const Stmt *Parser::parseAsync() {
  Begin begin = here();
  switch (kindAhead(1)) {
  case TokenKind::KwDef:
    advance();
    return parseFunction(begin, true, {});
  case TokenKind::KwFor:
    advance();
    return parseFor(begin, true);
  case TokenKind::KwWith:
    advance();
    return parseWith(begin, true);
  default:
    advance();
    reportHere(DiagnosticKind::SyntaxExpectedToken,
               "expected `def`, `for` or `with` after `async`, found " + describeCurrent());
    return finishNode(make<InvalidStmt>(), begin);
  }
}

/// `else`, `except` … that follow nothing they belong to. Their block is parsed as if it stood
/// alone.
const Stmt *Parser::parseMisplacedClause() {
  Begin begin = here();
  std::string name = describeCurrent();
  bool ofTry = atAny({TokenKind::KwExcept, TokenKind::KwFinally});
  // Behind a body that is not indented it is in its place.
  if (std::exchange(m_missingBlockColumn, std::nullopt) == begin.column) {
    const Token clause = advance();
    if (!at(TokenKind::Colon))
      parseNamedExpression();
    parseBlock(name, clause);
  } else {
    const SourceRange range = currentRange();
    report(DiagnosticKind::SyntaxMisplacedStatement, range,
           name + " without a matching " + (ofTry ? "`try`" : "`if`, `for`, `while` or `try`"),
           ofTry ? std::vector<DiagnosticFix>()
                 : unindentClauseFix(m_tree.source, m_lexer.lineOffsets(), range));
  }
  return finishNode(make<InvalidStmt>(), begin);
}

} // namespace tilescope::compiler::ast
