// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Strings, f-strings and numbers. The rest of the lexer is in Lexer.cpp.
#include "compiler/syntax/FunctionText.h"
#include "compiler/syntax/JoinedLines.h"
#include "compiler/syntax/Lexer.h"
#include "compiler/syntax/PythonText.h"
#include "compiler/syntax/Unicode.h"

#include <algorithm>
#include <utility>

namespace tilescope::compiler::ast {

void Lexer::readString(uint32_t begin, uint32_t quoteAt, bool isFString, bool isRaw) {
  char quote = m_source[quoteAt];
  m_at = quoteAt;
  bool triple = peek(1) == quote && peek(2) == quote;
  uint32_t beginLine = m_line;
  m_at += triple ? 3 : 1;
  if (isFString) {
    push(TokenKind::FStringStart, begin);
    FString string{quote, triple, isRaw, begin, beginLine};
    string.bracketBase = m_brackets.size();
    m_fstrings.push_back(string);
    return;
  }
  while (true) {
    char c = peek();
    if (atEnd() || (!triple && isNewline(c))) {
      uint32_t end = m_at;
      syncLine();
      m_diagnostics.error(DiagnosticKind::SyntaxUnterminatedString,
                          {position(begin, beginLine),
                           triple ? position(quoteAt + 3, beginLine) : position(end, m_line),
                           m_file},
                          triple ? "triple-quoted string is never closed"
                                 : "string is not closed before the end of the line");
      break;
    }
    ++m_at;
    if (c == '\\' && !atEnd()) {
      m_at += peek() == '\r' && peek(1) == '\n' ? 2 : 1;
    } else if (c == quote) {
      if (!triple)
        break;
      if (peek() == quote && peek(1) == quote) {
        m_at += 2;
        break;
      }
    }
  }
  syncLine();
  push(TokenKind::String, begin, beginLine);
}

/// Ends the innermost f-string when its quotes are here.
bool Lexer::readFStringEnd(FString &string) {
  uint32_t numQuotes = string.triple ? 3 : 1;
  for (uint32_t i = 0; i < numQuotes; ++i)
    if (peek(i) != string.quote || m_at + i >= m_source.size())
      return false;
  uint32_t begin = m_at;
  m_at += numQuotes;
  m_fstrings.pop_back();
  push(TokenKind::FStringEnd, begin);
  return true;
}

/// Reads literal text of the innermost f-string up to its end, a replacement field, or the end of a
/// field's format specification. `{{` ends a piece after its first brace, which makes the piece's
/// text what it stands for.
void Lexer::readFStringText() {
  FString &string = m_fstrings.back();
  uint32_t begin = m_at, beginLine = m_line;
  auto finishPiece = [&](uint32_t end) {
    syncLine();
    if (end > begin)
      m_tokens.push_back({TokenKind::FStringMiddle, false, begin, end, beginLine, m_line});
  };
  bool inNamedEscape = false;
  while (true) {
    char c = peek();
    if (atEnd() || (!string.triple && isNewline(c))) {
      finishPiece(m_at);
      if (string.inFormatSpec && !atEnd())
        return string.enterExpression();
      return endOpenFString();
    }
    bool atQuotes = c == string.quote &&
                    (!string.triple || (peek(1) == string.quote && peek(2) == string.quote));
    if (atQuotes) {
      finishPiece(m_at);
      readFStringEnd(string);
      return;
    }
    if (c == '{' && !inNamedEscape) {
      if (peek(1) == '{' && !string.inFormatSpec) {
        m_at += 2;
        finishPiece(m_at);
        return;
      }
      finishPiece(m_at);
      ++string.fieldDepth;
      return string.enterExpression();
    }
    if (c == '}') {
      if (inNamedEscape) {
        inNamedEscape = false;
        ++m_at;
        continue;
      }
      if (peek(1) == '}' && !string.inFormatSpec) {
        m_at += 2;
        finishPiece(m_at);
        return;
      }
      finishPiece(m_at);
      // The brace closes the field; it is read as punctuation.
      if (string.inFormatSpec)
        return string.enterExpression();
      ++m_at;
      m_diagnostics.error(DiagnosticKind::SyntaxInvalidFString, rangeFrom(m_at - 1, m_line),
                          "single `}` in an f-string; write `}}` for a brace");
      return;
    }
    inNamedEscape |= skipFStringCharacter(string);
  }
}

/// True: what follows is the name in a `\N{…}`, whose braces are not those of a field.
bool Lexer::skipFStringCharacter(const FString &string) {
  const char c = peek();
  ++m_at;
  if (c == '\\' && !atEnd()) {
    if (peek() == '{' || peek() == '}')
      return false;
    if (!string.raw && peek() == 'N' && peek(1) == '{') {
      m_at += 2;
      return true;
    }
    m_at += peek() == '\r' && peek(1) == '\n' ? 2 : 1;
    syncLine();
  } else if (isNewline(c)) {
    syncLine();
  }
  return false;
}

void Lexer::endOpenFString() {
  const FString &string = m_fstrings.back();
  const SourceRange range{position(string.begin, string.beginLine), position(m_at, m_line), m_file};
  m_diagnostics.error(DiagnosticKind::SyntaxUnterminatedString, range,
                      string.triple ? "triple-quoted f-string is never closed"
                                    : "f-string is not closed before the end of the line");
  m_brackets.resize(std::min(m_brackets.size(), string.bracketBase));
  m_fstrings.pop_back();
  push(TokenKind::FStringEnd, m_at);
}

static bool isDecimal(char c) { return c >= '0' && c <= '9'; }
static bool isHex(char c) {
  return isDecimal(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
static bool isOctal(char c) { return c >= '0' && c <= '7'; }
static bool isBinary(char c) { return c == '0' || c == '1'; }

/// Digits with single underscores between them.
void Lexer::readDigits(bool (*isDigit)(char)) {
  while (isDigit(peek()) || (peek() == '_' && isDigit(peek(1))))
    ++m_at;
}

/// What C writes behind a number to tell its type.
static bool isSuffixOfC(std::string_view word) {
  static constexpr std::string_view kSuffixes[] = {"d", "f",  "f16", "f32", "f64", "h",
                                                   "l", "ll", "u",   "ul",  "ull"};
  std::string lower(word);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  });
  return std::ranges::find(kSuffixes, lower) != std::end(kSuffixes);
}

/// `2x`, as mathematics writes a product.
static bool isProduct(std::string_view number, std::string_view word) {
  return number.find_first_not_of("0123456789.") == std::string_view::npos &&
         !isDecimal(word.front()) && std::ranges::all_of(word, isWordByte);
}

/// `before`: the text in front of the number.
static void offerProduct(Diagnostic &diagnostic, const std::string &number, std::string_view word,
                         std::string_view before) {
  const size_t last = before.find_last_not_of(" \t");
  // What is divided by it, or raised to it, takes the whole.
  const bool isOperand = last != std::string_view::npos &&
                         (std::string_view("/%").find(before[last]) != std::string_view::npos ||
                          before.substr(0, last + 1).ends_with("**"));
  std::string code = number + " * " + std::string(word);
  if (isOperand)
    code = "(" + code + ")";
  diagnostic.notes.push_back("a product is written with `*`: `" + code + "`");
  diagnostic.fixes.push_back({diagnostic.range, code, "write `" + code + "`"});
}

/// A number may run into one of the few keywords that can follow it (`1if x else 2`), but into no
/// other name.
void Lexer::checkNumberEnd(uint32_t begin, std::string_view what) {
  size_t offset = m_at;
  if (atEnd() || !isIdentifierContinue(decodeUtf8(m_source, offset)))
    return;
  uint32_t wordBegin = m_at;
  uint32_t wordEnd = m_at;
  while (wordEnd < m_source.size() && m_source[wordEnd] >= 'a' && m_source[wordEnd] <= 'z')
    ++wordEnd;
  switch (classifyWord(m_source.substr(wordBegin, wordEnd - wordBegin))) {
  case TokenKind::KwAnd:
  case TokenKind::KwElse:
  case TokenKind::KwFor:
  case TokenKind::KwIf:
  case TokenKind::KwIn:
  case TokenKind::KwIs:
  case TokenKind::KwNot:
  case TokenKind::KwOr:
    return;
  default:
    break;
  }
  while (!atEnd()) {
    size_t next = m_at;
    if (!isIdentifierContinue(decodeUtf8(m_source, next)))
      break;
    m_at = static_cast<uint32_t>(next);
  }
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::SyntaxInvalidNumber;
  diagnostic.range = rangeFrom(begin, m_line);
  diagnostic.message = "invalid " + std::string(what) + " `" +
                       std::string(m_source.substr(begin, m_at - begin)) + "`";
  const std::string number(m_source.substr(begin, wordBegin - begin));
  if (isSuffixOfC(m_source.substr(wordBegin, m_at - wordBegin))) {
    diagnostic.notes.push_back("numbers have no suffix here: `" + number +
                               "` takes the type of what it is combined with");
    diagnostic.fixes.push_back({diagnostic.range, number, "write `" + number + "`"});
  } else if (const std::string_view word = m_source.substr(wordBegin, m_at - wordBegin);
             isProduct(number, word) && hasWord(m_source, word)) {
    offerProduct(diagnostic, number, word, m_source.substr(0, begin));
    m_impliesProduct = true;
    m_at = wordBegin;
  }
  m_diagnostics.add(std::move(diagnostic));
}

void Lexer::readNumber() {
  uint32_t begin = m_at;
  char second = static_cast<char>(peek(1) | 0x20);
  auto readPrefixed = [&](bool (*isDigit)(char), std::string_view what) {
    m_at += 2;
    uint32_t digits = m_at;
    if (peek() == '_')
      ++m_at;
    readDigits(isDigit);
    bool bad = m_at == digits || m_source[m_at - 1] == '_' || isDecimal(peek());
    if (bad) {
      while (isDecimal(peek()) || peek() == '_')
        ++m_at;
      m_diagnostics.error(DiagnosticKind::SyntaxInvalidNumber, rangeFrom(begin, m_line),
                          "invalid " + std::string(what) + " `" +
                              std::string(m_source.substr(begin, m_at - begin)) + "`");
    } else {
      checkNumberEnd(begin, what);
    }
    push(TokenKind::Number, begin);
  };
  if (peek() == '0' && second == 'x')
    return readPrefixed(isHex, "hexadecimal literal");
  if (peek() == '0' && second == 'o')
    return readPrefixed(isOctal, "octal literal");
  if (peek() == '0' && second == 'b')
    return readPrefixed(isBinary, "binary literal");

  readDigits(isDecimal);
  uint32_t digitsEnd = m_at;
  bool isInteger = true;
  if (peek() == '.') {
    isInteger = false;
    ++m_at;
    if (isDecimal(peek()))
      readDigits(isDecimal);
    // `2.0.5`, of which Python would read `2.0` and `.5`.
    if (peek() == '.' && isDecimal(peek(1))) {
      while (isDecimal(peek()) || peek() == '_' || (peek() == '.' && isDecimal(peek(1))))
        ++m_at;
      m_diagnostics.error(DiagnosticKind::SyntaxInvalidNumber, rangeFrom(begin, m_line),
                          "`" + std::string(m_source.substr(begin, m_at - begin)) +
                              "` is not a number: it has more than one point");
      return push(TokenKind::Number, begin);
    }
  }
  bool hasExponent =
      (peek() | 0x20) == 'e' &&
      (isDecimal(peek(1)) || ((peek(1) == '+' || peek(1) == '-') && isDecimal(peek(2))));
  if (hasExponent) {
    isInteger = false;
    m_at += 2;
    readDigits(isDecimal);
  }
  if ((peek() | 0x20) == 'j') {
    isInteger = false;
    ++m_at;
    checkNumberEnd(begin, "imaginary literal");
  } else {
    checkNumberEnd(begin, "decimal literal");
  }
  std::string_view digits = m_source.substr(begin, digitsEnd - begin);
  if (isInteger && digits.size() > 1 && digits[0] == '0' &&
      digits.find_first_not_of("0_") != std::string_view::npos)
    m_diagnostics.error(DiagnosticKind::SyntaxInvalidNumber, rangeFrom(begin, m_line),
                        "leading zeros in the decimal number `" + std::string(digits) +
                            "`; octal numbers begin with `0o`");
  push(TokenKind::Number, begin);
  // It is read as the product that it is meant as.
  if (std::exchange(m_impliesProduct, false))
    push(TokenKind::Star, m_at);
}

} // namespace tilescope::compiler::ast
