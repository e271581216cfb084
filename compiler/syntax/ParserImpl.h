// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/Lexer.h"
#include "compiler/syntax/Parser.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::compiler::ast {

/// Recursive descent over the tokens of one text. Private to the Parse*.cpp files.
///
/// Errors: the first error of a statement is reported and puts the parser into panic, in which it
/// reports nothing more. Lists end the panic at the next comma or closing bracket, statements at
/// the end of the line. Every loop consumes a token or ends, so parsing always ends.
class Parser {
public:
  Parser(SyntaxTree &tree, const ParseOptions &options, DiagnosticSink &diagnostics);

  const Module *parseModule();
  /// Null after an error.
  const Expr *parseSingleExpression();
  const Lexer &lexer() const { return m_lexer; }

private:
  template <typename T> using Nodes = std::vector<const T *>;
  using Begin = Position;

  // Tokens
  Token current() { return m_lexer.token(m_index); }
  TokenKind kind() { return current().kind; }
  TokenKind kindAhead(size_t ahead) { return m_lexer.token(m_index + ahead).kind; }
  bool at(TokenKind wanted) { return kind() == wanted; }
  bool atAny(std::initializer_list<TokenKind> wanted);
  bool atWord(std::string_view word);
  bool atExpressionStart();
  Token advance();
  bool accept(TokenKind wanted);
  /// Reports "expected X …" unless the token is there.
  bool expect(TokenKind wanted, std::string_view where);
  /// Expects the colon in front of a block; the fix puts it behind what was read last.
  bool expectBlockColon(std::string_view owner);
  /// Consumes an opening bracket / the closing one that belongs to it.
  void open();
  bool close(TokenKind closer, std::string_view expected);
  Begin here() { return m_lexer.position(current().begin, current().beginLine); }
  SourceRange currentRange() { return m_lexer.range(current()); }
  std::string describeCurrent();

  // Errors
  void report(DiagnosticKind kind, SourceRange range, std::string message,
              std::vector<DiagnosticFix> fixes = {});
  void reportHere(DiagnosticKind kind, std::string message) {
    report(kind, currentRange(), std::move(message));
  }
  /// Reports without disturbing the parse.
  void reportSoft(DiagnosticKind kind, SourceRange range, std::string message,
                  std::vector<DiagnosticFix> fixes = {});
  const Expr *invalidExpr(std::string expected);
  const Expr *rejectPointer(const SourceRange &range);
  /// Closes the open brackets in front of the current token.
  std::vector<DiagnosticFix> closeFix();
  void reportUnclosed();
  bool lineLeavesBracket(const Token &token);
  bool lineAssigns(const Token &token);
  void leaveBracketAtAssignment();
  void skipInList(TokenKind closer, bool stopAtComma);
  void skipElement(TokenKind closer) { skipInList(closer, true); }
  void recoverStatement();
  /// Tries `parse`; goes back to where it began when that returns false or an error.
  template <typename F> bool speculate(F &&parse);

  // Nodes
  template <typename T> T *make(NodeKind kind) {
    T *node = m_tree.arena.make<T>();
    node->kind = kind;
    return node;
  }
  template <typename T> T *make() { return make<T>(T::kKind); }
  template <typename T> const T *finishNode(T *node, Begin begin);
  template <typename T> const Expr *finish(T *node, Begin begin);
  template <typename T> std::span<const T *const> seq(const Nodes<T> &nodes) {
    return m_tree.arena.copy(nodes);
  }
  Identifier identifier(const Token &token);
  SourceRange rangeFrom(Begin begin) const { return {begin, m_lastEnd, m_options.file}; }
  /// Whether one more level of nesting is allowed; reports when not.
  class Nesting;

  // Expressions: ParseExpressions.cpp
  const Expr *parseStarExpressions();
  const Expr *parseYieldOrStarExpressions();
  const Expr *parseStarExpression(bool allowNamed);
  const Expr *parseNamedExpression();
  const Expr *parseExpression();
  const Expr *parseDisjunction();
  const Expr *parseConjunction();
  /// Operands with `word` between them; of one operand that operand.
  const Expr *parseBoolChain(TokenKind word, BoolOpKind op, const Expr *(Parser::*parseOperand)());
  const Expr *parseInversion();
  const Expr *parseComparison();
  const Expr *parseBinary(int minPrecedence);
  const Expr *parseUnary();
  const Expr *parsePower();
  const Expr *parseStarred(const Expr *(Parser::*parseOperand)());
  const Expr *parseBitOr() { return parseBinary(0); }
  const Expr *parseLambda();
  const Expr *parseYield();
  const Expr *castOperand(Begin begin, const Expr *inner);
  const Expr *finishTuple(Begin begin, Nodes<Expr> elts);
  bool parseCompareOp(CompareOpKind &op);

  // Primaries and atoms: ParseAtoms.cpp
  const Expr *parsePrimary();
  const Expr *parseTrailers(const Expr *value, Begin begin);
  const Expr *parseCall(const Expr *func, Begin begin);
  void parseArguments(Nodes<Expr> &args, Nodes<Keyword> &keywords);
  const Expr *parseGeneratorArgument(const Expr *elt, Begin open);
  const Expr *parseSubscript(const Expr *value, Begin begin);
  const Expr *parseSliceItem();
  const Expr *parseAtom();
  const Expr *parseGroup();
  const Expr *parseListDisplay();
  const Expr *parseBraceDisplay();
  const Expr *parseDictRest(Begin begin, const Expr *firstKey, const Expr *firstValue);
  Seq<Comprehension> parseComprehensions();
  const Expr *parseNumber();
  const Expr *constant(ConstantKind kind);

  // Strings: ParseStrings.cpp
  const Expr *parseStrings();
  const Expr *parseStringToken();
  void parseFString(Nodes<Expr> &values);
  void parseReplacementField(Nodes<Expr> &values, bool isRaw);
  std::string debugText(uint32_t begin, uint32_t end);
  const Expr *parseFormatSpec(const Token &colon, bool isRaw);
  const Expr *stringConstant(SourceRange range, std::string_view text, bool isUnicode);
  std::string_view decodeString(std::string_view raw, SourceRange range, bool isRaw, bool isBytes);
  Seq<Expr> joinConstants(const Nodes<Expr> &values);

  // Statements: ParseStatements.cpp
  Nodes<Stmt> parseStatements();
  void parseStatement(Nodes<Stmt> &out);
  void parseSimpleLine(Nodes<Stmt> &out);
  void skipDeclaredType(Nodes<Stmt> &out);
  const Stmt *parseSimpleStatement(), *parseExpressionStatement(), *parseReturn(), *parseRaise();
  const Stmt *parseAssert(), *parseDelete(), *parseNameList(), *parseImport(), *parseImportFrom();
  const Stmt *parseTypeAlias();
  const Stmt *parseAssignment(const Expr *first, Begin begin);
  const Stmt *parseAnnotatedAssignment(const Expr *target, Begin begin, bool inParentheses);
  std::string_view parseDottedName();
  void parseImportedAs(Alias &alias);
  template <typename T> const Stmt *parseKeywordStatement();
  template <typename T> const Stmt *finishStmt(T *node, Begin begin);
  const Stmt *invalidStmt(Begin begin);

  // Compound statements: ParseCompound.cpp
  const Expr *parseCondition();
  const Stmt *parseCompound(), *parseIf(), *parseWhile(), *parseTry(), *parseAsync();
  const Stmt *parseDecorated(), *parseMisplacedClause();
  const Stmt *parseFor(Begin begin, bool isAsync);
  const Stmt *parseWith(Begin begin, bool isAsync);
  const Stmt *parseFunction(Begin begin, bool isAsync, const Nodes<Expr> &decorators);
  const Stmt *parseClass(const Nodes<Expr> &decorators);
  const WithItem *parseWithItem();
  bool parseParenthesizedWithItems(Nodes<WithItem> &items);
  const ExceptHandler *parseExceptHandler(bool &isStar);
  Seq<Stmt> parseElse(std::string_view owner);
  Seq<Stmt> parseBlock(std::string_view owner, const Token &ownerToken);
  bool atHeaderEnd(), leaveBracketAtHeaderEnd(), leaveBracketAtBody();
  void reportDefinitionWord();
  std::string joinedName();
  Seq<TypeParam> parseTypeParams();

  // Parameters: ParseParameters.cpp, where those without a comment are explained
  struct ParameterLists;
  const Arguments *parseParameters(TokenKind closer, bool allowAnnotations);
  const Arguments *parseBareParameters();
  void skipParameterType();
  void parseParameterInto(ParameterLists &lists), parseSlash(ParameterLists &lists);
  void parseStarParameter(ParameterLists &lists), parseDoubleStarParameter(ParameterLists &lists);
  void parsePlainParameter(ParameterLists &lists);
  const Arg *parseUniqueParameter(const ParameterLists &lists, bool allowStarAnnotation);
  const Arg *parseParameter(bool allowAnnotation, bool allowStarAnnotation);
  bool beginsParameter(), acceptAnnotation(std::string_view name);
  size_t constexprLength(size_t ahead);
  void readNameOfParameter(Arg &parameter, Begin begin);
  bool acceptSeparator(ParameterLists &lists);
  void reportSeparators(const ParameterLists &lists);

  // What is written as in other languages, and read as meant: ParseSlips.cpp
  bool readForeignHead(), readKeywordMember(Attribute &member);
  bool reportTurnedComparison(CompareOpKind &op);
  bool atKeywordArgument(), atForeignElif();
  void passKeywordSign();
  Token passElif();
  const Stmt *parseSlippedHead();

  // Assignment targets: ParseTargets.cpp
  const Expr *parseTargetList();
  const Expr *withContext(const Expr *expr, ExprContext context, std::string_view action);
  Seq<Expr> withContext(Seq<Expr> elts, ExprContext context, std::string_view action);

  // Patterns: ParsePatterns.cpp
  const Stmt *tryParseMatch();
  const MatchCase *parseCase();
  const Pattern *parseOpenPatterns();
  const Pattern *parseAsPattern();
  const Pattern *parseMaybeStarPattern();
  const Pattern *parseOrPattern();
  const Pattern *parseClosedPattern();
  const Pattern *parseSequencePattern();
  const Pattern *parseMappingPattern();
  const Pattern *parseClassPattern(const Expr *cls, Begin begin);
  const Pattern *parseValuePattern();
  const Expr *parsePatternNumber();
  const Expr *parsePatternName();
  const Pattern *invalidPattern(std::string expected);

  SyntaxTree &m_tree;
  ParseOptions m_options;
  DiagnosticSink &m_diagnostics;
  Lexer m_lexer;
  size_t m_index = 0;
  /// End of the last token that is neither a line end nor indentation.
  Position m_lastEnd;
  /// Indentation of the statement that is being parsed.
  uint32_t m_statementColumn = 0;
  std::vector<Token> m_openBrackets;
  /// How many brackets are open around the condition that is being parsed; nothing: it is none.
  std::optional<size_t> m_conditionBrackets;
  size_t m_leftBracketFrom = 0;
  /// Of the last statement whose body is not indented, none behind its next branch; and the line behind.
  std::optional<uint32_t> m_missingBlockColumn, m_explainedIndent;
  bool m_panic = false, m_saidTooDeep = false;
  /// The last line was broken: an indented block after it is not a separate error.
  bool m_brokenLine = false;
  int m_speculating = 0, m_depth = 0;
  /// Functions around the statement: up to the innermost class, and all; loops.
  int m_functionDepth = 0, m_numFunctions = 0, m_loopDepth = 0;
};

} // namespace tilescope::compiler::ast

#include "compiler/syntax/ParserNodes.h"
