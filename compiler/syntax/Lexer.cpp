// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Lines, indentation, names and punctuation. Literals are in LexerLiterals.cpp, and what is said of
// brackets that stay open in LexerBrackets.cpp.
#include "compiler/syntax/Lexer.h"

#include "compiler/syntax/PythonText.h"
#include "compiler/syntax/Unicode.h"

#include <algorithm>

namespace tilescope::compiler::ast {

static constexpr uint32_t kTabWidth = 8;
static constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

static std::vector<uint32_t> findLines(std::string_view source, uint32_t first) {
  std::vector<uint32_t> offsets{first};
  for (size_t i = first; i < source.size(); ++i) {
    if (source[i] == '\n')
      offsets.push_back(static_cast<uint32_t>(i + 1));
    else if (source[i] == '\r' && (i + 1 == source.size() || source[i + 1] != '\n'))
      offsets.push_back(static_cast<uint32_t>(i + 1));
  }
  return offsets;
}

Lexer::Lexer(std::string_view source, uint32_t file, DiagnosticSink &diagnostics)
    : m_source(source), m_file(file), m_diagnostics(diagnostics) {
  m_at = source.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  m_lineOffsets = findLines(source, m_at);
  m_tokens.reserve(source.size() / 4 + 16);
}

void Lexer::push(TokenKind kind, uint32_t begin, uint32_t beginLine) {
  m_tokens.push_back({kind, m_freshLine, begin, m_at, beginLine, m_line});
  m_freshLine = false;
}

void Lexer::passNewline() {
  m_at += peek() == '\r' && peek(1) == '\n' ? 2 : 1;
  ++m_line;
  m_freshLine = true;
}

void Lexer::syncLine() {
  while (m_line + 1 < m_lineOffsets.size() && m_lineOffsets[m_line + 1] <= m_at)
    ++m_line;
}

bool Lexer::canRestartAt(size_t index) const {
  if (m_brackets.empty() || index >= m_tokens.size() || !m_tokens[index].startsLine)
    return false;
  // Tokens of another logical line have already changed the indentation.
  return std::none_of(m_tokens.begin() + index, m_tokens.end(), [](const Token &token) {
    return token.kind >= TokenKind::EndOfFile && token.kind <= TokenKind::Dedent;
  });
}

void Lexer::restartAt(size_t index) {
  const Token token = m_tokens[index];
  m_tokens.resize(index);
  m_brackets.clear();
  m_fstrings.clear();
  m_line = token.beginLine;
  m_at = m_lineOffsets[m_line];
  m_freshLine = true;
  m_atLineStart = true;
  while (!m_comments.empty() && m_comments.back().begin.line >= m_line)
    m_comments.pop_back();
  m_tokens.push_back({TokenKind::Newline, false, m_at, m_at, m_line, m_line});
}

void Lexer::readToken() {
  if (!m_fstrings.empty() && !m_fstrings.back().inExpression)
    return readFStringText();
  if (m_atLineStart)
    return readLineStart();
  if (!skipBlanks())
    return;
  if (atEnd())
    return readEndOfFile();
  if (m_freshLine && !m_brackets.empty() && leaveOpenBracket())
    return;
  char c = peek();
  if (isNewline(c))
    return readNewline();
  if ((c >= '0' && c <= '9') || (c == '.' && peek(1) >= '0' && peek(1) <= '9'))
    return readNumber();
  if (c == '"' || c == '\'')
    return readString(m_at, m_at, false, false);
  size_t offset = m_at;
  char32_t decoded = decodeUtf8(m_source, offset);
  if (isIdentifierStart(decoded))
    return readName();
  readPunctuation();
}

/// Skips spaces, comments, joined lines and, inside brackets, line ends. False when it met
/// something that produced a token itself.
bool Lexer::skipBlanks() {
  while (!atEnd()) {
    char c = peek();
    if (c == ' ' || c == '\t' || c == '\f') {
      ++m_at;
    } else if (skipForeignBlank() || skipComment(/*beginsStatement=*/false)) {
      continue;
    } else if (isNewline(c) && !m_brackets.empty()) {
      passNewline();
    } else if (c == '\\' && (isNewline(peek(1)) || m_at + 1 >= m_source.size())) {
      ++m_at;
      if (atEnd())
        m_diagnostics.error(DiagnosticKind::SyntaxInvalidCharacter, rangeFrom(m_at - 1, m_line),
                            "unexpected end of file after `\\`");
      else
        passNewline();
      m_freshLine = false;
    } else {
      break;
    }
  }
  return true;
}

void Lexer::readNewline() {
  uint32_t begin = m_at;
  m_tokens.push_back({TokenKind::Newline, false, begin, begin, m_line, m_line});
  passNewline();
  m_atLineStart = true;
}

void Lexer::readEndOfFile() {
  if (!m_brackets.empty())
    giveUpBrackets(m_brackets.front());
  bool needsNewline = !m_tokens.empty() && m_tokens.back().kind != TokenKind::Newline &&
                      m_tokens.back().kind != TokenKind::Dedent &&
                      m_tokens.back().kind != TokenKind::Indent &&
                      m_tokens.back().kind != TokenKind::EndOfFile;
  if (needsNewline)
    m_tokens.push_back({TokenKind::Newline, false, m_at, m_at, m_line, m_line});
  while (m_indents.size() > 1) {
    m_indents.pop_back();
    m_tokens.push_back({TokenKind::Dedent, false, m_at, m_at, m_line, m_line});
  }
  m_tokens.push_back({TokenKind::EndOfFile, true, m_at, m_at, m_line, m_line});
}

/// At the beginning of a logical line: measures the indentation of the next line that holds code.
void Lexer::readLineStart() {
  for (;;) {
    uint32_t column = 0, alternative = 0;
    std::optional<uint32_t> joined;
    for (;; ++m_at) {
      char c = peek();
      if (atEnd())
        break;
      if (c == ' ') {
        ++column;
        ++alternative;
      } else if (c == '\t') {
        column = (column / kTabWidth + 1) * kTabWidth;
        ++alternative;
      } else if (skipForeignBlank()) {
        ++column;
        ++alternative;
        --m_at;
      } else if (c == '\f') {
        column = alternative = 0;
      } else if (c == '\\' && isNewline(peek(1))) {
        joined = joined.value_or(column);
        ++m_at;
        passNewline();
        --m_at;
      } else {
        break;
      }
    }
    if (atEnd()) {
      m_atLineStart = false;
      return readEndOfFile();
    }
    if (m_numForeignBraces > 0 && peek() == '}')
      skipForeignBrace();
    skipComment(/*beginsStatement=*/true);
    if (!atEnd() && isNewline(peek())) {
      passNewline();
      continue;
    }
    if (atEnd())
      continue;
    m_atLineStart = false;
    return readIndentation(joined.value_or(column), joined.value_or(alternative));
  }
}

/// A line between two levels belongs to one of them.
static std::vector<DiagnosticFix> indentFixes(const SourceRange &blank,
                                              std::initializer_list<uint32_t> levels) {
  std::vector<DiagnosticFix> fixes;
  for (uint32_t level : levels)
    fixes.push_back(
        {blank, std::string(level, ' '),
         level == 0 ? "begin at the margin" : "indent by " + std::to_string(level) + " columns"});
  return fixes;
}

void Lexer::readIndentation(uint32_t column, uint32_t alternative) {
  SourceRange blank{position(m_lineOffsets[m_line], m_line), position(m_at, m_line), m_file};
  auto inconsistent = [&] {
    m_diagnostics.error(DiagnosticKind::SyntaxIndentation, blank,
                        "inconsistent use of tabs and spaces in indentation");
  };
  Indentation top = m_indents.back();
  if (column == top.column) {
    if (alternative != top.alternative)
      inconsistent();
    return;
  }
  if (column > top.column) {
    if (alternative <= top.alternative)
      inconsistent();
    m_indents.push_back({column, alternative});
    m_tokens.push_back({TokenKind::Indent, false, m_at, m_at, m_line, m_line});
    return;
  }
  Indentation inner{column, alternative};
  while (m_indents.size() > 1 && column < m_indents.back().column) {
    inner = m_indents.back();
    m_indents.pop_back();
    m_tokens.push_back({TokenKind::Dedent, false, m_at, m_at, m_line, m_line});
  }
  if (column != m_indents.back().column) {
    m_diagnostics.add({DiagnosticKind::SyntaxIndentation,
                       Severity::Error,
                       blank,
                       "unindent does not match any outer indentation level",
                       {},
                       {},
                       indentFixes(blank, {inner.column, m_indents.back().column})});
    // It is read as a line of the inner level, so that the next one has no error of its own.
    m_indents.push_back(inner);
    m_tokens.pop_back();
  } else if (alternative != m_indents.back().alternative)
    inconsistent();
}

void Lexer::readName() {
  uint32_t begin = m_at;
  bool isAscii = true;
  while (!atEnd()) {
    unsigned char c = m_source[m_at];
    if (c < 0x80) {
      if (!isIdentifierContinue(c))
        break;
      ++m_at;
      continue;
    }
    size_t offset = m_at;
    if (!isIdentifierContinue(decodeUtf8(m_source, offset)))
      break;
    isAscii = false;
    m_at = static_cast<uint32_t>(offset);
  }
  std::string_view word = m_source.substr(begin, m_at - begin);
  if ((peek() == '"' || peek() == '\'') && word.size() <= 2 && isAscii) {
    bool isF = false, isRaw = false, isBytes = false, isUnicode = false, isPrefix = true;
    for (char c : word) {
      char lower = static_cast<char>(c | 0x20);
      bool &flag = lower == 'f' ? isF : lower == 'r' ? isRaw : lower == 'b' ? isBytes : isUnicode;
      isPrefix = isPrefix && !flag && (&flag != &isUnicode || lower == 'u');
      flag = true;
    }
    if (isPrefix && !(isF && isBytes) && !(isUnicode && word.size() > 1))
      return readString(begin, m_at, isF, isRaw);
  }
  push(isAscii ? classifyWord(word) : TokenKind::Name, begin);
}

namespace {
struct Punctuation {
  std::string_view text;
  TokenKind kind;
};
} // namespace

/// Longest spelling first among those with the same beginning.
static const std::vector<Punctuation> &punctuationFor(char c) {
  static const auto table = [] {
    std::vector<std::vector<Punctuation>> result(128);
#define TILESCOPE_TOKEN(kind, name)
#define TILESCOPE_KEYWORD(kind, text)
#define TILESCOPE_PUNCTUATION(kind, text) result[text[0]].push_back({text, TokenKind::kind});
#include "compiler/syntax/TokenKinds.def"
#undef TILESCOPE_TOKEN
#undef TILESCOPE_KEYWORD
#undef TILESCOPE_PUNCTUATION
    for (std::vector<Punctuation> &list : result)
      std::sort(list.begin(), list.end(), [](const Punctuation &a, const Punctuation &b) {
        return a.text.size() > b.text.size();
      });
    return result;
  }();
  return table[static_cast<unsigned char>(c) & 127];
}

void Lexer::readPunctuation() {
  char c = peek();
  if (static_cast<unsigned char>(c) >= 128)
    return unknownCharacter();
  if (!m_fstrings.empty() && readFStringPunctuation(c))
    return;
  for (const Punctuation &candidate : punctuationFor(c)) {
    if (m_source.substr(m_at, candidate.text.size()) != candidate.text)
      continue;
    if (candidate.kind == TokenKind::Exclamation && m_fstrings.empty())
      break;
    uint32_t begin = m_at;
    if (c == '(' || c == '[' || c == '{')
      openBracket(c);
    m_at += candidate.text.size();
    push(candidate.kind, begin);
    if (c == ')' || c == ']' || c == '}')
      closeBracket(c);
    return;
  }
  unknownCharacter();
}

void Lexer::pushMeant(std::string_view meant, uint32_t begin) {
  if (meant.empty() || !m_fstrings.empty())
    return;
  for (const Punctuation &candidate : punctuationFor(meant.front())) {
    if (candidate.text != meant)
      continue;
    if (meant == "(")
      m_brackets.push_back({'(', begin, m_line});
    push(candidate.kind, begin);
    if (meant == ")")
      closeBracket(')');
    return;
  }
}

/// The punctuation that ends the expression of a replacement field. True when it read a token.
bool Lexer::readFStringPunctuation(char c) {
  FString &string = m_fstrings.back();
  if (c != ':' && c != '!')
    return false;
  if (string.depth - 1 != string.fieldDepth)
    return false;
  if (c == '!' && peek(1) == '=')
    return false;
  uint32_t begin = m_at++;
  push(c == ':' ? TokenKind::Colon : TokenKind::Exclamation, begin);
  if (c == ':') {
    string.inExpression = false;
    string.inFormatSpec = true;
  }
  return true;
}

} // namespace tilescope::compiler::ast
