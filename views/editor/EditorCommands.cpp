// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Commands of the KernelEditor on lines, cursors and matches.
#include "views/editor/EditorIndicators.h"
#include "views/editor/HistoryRecorder.h"
#include "views/editor/KernelEditor.h"
#include "views/editor/KernelLexer.h"
#include "views/editor/TypedRun.h"

#include <algorithm>

namespace tilescope::views {

// Beyond what the history remembers, each step of the component is one.
void KernelEditor::undo() {
  const size_t numSteps = m_history ? stepsToUndo(m_history->history()) : 1;
  for (size_t i = 0; i < std::max<size_t>(numSteps, 1); ++i)
    send(SCI_UNDO);
}

void KernelEditor::redo() {
  const size_t numSteps = m_history ? stepsToRedo(m_history->history()) : 1;
  for (size_t i = 0; i < std::max<size_t>(numSteps, 1); ++i)
    send(SCI_REDO);
}

/// What begins a comment in the document's language.
static QString commentMark(std::optional<TextLanguage> language) {
  if (!language)
    return QStringLiteral("#");
  return *language == TextLanguage::Llvm ? QStringLiteral(";") : QStringLiteral("//");
}

void KernelEditor::toggleComment() {
  const QString mark = commentMark(m_lexer->stageLanguage());
  int lineFrom = 0, indexFrom = 0, lineTo = 0, indexTo = 0;
  getSelection(&lineFrom, &indexFrom, &lineTo, &indexTo);
  if (lineFrom < 0)
    getCursorPosition(&lineFrom, &indexFrom), lineTo = lineFrom, indexTo = 1;
  if (lineTo > lineFrom && indexTo == 0)
    --lineTo;
  bool allCommented = true;
  int indent = 1000;
  for (int line = lineFrom; line <= lineTo; ++line) {
    const QString content = text(line).trimmed();
    if (content.isEmpty())
      continue;
    allCommented = allCommented && content.startsWith(mark);
    indent = std::min(indent, indentation(line));
  }
  beginUndoAction();
  for (int line = lineFrom; line <= lineTo; ++line) {
    const QString content = text(line);
    if (content.trimmed().isEmpty())
      continue;
    const long start = send(SCI_POSITIONFROMLINE, static_cast<unsigned long>(line));
    if (allCommented) {
      const qsizetype at = content.indexOf(mark);
      const bool space = content.mid(at + mark.size(), 1) == u" ";
      send(SCI_DELETERANGE, static_cast<unsigned long>(start + at),
           static_cast<long>(mark.size()) + (space ? 1 : 0));
    } else {
      const QByteArray inserted = (mark + u' ').toUtf8();
      // Unlike an insertion, it leaves the selection alone.
      send(SCI_SETTARGETRANGE, static_cast<unsigned long>(start + indent), start + indent);
      SendScintilla(SCI_REPLACETARGET, static_cast<uintptr_t>(inserted.size()),
                    inserted.constData());
    }
  }
  endUndoAction();
}

void KernelEditor::duplicateLines() { send(SCI_SELECTIONDUPLICATE); }

void KernelEditor::moveLines(bool down) {
  send(down ? SCI_MOVESELECTEDLINESDOWN : SCI_MOVESELECTEDLINESUP);
}

void KernelEditor::addCursor(bool below) {
  const long count = send(SCI_GETSELECTIONS);
  long edge = -1;
  for (long i = 0; i < count; ++i) {
    const long caret = send(SCI_GETSELECTIONNCARET, static_cast<unsigned long>(i));
    if (edge < 0 || (below ? caret > edge : caret < edge))
      edge = caret;
  }
  const Position from = positionAt(edge);
  if ((below && static_cast<long>(from.line) + 1 >= send(SCI_GETLINECOUNT)) ||
      (!below && from.line == 0))
    return;
  const long column = send(SCI_GETCOLUMN, static_cast<unsigned long>(edge));
  const long target = send(SCI_FINDCOLUMN, below ? from.line + 1 : from.line - 1, column);
  send(SCI_ADDSELECTION, static_cast<unsigned long>(target), target);
}

void KernelEditor::selectNextOccurrence() {
  if (send(SCI_GETSELECTIONEMPTY)) {
    const auto at = static_cast<unsigned long>(send(SCI_GETCURRENTPOS));
    send(SCI_SETSEL, static_cast<unsigned long>(send(SCI_WORDSTARTPOSITION, at, 1)),
         send(SCI_WORDENDPOSITION, at, 1));
    return;
  }
  send(SCI_TARGETWHOLEDOCUMENT);
  send(SCI_SETSEARCHFLAGS, SCFIND_MATCHCASE);
  send(SCI_MULTIPLESELECTADDNEXT);
}

void KernelEditor::toggleFoldAtCursor() {
  auto line = static_cast<unsigned long>(cursor().line);
  if (!(send(SCI_GETFOLDLEVEL, line) & SC_FOLDLEVELHEADERFLAG)) {
    const long parent = send(SCI_GETFOLDPARENT, line);
    if (parent < 0)
      return;
    line = static_cast<unsigned long>(parent);
  }
  send(SCI_TOGGLEFOLD, line);
}

int KernelEditor::searchFlags(FindOptions options) const {
  int flags = 0;
  if (options.caseSensitive)
    flags |= SCFIND_MATCHCASE;
  if (options.wholeWord)
    flags |= SCFIND_WHOLEWORD;
  if (options.regularExpression)
    flags |= SCFIND_REGEXP | SCFIND_CXX11REGEX;
  return flags;
}

long KernelEditor::searchFrom(const QByteArray &pattern, long from, long to) const {
  send(SCI_SETTARGETRANGE, static_cast<unsigned long>(from), to);
  return SendScintilla(SCI_SEARCHINTARGET, static_cast<uintptr_t>(pattern.size()),
                       pattern.constData());
}

bool KernelEditor::find(const QString &pattern, FindOptions options, bool forward,
                        bool incremental) {
  const QByteArray bytes = pattern.toUtf8();
  if (bytes.isEmpty())
    return false;
  send(SCI_SETSEARCHFLAGS, static_cast<unsigned long>(searchFlags(options)));
  const long length = send(SCI_GETLENGTH);
  const long from =
      forward && !incremental ? send(SCI_GETSELECTIONEND) : send(SCI_GETSELECTIONSTART);
  long found = searchFrom(bytes, from, forward ? length : 0);
  if (found < 0)
    found = forward ? searchFrom(bytes, 0, length) : searchFrom(bytes, length, 0);
  if (found < 0)
    return false;
  const long begin = send(SCI_GETTARGETSTART);
  const long end = send(SCI_GETTARGETEND);
  send(SCI_ENSUREVISIBLE,
       static_cast<unsigned long>(send(SCI_LINEFROMPOSITION, static_cast<unsigned long>(begin))));
  send(SCI_SETSEL, static_cast<unsigned long>(begin), end);
  send(SCI_CHOOSECARETX);
  return true;
}

bool KernelEditor::replaceNext(const QString &pattern, const QString &replacement,
                               FindOptions options) {
  const QByteArray bytes = pattern.toUtf8();
  const QByteArray with = replacement.toUtf8();
  const long begin = send(SCI_GETSELECTIONSTART);
  const long end = send(SCI_GETSELECTIONEND);
  send(SCI_SETSEARCHFLAGS, static_cast<unsigned long>(searchFlags(options)));
  if (begin != end && searchFrom(bytes, begin, end) == begin && send(SCI_GETTARGETEND) == end) {
    SendScintilla(options.regularExpression ? SCI_REPLACETARGETRE : SCI_REPLACETARGET,
                  static_cast<uintptr_t>(with.size()), with.constData());
    send(SCI_GOTOPOS, static_cast<unsigned long>(send(SCI_GETTARGETEND)));
  }
  return find(pattern, options, true, false);
}

int KernelEditor::replaceAll(const QString &pattern, const QString &replacement,
                             FindOptions options) {
  const QByteArray bytes = pattern.toUtf8();
  const QByteArray with = replacement.toUtf8();
  if (bytes.isEmpty())
    return 0;
  send(SCI_SETSEARCHFLAGS, static_cast<unsigned long>(searchFlags(options)));
  int count = 0;
  long from = 0;
  beginUndoAction();
  while (from <= send(SCI_GETLENGTH) && searchFrom(bytes, from, send(SCI_GETLENGTH)) >= 0) {
    const bool emptyMatch = send(SCI_GETTARGETEND) == send(SCI_GETTARGETSTART);
    SendScintilla(options.regularExpression ? SCI_REPLACETARGETRE : SCI_REPLACETARGET,
                  static_cast<uintptr_t>(with.size()), with.constData());
    from = send(SCI_GETTARGETEND) + (emptyMatch ? 1 : 0);
    ++count;
  }
  endUndoAction();
  return count;
}

MatchPlace KernelEditor::markMatches(const QString &pattern, FindOptions options) {
  const QByteArray bytes = pattern.toUtf8();
  const long length = send(SCI_GETLENGTH);
  send(SCI_SETINDICATORCURRENT, kMatchIndicator);
  send(SCI_INDICATORCLEARRANGE, 0, length);
  MatchPlace match;
  if (bytes.isEmpty())
    return match;
  send(SCI_SETSEARCHFLAGS, static_cast<unsigned long>(searchFlags(options)));
  for (long from = 0; from < length && searchFrom(bytes, from, length) >= 0;) {
    const long begin = send(SCI_GETTARGETSTART);
    const long end = send(SCI_GETTARGETEND);
    ++match.total;
    if (begin == send(SCI_GETSELECTIONSTART) && end == send(SCI_GETSELECTIONEND))
      match.number = match.total;
    send(SCI_INDICATORFILLRANGE, static_cast<unsigned long>(begin), end - begin);
    from = std::max(end, begin + 1);
  }
  return match;
}

void KernelEditor::replaceRange(const SourceRange &range, const QString &text) {
  const QByteArray bytes = text.toUtf8();
  beginUndoAction();
  send(SCI_SETTARGETRANGE, static_cast<unsigned long>(byteOffset(range.begin)),
       byteOffset(range.end));
  SendScintilla(SCI_REPLACETARGET, static_cast<uintptr_t>(bytes.size()), bytes.constData());
  endUndoAction();
}

} // namespace tilescope::views
