// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Parameters of functions, and what is written in their list instead of commas, names and types.
#include "compiler/syntax/ForeignTypes.h"
#include "compiler/syntax/JoinedLines.h"
#include "compiler/syntax/ParserImpl.h"

#include <algorithm>
#include <utility>

namespace tilescope::compiler::ast {

/// `x-ptr` and `x.ptr` of what is called `x_ptr` elsewhere.
void Parser::readNameOfParameter(Arg &parameter, Begin begin) {
  const Token sign = current();
  const Token rest = m_lexer.token(m_index + 1);
  if (!atAny({TokenKind::Minus, TokenKind::Dot}) || rest.kind != TokenKind::Name ||
      m_lexer.token(m_index - 1).end != sign.begin || rest.begin != sign.end)
    return;
  const std::string name = std::string(parameter.arg) + "_" + std::string(m_lexer.text(rest));
  if (!hasWord(m_tree.source, name))
    return;
  const std::string written(m_lexer.text(sign));
  advance();
  advance();
  parameter.arg = m_tree.arena.copy(std::string_view(name));
  const SourceRange range = rangeFrom(begin);
  reportSoft(DiagnosticKind::SyntaxInvalidParameters, range,
             "a name has no `" + written + "`: write `" + name + "`",
             {{range, name, "write `" + name + "`"}});
}

/// How many tokens `tl.constexpr`, or `constexpr`, has from the `ahead`th on; 0: it is not there.
size_t Parser::constexprLength(size_t ahead) {
  size_t end = ahead;
  while (kindAhead(end) == TokenKind::Name && kindAhead(end + 1) == TokenKind::Dot)
    end += 2;
  const TokenKind next = kindAhead(end + 1);
  const bool isWhole = next == TokenKind::Comma || next == TokenKind::RParen ||
                       next == TokenKind::Equal || next == TokenKind::Colon;
  // `tl.constexpr(False)` is a value.
  const bool isConstexpr = isWhole && kindAhead(end) == TokenKind::Name &&
                           m_lexer.text(m_lexer.token(m_index + end)) == "constexpr";
  return isConstexpr ? end + 1 - ahead : 0;
}

/// The `:` in front of a parameter's type; `=` and nothing are read as one where a type of kernels follows.
bool Parser::acceptAnnotation(std::string_view name) {
  if (accept(TokenKind::Colon))
    return true;
  const bool isEqual = at(TokenKind::Equal);
  if (m_panic || constexprLength(isEqual ? 1 : 0) == 0)
    return false;
  const Position nameEnd = m_lastEnd;
  const SourceRange place = currentRange();
  const std::string found = describeCurrent();
  if (isEqual)
    advance();
  reportSoft(
      DiagnosticKind::SyntaxInvalidParameters, place,
      isEqual
          ? "`=` makes the type itself the value of `" + std::string(name) + "`: a type follows `:`"
          : "expected `:` in front of the type of `" + std::string(name) + "`, found " + found,
      {{{nameEnd, here(), m_options.file}, ": ", "write `:`"}});
  return true;
}

const Arg *Parser::parseParameter(bool allowAnnotation, bool allowStarAnnotation) {
  Begin begin = here();
  Arg *node = make<Arg>();
  if (at(TokenKind::Name)) {
    node->arg = identifier(advance());
  } else {
    reportHere(DiagnosticKind::SyntaxInvalidParameters,
               "expected a parameter name, found " + describeCurrent());
    return finishNode(node, begin);
  }
  if (allowAnnotation)
    readNameOfParameter(*node, begin);
  const bool endsHeader = atHeaderEnd() || kindAhead(1) == TokenKind::Newline;
  if (allowAnnotation && !endsHeader && acceptAnnotation(node->arg)) {
    bool isStarred = allowStarAnnotation && at(TokenKind::Star);
    node->annotation = isStarred ? parseStarred(&Parser::parseBitOr) : parseExpression();
  }
  return finishNode(node, begin);
}

/// Parameters while they are being read.
struct Parser::ParameterLists {
  Arguments *node;
  TokenKind closer;
  bool allowAnnotations;
  Nodes<Arg> positionalOnly = {}, positional = {}, keywordOnly = {};
  Nodes<Expr> defaults = {}, keywordDefaults = {};
  bool afterStar = false, sawSlash = false;
  /// What stands between parameters where a comma belongs; empty ranges for nothing.
  std::vector<SourceRange> separators = {};
  std::string separatorMessage = {};
  SourceRange separatorRange = {};

  bool has(std::string_view name) const {
    const auto hasName = [&](const Arg *other) { return other && other->arg == name; };
    return hasName(node->vararg) || std::ranges::any_of(positionalOnly, hasName) ||
           std::ranges::any_of(positional, hasName) || std::ranges::any_of(keywordOnly, hasName);
  }
};

const Arg *Parser::parseUniqueParameter(const ParameterLists &lists, bool allowStarAnnotation) {
  const Arg *arg = parseParameter(lists.allowAnnotations, allowStarAnnotation);
  if (!arg->arg.empty() && lists.has(arg->arg))
    reportSoft(DiagnosticKind::SyntaxInvalidParameters, arg->range,
               "parameter `" + std::string(arg->arg) + "` is repeated");
  return arg;
}

void Parser::parseSlash(ParameterLists &lists) {
  if (lists.sawSlash || lists.afterStar || lists.positional.empty())
    reportHere(DiagnosticKind::SyntaxInvalidParameters,
               lists.positional.empty() ? "at least one parameter must precede `/`"
               : lists.sawSlash         ? "`/` may appear only once"
                                        : "`/` must be ahead of `*`");
  lists.sawSlash = true;
  advance();
  lists.positionalOnly = std::exchange(lists.positional, {});
}

void Parser::parseDoubleStarParameter(ParameterLists &lists) {
  advance();
  lists.node->kwarg = parseUniqueParameter(lists, false);
  if (at(TokenKind::Equal))
    reportHere(DiagnosticKind::SyntaxInvalidParameters, "`**` parameters cannot have a default");
}

void Parser::parseStarParameter(ParameterLists &lists) {
  const SourceRange star = currentRange();
  advance();
  if (lists.afterStar)
    report(DiagnosticKind::SyntaxInvalidParameters, star, "`*` may appear only once");
  lists.afterStar = true;
  if (at(TokenKind::Name)) {
    lists.node->vararg = parseUniqueParameter(lists, true);
    if (at(TokenKind::Equal))
      reportHere(DiagnosticKind::SyntaxInvalidParameters, "`*` parameters cannot have a default");
  } else if (at(lists.closer) ||
             (at(TokenKind::Comma) &&
              (kindAhead(1) == lists.closer || kindAhead(1) == TokenKind::DoubleStar))) {
    report(DiagnosticKind::SyntaxInvalidParameters, star,
           "named parameters must follow a bare `*`");
  }
}

/// `const float *x`: what is behind the type is the parameter all the same.
void Parser::skipParameterType() {
  const size_t first = m_index;
  size_t ahead = 0;
  for (bool isType = true; isType; ahead += isType ? 1 : 0) {
    const TokenKind kind = kindAhead(ahead);
    const std::string_view word = m_lexer.text(m_lexer.token(first + ahead));
    isType = ahead > 0 && (kind == TokenKind::Star || kind == TokenKind::DoubleStar);
    isType |= kind == TokenKind::Name && (word == "const" || !kernelTypeOf(word).empty());
  }
  if (m_panic || ahead == 0 || kindAhead(ahead) != TokenKind::Name)
    return;
  SourceRange range = currentRange();
  const uint32_t from = current().begin;
  for (size_t i = 0; i < ahead; ++i)
    advance();
  range.end = here();
  std::string type(std::string_view(m_tree.source).substr(from, current().begin - from));
  type.erase(type.find_last_not_of(" \t") + 1);
  reportSoft(DiagnosticKind::SyntaxInvalidParameters, range,
             "a parameter has no type in front of its name: write `" +
                 std::string(m_lexer.text(current())) + "`; its type is that of the argument",
             {{range, "", "remove `" + type + "`"}});
}

void Parser::parsePlainParameter(ParameterLists &lists) {
  skipParameterType();
  const Arg *arg = parseUniqueParameter(lists, false);
  const Expr *defaultValue = !m_panic && accept(TokenKind::Equal) ? parseExpression() : nullptr;
  if (lists.afterStar) {
    lists.keywordOnly.push_back(arg);
    lists.keywordDefaults.push_back(defaultValue);
    return;
  }
  if (defaultValue)
    lists.defaults.push_back(defaultValue);
  else if (!lists.defaults.empty())
    reportSoft(DiagnosticKind::SyntaxInvalidParameters, arg->range,
               "parameter without a default follows a parameter with one");
  lists.positional.push_back(arg);
}

void Parser::parseParameterInto(ParameterLists &lists) {
  if (lists.node->kwarg)
    reportHere(DiagnosticKind::SyntaxInvalidParameters, "no parameter may follow `**` parameters");
  if (at(TokenKind::Slash))
    return parseSlash(lists);
  if (at(TokenKind::DoubleStar))
    return parseDoubleStarParameter(lists);
  if (at(TokenKind::Star))
    return parseStarParameter(lists);
  parsePlainParameter(lists);
}

/// What stands where a comma belongs between two parameters: `x y`, `x; y`, `x. y`, `x - y`.
bool Parser::acceptSeparator(ParameterLists &lists) {
  if (m_panic || m_speculating > 0 || lists.closer != TokenKind::RParen ||
      (current().startsLine && (at(TokenKind::RParen) || !beginsParameter())))
    return false;
  const bool isMissing = at(TokenKind::Name);
  const bool isOther = atAny({TokenKind::Semicolon, TokenKind::Dot, TokenKind::Minus}) &&
                       (kindAhead(1) == TokenKind::Name ||
                        (at(TokenKind::Semicolon) && kindAhead(1) == TokenKind::RParen));
  if (!isMissing && !isOther)
    return false;
  if (lists.separators.empty()) {
    lists.separatorRange = currentRange();
    lists.separatorMessage = "expected `,` or `)` after the parameter, found " + describeCurrent();
  }
  lists.separators.push_back(isMissing ? SourceRange{m_lastEnd, m_lastEnd, m_options.file}
                                       : currentRange());
  if (isOther)
    advance();
  return true;
}

/// One error for all that stands in the place of commas.
void Parser::reportSeparators(const ParameterLists &lists) {
  if (lists.separators.empty())
    return;
  const std::string_view source(m_tree.source);
  const SourceRange whole{lists.separators.front().begin, lists.separators.back().end,
                          m_options.file};
  std::string text;
  bool isMissing = true;
  uint32_t at = m_lexer.offset(whole.begin);
  for (const SourceRange &range : lists.separators) {
    text += source.substr(at, m_lexer.offset(range.begin) - at);
    text += ',';
    at = m_lexer.offset(range.end);
    isMissing &= range.empty();
  }
  const bool isOne = lists.separators.size() == 1;
  const std::string title =
      isMissing ? isOne ? "add the missing comma" : "add the missing commas" : "write `,`";
  const bool wasPanic = std::exchange(m_panic, false);
  reportSoft(DiagnosticKind::SyntaxExpectedToken, lists.separatorRange, lists.separatorMessage,
             {{whole, std::move(text), title}});
  m_panic = wasPanic;
}

/// Parameters of a function or lambda up to `closer`, which is left.
const Arguments *Parser::parseParameters(TokenKind closer, bool allowAnnotations) {
  Begin begin = here();
  Arguments *node = make<Arguments>();
  ParameterLists lists{node, closer, allowAnnotations};
  while (!atAny({closer, TokenKind::Newline, TokenKind::EndOfFile})) {
    parseParameterInto(lists);
    if (m_panic && closer == TokenKind::RParen)
      skipElement(closer);
    if (!accept(TokenKind::Comma) && !acceptSeparator(lists))
      break;
  }
  reportSeparators(lists);
  node->posonlyargs = seq(lists.positionalOnly);
  node->args = seq(lists.positional);
  node->kwonlyargs = seq(lists.keywordOnly);
  node->kwDefaults = seq(lists.keywordDefaults);
  node->defaults = seq(lists.defaults);
  return finishNode(node, begin);
}

} // namespace tilescope::compiler::ast
