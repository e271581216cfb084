// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Lines of simple statements, and the order of statements in a block. Imports are in
// ParseImports.cpp.
#include "compiler/syntax/AssignedAddress.h"
#include "compiler/syntax/Confusables.h"
#include "compiler/syntax/ForeignTypes.h"
#include "compiler/syntax/IndentFix.h"
#include "compiler/syntax/JoinedLines.h"
#include "compiler/syntax/ParserImpl.h"

#include <algorithm>

namespace tilescope::compiler::ast {

/// The words that a line may begin with, so that a misspelled one is recognized.
static constexpr std::string_view kStatementWords[] = {
    "assert", "class", "def",    "del",      "elif",  "else",   "for",   "from",
    "global", "if",    "import", "nonlocal", "raise", "return", "while", "with"};

const Stmt *Parser::invalidStmt(Begin begin) { return finishNode(make<InvalidStmt>(), begin); }

template <typename T> const Stmt *Parser::parseKeywordStatement() {
  Begin begin = here();
  advance();
  return finishStmt(make<T>(), begin);
}

/// Statements up to the end of the block or file, which is left.
Parser::Nodes<Stmt> Parser::parseStatements() {
  Nodes<Stmt> result;
  int numExtraIndents = 0;
  while (!at(TokenKind::EndOfFile)) {
    if (at(TokenKind::Dedent)) {
      if (numExtraIndents == 0)
        break;
      --numExtraIndents;
      advance();
    } else if (at(TokenKind::Indent)) {
      SourceRange range = currentRange();
      // Tabs among spaces have been reported, and explain it.
      if (!m_brokenLine && m_explainedIndent != range.begin.line &&
          !m_diagnostics.hasErrorOnLine(range.begin.line)) {
        range.begin.column = 0;
        const std::vector<uint32_t> &offsets = m_lexer.lineOffsets();
        reportSoft(DiagnosticKind::SyntaxIndentation, range, "unexpected indent",
                   unexpectedIndentFixes(m_tree.source, offsets, range, m_statementColumn));
      }
      ++numExtraIndents;
      advance();
    } else if (!accept(TokenKind::Newline)) {
      m_brokenLine = false;
      parseStatement(result);
    }
  }
  return result;
}

void Parser::parseStatement(Nodes<Stmt> &out) {
  size_t begin = m_index;
  m_statementColumn = here().column;
  Nesting nesting(*this);
  if (nesting.tooDeep()) {
    out.push_back(invalidStmt(here()));
    recoverStatement();
    return;
  }
  if (const Stmt *compound = parseCompound()) {
    out.push_back(compound);
    if (m_panic)
      recoverStatement();
  } else {
    parseSimpleLine(out);
  }
  if (m_index == begin) {
    // Nothing fits here, not even as the beginning of an expression.
    advance();
    recoverStatement();
  }
}

/// `float s = 2.0;`: what is declared is assigned all the same.
void Parser::skipDeclaredType(Nodes<Stmt> &out) {
  const auto *statement = as<ExprStmt>(out.back());
  const auto *type = statement ? as<Name>(statement->value) : nullptr;
  if (m_panic || !type || !at(TokenKind::Name) || kindAhead(1) != TokenKind::Equal ||
      kernelTypeOf(type->id).empty())
    return;
  SourceRange range = type->range;
  range.end = here();
  const std::string word(type->id);
  reportSoft(DiagnosticKind::SyntaxExpectedToken, range,
             "Python has no declarations: assign the value to the name alone",
             {{range, "", "remove `" + word + "`"}});
  out.back() = parseSimpleStatement();
}

void Parser::parseSimpleLine(Nodes<Stmt> &out) {
  do {
    if (atAny({TokenKind::Newline, TokenKind::EndOfFile}))
      break;
    out.push_back(parseSimpleStatement());
    skipDeclaredType(out);
  } while (!m_panic && accept(TokenKind::Semicolon));
  if (!m_panic && !atAny({TokenKind::Newline, TokenKind::EndOfFile})) {
    bool isCallWithoutParentheses =
        !out.empty() && out.back()->kind == NodeKind::Expr &&
        atAny({TokenKind::Name, TokenKind::String, TokenKind::FStringStart, TokenKind::Number}) &&
        as<Name>(as<ExprStmt>(out.back())->value);
    if (isCallWithoutParentheses) {
      auto *name = as<Name>(as<ExprStmt>(out.back())->value);
      const std::string_view keyword = mistypedWord(name->id, kStatementWords);
      reportHere(DiagnosticKind::SyntaxExpectedToken,
                 "expected end of line after `" + std::string(name->id) + "`, found " +
                     describeCurrent() + "; " +
                     (keyword.empty() ? "a call needs parentheses"
                                      : "did you mean `" + std::string(keyword) + "`?"));
    } else {
      const bool assigns = m_openBrackets.empty() && at(TokenKind::Name) &&
                           kindAhead(1) == TokenKind::Equal && !out.empty();
      const Begin next = here();
      report(DiagnosticKind::SyntaxExpectedToken, currentRange(),
             "expected end of line, found " + describeCurrent(),
             assigns ? partLinesFix(m_tree.source, m_lexer.lineOffsets(),
                                    {m_lastEnd, next, m_options.file}, m_statementColumn)
                     : std::vector<DiagnosticFix>());
    }
  }
  if (m_panic)
    recoverStatement();
  else
    accept(TokenKind::Newline);
}

const Stmt *Parser::parseSimpleStatement() {
  switch (kind()) {
  case TokenKind::KwPass:
    return parseKeywordStatement<Pass>();
  case TokenKind::KwBreak:
  case TokenKind::KwContinue: {
    bool isBreak = at(TokenKind::KwBreak);
    if (m_loopDepth == 0)
      reportSoft(DiagnosticKind::SyntaxMisplacedStatement, currentRange(),
                 isBreak ? "`break` outside a loop" : "`continue` outside a loop");
    return isBreak ? parseKeywordStatement<Break>() : parseKeywordStatement<Continue>();
  }
  case TokenKind::KwReturn:
    return parseReturn();
  case TokenKind::KwRaise:
    return parseRaise();
  case TokenKind::KwAssert:
    return parseAssert();
  case TokenKind::KwDel:
    return parseDelete();
  case TokenKind::KwGlobal:
  case TokenKind::KwNonlocal:
    return parseNameList();
  case TokenKind::KwImport:
    return parseImport();
  case TokenKind::KwFrom:
    return parseImportFrom();
  default:
    break;
  }
  bool isTypeAlias = atWord("type") && kindAhead(1) == TokenKind::Name &&
                     (kindAhead(2) == TokenKind::Equal || kindAhead(2) == TokenKind::LBracket);
  return isTypeAlias ? parseTypeAlias() : parseExpressionStatement();
}

static std::optional<BinaryOpKind> augmentedOperator(TokenKind kind) {
  switch (kind) {
  case TokenKind::PlusEqual:
    return BinaryOpKind::Add;
  case TokenKind::MinusEqual:
    return BinaryOpKind::Sub;
  case TokenKind::StarEqual:
    return BinaryOpKind::Mult;
  case TokenKind::SlashEqual:
    return BinaryOpKind::Div;
  case TokenKind::PercentEqual:
    return BinaryOpKind::Mod;
  case TokenKind::AtEqual:
    return BinaryOpKind::MatMult;
  case TokenKind::AmperEqual:
    return BinaryOpKind::BitAnd;
  case TokenKind::VBarEqual:
    return BinaryOpKind::BitOr;
  case TokenKind::CaretEqual:
    return BinaryOpKind::BitXor;
  case TokenKind::DoubleStarEqual:
    return BinaryOpKind::Pow;
  case TokenKind::DoubleSlashEqual:
    return BinaryOpKind::FloorDiv;
  case TokenKind::LeftShiftEqual:
    return BinaryOpKind::LShift;
  case TokenKind::RightShiftEqual:
    return BinaryOpKind::RShift;
  default:
    return std::nullopt;
  }
}

static bool isSingleTarget(const Expr &expr) {
  return is<Name>(&expr) || is<Attribute>(&expr) || is<Subscript>(&expr) || is<InvalidExpr>(&expr);
}

/// Expressions and all kinds of assignment.
const Stmt *Parser::parseExpressionStatement() {
  Begin begin = here();
  bool inParentheses = at(TokenKind::LParen);
  const Expr *first = parseYieldOrStarExpressions();
  if (at(TokenKind::Equal))
    return parseAssignment(first, begin);
  if (at(TokenKind::Colon) && !m_panic)
    return parseAnnotatedAssignment(first, begin, inParentheses);
  if (std::optional<BinaryOpKind> op = augmentedOperator(kind())) {
    advance();
    AugAssign *node = make<AugAssign>();
    if (isSingleTarget(*first))
      node->target = withContext(first, ExprContext::Store, "assign to");
    else
      reportSoft(DiagnosticKind::SyntaxInvalidTarget, first->range,
                 "an augmented assignment needs a name, an attribute or an item on its left");
    node->target = node->target ? node->target : first;
    node->op = *op;
    node->value = parseYieldOrStarExpressions();
    return finishStmt(node, begin);
  }
  if (first->kind == NodeKind::Starred)
    reportSoft(DiagnosticKind::SyntaxInvalidTarget, first->range,
               "a starred expression is not allowed here");
  ExprStmt *node = make<ExprStmt>();
  node->value = first;
  return finishStmt(node, begin);
}

/// `first = ... = value`
const Stmt *Parser::parseAssignment(const Expr *first, Begin begin) {
  Nodes<Expr> targets;
  const Expr *value = first;
  const Expr *address = assignedAddress(*first);
  while (accept(TokenKind::Equal)) {
    const bool isReported = address && value == first;
    if (value->kind == NodeKind::Starred && !isReported)
      reportSoft(DiagnosticKind::SyntaxInvalidTarget, value->range,
                 "a starred target must be in a list or tuple");
    targets.push_back(isReported ? value : withContext(value, ExprContext::Store, "assign to"));
    value = parseYieldOrStarExpressions();
    if (m_panic)
      break;
  }
  if (value->kind == NodeKind::Starred && !m_panic)
    value = rejectPointer(value->range);
  Assign *node = make<Assign>();
  node->targets = seq(targets);
  node->value = value;
  const Stmt *statement = finishStmt(node, begin);
  if (!address)
    return statement;
  const ParsedText text{m_tree.source, m_lexer.lineOffsets()};
  const std::string code =
      targets.size() == 1 ? storeFor(text, address->range, value->range) : std::string();
  std::vector<DiagnosticFix> fixes;
  if (!code.empty())
    fixes.push_back({statement->range, code, "write `" + code + "`"});
  reportSoft(DiagnosticKind::SyntaxInvalidTarget, first->range,
             (first == address ? "cannot assign to an expression"
                               : "Python has no `*pointer` to assign to") +
                 (code.empty() ? code : ": `" + code + "` writes to memory"),
             std::move(fixes));
  return statement;
}

const Stmt *Parser::parseAnnotatedAssignment(const Expr *target, Begin begin, bool inParentheses) {
  if (!isSingleTarget(*target)) {
    report(DiagnosticKind::SyntaxInvalidTarget, target->range,
           is<Tuple>(target) || is<List>(target)
               ? "only a single target, not a tuple or list, can be annotated"
               : "only a name, an attribute or an item can be annotated");
    return invalidStmt(begin);
  }
  advance();
  AnnAssign *node = make<AnnAssign>();
  node->target = withContext(target, ExprContext::Store, "annotate");
  node->annotation = parseExpression();
  if (accept(TokenKind::Equal))
    node->value = parseYieldOrStarExpressions();
  node->simple = is<Name>(target) && !inParentheses;
  return finishStmt(node, begin);
}

const Stmt *Parser::parseReturn() {
  if (m_functionDepth == 0)
    reportSoft(DiagnosticKind::SyntaxMisplacedStatement, currentRange(),
               "`return` outside a function");
  Begin begin = here();
  advance();
  Return *node = make<Return>();
  if (!atAny({TokenKind::Newline, TokenKind::Semicolon, TokenKind::EndOfFile}))
    node->value = parseStarExpressions();
  return finishStmt(node, begin);
}

const Stmt *Parser::parseRaise() {
  Begin begin = here();
  advance();
  Raise *node = make<Raise>();
  if (!atAny({TokenKind::Newline, TokenKind::Semicolon, TokenKind::EndOfFile})) {
    node->exc = parseExpression();
    if (accept(TokenKind::KwFrom))
      node->cause = parseExpression();
  }
  return finishStmt(node, begin);
}

const Stmt *Parser::parseAssert() {
  Begin begin = here();
  advance();
  Assert *node = make<Assert>();
  node->test = parseExpression();
  if (accept(TokenKind::Comma))
    node->msg = parseExpression();
  return finishStmt(node, begin);
}

const Stmt *Parser::parseDelete() {
  Begin begin = here();
  advance();
  Delete *node = make<Delete>();
  Nodes<Expr> targets;
  do {
    if (atAny({TokenKind::Newline, TokenKind::Semicolon}) && !targets.empty())
      break;
    targets.push_back(withContext(parseBitOr(), ExprContext::Del, "delete"));
  } while (accept(TokenKind::Comma));
  node->targets = seq(targets);
  return finishStmt(node, begin);
}

/// `global a, b` and `nonlocal a, b`
const Stmt *Parser::parseNameList() {
  Begin begin = here();
  bool isGlobal = advance().kind == TokenKind::KwGlobal;
  std::vector<Identifier> names;
  do {
    if (!at(TokenKind::Name)) {
      expect(TokenKind::Name, isGlobal ? "after `global`" : "after `nonlocal`");
      break;
    }
    names.push_back(identifier(advance()));
  } while (accept(TokenKind::Comma));
  std::span<const Identifier> kept = m_tree.arena.copy(names);
  if (isGlobal) {
    Global *node = make<Global>();
    node->names = kept;
    return finishStmt(node, begin);
  }
  if (m_numFunctions == 0)
    reportSoft(DiagnosticKind::SyntaxMisplacedStatement, rangeFrom(begin),
               "`nonlocal` outside a function");
  Nonlocal *node = make<Nonlocal>();
  node->names = kept;
  return finishStmt(node, begin);
}

const Stmt *Parser::parseTypeAlias() {
  Begin begin = here();
  advance();
  TypeAlias *node = make<TypeAlias>();
  Begin nameBegin = here();
  Name *name = make<Name>();
  name->id = identifier(advance());
  name->ctx = ExprContext::Store;
  node->name = finish(name, nameBegin);
  node->typeParams = parseTypeParams();
  expect(TokenKind::Equal, "in a type alias");
  node->value = parseExpression();
  return finishStmt(node, begin);
}

} // namespace tilescope::compiler::ast
