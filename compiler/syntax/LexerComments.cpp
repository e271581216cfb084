// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/ForeignComment.h"
#include "compiler/syntax/Lexer.h"

namespace tilescope::compiler::ast {

bool Lexer::skipComment(bool beginsStatement) {
  const uint32_t begin = m_at, line = m_line;
  if (peek() == '#') {
    while (!atEnd() && !isNewline(peek()))
      ++m_at;
    m_comments.push_back(rangeFrom(begin, line));
    return true;
  }
  if (peek() != '/' || !m_fstrings.empty())
    return false;
  const std::optional<ForeignComment> comment =
      foreignComment(m_source.substr(begin), beginsStatement);
  if (!comment)
    return false;
  while (m_at < begin + comment->size)
    if (isNewline(peek()))
      passNewline();
    else
      ++m_at;
  Diagnostic diagnostic{DiagnosticKind::SyntaxInvalidCharacter,
                        Severity::Error,
                        rangeFrom(begin, line),
                        "a comment begins with `#` in Python, and not with `" +
                            std::string(m_source.substr(begin, 2)) + "`",
                        {},
                        {},
                        {}};
  if (comment->inPython)
    diagnostic.fixes.push_back({diagnostic.range, *comment->inPython, "begin it with `#`"});
  m_diagnostics.add(std::move(diagnostic));
  m_comments.push_back(rangeFrom(begin, line));
  return true;
}

} // namespace tilescope::compiler::ast
