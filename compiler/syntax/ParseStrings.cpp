// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// String literals: prefixes, escapes, concatenation, f-strings.
#include "compiler/syntax/ParserImpl.h"
#include "compiler/syntax/PythonText.h"
#include "compiler/syntax/Unicode.h"

#include <algorithm>

namespace tilescope::compiler::ast {

static int hexValue(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

namespace {

/// Replaces the escapes of one literal's body.
class EscapeDecoder {
public:
  EscapeDecoder(std::string_view raw, bool isRaw, bool isBytes)
      : m_raw(raw), m_isRaw(isRaw), m_isBytes(isBytes) {}

  std::string decode() {
    while (m_at < m_raw.size()) {
      char c = m_raw[m_at++];
      if (c == '\r') {
        if (m_at < m_raw.size() && m_raw[m_at] == '\n')
          ++m_at;
        m_out += '\n';
      } else if (c != '\\' || m_isRaw || m_at == m_raw.size()) {
        if (m_isBytes && static_cast<unsigned char>(c) >= 0x80)
          error = "bytes can only contain ASCII characters";
        m_out += c;
      } else {
        decodeEscape(m_raw[m_at++]);
      }
    }
    return std::move(m_out);
  }

  /// Empty when all went well.
  std::string error;
  /// An escape that Python does not know and leaves as it is.
  std::string unknownEscape;

private:
  void decodeEscape(char c) {
    static constexpr std::string_view kFrom = "\\'\"abfnrtv";
    static constexpr std::string_view kTo = "\\'\"\a\b\f\n\r\t\v";
    if (size_t i = kFrom.find(c); i != std::string_view::npos) {
      m_out += kTo[i];
    } else if (c == '\n') {
    } else if (c == '\r') {
      if (m_at < m_raw.size() && m_raw[m_at] == '\n')
        ++m_at;
    } else if (c >= '0' && c <= '7') {
      uint32_t value = c - '0';
      for (int i = 0; i < 2 && m_at < m_raw.size(); ++i) {
        char digit = m_raw[m_at];
        if (digit < '0' || digit > '7')
          break;
        value = value * 8 + (digit - '0');
        ++m_at;
      }
      if (value > 0xFF && unknownEscape.empty())
        unknownEscape = "\\" + std::string(m_raw.substr(m_at - 3, 3));
      put(m_isBytes ? value & 0xFF : value);
    } else if (c == 'x') {
      decodeHex(2, "\\xXX");
    } else if (c == 'u' && !m_isBytes) {
      decodeHex(4, "\\uXXXX");
    } else if (c == 'U' && !m_isBytes) {
      decodeHex(8, "\\UXXXXXXXX");
    } else if (c == 'N' && !m_isBytes) {
      decodeNamed();
    } else {
      if (unknownEscape.empty())
        unknownEscape = std::string("\\") + c;
      m_out += '\\';
      m_out += c;
    }
  }

  void decodeHex(int numDigits, std::string_view shape) {
    uint32_t value = 0;
    for (int i = 0; i < numDigits; ++i) {
      int digit = m_at < m_raw.size() ? hexValue(m_raw[m_at]) : -1;
      if (digit < 0) {
        error = "truncated `" + std::string(shape) + "` escape";
        return;
      }
      value = value * 16 + digit;
      ++m_at;
    }
    if (value > 0x10FFFF)
      error = "the escape names no Unicode character";
    else
      put(value);
  }

  void decodeNamed() {
    size_t end = m_raw.find('}', m_at);
    if (m_at >= m_raw.size() || m_raw[m_at] != '{' || end == std::string_view::npos) {
      error = "malformed `\\N{...}` escape";
      return;
    }
    std::string_view name = m_raw.substr(m_at + 1, end - m_at - 1);
    m_at = end + 1;
    if (std::optional<char32_t> c = characterByName(name))
      put(*c);
    else
      error = "unknown Unicode character name `" + std::string(name) + "`";
  }

  void put(uint32_t value) {
    if (m_isBytes)
      m_out += static_cast<char>(value);
    else
      appendUtf8(m_out, value);
  }

  std::string_view m_raw;
  size_t m_at = 0;
  bool m_isRaw;
  bool m_isBytes;
  std::string m_out;
};

} // namespace

std::string_view Parser::decodeString(std::string_view raw, SourceRange range, bool isRaw,
                                      bool isBytes) {
  // Most strings are spelled in the source as they are.
  bool isPlain = std::none_of(raw.begin(), raw.end(), [&](char c) {
    return (c == '\\' && !isRaw) || c == '\r' || (isBytes && c < 0);
  });
  if (isPlain)
    return raw;
  EscapeDecoder decoder(raw, isRaw, isBytes);
  std::string decoded = decoder.decode();
  if (!decoder.error.empty())
    reportSoft(DiagnosticKind::SyntaxInvalidEscape, range, decoder.error);
  else if (!decoder.unknownEscape.empty() && m_speculating == 0)
    m_diagnostics.warning(DiagnosticKind::SyntaxInvalidEscape, range,
                          "invalid escape `" + decoder.unknownEscape +
                              "`; write `\\\\` for a backslash or use a raw string");
  return m_tree.arena.copy(std::string_view(decoded));
}

const Expr *Parser::stringConstant(SourceRange range, std::string_view text, bool isUnicode) {
  Constant *node = make<Constant>();
  node->constantKind = ConstantKind::Str;
  node->text = text;
  node->isUnicodePrefixed = isUnicode;
  node->range = range;
  node->height = 1;
  return node;
}

/// One string token as a separate constant.
/// What is between typographic quotes, of which the lexer has spoken.
static std::string_view withoutForeignQuotes(std::string_view text) {
  const auto isQuote = [](std::string_view part) {
    return part.starts_with("\xE2\x80") && part.size() >= 3;
  };
  text.remove_prefix(isQuote(text) ? 3 : 0);
  const size_t last = text.size() < 3 ? 0 : text.size() - 3;
  text.remove_suffix(isQuote(text.substr(last)) ? 3 : text.empty() ? 0 : 1);
  return text;
}

const Expr *Parser::parseStringToken() {
  SourceRange range = currentRange();
  std::string_view text = m_lexer.text(advance());
  if (static_cast<unsigned char>(text.front()) >= 0x80)
    return stringConstant(range, withoutForeignQuotes(text), false);
  size_t quoteAt = text.find_first_of("'\"");
  bool isRaw = false, isBytes = false, isUnicode = false;
  for (char c : text.substr(0, quoteAt)) {
    char lower = static_cast<char>(c | 0x20);
    isRaw |= lower == 'r';
    isBytes |= lower == 'b';
    // Python records only the lower-case prefix.
    isUnicode |= c == 'u';
  }
  char quote = text[quoteAt];
  std::string_view body = text.substr(quoteAt);
  std::string triple(3, quote);
  size_t numQuotes = body.starts_with(triple) ? 3 : 1;
  body.remove_prefix(numQuotes);
  // The closing quotes are missing when the literal is unterminated.
  if (body.ends_with(std::string(numQuotes, quote)))
    body.remove_suffix(numQuotes);
  auto *node = static_cast<const Constant *>(
      stringConstant(range, decodeString(body, range, isRaw, isBytes), isUnicode));
  if (!isBytes)
    return node;
  Constant *bytes = m_tree.arena.make<Constant>(*node);
  bytes->constantKind = ConstantKind::Bytes;
  return bytes;
}

/// Neighboring string constants become one; empty ones vanish.
Seq<Expr> Parser::joinConstants(const Nodes<Expr> &values) {
  Nodes<Expr> result;
  for (size_t i = 0; i < values.size();) {
    const Constant *first = as<Constant>(values[i]);
    if (!first) {
      result.push_back(values[i++]);
      continue;
    }
    std::string text;
    SourceRange range = first->range;
    size_t begin = i;
    for (; i < values.size() && is<Constant>(values[i]); ++i) {
      text += static_cast<const Constant *>(values[i])->text;
      range.end = values[i]->range.end;
    }
    if (text.empty())
      continue;
    std::string_view kept =
        i == begin + 1 ? first->text : m_tree.arena.copy(std::string_view(text));
    result.push_back(stringConstant(range, kept, first->isUnicodePrefixed));
  }
  return seq(result);
}

/// Adjacent literals, which Python concatenates.
const Expr *Parser::parseStrings() {
  Begin begin = here();
  Nodes<Expr> values;
  bool isFString = false, hasBytes = false, hasText = false;
  while (atAny({TokenKind::String, TokenKind::FStringStart})) {
    if (at(TokenKind::FStringStart)) {
      isFString = hasText = true;
      parseFString(values);
    } else {
      values.push_back(parseStringToken());
      bool isBytes =
          static_cast<const Constant *>(values.back())->constantKind == ConstantKind::Bytes;
      (isBytes ? hasBytes : hasText) = true;
    }
    if (m_panic)
      break;
  }
  if (hasBytes && hasText)
    reportSoft(DiagnosticKind::SyntaxInvalidEscape, rangeFrom(begin),
               "cannot mix bytes and text literals");
  if (isFString) {
    JoinedStr *node = make<JoinedStr>();
    node->values = joinConstants(values);
    return finish(node, begin);
  }
  if (values.size() == 1)
    return values[0];
  Constant *joined = m_tree.arena.make<Constant>(*static_cast<const Constant *>(values[0]));
  std::string text;
  for (const Expr *value : values)
    text += static_cast<const Constant *>(value)->text;
  joined->text = m_tree.arena.copy(std::string_view(text));
  return finish(joined, begin);
}

void Parser::parseFString(Nodes<Expr> &values) {
  Token start = advance();
  std::string_view prefix = m_lexer.text(start);
  bool isRaw = prefix.find_first_of("rR") != std::string_view::npos;
  while (!m_panic) {
    if (at(TokenKind::FStringMiddle)) {
      SourceRange range = currentRange();
      std::string_view text = m_lexer.text(advance());
      // A doubled brace stands for one.
      if (text.ends_with("{{") || text.ends_with("}}"))
        text.remove_suffix(1);
      values.push_back(stringConstant(range, decodeString(text, range, isRaw, false), false));
    } else if (at(TokenKind::LBrace)) {
      parseReplacementField(values, isRaw);
    } else {
      break;
    }
  }
  if (m_panic) {
    // Skip to where this f-string ends, so that the statement goes on.
    int depth = 0;
    while (!atAny({TokenKind::Newline, TokenKind::EndOfFile})) {
      if (at(TokenKind::FStringStart))
        ++depth;
      if (at(TokenKind::FStringEnd) && depth-- == 0)
        break;
      advance();
    }
  }
  expect(TokenKind::FStringEnd, "");
}

/// The source of a field as `=` shows it: without comments, line ends as `\n`.
std::string Parser::debugText(uint32_t begin, uint32_t end) {
  std::string text;
  auto comment = m_lexer.comments().begin();
  for (uint32_t i = begin; i < end; ++i) {
    while (comment != m_lexer.comments().end() && m_lexer.offset(comment->begin) < i)
      ++comment;
    if (comment != m_lexer.comments().end() && m_lexer.offset(comment->begin) == i)
      i = m_lexer.offset(comment->end);
    char c = m_tree.source[i];
    if (c == '\r' && m_tree.source[i + 1] == '\n')
      continue;
    text += c == '\r' ? '\n' : c;
  }
  return text;
}

/// `{value=!r:spec}`
void Parser::parseReplacementField(Nodes<Expr> &values, bool isRaw) {
  Begin begin = here();
  Nesting nesting(*this);
  uint32_t textBegin = current().end;
  uint32_t textBeginLine = current().endLine;
  open();
  FormattedValue *node = make<FormattedValue>();
  node->conversion = -1;
  if (nesting.tooDeep() ||
      atAny({TokenKind::RBrace, TokenKind::Colon, TokenKind::Exclamation, TokenKind::Equal}))
    node->value = invalidExpr("expression in the braces of an f-string");
  else
    node->value = parseYieldOrStarExpressions();
  bool isDebug = accept(TokenKind::Equal);
  // The text of a debug field reaches up to the token after `=`.
  Token textEnd = current();
  if (accept(TokenKind::Exclamation)) {
    std::string_view conversion = at(TokenKind::Name) ? m_lexer.text(current()) : "";
    if (conversion == "s" || conversion == "r" || conversion == "a") {
      node->conversion = conversion[0];
      advance();
    } else {
      reportHere(DiagnosticKind::SyntaxInvalidFString,
                 "the conversion after `!` must be `s`, `r` or `a`");
    }
  }
  if (at(TokenKind::Colon)) {
    Token colon = advance();
    node->formatSpec = parseFormatSpec(colon, isRaw);
  }
  if (isDebug && node->conversion == -1 && !node->formatSpec)
    node->conversion = 'r';
  close(TokenKind::RBrace, "`!`, `:` or `}` in the braces of an f-string");
  if (isDebug && !m_panic) {
    std::string text = debugText(textBegin, textEnd.begin);
    SourceRange range{m_lexer.position(textBegin, textBeginLine),
                      m_lexer.position(textEnd.begin, textEnd.beginLine), m_options.file};
    values.push_back(stringConstant(range, m_tree.arena.copy(std::string_view(text)), false));
  }
  values.push_back(finish(node, begin));
}

const Expr *Parser::parseFormatSpec(const Token &colon, bool isRaw) {
  Begin begin = m_lexer.range(colon).begin;
  Nodes<Expr> values;
  while (!m_panic) {
    if (at(TokenKind::FStringMiddle)) {
      SourceRange range = currentRange();
      std::string_view text = m_lexer.text(advance());
      values.push_back(stringConstant(range, decodeString(text, range, isRaw, false), false));
    } else if (at(TokenKind::LBrace)) {
      parseReplacementField(values, isRaw);
    } else {
      break;
    }
  }
  JoinedStr *node = make<JoinedStr>();
  node->values = joinConstants(values);
  return finish(node, begin);
}

} // namespace tilescope::compiler::ast
