// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// What keys do beyond inserting characters: brackets, indentation, and what follows from a key.
#include "compiler/syntax/EditorServices.h"
#include "compiler/syntax/Token.h"
#include "views/common/FollowUp.h"
#include "views/editor/CompletionPopup.h"
#include "views/editor/HoverCard.h"
#include "views/editor/KernelEditor.h"
#include "views/editor/KernelLexer.h"
#include "views/editor/LaunchKeys.h"
#include "views/editor/TypingHold.h"

#include <QKeyEvent>

#include <algorithm>
#include <array>
#include <utility>

namespace tilescope::views {

using compiler::ast::EditorDocument;

static bool isModifier(int key) {
  return key == Qt::Key_Shift || key == Qt::Key_Control || key == Qt::Key_Alt ||
         key == Qt::Key_Meta || key == Qt::Key_AltGr || key == Qt::Key_CapsLock;
}

static bool isCommand(const QKeyEvent &event) {
  return event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
}

void KernelEditor::keyPressEvent(QKeyEvent *event) {
  if (isModifier(event->key()))
    return QsciScintilla::keyPressEvent(event);
#ifndef Q_OS_MACOS
  // A mnemonic that nothing has is not typed into the text.
  const bool isMnemonic = event->modifiers() == Qt::AltModifier ||
                          event->modifiers() == (Qt::AltModifier | Qt::ShiftModifier);
  if (isMnemonic && !event->text().isEmpty() && event->text().front().isPrint())
    return event->ignore();
#endif
  // A key acts on what the one before it has led to.
  m_keyFollowUp->finish();
  if (endRenaming(event->key()))
    return;
  if (event->modifiers() == Qt::NoModifier || event->modifiers() == Qt::KeypadModifier) {
    if (m_completion->isVisible() && m_completion->handleKey(event->key()))
      return;
    if (event->key() == Qt::Key_Escape && (m_signature->isVisible() || m_hover->isVisible())) {
      m_signature->hide();
      m_hover->hide();
      return;
    }
  }
  // Before those that the change of the text asks for: what is half typed is held back when its
  // compile begins. The text is read in its own event.
  m_readFollowUp->request();
  m_keyFollowUp->request();
  m_typed = {event->key(), event->text(), isCommand(*event), m_numChanges};
  if (!handleTyping(event))
    QsciScintilla::keyPressEvent(event);
}

/// A user who types the bracket of a completed call, or goes on as if there were none, gets the
/// text typed. True: the key has been dealt with.
bool KernelEditor::adaptFreshCall(char typed) {
  const std::optional<FreshCall> call = std::exchange(m_freshCall, std::nullopt);
  if (!call || send(SCI_GETCURRENTPOS) != call->opener + 1)
    return false;
  // No argument begins with these: the function is only named. A kernel's grid comes first.
  static constexpr std::string_view kNotArguments(".,:=]}");
  if (kNotArguments.find(typed) != std::string_view::npos || (call->isKernel && typed == '['))
    send(SCI_DELETERANGE, static_cast<unsigned long>(call->opener), 2);
  return typed == '(';
}

bool KernelEditor::handleTyping(QKeyEvent *event) {
  // A user who also types the mark of a launch block's line gets the text typed.
  const long mark = std::exchange(m_freshLaunchMark, -1);
  if (mark >= 0 && mark == send(SCI_GETCURRENTPOS) && event->text() == u"#")
    send(SCI_DELETERANGE, static_cast<unsigned long>(mark - 2), 2);
  if (event->text().isEmpty())
    m_freshCall.reset();
  if (isCommand(*event) || isReadOnly() || send(SCI_GETSELECTIONS) > 1)
    return false;
  // Before anything is indented.
  static constexpr std::array kIndenting{Qt::Key_Return, Qt::Key_Enter, Qt::Key_Tab,
                                         Qt::Key_Backtab};
  if (std::ranges::count(kIndenting, event->key()) > 0)
    setIndentationsUseTabs(indentsWithTabs());
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
    breakLine();
    return true;
  }
  if (event->key() == Qt::Key_Backspace)
    return eraseBracketPair();
  if (event->key() == Qt::Key_Backtab) {
    outdentLines();
    return true;
  }
  const QString text = event->text();
  if (text.size() != 1 || text[0].unicode() >= 128)
    return false;
  const char typed = text[0].toLatin1();
  if (typed == ')' || typed == ']' || typed == '}')
    outdentCloser();
  if (typed == ':')
    outdentClause();
  if (typeLoweredCloser(typed))
    return true;
  return adaptFreshCall(typed) || typeBracket(typed);
}

/// Each line of the selection goes back to the tab stop before its first character.
void KernelEditor::outdentLines() {
  const auto lineOf = [this](long offset) {
    return static_cast<unsigned long>(
        send(SCI_LINEFROMPOSITION, static_cast<unsigned long>(offset)));
  };
  const long end = send(SCI_GETSELECTIONEND);
  const unsigned long first = lineOf(send(SCI_GETSELECTIONSTART));
  unsigned long last = lineOf(end);
  // Of a line whose start ends the selection nothing is selected.
  if (last > first && send(SCI_POSITIONFROMLINE, last) == end)
    --last;
  const bool isCaret = send(SCI_GETSELECTIONEMPTY) != 0;
  const long behind = send(SCI_GETLINEENDPOSITION, first) - send(SCI_GETCURRENTPOS);
  beginUndoAction();
  for (unsigned long line = first; line <= last; ++line) {
    const long indentation = send(SCI_GETLINEINDENTATION, line);
    send(SCI_SETLINEINDENTATION, line, std::max(0L, (indentation - 1) / tabWidth() * tabWidth()));
  }
  endUndoAction();
  // Other blanks in place of those before take the cursor to the line's start.
  if (isCaret)
    send(SCI_GOTOPOS,
         static_cast<unsigned long>(std::max(send(SCI_POSITIONFROMLINE, first),
                                             send(SCI_GETLINEENDPOSITION, first) - behind)));
}

/// The line of the innermost bracket that is open at an offset.
std::optional<long> KernelEditor::openerLine(long offset) const {
  const std::shared_ptr<const EditorDocument> document = this->document();
  const std::string_view text = document ? document->tree().source : std::string_view();
  int depth = 0;
  for (long at = std::min(offset, static_cast<long>(text.size())); document && at-- > 0;) {
    static constexpr std::string_view kOpening("([{"), kClosing(")]}");
    const char c = text[static_cast<size_t>(at)];
    const bool opens = kOpening.find(c) != std::string_view::npos;
    if ((!opens && kClosing.find(c) == std::string_view::npos) ||
        document->isInsideText(positionAt(at)))
      continue;
    depth += opens ? -1 : 1;
    if (depth < 0)
      return send(SCI_LINEFROMPOSITION, static_cast<unsigned long>(at));
  }
  return std::nullopt;
}

/// A closing bracket that begins its line is as deep as the line that opened it.
void KernelEditor::outdentCloser() {
  const Position at = cursor();
  const long indentation = send(SCI_GETLINEINDENTATION, at.line);
  const bool isFirst = send(SCI_GETSELECTIONEMPTY) && at.column > 0 &&
                       send(SCI_GETLINEINDENTPOSITION, at.line) == send(SCI_GETCURRENTPOS);
  const std::optional<long> opener = isFirst ? openerLine(send(SCI_GETCURRENTPOS)) : std::nullopt;
  if (!opener || *opener == static_cast<long>(at.line))
    return;
  const long wanted = send(SCI_GETLINEINDENTATION, static_cast<unsigned long>(*opener));
  if (wanted >= indentation)
    return;
  send(SCI_SETLINEINDENTATION, at.line, wanted);
  // Other blanks in place of those before take the cursor to the line's start.
  send(SCI_GOTOPOS, static_cast<unsigned long>(send(SCI_GETLINEINDENTPOSITION, at.line)));
}

void KernelEditor::followKey() {
  const bool hasChangedText = m_numChanges != m_typed.numChangesBefore;
  forgetLeftBrackets();
  m_hold->cursorMovedTo(cursor());
  const std::shared_ptr<const EditorDocument> document = this->document();
  if (hasChangedText && document && !m_typed.isCommand)
    m_hold->typedIn(document->statementLines(cursor().line));
  const QChar typed = m_typed.text.isEmpty() || m_typed.isCommand ? QChar() : m_typed.text.at(0);
  const bool isWord = typed.isLetterOrNumber() || typed == u'_' || typed == u'.';
  const bool shortens = m_typed.key == Qt::Key_Backspace && m_completion->isVisible();
  // A completion would replace the word at one of several cursors.
  if (hasChangedText && (isWord || shortens) && send(SCI_GETSELECTIONS) == 1)
    updateCompletion();
  else
    m_completion->hide();
  if (typed == u'(' || m_signature->isVisible())
    updateSignature();
}

bool KernelEditor::isInsideText(long offset) const {
  const std::shared_ptr<const EditorDocument> document = this->document();
  return document && document->isInsideText(positionAt(offset));
}

static char closerOf(char c) { return c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : '\0'; }

bool KernelEditor::typeBracket(char typed) {
  const long at = send(SCI_GETCURRENTPOS);
  if (!send(SCI_GETSELECTIONEMPTY))
    return false;
  const char next = static_cast<char>(send(SCI_GETCHARAT, static_cast<unsigned long>(at)));
  if (next == typed && std::erase(m_freshClosers, at) > 0) {
    send(SCI_GOTOPOS, static_cast<unsigned long>(at + 1));
    return true;
  }
  // Before a word, or in the words of a comment, the user wants a lone bracket.
  static constexpr std::string_view kRoom("\0\r\n\t )]},:", 10);
  const char closing = closerOf(typed);
  if (closing == '\0' || kRoom.find(next) == std::string_view::npos || isInsideText(at))
    return false;
  const char pair[] = {typed, closing, '\0'};
  beginUndoAction();
  SendScintilla(SCI_REPLACESEL, pair);
  send(SCI_GOTOPOS, static_cast<unsigned long>(at + 1));
  endUndoAction();
  m_freshClosers.push_back(at + 1);
  return true;
}

bool KernelEditor::eraseBracketPair() {
  const long at = send(SCI_GETCURRENTPOS);
  const bool isFresh =
      std::find(m_freshClosers.begin(), m_freshClosers.end(), at) != m_freshClosers.end();
  if (!isFresh || !send(SCI_GETSELECTIONEMPTY))
    return false;
  const char before = static_cast<char>(send(SCI_GETCHARAT, static_cast<unsigned long>(at - 1)));
  const char next = static_cast<char>(send(SCI_GETCHARAT, static_cast<unsigned long>(at)));
  if (closerOf(before) != next)
    return false;
  send(SCI_DELETERANGE, static_cast<unsigned long>(at - 1), 2);
  return true;
}

/// Whether nothing but blanks and closing brackets stands before a byte on its line.
bool KernelEditor::beginsLine(long at) const {
  long before = at;
  const auto charBefore = [&] {
    return static_cast<char>(send(SCI_GETCHARAT, static_cast<unsigned long>(before - 1)));
  };
  static constexpr std::string_view kPassed(" \t)]}");
  while (before > 0 && kPassed.find(charBefore()) != std::string_view::npos)
    --before;
  return before == 0 || charBefore() == '\n' || charBefore() == '\r';
}

/// The bracket that Enter has put below is typed: on a blank line the line below takes its place,
/// at the end of another one the bracket comes up. True: the key has been dealt with.
bool KernelEditor::typeLoweredCloser(char typed) {
  const long caret = send(SCI_GETCURRENTPOS);
  const auto line =
      static_cast<unsigned long>(send(SCI_LINEFROMPOSITION, static_cast<unsigned long>(caret)));
  const long closer = send(SCI_GETLINEINDENTPOSITION, line + 1);
  const bool isLowered =
      std::ranges::count(m_freshClosers, closer) > 0 &&
      send(SCI_GETCHARAT, static_cast<unsigned long>(closer)) == typed &&
      send(SCI_LINEFROMPOSITION, static_cast<unsigned long>(closer)) == static_cast<long>(line) + 1;
  const long start = send(SCI_POSITIONFROMLINE, line);
  const std::string text = QsciScintilla::text(static_cast<int>(line)).toStdString();
  const std::string_view behind =
      std::string_view(text).substr(std::min(text.size(), static_cast<size_t>(caret - start)));
  if (!isLowered || !send(SCI_GETSELECTIONEMPTY) || isInsideText(caret) ||
      behind.find_first_not_of(" \t\r\n") != std::string_view::npos)
    return false;
  // Its partner ends a line above; else the bracket typed is another one's.
  const long opener = send(SCI_BRACEMATCH, static_cast<unsigned long>(closer), 0L);
  const auto openerLine =
      static_cast<unsigned long>(send(SCI_LINEFROMPOSITION, static_cast<unsigned long>(opener)));
  if (opener < 0 || openerLine >= line || opener + 1 != send(SCI_GETLINEENDPOSITION, openerLine))
    return false;
  const bool isBlank = text.find_first_not_of(" \t\r\n") == std::string::npos;
  const long from = isBlank ? start : caret;
  const long to = isBlank ? send(SCI_POSITIONFROMLINE, line + 1) : closer;
  beginUndoAction();
  send(SCI_DELETERANGE, static_cast<unsigned long>(from), to - from);
  const long moved = closer - (to - from);
  std::erase(m_freshClosers, moved);
  send(SCI_GOTOPOS, static_cast<unsigned long>(moved + 1));
  endUndoAction();
  return true;
}

/// `else:` and the like go back to the statement that they are a part of.
void KernelEditor::outdentClause() {
  static constexpr std::array<std::string_view, 4> kClauses{"else", "elif", "except", "finally"};
  const auto beginsWith = [](std::string_view text, std::string_view word) {
    return text.starts_with(word) &&
           (text.size() == word.size() || text[word.size()] == ' ' || text[word.size()] == ':');
  };
  const auto lineText = [this](unsigned long line) {
    return QsciScintilla::text(static_cast<int>(line)).trimmed().toStdString();
  };
  const auto line = static_cast<unsigned long>(cursor().line);
  const std::string clause = lineText(line);
  const bool isTry = beginsWith(clause, "except") || beginsWith(clause, "finally");
  const auto isClause = [&](std::string_view word) { return beginsWith(clause, word); };
  if (!document() || std::ranges::none_of(kClauses, isClause) ||
      send(SCI_GETCURRENTPOS) != send(SCI_GETLINEENDPOSITION, line))
    return;
  using Words = std::vector<std::string_view>;
  const Words owners =
      isTry ? Words{"try", "except"} : Words{"if", "elif", "for", "while", "try", "except"};
  const long own = send(SCI_GETLINEINDENTATION, line);
  for (unsigned long above = line; above-- > 0;) {
    const std::string text = lineText(above);
    const long indentation = send(SCI_GETLINEINDENTATION, above);
    if (text.empty() || text.starts_with('#') || indentation > own)
      continue;
    const bool isOwner =
        std::ranges::any_of(owners, [&](std::string_view word) { return beginsWith(text, word); });
    if (isOwner && indentation < own)
      send(SCI_SETLINEINDENTATION, line, indentation);
    // Below its own statement it stands right already.
    if (isOwner || indentation < own)
      return;
  }
}

void KernelEditor::forgetLeftBrackets() {
  const long caret = send(SCI_GETCURRENTPOS);
  const long line = send(SCI_LINEFROMPOSITION, static_cast<unsigned long>(caret));
  std::erase_if(m_freshClosers, [&](long at) {
    const long own = send(SCI_LINEFROMPOSITION, static_cast<unsigned long>(at));
    return at < caret || own < line || (own > line && !beginsLine(at));
  });
}

/// IR has no statements to look at: a bracket deepens, everything else stays.
static uint32_t indentationByBrackets(std::string_view before, uint32_t own) {
  const size_t last = before.find_last_not_of(" \t");
  return last != std::string_view::npos && closerOf(before[last]) != '\0' ? own + 4 : own;
}

/// As the first indented line of the text does.
bool KernelEditor::indentsWithTabs() const {
  const long numLines = send(SCI_GETLINECOUNT);
  for (long line = 0; line < numLines; ++line) {
    const auto number = static_cast<unsigned long>(line);
    const long start = send(SCI_POSITIONFROMLINE, number);
    const long first = send(SCI_GETLINEINDENTPOSITION, number);
    if (first > start && first < send(SCI_GETLINEENDPOSITION, number))
      return send(SCI_GETCHARAT, static_cast<unsigned long>(start)) == '\t';
  }
  return false;
}

std::string KernelEditor::indentationText(uint32_t columns) const {
  if (!indentationsUseTabs())
    return std::string(columns, ' ');
  const auto width = static_cast<uint32_t>(tabWidth());
  return std::string(columns / width, '\t') + std::string(columns % width, ' ');
}

void KernelEditor::breakLine() {
  beginUndoAction();
  SendScintilla(SCI_REPLACESEL, "");
  const Position at = cursor();
  const long offset = send(SCI_GETCURRENTPOS);
  const long start = offset - static_cast<long>(at.column);
  const std::string before = utf8Text().substr(static_cast<size_t>(start), at.column);
  const auto own = static_cast<uint32_t>(
      std::min<long>(send(SCI_GETLINEINDENTATION, at.line),
                     send(SCI_GETCOLUMN, static_cast<unsigned long>(offset))));
  const std::shared_ptr<const EditorDocument> document = this->document();
  const uint32_t indentation =
      document ? document->indentationBelow(at) : indentationByBrackets(before, own);
  // A line that holds only its indentation loses it.
  const bool isBlank = before.find_first_not_of(" \t") == std::string::npos &&
                       offset == send(SCI_GETLINEENDPOSITION, at.line);
  if (isBlank)
    send(SCI_DELETERANGE, static_cast<unsigned long>(start), static_cast<long>(at.column));
  const std::string end = send(SCI_GETEOLMODE) == SC_EOL_CRLF ? "\r\n" : "\n";
  // Between the brackets of a pair the closing one gets a line of its own.
  const char next = static_cast<char>(send(SCI_GETCHARAT, static_cast<unsigned long>(offset)));
  const bool isPair = !before.empty() && closerOf(before.back()) != '\0' &&
                      closerOf(before.back()) == next &&
                      std::ranges::count(m_freshClosers, offset) > 0;
  const bool isLaunchBlock = before.starts_with('#') && continuesLaunchBlock(utf8Text(), at);
  SendScintilla(SCI_REPLACESEL,
                (end + (isLaunchBlock ? "# " : indentationText(indentation))).c_str());
  if (isPair && !isLaunchBlock) {
    const long middle = send(SCI_GETCURRENTPOS);
    SendScintilla(SCI_REPLACESEL, (end + indentationText(own)).c_str());
    send(SCI_GOTOPOS, static_cast<unsigned long>(middle));
  }
  if (isLaunchBlock)
    m_freshLaunchMark = send(SCI_GETCURRENTPOS);
  endUndoAction();
  send(SCI_SCROLLCARET);
  send(SCI_CHOOSECARETX);
}

} // namespace tilescope::views
