// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/CodeView.h"

#include "views/common/PrincipalOperation.h"

#include <QApplication>
#include <QClipboard>
#include <QRegularExpression>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilescope::views {

CodeView::CodeView(QWidget *parent) : QAbstractScrollArea(parent), m_slices(viewport()) {
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  viewport()->setMouseTracking(true);
  viewport()->setCursor(Qt::IBeamCursor);
  updateMetrics();
}

void CodeView::setText(std::string text, TextLanguage language) {
  const bool sameText = text == m_document.text() && language == m_language;
  m_diff.clear();
  if (sameText) {
    viewport()->update();
    return;
  }
  m_language = language;
  m_aside.reset();
  std::vector<std::string> folded;
  for (const FoldRange &fold : m_document.folds())
    if (m_document.isCollapsed(fold.first))
      folded.emplace_back(m_document.line(fold.first));
  m_document = CodeDocument(std::move(text));
  // A fold stays closed as long as a line with the same content opens one.
  if (!folded.empty())
    for (const FoldRange &fold : m_document.folds())
      if (std::find(folded.begin(), folded.end(), m_document.line(fold.first)) != folded.end())
        m_document.setCollapsed(fold.first, true);
  m_layouts.clear();
  m_tints.clear();
  m_relations.clear();
  m_matches.clear();
  m_current = std::min(m_current, m_document.numLines() - 1);
  m_anchor = m_caret = Place{std::max(0, m_current), 0};
  updateScrollBars();
  viewport()->update();
}

void CodeView::setAside(std::unique_ptr<CodeAside> aside) {
  m_aside = std::move(aside);
  if (m_aside)
    m_aside->setCurrent(m_current);
  updateScrollBars();
  viewport()->update();
}

void CodeView::setTints(std::vector<int32_t> tints) {
  m_tints = std::move(tints);
  viewport()->update();
}

void CodeView::setRelations(std::vector<Relation> relations) {
  if (relations == m_relations)
    return;
  m_relations = std::move(relations);
  viewport()->update();
}

void CodeView::setDiff(std::vector<DiffLine> lines) {
  m_diff = std::move(lines);
  updateScrollBars();
  viewport()->update();
}

void CodeView::setStepLine(int32_t line) {
  if (std::exchange(m_stepLine, line) == line)
    return;
  updateScrollBars();
  if (line >= 0)
    showLineBegin(line);
  viewport()->update();
}

void CodeView::setBreakpointLines(std::map<int32_t, std::string> lines) {
  if (std::exchange(m_breakpoints, std::move(lines)) == m_breakpoints)
    return;
  updateScrollBars();
  viewport()->update();
}

void CodeView::setStale(bool stale) {
  if (m_stale == stale)
    return;
  m_stale = stale;
  viewport()->update();
}

void CodeView::updateMetrics() {
  m_font = codeFont();
  const QFontMetricsF metrics(m_font);
  m_lineHeight = static_cast<int>(std::ceil(metrics.height() * 1.12));
  m_charWidth = metrics.horizontalAdvance(QStringLiteral("0000000000")) / 10.0;
  m_layouts.clear();
  updateScrollBars();
}

void CodeView::setCoveredHeight(int px) {
  if (px == m_coveredHeight)
    return;
  m_coveredHeight = px;
  updateScrollBars();
}

void CodeView::updateScrollBars() {
  const int digits = static_cast<int>(std::to_string(std::max(100, m_document.numLines())).size());
  const int numbers = m_diff.empty() ? digits : 2 * digits + 1;
  // Marks of steps stand in front of the numbers.
  const bool hasMarks = m_stepLine >= 0 || !m_breakpoints.empty();
  m_gutterWidth =
      static_cast<int>(m_charWidth * (numbers + 1)) + 18 + (hasMarks ? m_lineHeight / 2 : 0);
  m_asideWidth =
      m_aside && m_diff.empty()
          ? static_cast<int>(m_aside->widthIn(textRight() - m_gutterWidth, QFontMetricsF(m_font)))
          : 0;
  m_gutterWidth += m_asideWidth;
  const auto numRows = static_cast<int>(m_document.rows().size());
  const int page = std::max(1, (viewport()->height() - m_coveredHeight) / m_lineHeight);
  verticalScrollBar()->setRange(0, std::max(0, numRows - page));
  verticalScrollBar()->setPageStep(page);
  const int width = static_cast<int>(m_document.maxColumns() * m_charWidth) + m_gutterWidth + 24;
  horizontalScrollBar()->setRange(0, std::max(0, width - textRight()));
  horizontalScrollBar()->setPageStep(textRight());
  horizontalScrollBar()->setSingleStep(static_cast<int>(m_charWidth * 4));
}

void CodeView::resizeEvent(QResizeEvent *event) {
  QAbstractScrollArea::resizeEvent(event);
  updateScrollBars();
  // Behind other tabs it may have been higher. What the user scrolled to stays.
  if (m_revealedAt == verticalScrollBar()->value() && relatedRect().isEmpty())
    revealRelated();
}

void CodeView::changeEvent(QEvent *event) {
  QAbstractScrollArea::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange ||
      event->type() == QEvent::FontChange) {
    if (m_font != codeFont())
      updateMetrics();
    m_layouts.clear();
    viewport()->update();
  }
}

int32_t CodeView::firstVisibleLine() const {
  const auto &rows = m_document.rows();
  const int row = verticalScrollBar()->value();
  return row < static_cast<int>(rows.size()) ? rows[row] : 0;
}

bool CodeView::isLineVisible(int32_t line) const {
  const int row = m_document.rowOf(line) - verticalScrollBar()->value();
  return row >= 0 && (row + 1) * m_lineHeight <= viewport()->height();
}

void CodeView::scrollToLine(int32_t line) {
  const int page = viewport()->height() / m_lineHeight;
  verticalScrollBar()->setValue(m_document.rowOf(line) - page / 3);
  showLineBegin(line);
}

void CodeView::revealFirstDifference() {
  const auto isOther = [](const DiffLine &line) { return line.kind != DiffKind::Same; };
  const auto first = std::ranges::find_if(m_diff, isOther);
  const auto end = std::find_if_not(first, m_diff.end(), isOther);
  const auto hasWords = [](const DiffLine &line) { return !line.words.empty(); };
  const auto worded = std::find_if(first, end, hasWords);
  if (first == end)
    return;
  if (const auto line = static_cast<int32_t>(first - m_diff.begin()); !isLineVisible(line))
    scrollToLine(line);
  if (worded == end)
    return;
  const auto [left, right] =
      placeOf(static_cast<int32_t>(worded - m_diff.begin()), worded->words.front());
  const qreal margin = 2 * m_charWidth;
  const qreal missing = std::min(right + margin - textRight(), left - margin - m_gutterWidth);
  if (right > textRight() && missing > 0)
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() +
                                    static_cast<int>(std::ceil(missing)));
}

void CodeView::showLineBegin(int32_t line) {
  const QString text = display(m_document.line(line));
  const auto isBlank = [](QChar c) { return c == u' '; };
  const auto indent = std::ranges::find_if_not(text, isBlank) - text.begin();
  QScrollBar *bar = horizontalScrollBar();
  bar->setValue(
      std::min(bar->value(), static_cast<int>(static_cast<double>(indent) * m_charWidth)));
}

std::vector<int32_t> CodeView::relatedLines() const {
  return linesToReveal(m_document, m_language, m_relations);
}

void CodeView::revealRelated() {
  const std::vector<int32_t> lines = relatedLines();
  if (lines.empty())
    return;
  // Stay where any of the relatives is already visible.
  const auto visible =
      std::ranges::find_if(lines, [this](int32_t line) { return isLineVisible(line); });
  if (visible == lines.end())
    scrollToLine(lines.front());
  else
    showLineBegin(*visible);
  m_revealedAt = verticalScrollBar()->value();
}

QRect CodeView::relatedRect() const {
  for (const int32_t line : relatedLines())
    if (isLineVisible(line)) {
      const int row = m_document.rowOf(line) - verticalScrollBar()->value();
      return {0, row * m_lineHeight, textRight(), m_lineHeight};
    }
  return {};
}

void CodeView::setCurrentLine(int32_t line) {
  if (m_current == line)
    return;
  moveCurrent(line);
  m_anchor = m_caret = Place{std::max(0, line), 0};
  viewport()->update();
}

int32_t CodeView::lineAt(int y) const {
  const int row = verticalScrollBar()->value() + y / m_lineHeight;
  const auto &rows = m_document.rows();
  return y >= 0 && row < static_cast<int>(rows.size()) ? rows[row] : -1;
}

CodeView::Place CodeView::placeAt(QPoint point) const {
  const auto &rows = m_document.rows();
  if (rows.empty())
    return {};
  const int row = std::clamp(verticalScrollBar()->value() +
                                 static_cast<int>(std::floor(double(point.y()) / m_lineHeight)),
                             0, static_cast<int>(rows.size()) - 1);
  const qreal x = point.x() - m_gutterWidth + horizontalScrollBar()->value();
  const auto length = static_cast<int32_t>(display(m_document.line(rows[row])).size());
  return {rows[row], std::clamp(static_cast<int32_t>(std::lround(x / m_charWidth)), 0, length)};
}

void CodeView::toggleFold(int32_t line) {
  m_document.setCollapsed(line, !m_document.isCollapsed(line));
  updateScrollBars();
  viewport()->update();
}

void CodeView::setAllFolded(bool folded) {
  for (const FoldRange &fold : m_document.folds())
    m_document.setCollapsed(fold.first, folded);
  updateScrollBars();
  viewport()->update();
}

void CodeView::moveCurrent(int32_t line) {
  m_current = line;
  if (!m_aside)
    return;
  m_aside->setCurrent(line);
  setAccessibleDescription(m_aside->description(line));
}

void CodeView::activate(int32_t line, int32_t column) {
  moveCurrent(line);
  viewport()->update();
  Q_EMIT lineActivated(line, column);
}

void CodeView::setHovered(int32_t line) {
  if (m_hovered == line)
    return;
  m_hovered = line;
  Q_EMIT lineHovered(line);
}

QString CodeView::selectedText() const {
  const Place begin = std::min(m_anchor, m_caret);
  const Place end = std::max(m_anchor, m_caret);
  QString result;
  for (int32_t line = begin.line; line <= end.line && line < m_document.numLines(); ++line) {
    const QString text = display(m_document.line(line));
    const int32_t from = line == begin.line ? begin.column : 0;
    const int32_t to = line == end.line ? end.column : static_cast<int32_t>(text.size());
    result += text.mid(from, to - from);
    if (line != end.line)
      result += u'\n';
  }
  return result;
}

void CodeView::selectAll() {
  m_anchor = {0, 0};
  const int32_t last = std::max(0, m_document.numLines() - 1);
  m_caret = {last, static_cast<int32_t>(display(m_document.line(last)).size())};
  viewport()->update();
}

void CodeView::copy() const {
  if (m_anchor != m_caret)
    QApplication::clipboard()->setText(selectedText());
}

void CodeView::clearFind() {
  m_matches.clear();
  viewport()->update();
}

MatchPlace CodeView::matchPlace() const {
  const Place selected = std::min(m_anchor, m_caret);
  const auto match = std::ranges::find(m_matches, selected, &Match::begin);
  const int number = match == m_matches.end() ? 0 : static_cast<int>(match - m_matches.begin()) + 1;
  return {number, static_cast<int>(m_matches.size())};
}

bool CodeView::find(const QString &text, FindOptions options, bool forward) {
  m_matches.clear();
  QString pattern = options.regularExpression ? text : QRegularExpression::escape(text);
  if (options.wholeWord)
    pattern = QStringLiteral("\\b(?:%1)\\b").arg(pattern);
  const QRegularExpression expression(pattern, options.caseSensitive
                                                   ? QRegularExpression::NoPatternOption
                                                   : QRegularExpression::CaseInsensitiveOption);
  if (!text.isEmpty() && expression.isValid())
    for (int32_t line = 0; line < m_document.numLines(); ++line) {
      auto found = expression.globalMatch(display(m_document.line(line)));
      while (found.hasNext()) {
        const QRegularExpressionMatch match = found.next();
        if (match.capturedLength() > 0)
          m_matches.push_back({{line, static_cast<int32_t>(match.capturedStart())},
                               static_cast<int32_t>(match.capturedLength())});
      }
    }
  viewport()->update();
  if (m_matches.empty())
    return false;
  const Place from = std::max(m_anchor, m_caret);
  const Place before = std::min(m_anchor, m_caret);
  const Match *next = nullptr;
  if (forward) {
    auto match = std::find_if(m_matches.begin(), m_matches.end(),
                              [&](const Match &m) { return m.begin >= from; });
    next = match == m_matches.end() ? &m_matches.front() : &*match;
  } else {
    auto match = std::find_if(m_matches.rbegin(), m_matches.rend(),
                              [&](const Match &m) { return m.begin < before; });
    next = match == m_matches.rend() ? &m_matches.back() : &*match;
  }
  m_anchor = next->begin;
  m_caret = {next->begin.line, next->begin.column + next->length};
  moveCurrent(next->begin.line);
  for (const FoldRange &fold : m_document.folds())
    if (fold.first < m_current && m_current < fold.last)
      m_document.setCollapsed(fold.first, false);
  updateScrollBars();
  if (!isLineVisible(m_current))
    scrollToLine(m_current);
  return true;
}

} // namespace tilescope::views
