// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/KernelEditor.h"

#include "views/common/Theme.h"
#include "views/editor/CompletionPopup.h"
#include "views/editor/EditorIndicators.h"
#include "views/editor/HoverCard.h"
#include "views/editor/KernelLexer.h"

#include <QKeyEvent>
#include <QTimer>
#include <Qsci/qscicommandset.h>

namespace tilescope::views {

static constexpr int kHoverDelayMs = 350;
static constexpr int kIndent = 4;

KernelEditor::KernelEditor(QWidget *parent)
    : QsciScintilla(parent), m_lexer(new KernelLexer(this)),
      m_completion(new CompletionPopup(this)), m_hover(new HoverCard(this)),
      m_hoverTimer(new QTimer(this)), m_language(std::make_shared<LanguageEntries>()) {
  configure();
  applyTheme();
  m_hoverTimer->setSingleShot(true);
  m_hoverTimer->setInterval(kHoverDelayMs);
  connect(m_hoverTimer, &QTimer::timeout, this, [this] {
    const QString text = hoverText(m_pointed);
    if (!text.isEmpty() && !m_completion->isVisible())
      m_hover->showText(text, cursorRect(byteOffset(m_pointed)), false);
  });
  connect(this, &QsciScintilla::textChanged, this, &KernelEditor::onModified);
  connect(this, &QsciScintilla::cursorPositionChanged, this, &KernelEditor::onCursorMoved);
  connect(m_completion, &CompletionPopup::accepted, this, &KernelEditor::acceptCompletion);
}

KernelEditor::~KernelEditor() { setLexer(nullptr); }

long KernelEditor::send(unsigned message, unsigned long w, long l) const {
  return SendScintilla(message, w, l);
}

void KernelEditor::configure() {
  setUtf8(true);
  setFrameShape(QFrame::NoFrame);
  setLexer(m_lexer);
  setTabWidth(kIndent);
  setIndentationsUseTabs(false);
  setIndentationGuides(true);
  setTabIndents(true);
  setBackspaceUnindents(true);
  setAutoIndent(false);
  setBraceMatching(QsciScintilla::SloppyBraceMatch);
  setEolMode(QsciScintilla::EolUnix);
  setCaretLineVisible(true);
  setCaretWidth(2);
  setMarginType(kNumberMargin, NumberMargin);
  setMarginType(kSymbolMargin, SymbolMargin);
  setMarginType(kTintMargin, SymbolMargin);
  setMarginWidth(kTintMargin, 5);
  const int tints = ((1 << kNumTintMarkers) - 1) << kFirstTintMarker;
  setMarginMarkerMask(kTintMargin, tints);
  setMarginMarkerMask(kSymbolMargin, (1 << kErrorMarker) | (1 << kWarningMarker));
  setMarginSensitivity(kSymbolMargin, false);
  setFolding(PlainFoldStyle, kFoldMargin);
  send(SCI_SETMULTIPLESELECTION, 1);
  send(SCI_SETADDITIONALSELECTIONTYPING, 1);
  send(SCI_SETMULTIPASTE, SC_MULTIPASTE_EACH);
  send(SCI_SETVIRTUALSPACEOPTIONS, SCVS_RECTANGULARSELECTION);
  send(SCI_SETSCROLLWIDTHTRACKING, 1);
  send(SCI_SETSCROLLWIDTH, 200);
  send(SCI_SETENDATLASTLINE, 0);
  send(SCI_SETEXTRAASCENT, 1);
  send(SCI_SETEXTRADESCENT, 2);
  send(SCI_SETMARGINLEFT, 0, 6);
  send(SCI_SETMOUSEDWELLTIME, 10000000);
  // A key that the editor knows never reaches the program: of letters and signs with Ctrl it keeps
  // the clipboard's.
  const auto isProgramKey = [](int key) {
    const int plain = key & ~static_cast<int>(Qt::KeyboardModifierMask);
    return (key & Qt::ControlModifier) && plain < Qt::Key_Escape && plain != Qt::Key_A &&
           plain != Qt::Key_C && plain != Qt::Key_V && plain != Qt::Key_X;
  };
  for (QsciCommand *command : standardCommands()->commands()) {
    if (isProgramKey(command->key()))
      command->setKey(0);
    if (isProgramKey(command->alternateKey()))
      command->setAlternateKey(0);
  }
  viewport()->setMouseTracking(true);
  setMouseTracking(true);
}

void KernelEditor::defineMarkers() {
  const Theme &t = theme();
  auto indicator = [&](int number, IndicatorStyle style, ColorRole role) {
    indicatorDefine(style, number);
    setIndicatorForegroundColor(t[role], number);
    setIndicatorDrawUnder(true, number);
  };
  indicator(kErrorIndicator, SquiggleIndicator, ColorRole::Error);
  indicator(kWarningIndicator, SquiggleIndicator, ColorRole::Warning);
  indicator(kNoteIndicator, DotsIndicator, ColorRole::Info);
  indicator(kFocusIndicator, StraightBoxIndicator, ColorRole::FocusEdge);
  indicator(kMatchIndicator, StraightBoxIndicator, ColorRole::Accent);
  for (int number : {kFocusIndicator, kMatchIndicator}) {
    send(SCI_INDICSETALPHA, number, number == kFocusIndicator ? 46 : 40);
    send(SCI_INDICSETOUTLINEALPHA, number, 150);
  }
  markerDefine(themedIcon(QStringLiteral("error"), ColorRole::Error).pixmap(14, 14), kErrorMarker);
  markerDefine(themedIcon(QStringLiteral("warning"), ColorRole::Warning).pixmap(14, 14),
               kWarningMarker);
  markerDefine(Background, kFocusLineMarker);
  setMarkerBackgroundColor(t[ColorRole::FocusWeak], kFocusLineMarker);
  for (int i = 0; i < kNumTintMarkers; ++i) {
    markerDefine(FullRectangle, kFirstTintMarker + i);
    const QColor tint = t.dark ? t.tint(i).lighter(190) : t.tint(i).darker(125);
    setMarkerBackgroundColor(tint, kFirstTintMarker + i);
    setMarkerForegroundColor(tint, kFirstTintMarker + i);
  }
}

void KernelEditor::applyTheme() {
  const Theme &t = theme();
  m_lexer->applyTheme();
  setLexer(m_lexer);
  setColor(t[ColorRole::Text]);
  setPaper(t[ColorRole::Base]);
  setCaretForegroundColor(t[ColorRole::Accent]);
  setCaretLineBackgroundColor(t[ColorRole::CurrentLine]);
  send(SCI_SETADDITIONALCARETFORE,
       static_cast<unsigned long>(t[ColorRole::Accent].rgb() & 0xffffff));
  setSelectionBackgroundColor(t[ColorRole::Selection]);
  resetSelectionForegroundColor();
  send(SCI_SETADDITIONALSELBACK, [&] {
    const QColor c = t[ColorRole::Selection];
    return static_cast<unsigned long>(c.red() | (c.green() << 8) | (c.blue() << 16));
  }());
  setMarginsBackgroundColor(t[ColorRole::Base]);
  setMarginsForegroundColor(t[ColorRole::TextFaint]);
  setMarginsFont(codeFont());
  setFoldMarginColors(t[ColorRole::Base], t[ColorRole::Base]);
  for (int marker = SC_MARKNUM_FOLDEREND; marker <= int(SC_MARKNUM_FOLDEROPEN); ++marker) {
    setMarkerForegroundColor(t[ColorRole::Base], marker);
    setMarkerBackgroundColor(t[ColorRole::TextFaint], marker);
  }
  markerDefine(RightTriangle, SC_MARKNUM_FOLDER);
  markerDefine(DownTriangle, SC_MARKNUM_FOLDEROPEN);
  setMarkerForegroundColor(t[ColorRole::TextFaint], SC_MARKNUM_FOLDER);
  setMarkerForegroundColor(t[ColorRole::TextFaint], SC_MARKNUM_FOLDEROPEN);
  setIndentationGuidesForegroundColor(t[ColorRole::Border]);
  setIndentationGuidesBackgroundColor(t[ColorRole::Base]);
  setMatchedBraceForegroundColor(t[ColorRole::FocusEdge]);
  setMatchedBraceBackgroundColor(t[ColorRole::Hover]);
  setUnmatchedBraceForegroundColor(t[ColorRole::Error]);
  setUnmatchedBraceBackgroundColor(t[ColorRole::Base]);
  const QFontMetrics metrics(codeFont());
  const int digits = std::max(3, static_cast<int>(QString::number(lines()).size()));
  setMarginWidth(kNumberMargin, metrics.horizontalAdvance(u'0') * (digits + 1) + 4);
  setMarginWidth(kSymbolMargin, 17);
  setMarginWidth(kFoldMargin, 14);
  defineMarkers();
}

void KernelEditor::changeEvent(QEvent *event) {
  QsciScintilla::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
    applyTheme();
}

std::string KernelEditor::utf8Text() const {
  const long length = send(SCI_GETLENGTH);
  std::string text(static_cast<size_t>(length) + 1, '\0');
  SendScintilla(SCI_GETTEXT, text.size(), text.data());
  text.pop_back();
  return text;
}

void KernelEditor::replaceText(const QString &text) {
  const Position before = cursor();
  const long top = send(SCI_GETFIRSTVISIBLELINE);
  const QByteArray bytes = text.toUtf8();
  // Nobody is to see the empty text in between.
  m_replacing = true;
  beginUndoAction();
  send(SCI_TARGETWHOLEDOCUMENT);
  SendScintilla(SCI_REPLACETARGET, static_cast<uintptr_t>(bytes.size()), bytes.constData());
  endUndoAction();
  m_replacing = false;
  onModified();
  send(SCI_GOTOPOS, static_cast<unsigned long>(byteOffset(before)));
  send(SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(top));
}

void KernelEditor::setLanguage(std::shared_ptr<const LanguageEntries> language) {
  m_language = std::move(language);
}

void KernelEditor::setStageLanguage(std::optional<TextLanguage> language) {
  m_lexer->setStageLanguage(language);
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

void KernelEditor::goTo(Position position) {
  const auto offset = static_cast<unsigned long>(byteOffset(position));
  send(SCI_ENSUREVISIBLE, position.line);
  send(SCI_GOTOPOS, offset);
  send(SCI_VERTICALCENTRECARET);
}

void KernelEditor::selectRange(const SourceRange &range) {
  goTo(range.begin);
  send(SCI_SETSEL, static_cast<unsigned long>(byteOffset(range.begin)), byteOffset(range.end));
}

void KernelEditor::onModified() {
  if (m_replacing)
    return;
  m_lexer->invalidate();
  m_hover->hide();
  m_signatureShown = false;
  Q_EMIT edited();
}

void KernelEditor::onCursorMoved() {
  Q_EMIT cursorMoved(cursor());
  if (m_signatureShown)
    updateSignature();
}

void KernelEditor::mouseMoveEvent(QMouseEvent *event) {
  QsciScintilla::mouseMoveEvent(event);
  const QPoint point = event->position().toPoint();
  const long offset =
      send(SCI_POSITIONFROMPOINTCLOSE, static_cast<unsigned long>(point.x()), point.y());
  if (offset < 0) {
    m_hoverTimer->stop();
    if (!m_signatureShown)
      m_hover->hide();
    Q_EMIT pointerLeft();
    return;
  }
  const Position position = positionAt(offset);
  if (position == m_pointed && m_hover->isVisible())
    return;
  m_pointed = position;
  if (!m_signatureShown)
    m_hover->hide();
  if (event->buttons() == Qt::NoButton)
    m_hoverTimer->start();
  Q_EMIT pointed(position);
}

void KernelEditor::leaveEvent(QEvent *event) {
  QsciScintilla::leaveEvent(event);
  m_hoverTimer->stop();
  if (!m_signatureShown)
    m_hover->hide();
  Q_EMIT pointerLeft();
}

void KernelEditor::focusOutEvent(QFocusEvent *event) {
  QsciScintilla::focusOutEvent(event);
  m_completion->hide();
}

void KernelEditor::wheelEvent(QWheelEvent *event) {
  // Ctrl+wheel zooms the whole program, not this editor alone.
  if (event->modifiers() & Qt::ControlModifier) {
    event->ignore();
    return;
  }
  m_hover->hide();
  QsciScintilla::wheelEvent(event);
}

void KernelEditor::keyPressEvent(QKeyEvent *event) {
  if (m_completion->isVisible() && event->modifiers() == Qt::NoModifier &&
      m_completion->handleKey(event->key()))
    return;
  if (event->key() == Qt::Key_Escape && m_hover->isVisible()) {
    m_hover->hide();
    m_signatureShown = false;
    return;
  }
  if (handleTyping(event))
    return;
  QsciScintilla::keyPressEvent(event);
  const QString text = event->text();
  const bool control = event->modifiers() & (Qt::ControlModifier | Qt::AltModifier);
  if (control || (text.isEmpty() && event->key() != Qt::Key_Backspace)) {
    if (!text.isEmpty() || event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)
      m_completion->hide();
    return;
  }
  const QChar typed = text.isEmpty() ? QChar() : text[0];
  const bool deleting = event->key() == Qt::Key_Backspace;
  if (typed.isLetterOrNumber() || typed == u'_' || typed == u'.' ||
      (deleting && m_completion->isVisible()))
    updateCompletion();
  else if (!deleting)
    m_completion->hide();
  if (typed == u'(' || typed == u',')
    updateSignature();
}

} // namespace tilescope::views
