// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/KernelEditor.h"

#include "views/common/FollowUp.h"
#include "views/common/Theme.h"
#include "views/editor/BraceMarks.h"
#include "views/editor/CompletionPopup.h"
#include "views/editor/HoverCard.h"
#include "views/editor/KernelLexer.h"
#include "views/editor/TypingHold.h"

#include <QAction>
#include <QKeyEvent>
#include <QScrollBar>
#include <QTimer>

#include <cmath>
#include <utility>

namespace tilescope::views {

static constexpr int kHoverDelayMs = 350;
/// Longer than a cursor stays on a line that it only passes.
static constexpr int kCaretDelayMs = 700;

KernelEditor::KernelEditor(QWidget *parent)
    : QsciScintilla(parent), m_lexer(new KernelLexer(this)),
      m_completion(new CompletionPopup(this)), m_hover(new HoverCard(this)),
      m_signature(new HoverCard(this)),
      m_hold(new TypingHold([this] { return isOffering(); }, this)),
      m_readFollowUp(new FollowUp(this, [this] { readText(); })),
      m_keyFollowUp(new FollowUp(this, [this] { followKey(); })),
      m_colorFollowUp(new FollowUp(this, [this] { colorText(); })),
      m_placeFollowUp(new FollowUp(this, [this] { revealCursor(); })),
      m_hoverTimer(new QTimer(this)), m_caretTimer(new QTimer(this)), m_slices(viewport()) {
  // As measurements name them.
  m_readFollowUp->setObjectName(QStringLiteral("reading the text"));
  m_keyFollowUp->setObjectName(QStringLiteral("completion and parameters"));
  m_colorFollowUp->setObjectName(QStringLiteral("coloring"));
  m_placeFollowUp->setObjectName(QStringLiteral("scrolling to the cursor"));
  configure();
  applyTheme();
  m_hoverTimer->setSingleShot(true);
  m_hoverTimer->setInterval(kHoverDelayMs);
  connect(m_hoverTimer, &QTimer::timeout, this, &KernelEditor::showPointedPlace);
  m_caretTimer->setSingleShot(true);
  m_caretTimer->setInterval(kCaretDelayMs);
  connect(m_caretTimer, &QTimer::timeout, this, [this] {
    m_caretNote = m_pointedNote = cursor().line;
    m_pointsAtMargin = false;
    showPointedPlace();
  });
  connect(this, &QsciScintillaBase::SCN_MODIFIED, this,
          [this](int position, int type, const char *text, int length) {
            onTextChange(position, type, text, length);
          });
  connect(this, &QsciScintilla::textChanged, this, &KernelEditor::onModified);
  // Scintilla reports it while it paints. The code below changes the painted state, and would cause
  // all of it to be painted again.
  connect(this, &QsciScintilla::cursorPositionChanged, this, &KernelEditor::onCursorMoved,
          Qt::QueuedConnection);
  connect(horizontalScrollBar(), &QScrollBar::rangeChanged, this, &KernelEditor::matchScrollBar,
          Qt::QueuedConnection);
  connect(m_completion, &CompletionPopup::accepted, this, &KernelEditor::acceptCompletion);
  connect(m_hold, &TypingHold::released, this, [this] {
    showDiagnostics();
    Q_EMIT diagnosticsReleased();
  });
}

KernelEditor::~KernelEditor() { setLexer(nullptr); }

long KernelEditor::send(unsigned message, unsigned long w, long l) const {
  return SendScintilla(message, w, l);
}

void KernelEditor::changeEvent(QEvent *event) {
  QsciScintilla::changeEvent(event);
  // One change of theme or size comes as several events.
  if ((event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) &&
      (m_lookTheme != theme().name || m_lookFont != codeFont())) {
    // The text moves away below what was shown beside a part of it.
    if (m_lookFont != codeFont())
      hidePopups();
    applySize();
  }
}

std::string KernelEditor::utf8Text() const {
  const long length = send(SCI_GETLENGTH);
  std::string text(static_cast<size_t>(length) + 1, '\0');
  SendScintilla(SCI_GETTEXT, text.size(), text.data());
  text.pop_back();
  return text;
}

void KernelEditor::setStageLanguage(std::optional<TextLanguage> language) {
  m_lexer->setStageLanguage(language);
}

std::shared_ptr<const compiler::ast::EditorDocument> KernelEditor::document() const {
  return m_plain ? nullptr : m_lexer->document();
}

long KernelEditor::byteOffset(Position position) const {
  const long numLines = send(SCI_GETLINECOUNT);
  const long line = std::min<long>(position.line, numLines - 1);
  const long start = send(SCI_POSITIONFROMLINE, static_cast<unsigned long>(line));
  const long end = send(SCI_GETLINEENDPOSITION, static_cast<unsigned long>(line));
  return std::min(start + static_cast<long>(position.column), end);
}

Position KernelEditor::positionAt(long offset) const {
  const long line = send(SCI_LINEFROMPOSITION, static_cast<unsigned long>(offset));
  const long start = send(SCI_POSITIONFROMLINE, static_cast<unsigned long>(line));
  return {static_cast<uint32_t>(line), static_cast<uint32_t>(offset - start)};
}

QRect KernelEditor::cursorRect(long offset) const {
  const int x = static_cast<int>(send(SCI_POINTXFROMPOSITION, 0, offset));
  const int y = static_cast<int>(send(SCI_POINTYFROMPOSITION, 0, offset));
  const int height = static_cast<int>(send(SCI_TEXTHEIGHT, 0));
  return {viewport()->mapToGlobal(QPoint(x, y)), QSize(1, height)};
}

Position KernelEditor::cursor() const { return positionAt(send(SCI_GETCURRENTPOS)); }

Position KernelEditor::nameBefore(Position position) const {
  const long offset = byteOffset(position);
  const auto isName = [this](long at) {
    const auto from = static_cast<unsigned long>(at);
    return at >= 0 && send(SCI_WORDENDPOSITION, from, 1) > at;
  };
  return isName(offset) || position.column == 0 || !isName(offset - 1) ? position
                                                                       : positionAt(offset - 1);
}

void KernelEditor::goTo(Position position) {
  const auto offset = static_cast<unsigned long>(byteOffset(position));
  send(SCI_ENSUREVISIBLE, position.line);
  send(SCI_GOTOPOS, offset);
  // Up and down go on from this column.
  send(SCI_CHOOSECARETX);
  m_awaited.emplace();
  if (isVisible())
    revealCursor();
}

uint32_t KernelEditor::firstLine() const {
  if (m_awaited)
    return m_awaited->firstLine.value_or(0);
  return static_cast<uint32_t>(
      send(SCI_DOCLINEFROMVISIBLE, static_cast<unsigned long>(send(SCI_GETFIRSTVISIBLELINE))));
}

void KernelEditor::restorePlace(Position cursor, std::optional<uint32_t> firstLine) {
  goTo(cursor);
  m_awaited = AwaitedPlace{firstLine};
  if (isVisible())
    revealCursor();
}

/// Of text, in the height of a message above the editor.
static constexpr long kMostLinesOfMessage = 6;

/// Without need, nothing is scrolled: a text that fits is shown from its first line.
void KernelEditor::revealCursor() {
  const std::optional<AwaitedPlace> place = std::exchange(m_awaited, std::nullopt);
  if (!place)
    return;
  const long numRows =
      send(SCI_VISIBLEFROMDOCLINE, static_cast<unsigned long>(send(SCI_GETLINECOUNT) - 1)) + 1;
  const long lowest = std::max(0L, numRows - send(SCI_LINESONSCREEN));
  if (place->firstLine && lowest > 0)
    send(SCI_SETFIRSTVISIBLELINE,
         static_cast<unsigned long>(send(SCI_VISIBLEFROMDOCLINE, *place->firstLine)));
  else
    send(SCI_VERTICALCENTRECARET);
  send(SCI_SETFIRSTVISIBLELINE,
       static_cast<unsigned long>(std::min(lowest, send(SCI_GETFIRSTVISIBLELINE))));
  // The editor may be lower than it was, by a message above it: the cursor's line was in sight.
  const long row = send(SCI_VISIBLEFROMDOCLINE, cursor().line) - send(SCI_GETFIRSTVISIBLELINE);
  const long hidden = row + 1 - send(SCI_LINESONSCREEN);
  if (hidden > 0 && hidden <= kMostLinesOfMessage)
    send(SCI_LINESCROLL, 0, hidden);
  scrollBack();
}

void KernelEditor::selectRange(const SourceRange &range) {
  goTo(range.begin);
  send(SCI_SETSEL, static_cast<unsigned long>(byteOffset(range.begin)), byteOffset(range.end));
  send(SCI_CHOOSECARETX);
}

void KernelEditor::onModified() {
  if (m_replacing)
    return;
  m_lexer->invalidate();
  m_hoverTimer->stop();
  m_hover->hide();
  m_readFollowUp->request();
  Q_EMIT edited();
  m_colorFollowUp->request();
}

void KernelEditor::readText() {
  document();
  if (std::exchange(m_hasLostText, false))
    fitScrollWidth();
}

void KernelEditor::onTextChange(int position, int type, const char *text, int length) {
  if (!(type & (SC_MOD_INSERTTEXT | SC_MOD_DELETETEXT)))
    return;
  ++m_numChanges;
  const bool inserted = type & SC_MOD_INSERTTEXT;
  m_hasLostText |= !inserted;
  std::erase_if(m_freshClosers,
                [&](long at) { return !inserted && at >= position && at < position + length; });
  for (long &at : m_freshClosers)
    if (at >= position)
      at += inserted ? length : -length;
  const std::string_view changed(text ? text : "", text ? static_cast<size_t>(length) : 0);
  const Position begin = positionAt(position);
  const TextChange change =
      inserted ? TextChange::insertion(begin, changed) : TextChange::deletion(begin, changed);
  moveDiagnostics(m_diagnostics, change);
  moveDiagnostics(m_shown, change);
  for (compiler::ValueFacts &value : m_values)
    value.range = change.moved(value.range);
  // What was deleted has no type any more, wherever its place has moved.
  const bool hasLost = std::erase_if(m_values, [](const compiler::ValueFacts &value) {
                         return value.range.begin == value.range.end;
                       }) > 0;
  if (change.oldEnd.line == change.newEnd.line) {
    if (hasLost)
      updateInlineNotes();
    return;
  }
  m_tintedLines.clear();
  updateInlineNotes();
}

void KernelEditor::onCursorMoved() {
  const Position at = cursor();
  m_hold->cursorMovedTo(at);
  forgetLeftBrackets();
  scrollBack();
  if (!m_plain)
    markBraces(*this);
  if (m_signature->isVisible())
    updateSignature();
  awaitCaretNote(at.line);
  Q_EMIT cursorMoved(at);
}

void KernelEditor::scrollBack() {
  const long scrolled = send(SCI_GETXOFFSET);
  const bool isSelecting = QGuiApplication::mouseButtons() != Qt::NoButton;
  if (scrolled == 0 || isSelecting)
    return;
  const long x = send(SCI_POINTXFROMPOSITION, 0, send(SCI_GETCURRENTPOS)) + scrolled;
  const int room = viewport()->width() - fontMetrics().horizontalAdvance(QStringLiteral("0000"));
  if (x < room)
    send(SCI_SETXOFFSET, 0);
}

void KernelEditor::hidePopups() {
  m_keyFollowUp->cancel();
  m_hoverTimer->stop();
  m_caretTimer->stop();
  m_completion->hide();
  m_signature->hide();
  m_hover->hide();
}

bool KernelEditor::event(QEvent *event) {
  // Scintilla takes every key that it knows. Keys that the program has an action for belong to the
  // program.
  if (event->type() == QEvent::ShortcutOverride) {
    const auto *key = static_cast<QKeyEvent *>(event);
    const QKeySequence pressed(key->keyCombination());
    for (const QAction *action : window()->actions())
      if (action->isEnabled() && action->shortcuts().contains(pressed)) {
        event->ignore();
        return false;
      }
  }
  return QsciScintilla::event(event);
}

bool KernelEditor::eventFilter(QObject *watched, QEvent *event) {
  switch (event->type()) {
  case QEvent::Move:
  case QEvent::Resize:
  case QEvent::WindowDeactivate:
  case QEvent::WindowStateChange:
    // The popups are separate windows and would stay where they are.
    if (watched == window())
      hidePopups();
    break;
  default:
    break;
  }
  return QsciScintilla::eventFilter(watched, event);
}

void KernelEditor::mousePressEvent(QMouseEvent *event) {
  hidePopups();
  QsciScintilla::mousePressEvent(event);
}

void KernelEditor::mouseMoveEvent(QMouseEvent *event) {
  QsciScintilla::mouseMoveEvent(event);
  const QPoint point = event->position().toPoint();
  std::optional<uint32_t> note = inlineNoteAt(point);
  if (!note && point.x() < textLeft())
    note = problemLineAt(point);
  const long offset =
      send(SCI_POSITIONFROMPOINTCLOSE, static_cast<unsigned long>(point.x()), point.y());
  if (offset < 0 && !note)
    note = cutNoteAt(point);
  if (offset < 0 && !note) {
    m_hoverTimer->stop();
    m_hover->hide();
    m_pointedNote.reset();
    Q_EMIT pointerLeft();
    return;
  }
  const Position position = note ? Position{*note, 0} : positionAt(offset);
  const bool isSame = position == m_pointed && note == m_pointedNote;
  if (isSame && m_hover->isVisible())
    return;
  m_pointed = position;
  m_pointedNote = note;
  m_pointsAtMargin = note && event->position().x() < textLeft();
  m_hover->hide();
  if (event->buttons() == Qt::NoButton)
    m_hoverTimer->start();
  if (note)
    Q_EMIT pointerLeft();
  else
    Q_EMIT pointed(position);
}

void KernelEditor::leaveEvent(QEvent *event) {
  QsciScintilla::leaveEvent(event);
  m_hoverTimer->stop();
  m_hover->hide();
  Q_EMIT pointerLeft();
}

void KernelEditor::focusOutEvent(QFocusEvent *event) {
  QsciScintilla::focusOutEvent(event);
  m_keyFollowUp->finish();
  m_caretTimer->stop();
  m_completion->hide();
  m_signature->hide();
}

void KernelEditor::showEvent(QShowEvent *event) {
  QsciScintilla::showEvent(event);
  window()->installEventFilter(this);
  // The window may still arrange itself.
  m_placeFollowUp->request();
}

void KernelEditor::hideEvent(QHideEvent *event) {
  QsciScintilla::hideEvent(event);
  hidePopups();
}

void KernelEditor::wheelEvent(QWheelEvent *event) {
  // Ctrl+wheel zooms the whole program, not this editor alone.
  if (event->modifiers() & Qt::ControlModifier) {
    event->ignore();
    return;
  }
  hidePopups();
  QsciScintilla::wheelEvent(event);
}

} // namespace tilescope::views
