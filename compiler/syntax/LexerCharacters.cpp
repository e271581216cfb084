// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Characters that Python has no use for, and what they are read as.
#include "compiler/syntax/Confusables.h"
#include "compiler/syntax/ForeignChoice.h"
#include "compiler/syntax/Lexer.h"
#include "compiler/syntax/PythonText.h"
#include "compiler/syntax/Unicode.h"

#include <algorithm>
#include <cstdio>

namespace tilescope::compiler::ast {

/// The straight quote that is meant by a typographic one; 0: it is none.
static char straightQuote(char32_t c) {
  return c == 0x201C || c == 0x201D ? '"' : c == 0x2018 || c == 0x2019 ? '\'' : '\0';
}

/// A string in typographic quotes, whose first one was just read. False where it has no end in its line.
bool Lexer::readForeignString(uint32_t begin, char32_t first) {
  const char quote = straightQuote(first);
  if (quote == 0 || !m_fstrings.empty())
    return false;
  const uint32_t content = m_at;
  for (size_t at = content; at < m_source.size() && !isNewline(m_source[at]);) {
    const size_t last = at;
    const char32_t c = decodeUtf8(m_source, at);
    if (c != static_cast<char32_t>(quote) && straightQuote(c) != quote)
      continue;
    m_at = static_cast<uint32_t>(at);
    const std::string meant = quote + std::string(m_source.substr(content, last - content)) + quote;
    const SourceRange range = rangeFrom(begin, m_line);
    m_diagnostics.add({DiagnosticKind::SyntaxInvalidCharacter,
                       Severity::Error,
                       range,
                       "a string is in straight quotes, as `" + meant + "`",
                       {},
                       {},
                       {{range, meant, "write `" + meant + "`"}}});
    push(TokenKind::String, begin);
    return true;
  }
  return false;
}

/// The blank that begins at `at`, which is moved behind it; null: there is none, or it is one of Python's.
static const Confusable *foreignBlank(std::string_view source, size_t &at) {
  if (at >= source.size() || static_cast<unsigned char>(source[at]) < 0x80)
    return nullptr;
  const Confusable *found = findConfusable(decodeUtf8(source, at));
  return found && found->replacement == " " ? found : nullptr;
}

bool Lexer::skipForeignBlank() {
  size_t end = m_at;
  if (!foreignBlank(m_source, end))
    return false;
  if (!m_hasToldBlanks)
    tellForeignBlanks(m_at);
  m_at = static_cast<uint32_t>(end);
  return true;
}

void Lexer::tellForeignBlanks(uint32_t begin) {
  m_hasToldBlanks = true;
  size_t at = begin, runEnd = begin, last = begin;
  const Confusable *first = foreignBlank(m_source, runEnd);
  for (at = runEnd; foreignBlank(m_source, at); runEnd = at) {
  }
  std::string meant, pending;
  size_t count = 0;
  for (at = begin; at < m_source.size();) {
    size_t next = at;
    if (foreignBlank(m_source, next)) {
      (meant += pending) += ' ';
      pending.clear();
      last = next;
      ++count;
    } else {
      next = at + 1;
      pending += m_source[at];
    }
    at = next;
  }
  const auto lineAt = [&](size_t offset) {
    return static_cast<uint32_t>(std::ranges::upper_bound(m_lineOffsets, offset) -
                                 m_lineOffsets.begin()) -
           1;
  };
  const auto lastOffset = static_cast<uint32_t>(last);
  char code[16];
  std::snprintf(code, sizeof code, "U+%04X", static_cast<unsigned>(first->character));
  const std::string name(first->name);
  Diagnostic diagnostic{
      DiagnosticKind::SyntaxInvalidCharacter,
      Severity::Error,
      {position(begin, m_line), position(static_cast<uint32_t>(runEnd), m_line), m_file},
      {},
      {},
      {},
      {}};
  diagnostic.message = count == 1 ? "unexpected " + name + " (" + code + ")"
                                  : "unexpected " + name + "s (" + code + "), as web pages have, " +
                                        std::to_string(count) + " of them";
  diagnostic.fixes.push_back(
      {{position(begin, m_line), position(lastOffset, lineAt(lastOffset)), m_file},
       meant,
       count == 1 ? "write a plain space" : "write plain spaces"});
  m_diagnostics.add(std::move(diagnostic));
}

void Lexer::unknownCharacter() {
  uint32_t begin = m_at;
  size_t offset = m_at;
  char32_t c = decodeUtf8(m_source, offset);
  m_at = static_cast<uint32_t>(offset);
  std::string_view text = m_source.substr(begin, m_at - begin);
  // What is not text is one error of the whole file.
  const bool isReplacement = text == "\xEF\xBF\xBD";
  if (c == 0 || (c == 0xFFFD && !isReplacement))
    return;
  Diagnostic diagnostic{DiagnosticKind::SyntaxInvalidCharacter,
                        Severity::Error,
                        rangeFrom(begin, m_line),
                        {},
                        {},
                        {},
                        {}};
  const std::string shown(isPrintable(c) && !isReplacement ? std::string(text)
                                                           : pythonBytesRepr(text));
  diagnostic.message = c == '!' ? "Python has no `!`: use `~` for a block and `not` for a number"
                                : "unexpected character `" + shown + "`";
  if (const std::string_view rest = m_source.substr(m_lineOffsets[m_line]); c == '?')
    explainChoice(rest.substr(0, rest.find_first_of("\r\n")), diagnostic);
  const Confusable *confusable = findConfusable(c);
  if (confusable) {
    if (readForeignString(begin, c))
      return;
    char code[16];
    std::snprintf(code, sizeof code, "U+%04X", static_cast<unsigned>(c));
    diagnostic.message = "unexpected " + std::string(confusable->name) + " (" + code + ")";
    const std::string replacement(confusable->replacement);
    const std::string title = replacement.empty() ? "remove it" : "write `" + replacement + "`";
    diagnostic.fixes.push_back({diagnostic.range, replacement, title});
  }
  m_diagnostics.add(std::move(diagnostic));
  // It is read as what was meant, so that nothing else is wrong with the line.
  if (confusable)
    pushMeant(confusable->replacement, begin);
}

/// `}` at the beginning of a line, which ends a block in other languages; what follows it belongs to the line.
void Lexer::skipForeignBrace() {
  --m_numForeignBraces;
  ++m_at;
  while (peek() == ' ' || peek() == '\t')
    ++m_at;
}

} // namespace tilescope::compiler::ast
