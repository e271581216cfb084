// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// How the KernelEditor is set up, looks and scrolls.
#include "views/common/EditorMetrics.h"
#include "views/common/Theme.h"
#include "views/editor/BraceMarks.h"
#include "views/editor/EditorIndicators.h"
#include "views/editor/KernelEditor.h"
#include "views/editor/KernelLexer.h"

#include <QResizeEvent>
#include <QScrollBar>
#include <Qsci/qscicommandset.h>

#include <algorithm>
#include <cmath>

namespace tilescope::views {

/// Of pieces of text whose widths the editor remembers.
static constexpr int kNumCachedRuns = 8192;

static constexpr int kIndent = 4;

void KernelEditor::configure() {
  // Scintilla sets the application's font of this moment; the widget follows it instead.
  QWidget::setFont({});
  // A key changes one line: the positions of the characters of all others are known.
  send(SCI_SETLAYOUTCACHE, SC_CACHE_DOCUMENT);
  send(SCI_SETPOSITIONCACHE, kNumCachedRuns);
  setUtf8(true);
  setFrameShape(QFrame::NoFrame);
  setLexer(m_lexer);
  setTabWidth(kIndent);
  setIndentationsUseTabs(false);
  setIndentationGuides(true);
  setTabIndents(true);
  setBackspaceUnindents(true);
  setAutoIndent(false);
  setEolMode(QsciScintilla::EolUnix);
  setCaretLineVisible(true);
  setCaretWidth(2);
  setMargins(kNumMargins);
  setMarginType(kHeatMargin, TextMarginRightJustified);
  setMarginWidth(kHeatMargin, 0);
  setMarginMarkerMask(kHeatMargin, 0);
  setMarginType(kNumberMargin, NumberMargin);
  setMarginType(kBreakpointMargin, SymbolMargin);
  setMarginType(kSymbolMargin, SymbolMargin);
  setMarginType(kTintMargin, SymbolMargin);
  const int tints = ((1 << kNumTintMarkers) - 1) << kFirstTintMarker;
  setMarginMarkerMask(kTintMargin, tints);
  setMarginMarkerMask(kBreakpointMargin, (1 << kBreakpointMarker) | (1 << kConditionMarker) |
                                             (1 << kBreakpointStepMarker) |
                                             (1 << kConditionStepMarker) | (1 << kStepMarker));
  setMarginMarkerMask(kSymbolMargin, kProblemMarkers);
  setMarginSensitivity(kBreakpointMargin, true);
  setMarginSensitivity(kSymbolMargin, true);
  connect(this, &QsciScintilla::marginClicked, this, [this](int margin, int line) {
    if (margin == kSymbolMargin)
      clickMark(static_cast<uint32_t>(line));
    else if (margin == kBreakpointMargin)
      toggleBreakpoint(static_cast<uint32_t>(line));
  });
  setFolding(PlainFoldStyle, kFoldMargin);
  send(SCI_SETMULTIPLESELECTION, 1);
  send(SCI_SETADDITIONALSELECTIONTYPING, 1);
  send(SCI_SETMULTIPASTE, SC_MULTIPASTE_EACH);
  send(SCI_SETVIRTUALSPACEOPTIONS, SCVS_RECTANGULARSELECTION);
  send(SCI_SETSCROLLWIDTHTRACKING, 1);
  send(SCI_SETSCROLLWIDTH, kLeastScrollWidthPx);
  send(SCI_SETENDATLASTLINE, 0);
  send(SCI_SETEXTRAASCENT, 1);
  send(SCI_SETEXTRADESCENT, 2);
  send(SCI_SETMOUSEDWELLTIME, 10000000);
  releaseProgramKeys();
  viewport()->setMouseTracking(true);
  setMouseTracking(true);
}

void KernelEditor::clickMark(uint32_t line) {
  const auto problem = std::ranges::find_if(m_shown, [&](const compiler::Diagnostic &each) {
    return each.severity != compiler::Severity::Note && each.range.file == 0 &&
           each.range.begin.line == line;
  });
  // A full bulb leads to the fixes, the mark of a problem or hint to its words.
  if (showFixesOn(line))
    return;
  const std::vector<compiler::Hint> hints = performanceHintsOn(line);
  if (problem == m_shown.end() && hints.empty())
    return toggleBreakpoint(line);
  goTo(problem != m_shown.end() ? problem->range.begin : hints.front().range.begin);
  setFocus();
  showHover();
}

void KernelEditor::releaseProgramKeys() {
  // Of letters and signs with Ctrl, Scintilla keeps the clipboard's; what the program has an action
  // for goes to the program anyway, see `event`.
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
  defineBraceMarks(*this);
  const auto icon = [&](int marker, const QString &name, ColorRole role) {
    markerDefine(themedIcon(name, role).pixmap(scaledPx(14), scaledPx(14)), marker);
  };
  icon(kErrorMarker, QStringLiteral("error"), ColorRole::Error);
  icon(kWarningMarker, QStringLiteral("warning"), ColorRole::Warning);
  icon(kHintMarker, QStringLiteral("hint"), ColorRole::Accent);
  // A full bulb, in the color of what it would mend.
  icon(kErrorFixMarker, QStringLiteral("fix"), ColorRole::Error);
  icon(kWarningFixMarker, QStringLiteral("fix"), ColorRole::Warning);
  icon(kHintFixMarker, QStringLiteral("fix"), ColorRole::Accent);
  markerDefine(Background, kFocusLineMarker);
  setMarkerBackgroundColor(t[ColorRole::FocusWeak], kFocusLineMarker);
  defineStepMarkers();
  markerDefine(Invisible, kHeatMarker);
  defineHeatStyles();
  for (int i = 0; i < kNumTintMarkers; ++i) {
    markerDefine(FullRectangle, kFirstTintMarker + i);
    const QColor tint = t.dark ? t.tint(i).lighter(190) : t.tint(i).darker(125);
    setMarkerBackgroundColor(tint, kFirstTintMarker + i);
    setMarkerForegroundColor(tint, kFirstTintMarker + i);
  }
}

void KernelEditor::setPlain(bool plain) {
  if (plain == m_plain)
    return;
  m_plain = plain;
  setFolding(plain ? NoFoldStyle : PlainFoldStyle, kFoldMargin);
  applyTheme();
}

/// Rows below the end of the text, of `numShown`; negative: that is how many are hidden there.
static long emptyRows(const QsciScintilla &editor, long numShown) {
  const auto ask = [&](unsigned message, unsigned long value = 0) {
    return editor.SendScintilla(message, value);
  };
  const auto last = static_cast<unsigned long>(ask(QsciScintilla::SCI_GETLINECOUNT) - 1);
  return ask(QsciScintilla::SCI_GETFIRSTVISIBLELINE) + numShown -
         (ask(QsciScintilla::SCI_VISIBLEFROMDOCLINE, last) + 1);
}

/// Scrolls back where more rows are empty than were `before`, and text is hidden above.
static void fillRows(const QsciScintilla &editor, long numShown, long before) {
  const long top = editor.SendScintilla(QsciScintilla::SCI_GETFIRSTVISIBLELINE);
  const long spare = emptyRows(editor, numShown) - std::max(before, 0L);
  if (spare > 0 && top > 0)
    editor.SendScintilla(QsciScintilla::SCI_SETFIRSTVISIBLELINE,
                         static_cast<unsigned long>(std::max(0L, top - spare)));
}

void KernelEditor::applySize() {
  // Below a text that is shown from its first line, empty rows are no reason to scroll it.
  const bool isScrolled = send(SCI_GETFIRSTVISIBLELINE) > 0;
  const long emptyBefore = isScrolled ? emptyRows(*this, send(SCI_LINESONSCREEN)) : 0;
  const auto visibleRow = [this](long line) {
    return send(SCI_VISIBLEFROMDOCLINE, static_cast<unsigned long>(line)) -
           send(SCI_GETFIRSTVISIBLELINE);
  };
  const long height = std::max(1L, send(SCI_TEXTHEIGHT, 0));
  long line = cursor().line, row = visibleRow(line);
  if (row < 0 || row >= send(SCI_LINESONSCREEN)) {
    row = underMouse() ? viewport()->mapFromGlobal(QCursor::pos()).y() / height : 0;
    line = send(SCI_DOCLINEFROMVISIBLE,
                static_cast<unsigned long>(send(SCI_GETFIRSTVISIBLELINE) + row));
  }
  applyTheme();
  const long lowest = std::max(0L, send(SCI_LINESONSCREEN) - 2);
  const long wanted =
      std::min(row * height / std::max(1L, send(SCI_TEXTHEIGHT, 0)), std::max(lowest, 0L));
  send(SCI_SETFIRSTVISIBLELINE,
       static_cast<unsigned long>(
           std::max(0L, send(SCI_GETFIRSTVISIBLELINE) + visibleRow(line) - wanted)));
  // As much of the height as before may be empty, up to what a row more is cut to.
  const long emptyNow = emptyBefore * height / std::max(1L, send(SCI_TEXTHEIGHT, 0)) + 1;
  fillRows(*this, send(SCI_LINESONSCREEN), emptyBefore > 0 ? emptyNow : 0);
}

void KernelEditor::applyTheme() {
  const Theme &t = theme();
  m_lookTheme = t.name;
  m_lookFont = codeFont();
  m_lexer->applyTheme();
  setLexer(m_plain ? nullptr : m_lexer);
  // Without a lexer the text has the editor's own font.
  setFont(codeFont());
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
  // Markers take colors from when they are defined.
  // The same marks as in the columns.
  markerDefine(themedIcon(QStringLiteral("right"), ColorRole::TextFaint).pixmap(12, 12),
               SC_MARKNUM_FOLDER);
  markerDefine(themedIcon(QStringLiteral("down"), ColorRole::TextFaint).pixmap(12, 12),
               SC_MARKNUM_FOLDEROPEN);
  for (int marker = SC_MARKNUM_FOLDEREND; marker <= int(SC_MARKNUM_FOLDEROPEN); ++marker) {
    setMarkerForegroundColor(t[ColorRole::Base], marker);
    setMarkerBackgroundColor(t[ColorRole::TextFaint], marker);
  }
  setMarkerForegroundColor(t[ColorRole::TextFaint], SC_MARKNUM_FOLDER);
  setMarkerForegroundColor(t[ColorRole::TextFaint], SC_MARKNUM_FOLDEROPEN);
  setIndentationGuidesForegroundColor(t[ColorRole::Border]);
  setIndentationGuidesBackgroundColor(t[ColorRole::Base]);
  const EditorMargins margins = editorMargins(lines());
  setMarginWidth(kNumberMargin, margins.numbers);
  setMarginWidth(kBreakpointMargin, margins.breakpoints);
  setMarginWidth(kSymbolMargin, margins.symbols);
  setMarginWidth(kTintMargin, margins.tints);
  setMarginWidth(kFoldMargin, margins.folds);
  send(SCI_SETMARGINLEFT, 0, margins.gap);
  defineMarkers();
}

void KernelEditor::resizeEvent(QResizeEvent *event) {
  const long height = std::max(1L, send(SCI_TEXTHEIGHT, 0));
  const long top = send(SCI_GETFIRSTVISIBLELINE);
  const long row = send(SCI_VISIBLEFROMDOCLINE, cursor().line) - top;
  const bool wasInSight = row >= 0 && (row + 1) * height <= event->oldSize().height();
  // What the user has scrolled since stays.
  if (top != m_resizedTop)
    m_numPushed = 0;
  const long emptyBefore = emptyRows(*this, std::max(1L, event->oldSize().height() / height));
  QsciScintilla::resizeEvent(event);
  // What opens above or below the text leaves the cursor's line in sight; when it closes again, the
  // text goes back to where it was.
  const long numRows = std::max(1L, event->size().height() / height);
  const long room = std::max(numRows, send(SCI_LINESONSCREEN)) - 1 - row;
  const long push = wasInSight && row >= numRows ? row + 1 - numRows
                    : row >= 0 && room > 0       ? -std::min(m_numPushed, room)
                                                 : 0;
  if (push != 0)
    send(SCI_LINESCROLL, 0, push);
  m_numPushed += push;
  // Larger text may have left room for a line or two until what is around it had settled.
  if (event->oldSize().height() > 0)
    fillRows(*this, numRows, emptyBefore);
  m_resizedTop = send(SCI_GETFIRSTVISIBLELINE);
}

/// The bar says where the text is, also after its range has changed.
void KernelEditor::matchScrollBar() {
  const long scrolled = send(SCI_GETXOFFSET);
  horizontalScrollBar()->setValue(static_cast<int>(scrolled));
  if (horizontalScrollBar()->value() != scrolled)
    send(SCI_SETXOFFSET, static_cast<unsigned long>(horizontalScrollBar()->value()));
}

/// Scintilla widens what can be scrolled to with every long line that it paints, and keeps it.
void KernelEditor::fitScrollWidth() {
  const long width = send(SCI_GETSCROLLWIDTH);
  if (width <= kLeastScrollWidthPx)
    return;
  long widest = 0, column = 0;
  for (const char c : utf8Text()) {
    const bool isInside = (static_cast<unsigned char>(c) & 0xc0) == 0x80;
    column = c == '\n' ? 0 : c == '\t' ? column + tabWidth() : column + (isInside ? 0 : 1);
    widest = std::max(widest, column);
  }
  const qreal wanted =
      static_cast<qreal>(widest + 1) * QFontMetricsF(codeFont()).horizontalAdvance(u'0');
  if (wanted < static_cast<qreal>(width))
    send(SCI_SETSCROLLWIDTH,
         static_cast<unsigned long>(std::max<long>(kLeastScrollWidthPx, std::lround(wanted))));
}

} // namespace tilescope::views
