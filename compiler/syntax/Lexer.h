// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/DiagnosticSink.h"
#include "compiler/syntax/Token.h"

#include <string_view>
#include <vector>

namespace tilescope::compiler::ast {

/// Turns Python source into tokens, on request. Tokens are kept, so that the parser can go back; it
/// can also have the rest of the text read again (`restartAt`) when it found out that a bracket was
/// left open.
///
/// f-strings follow PEP 701: `f"a{x!r:>{w}}"` becomes FStringStart, FStringMiddle `a`, `{`, x, `!`,
/// r,
/// `:`, FStringMiddle `>`, `{`, w, `}`, `}`, FStringEnd.
class Lexer {
public:
  /// `source` and `diagnostics` must outlive the lexer.
  Lexer(std::string_view source, uint32_t file, DiagnosticSink &diagnostics);

  /// The token at `index`, reading as far as needed. Past the end it is EndOfFile. By value, since
  /// reading on moves the tokens.
  Token token(size_t index) {
    while (index >= m_tokens.size())
      readToken();
    return m_tokens[index];
  }

  /// Forgets tokens from `index` on and reads on from there as if at the beginning of a statement,
  /// with no bracket open. The token at `index` must start its line.
  void restartAt(size_t index);

  /// Whether the token at `index` starts a line inside brackets, so that `restartAt` makes sense
  /// there.
  bool canRestartAt(size_t index) const;

  /// After a `{` in place of the colon of a block: its `}` is no error of its own.
  void expectForeignBrace() { ++m_numForeignBraces; }

  /// Adds `closers` behind `last`, the token before the place where brackets should have ended, or
  /// where the line ends behind which statements were read into the brackets: `f(x,` before
  /// `g(y)`. Empty where an expression cannot end there.
  std::vector<DiagnosticFix> closingFix(uint32_t open, const Token &last,
                                        const std::string &closers) const;

  Position position(uint32_t offset, uint32_t line) const {
    return {line, offset - m_lineOffsets[line]};
  }
  uint32_t offset(Position position) const {
    return m_lineOffsets[position.line] + position.column;
  }
  SourceRange range(const Token &token) const {
    return {position(token.begin, token.beginLine), position(token.end, token.endLine), m_file};
  }
  std::string_view text(const Token &token) const {
    return m_source.substr(token.begin, token.end - token.begin);
  }
  const std::vector<uint32_t> &lineOffsets() const { return m_lineOffsets; }
  const std::vector<SourceRange> &comments() const { return m_comments; }
  /// All that have been read.
  const std::vector<Token> &tokens() const { return m_tokens; }

private:
  /// The colon that ends the line of a bracket, or is `end`, where the line begins the head of a
  /// block: `def f(x:`.
  const Token *headEnd(uint32_t open, const Token &end) const;
  /// The token before the first line inside of the bracket at `open` that by its indentation begins
  /// a statement; `last`, up to which is looked, where there is none.
  const Token &lastInside(uint32_t open, const Token &last) const;

  struct Bracket {
    char open;
    uint32_t offset;
    uint32_t line;
  };
  /// One open f-string.
  struct FString {
    char quote;
    bool triple;
    bool raw;
    uint32_t begin;
    uint32_t beginLine;
    /// Whether the reader is in a replacement field, as opposed to literal text.
    bool inExpression = false;
    bool inFormatSpec = false;
    /// Brackets open inside this f-string, and at how many of them the innermost field begins.
    int depth = 0;
    int fieldDepth = -1;
    /// Size of m_brackets when the string began.
    size_t bracketBase = 0;

    void enterExpression() {
      inExpression = true;
      inFormatSpec = false;
    }
  };
  struct Indentation {
    /// With tabs as 8 and as 1 column, to find inconsistent use.
    uint32_t column;
    uint32_t alternative;
  };

  void readToken();
  void readLineStart();
  void readIndentation(uint32_t column, uint32_t alternative);
  bool skipBlanks();
  /// Skips a comment, also one of C, which is an error. False: there is none. `beginsStatement`: where a statement may
  /// begin, and no quotient goes on.
  bool skipComment(bool beginsStatement);
  void readNewline();
  void readEndOfFile();
  bool beginsDecorator() const;
  bool endsWithColon() const;
  bool leaveOpenBracket();
  /// Says that the bracket was never closed, and forgets all that are open.
  void giveUpBrackets(Bracket open);
  void readName();
  void readString(uint32_t begin, uint32_t quoteAt, bool isFString, bool isRaw);
  void readFStringText();
  bool skipFStringCharacter(const FString &string);
  bool readFStringEnd(FString &string);
  /// Reports an f-string that its line, or the file, ends.
  void endOpenFString();
  void readNumber();
  void readDigits(bool (*isDigit)(char));
  void checkNumberEnd(uint32_t begin, std::string_view what);
  void readPunctuation();
  bool readFStringPunctuation(char c);
  void openBracket(char c);
  void closeBracket(char c);
  void unknownCharacter();
  /// Skips a blank that is not one of Python's, as web pages have. False: there is none. All of a file are one error.
  bool skipForeignBlank();
  void tellForeignBlanks(uint32_t begin);
  bool readForeignString(uint32_t begin, char32_t first);
  /// The punctuation that a character like it stands for.
  void pushMeant(std::string_view meant, uint32_t begin);
  void skipForeignBrace();

  char peek(uint32_t ahead = 0) const {
    return m_at + ahead < m_source.size() ? m_source[m_at + ahead] : '\0';
  }
  bool atEnd() const { return m_at >= m_source.size(); }
  bool isNewline(char c) const { return c == '\n' || c == '\r'; }
  void passNewline();
  void syncLine();
  void push(TokenKind kind, uint32_t begin, uint32_t beginLine);
  void push(TokenKind kind, uint32_t begin) { push(kind, begin, m_line); }
  SourceRange rangeFrom(uint32_t begin, uint32_t line) const {
    return {position(begin, line), position(m_at, m_line), m_file};
  }

  std::string_view m_source;
  uint32_t m_file;
  DiagnosticSink &m_diagnostics;
  std::vector<uint32_t> m_lineOffsets;
  std::vector<Token> m_tokens;
  std::vector<SourceRange> m_comments;
  std::vector<Bracket> m_brackets;
  std::vector<FString> m_fstrings;
  std::vector<Indentation> m_indents{{0, 0}};
  int m_numForeignBraces = 0;
  /// The number that is being read stands before a name, `2x`.
  bool m_impliesProduct = false;
  bool m_hasToldBlanks = false;
  uint32_t m_at = 0;
  uint32_t m_line = 0;
  bool m_atLineStart = true;
  /// Whether no token has been read from the current physical line yet.
  bool m_freshLine = true;
};

} // namespace tilescope::compiler::ast
