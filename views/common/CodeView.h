// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/LineDiff.h"
#include "views/common/CodeAside.h"
#include "views/common/CodeDocument.h"
#include "views/common/Correlation.h"
#include "views/common/PaintSlices.h"
#include "views/common/StageSyntax.h"

#include <QAbstractScrollArea>
#include <QTextLayout>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

class QHelpEvent;

namespace tilescope::views {

/// A read-only text with colors, line numbers, folds, search and marks, made for generated code:
/// only what is visible is laid out, so 50 000 lines scroll as easily as 50.
class CodeView : public QAbstractScrollArea {
  Q_OBJECT
public:
  explicit CodeView(QWidget *parent = nullptr);

  /// Replaces the text; keeps the scroll position, so that a recompile does not move what is looked
  /// at.
  void setText(std::string text, TextLanguage language);
  const CodeDocument &document() const { return m_document; }

  /// The tint of each line, -1 for none: lines that came from one line of the source share it.
  void setTints(std::vector<int32_t> tints);
  /// How each line is related to what is focused.
  void setRelations(std::vector<Relation> relations);
  /// The line that a stopped program executes next, -1 for none, and those at which programs are to
  /// stop, each with its condition; empty: always.
  void setStepLine(int32_t line);
  int32_t stepLine() const { return m_stepLine; }
  void setBreakpointLines(std::map<int32_t, std::string> lines);
  const std::map<int32_t, std::string> &breakpointLines() const { return m_breakpoints; }
  /// For a listing of differences: kinds and the two line numbers of each line.
  void setDiff(std::vector<DiffLine> lines);
  bool showsDiff() const { return !m_diff.empty(); }
  /// Scrolls to the first difference, sideways to its first word that differs.
  void revealFirstDifference();
  /// Whether words of a line that differ are out of sight beside its visible part.
  struct HiddenWords {
    bool areLeft = false;
    bool areRight = false;
  };
  HiddenWords hiddenWords(int32_t line) const;
  /// Shows the text as outdated.
  void setStale(bool stale);

  /// Shown beside the text from now on, until another text is set; null: nothing is.
  void setAside(std::unique_ptr<CodeAside> aside);
  /// Says what a word means, for a tool tip: a line, and a column in it. Empty: nothing is said.
  void setWordHelp(std::function<QString(const QString &line, int column)> help) {
    m_wordHelp = std::move(help);
  }
  const CodeAside *aside() const { return m_aside.get(); }

  /// At the bottom something lies over the text: it scrolls that much further.
  void setCoveredHeight(int px);

  void scrollToLine(int32_t line);
  /// Scrolls as little as needed to show the closest relative of the focus: the operation that
  /// computes what is focused, never a constant that was made for it.
  void revealRelated();
  /// Where in the viewport the closest relative in sight is; empty: none is.
  QRect relatedRect() const;
  int32_t currentLine() const { return m_current; }
  void setCurrentLine(int32_t line);
  int32_t firstVisibleLine() const;
  bool isLineVisible(int32_t line) const;

  /// Selects the next match from the current line on; false when there is none.
  bool find(const QString &text, FindOptions options, bool forward);
  MatchPlace matchPlace() const;
  void clearFind();

  QString selectedText() const;
  void selectAll();
  void copy() const;
  bool hasSelection() const { return m_anchor != m_caret; }
  void setAllFolded(bool folded);

Q_SIGNALS:
  /// -1 when the pointer leaves the text.
  void lineHovered(int line);
  /// A key that would change a text that can be edited.
  void typedInto();
  /// By click or keyboard.
  void lineActivated(int line, int column);
  /// A click beside the number of a line.
  void breakpointToggled(int line);

protected:
  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void mouseDoubleClickEvent(QMouseEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void contextMenuEvent(QContextMenuEvent *event) override;
  void changeEvent(QEvent *event) override;
  bool viewportEvent(QEvent *event) override;

private:
  struct Place {
    int32_t line = 0;
    int32_t column = 0;
    auto operator<=>(const Place &) const = default;
  };
  struct Match {
    Place begin;
    int32_t length = 0;
  };

  /// What `revealRelated` brings into view, the one to scroll to first.
  std::vector<int32_t> relatedLines() const;
  /// Scrolls to the left until the line's first character is in sight.
  void showLineBegin(int32_t line);
  void updateMetrics();
  void updateScrollBars();
  QTextLayout *layoutOf(int32_t line);
  static QString display(std::string_view line);
  Place placeAt(QPoint point) const;
  int32_t lineAt(int y) const;
  void toggleFold(int32_t line);
  void activate(int32_t line, int32_t column);
  QColor background(int32_t line) const;
  void paintGutter(QPainter &painter, int32_t line, int y);
  void paintStepMarks(QPainter &painter, int32_t line, int y) const;
  void paintRow(QPainter &painter, int32_t line, int y);
  void paintChangedWords(QPainter &painter, int32_t line, int y);
  /// A wedge at the edge beyond which words differ.
  void paintHiddenWords(QPainter &painter, int32_t line, int y) const;
  /// Where a part of a line is in the viewport: left and right end.
  std::pair<qreal, qreal> placeOf(int32_t line, const TextSpan &part) const;
  void paintOverview(QPainter &painter);
  /// Where the text ends in the viewport, and the strip of marks begins.
  int textRight() const;
  void paintRows(const QRect &area);
  void setHovered(int32_t line);
  void moveCurrent(int32_t line);
  /// Where the numbers of lines end, and what is beside the text begins.
  int numbersRight() const { return m_gutterWidth - m_asideWidth; }
  bool showTip(QHelpEvent *event);
  bool showWordTip(const QHelpEvent &event) const;

  CodeDocument m_document;
  TextLanguage m_language = TextLanguage::Plain;
  std::vector<int32_t> m_tints;
  std::vector<Relation> m_relations;
  /// Where it was scrolled to when its related lines were brought into view.
  std::optional<int> m_revealedAt;
  std::vector<DiffLine> m_diff;
  std::vector<Match> m_matches;
  bool m_stale = false;
  std::unordered_map<int32_t, std::unique_ptr<QTextLayout>> m_layouts;
  QFont m_font;
  int m_lineHeight = 16;
  qreal m_charWidth = 8;
  std::unique_ptr<CodeAside> m_aside;
  std::function<QString(const QString &line, int column)> m_wordHelp;
  int m_gutterWidth = 40;
  int m_asideWidth = 0;
  int m_coveredHeight = 0;
  int32_t m_current = -1;
  int32_t m_stepLine = -1;
  std::map<int32_t, std::string> m_breakpoints;
  int32_t m_hovered = -1;
  Place m_anchor;
  Place m_caret;
  bool m_selecting = false;
  PaintSlices m_slices;
};

} // namespace tilescope::views
