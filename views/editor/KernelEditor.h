// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/artifacts/ValueFacts.h"
#include "views/common/CodeDocument.h"
#include "views/common/Correlation.h"
#include "views/common/StageSyntax.h"
#include "views/editor/LanguageEntry.h"
#include "views/editor/Scintilla.h"

#include <memory>
#include <optional>
#include <vector>

class QTimer;

namespace tilescope::views {

class CompletionPopup;
class HoverCard;
class KernelLexer;

/// The text of one kernel file being edited. Places go in and out as `Position` and `SourceRange`
/// in UTF-8 bytes, as everywhere outside this folder.
class KernelEditor : public QsciScintilla {
  Q_OBJECT
public:
  explicit KernelEditor(QWidget *parent = nullptr);
  ~KernelEditor() override;

  std::string utf8Text() const;
  /// Replaces everything as one step that can be undone; the cursor stays on its line.
  void replaceText(const QString &text);
  void setLanguage(std::shared_ptr<const LanguageEntries> language);
  /// The IR that the document holds; without one it is a kernel file.
  void setStageLanguage(std::optional<TextLanguage> language);

  Position cursor() const;
  /// Puts the cursor there, unfolds and scrolls.
  void goTo(Position position);
  void selectRange(const SourceRange &range);

  void setDiagnostics(std::vector<compiler::Diagnostic> diagnostics);
  void setValues(std::vector<compiler::ValueFacts> values);
  void setHintsVisible(bool visible);
  /// Lines that some stage's lines came from get the tint that those have.
  void setTintedLines(const std::vector<int32_t> &lines);
  void setFocusRanges(const std::vector<SourceRange> &ranges);

  // Commands. Each is one step that can be undone.
  void toggleComment();
  void duplicateLines();
  void moveLines(bool down);
  void addCursor(bool below);
  void selectNextOccurrence();
  void toggleFoldAtCursor();
  void triggerCompletion();
  void showHover();

  bool find(const QString &pattern, FindOptions options, bool forward, bool incremental);
  /// Replaces the selection if it is a match, then finds the next one.
  bool replaceNext(const QString &pattern, const QString &replacement, FindOptions options);
  int replaceAll(const QString &pattern, const QString &replacement, FindOptions options);
  /// Marks every match and gives their number.
  int markMatches(const QString &pattern, FindOptions options);

  /// Replaces bytes of the document, e.g. by a quick fix.
  void replaceRange(const SourceRange &range, const QString &text);

  const HoverCard &hoverCard() const { return *m_hover; }
  const CompletionPopup &completionPopup() const { return *m_completion; }

Q_SIGNALS:
  void edited();
  void cursorMoved(tilescope::Position position);
  /// The pointer rests over or leaves a place of the text.
  void pointed(tilescope::Position position);
  void pointerLeft();
  /// Ctrl+click or F12 on a name.
  void definitionRequested(tilescope::Position position);

protected:
  void keyPressEvent(QKeyEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void leaveEvent(QEvent *event) override;
  void focusOutEvent(QFocusEvent *event) override;
  void wheelEvent(QWheelEvent *event) override;
  void changeEvent(QEvent *event) override;
  void paintEvent(QPaintEvent *event) override;

private:
  void configure();
  void applyTheme();
  void defineMarkers();
  long byteOffset(Position position) const;
  Position positionAt(long offset) const;
  long send(unsigned message, unsigned long w = 0, long l = 0) const;
  QRect cursorRect(long offset) const;
  int searchFlags(FindOptions options) const;
  long searchFrom(const QByteArray &pattern, long from, long to) const;

  void onModified();
  void onCursorMoved();
  bool handleTyping(QKeyEvent *event);
  bool insertPair(char typed);
  void breakLine();
  void updateCompletion();
  void acceptCompletion(const QString &insert);
  void updateSignature();
  QString hoverText(Position position) const;
  QString documentationOf(const QString &name) const;
  const LanguageEntry *entryFor(const QString &name) const;

  KernelLexer *m_lexer;
  CompletionPopup *m_completion;
  HoverCard *m_hover;
  QTimer *m_hoverTimer;
  Position m_pointed;
  bool m_hintsVisible = true;
  bool m_signatureShown = false;
  bool m_replacing = false;
  std::shared_ptr<const LanguageEntries> m_language;
  std::vector<compiler::Diagnostic> m_diagnostics;
  std::vector<compiler::ValueFacts> m_values;
};

/// Joins the definitions on a line to one hint, e.g. `fp32[1024]`; in words without the word
/// tensor.
QString hintText(const std::vector<compiler::ValueFacts> &values, uint32_t line);

} // namespace tilescope::views
