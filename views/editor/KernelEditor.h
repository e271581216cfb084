// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Hint.h"
#include "compiler/artifacts/ValueFacts.h"
#include "views/common/CodeDocument.h"
#include "views/common/Correlation.h"
#include "views/common/PaintSlices.h"
#include "views/common/SampleHeat.h"
#include "views/common/StageSyntax.h"
#include "views/editor/BreakpointMarks.h"
#include "views/editor/EditorStates.h"
#include "views/editor/OfferedFix.h"
#include "views/editor/Scintilla.h"
#include "views/editor/TextChange.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

class QTimer;

namespace tilescope::compiler::ast {
class EditorDocument;
struct Completion;
} // namespace tilescope::compiler::ast

namespace tilescope::views {

class CompletionPopup;
class FollowUp;
class HistoryRecorder;
class HoverCard;
class KernelLexer;
class TypingHold;

/// To which the editor scrolls sideways, whatever its text.
inline constexpr int kLeastScrollWidthPx = 200;

/// The text of one kernel file being edited. Places go in and out as `Position` and `SourceRange`
/// in UTF-8 bytes, as everywhere outside this folder.
class KernelEditor : public QsciScintilla {
  Q_OBJECT
public:
  explicit KernelEditor(QWidget *parent = nullptr);
  ~KernelEditor() override;

  std::string utf8Text() const;
  /// The text as the compiler's front end reads it. Null for IR, in a plain editor, and for very
  /// long texts.
  std::shared_ptr<const compiler::ast::EditorDocument> document() const;
  /// Replaces everything as one step that can be undone; the cursor stays on its line.
  void replaceText(const QString &text);
  /// The IR that the document holds; without one it is a kernel file.
  void setStageLanguage(std::optional<TextLanguage> language);
  /// Without colors, folds, completion and matching of brackets: what costs time in a large text.
  void setPlain(bool plain);

  Position cursor() const;
  /// The place, or the one before it when a name ends there.
  Position nameBefore(Position position) const;
  /// Puts the cursor there, unfolds and scrolls.
  void goTo(Position position);
  /// The first line in sight.
  uint32_t firstLine() const;
  /// Puts the cursor and the first line in sight to where they were in an earlier session.
  void restorePlace(Position cursor, std::optional<uint32_t> firstLine);
  void selectRange(const SourceRange &range);

  /// Takes everything that is known to be wrong. Shows what lies in this document, except for what
  /// `TypingHold` keeps back for the moment.
  void setDiagnostics(std::vector<compiler::Diagnostic> diagnostics);
  /// Whether what `setDiagnostics` took is of an earlier text, while the text of now compiles: its
  /// messages fade.
  void setDiagnosticsOutdated(bool areOutdated);
  bool areDiagnosticsOutdated() const { return m_areDiagnosticsOutdated; }
  /// Those of `setDiagnostics` that are not kept back, of other files, too.
  std::vector<compiler::Diagnostic> visibleDiagnostics() const;
  /// What costs more than it needs to: marked beside the lines of this document.
  void setPerformanceHints(std::vector<compiler::Hint> hints);
  void setValues(std::vector<compiler::ValueFacts> values);
  void setHintsVisible(bool visible);
  /// Lines that some stage's lines came from, and the tints that those have.
  void setTintedLines(std::map<int32_t, int32_t> tints);
  void setFocusRanges(const std::vector<SourceRange> &ranges);

  /// Where samples were found, in a margin of its own; none: there is no such margin. Lines take it
  /// along. `remark` is said of all of them.
  void setHeat(const std::map<uint32_t, LineHeat> &lines, const QString &remark);
  /// It is of an earlier text: it has no colors.
  void setHeatOutdated(bool isOutdated);
  bool isHeatOutdated() const { return m_isHeatOutdated; }
  /// By line, from 0.
  std::map<uint32_t, LineHeat> heat() const;
  /// What is said of the heat of a line, as rich text; empty: it has none.
  QString heatText(uint32_t line) const;

  /// The lines at which programs are to stop, each with a condition or none; they move with the text.
  std::map<uint32_t, std::string> breakpoints() const { return m_breakpoints.lines(); }
  const BreakpointMarks &breakpointMarks() const { return m_breakpoints; }
  void setBreakpoints(const std::map<uint32_t, std::string> &breakpoints);
  void toggleBreakpoint(uint32_t line);
  /// Of a breakpoint, which is there from now on.
  void setCondition(uint32_t line, const std::string &condition);
  /// Where a program has stopped; nothing: none is here.
  void setStepLine(std::optional<uint32_t> line);
  std::optional<uint32_t> stepLine() const;
  /// Brings a line into sight; the cursor stays.
  void revealLine(uint32_t line);
  /// The line in the viewport, from side to side.
  QRect lineRect(uint32_t line) const;
  /// Tells what is undone and redone together; null: each step of the component is.
  void setHistory(const HistoryRecorder *history) { m_history = history; }

  // Commands. Each is one step that can be undone, and so is what was typed in one go.
  void undo() override;
  void redo() override;
  void toggleComment();
  void duplicateLines();
  void moveLines(bool down);
  void addCursor(bool below);
  void selectNextOccurrence();
  /// Lists the places of the name at the cursor, to go to one.
  void showUsages();
  /// Selects all places of the name at the cursor, so that typing renames it.
  void selectUsages();
  /// While a name is renamed, all of the name and not of the text.
  void selectAll(bool select = true) override;
  void toggleFoldAtCursor();
  void triggerCompletion();
  void showSignature();
  void showHover();
  /// Offers the fixes on the cursor's line: of errors, then of what is at the cursor.
  void showFixes();
  bool hasFixes() const { return !fixesAt(cursor()).empty(); }
  /// The best of the changes on the cursor's line that were tried: its results are known to be the
  /// same.
  std::optional<OfferedFix> triedFix() const;
  /// Makes and returns it; where there is none, the editor says why.
  std::optional<OfferedFix> applyTriedFix();
  /// Selects the next (or previous) problem of this document, around its end, and shows it in full.
  /// Returns its place, or nothing when there is none.
  std::optional<SourceRange> goToProblem(bool forward);

  bool find(const QString &pattern, FindOptions options, bool forward, bool incremental);
  /// Replaces the selection if it is a match, then finds the next one.
  bool replaceNext(const QString &pattern, const QString &replacement, FindOptions options);
  int replaceAll(const QString &pattern, const QString &replacement, FindOptions options);
  /// Marks every match; returns how many there are, and which of them is selected.
  MatchPlace markMatches(const QString &pattern, FindOptions options);

  /// Replaces bytes of the document, e.g. by a quick fix.
  void replaceRange(const SourceRange &range, const QString &text);

  const HoverCard &hoverCard() const { return *m_hover; }
  const HoverCard &signatureCard() const { return *m_signature; }
  const CompletionPopup &completionPopup() const { return *m_completion; }

Q_SIGNALS:
  void edited();
  void breakpointsChanged();
  /// Shows now what was kept back while typing.
  void diagnosticsReleased();
  void cursorMoved(tilescope::Position position);
  /// The pointer rests over or leaves a place of the text.
  void pointed(tilescope::Position position);
  void pointerLeft();
  /// Ctrl+click or F12 on a name.
  void definitionRequested(tilescope::Position position);
  /// The menu of what can be done at the cursor, at a place of the screen.
  void menuRequested(QPoint place);

protected:
  bool event(QEvent *event) override;
  bool eventFilter(QObject *watched, QEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void contextMenuEvent(QContextMenuEvent *event) override;
  void leaveEvent(QEvent *event) override;
  void focusOutEvent(QFocusEvent *event) override;
  void showEvent(QShowEvent *event) override;
  void hideEvent(QHideEvent *event) override;
  void wheelEvent(QWheelEvent *event) override;
  void changeEvent(QEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void paintEvent(QPaintEvent *event) override;

private:
  // KernelEditor.cpp
  long byteOffset(Position position) const;
  Position positionAt(long offset) const;
  long send(unsigned message, unsigned long w = 0, long l = 0) const;
  QRect cursorRect(long offset) const;
  void onModified();
  void onTextChange(int position, int type, const char *text, int length);
  void onCursorMoved();
  void readText();
  void fitScrollWidth();
  void matchScrollBar();
  void scrollBack();
  void revealCursor();
  void hidePopups();
  // EditorLook.cpp
  void configure();
  void releaseProgramKeys();
  void applyTheme();
  /// Text of another size leaves the cursor's line where it is, or else the pointer's.
  void applySize();
  void defineMarkers();
  /// On a line of the margin with symbols.
  void clickMark(uint32_t line);
  // EditorTyping.cpp
  bool endRenaming(int key);
  bool handleTyping(QKeyEvent *event);
  bool typeBracket(char typed);
  bool eraseBracketPair();
  bool adaptFreshCall(char typed);
  void breakLine();
  bool indentsWithTabs() const;
  /// Of tabs where the text indents with them.
  std::string indentationText(uint32_t columns) const;
  std::optional<long> openerLine(long offset) const;
  void outdentCloser();
  bool beginsLine(long at) const;
  bool typeLoweredCloser(char typed);
  void outdentClause();
  void outdentLines();
  bool isInsideText(long offset) const;
  void forgetLeftBrackets();
  void followKey();
  // EditorCommands.cpp
  int searchFlags(FindOptions options) const;
  long searchFrom(const QByteArray &pattern, long from, long to) const;
  // EditorAssist.cpp
  /// A word that is complete has no list unless it is asked for.
  void updateCompletion(bool isAsked = false);
  void acceptCompletion(const compiler::ast::Completion &completion);
  bool isCallAt(long begin, long end) const;
  void updateSignature();
  QString hoverText(Position position) const;
  QString diagnosticsText(const std::vector<compiler::Diagnostic> &diagnostics) const;
  QString valueText(Position position) const;
  void showPointedPlace();
  /// Shows the message of the cursor's line in full once the cursor rests there.
  void awaitCaretNote(uint32_t line);
  // EditorFixes.cpp
  std::vector<OfferedFix> fixesAt(Position at) const;
  /// Hints are of the present text; only then their fixes fit.
  bool areFixesCurrent() const { return m_numChangesAtHints == m_numChanges; }
  /// The first place on a line that has a fix; nothing: none has.
  std::optional<Position> fixPlaceOn(uint32_t line) const;
  /// Goes there and offers them; false when there are none.
  bool showFixesOn(uint32_t line);
  /// What to say where there is no fix.
  QString whyNoFix(uint32_t line) const;
  // EditorUsages.cpp
  /// Those of the name at the cursor; says so where there is none.
  std::vector<SourceRange> usagesHere();
  /// The new name as it has been typed; nothing: something else was typed, too.
  std::optional<std::string> typedName(const Renaming &renaming) const;
  /// Takes back what was typed, each key of which is a step of its own. False: something else was.
  bool takeBack(const Renaming &renaming);
  void rename(const Renaming &renaming, const std::string &name);
  void showAtCursor(const QString &text);
  // EditorHints.cpp
  void markPerformanceHints();
  std::vector<compiler::Hint> performanceHintsOn(uint32_t line) const;
  QString performanceHintsText(const std::vector<compiler::Hint> &hints) const;
  // EditorBreakpoints.cpp
  void defineStepMarkers();
  /// What the margin says of the breakpoint on a line; nothing: there is none.
  QString breakpointText(uint32_t line) const;
  // EditorHeat.cpp
  void defineHeatStyles();
  void fitHeatMargin();
  void shadeHeat();
  // EditorMarks.cpp
  /// Whether the user is offered how the text goes on: a completion, or the arguments of a call that has none yet.
  bool isOffering() const;
  void showDiagnostics();
  void markDiagnostics();
  void updateInlineNotes();
  std::optional<uint32_t> inlineNoteAt(QPoint point) const;
  /// The line at the point whose note has not enough room behind it.
  std::optional<uint32_t> cutNoteAt(QPoint point) const;
  bool isNoteCut(uint32_t line) const;
  /// Where the text begins in the viewport: behind the gutter.
  int textLeft() const;
  std::optional<uint32_t> problemLineAt(QPoint point) const;
  // EditorPaint.cpp
  void colorText();
  void paintNotes(const QRect &area);
  /// Where the note behind a line is painted, in the viewport; empty when there is no room.
  QRect inlineNoteRect(uint32_t line) const;
  static int inlineNoteWidth(const QString &text);

  KernelLexer *m_lexer;
  const HistoryRecorder *m_history = nullptr;
  CompletionPopup *m_completion;
  HoverCard *m_hover;
  HoverCard *m_signature;
  TypingHold *m_hold;
  FollowUp *m_readFollowUp;
  FollowUp *m_keyFollowUp;
  FollowUp *m_colorFollowUp;
  FollowUp *m_placeFollowUp;
  TypedKey m_typed;
  QTimer *m_hoverTimer;
  QTimer *m_caretTimer;
  /// Whose message is shown because the cursor rests there.
  std::optional<uint32_t> m_caretNote;
  /// When the cursor moved last.
  uint64_t m_numChangesAtCaret = 0;
  Position m_pointed;
  /// The line whose note the pointer rests on.
  std::optional<uint32_t> m_pointedNote;
  /// At a mark beside the line, not at words in it.
  bool m_pointsAtMargin = false;
  bool m_hintsVisible = true;
  bool m_replacing = false;
  bool m_plain = false;
  /// Since the text was read last.
  bool m_hasLostText = false;
  std::optional<AwaitedPlace> m_awaited;
  /// Grows with every change of the text.
  uint64_t m_numChanges = 0;
  /// Bytes of closing brackets that came with their opening ones and that typing the same bracket
  /// passes over. Forgotten when the cursor leaves them; those that Enter has put on a line below
  /// stay until the cursor is behind them.
  std::vector<long> m_freshClosers;
  /// Behind the `# ` that Enter has put at the beginning of a launch block's line; -1: elsewhere.
  long m_freshLaunchMark = -1;
  /// How many lines a lower editor has pushed the text up, and where its top was then.
  long m_numPushed = 0, m_resizedTop = 0;
  /// The selections are the uses of one name.
  std::optional<Renaming> m_renaming;
  std::optional<FreshCall> m_freshCall;
  std::vector<compiler::Diagnostic> m_diagnostics;
  /// Those of this document that are not kept back.
  std::vector<compiler::Diagnostic> m_shown;
  bool m_areDiagnosticsOutdated = false;
  std::vector<compiler::Hint> m_performanceHints;
  /// When they came: their fixes are of the text of that moment.
  uint64_t m_numChangesAtHints = 0;
  std::vector<compiler::ValueFacts> m_values;
  BreakpointMarks m_breakpoints{this};
  /// By the markers of their lines.
  std::map<int, LineHeat> m_heat;
  QString m_heatRemark;
  bool m_isHeatOutdated = false;
  std::map<uint32_t, InlineNote> m_notes;
  /// As last set; empty once lines have moved.
  std::map<int32_t, int32_t> m_tintedLines;
  /// As last applied.
  QString m_lookTheme;
  QFont m_lookFont;
  PaintSlices m_slices;
};

/// Joins the definitions on a line to one hint.
QString hintText(const std::vector<compiler::ValueFacts> &values, uint32_t line);

} // namespace tilescope::views
