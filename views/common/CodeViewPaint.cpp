// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// How a CodeView looks.
#include "views/common/CodeView.h"

#include <QPaintEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>

namespace tilescope::views {

static constexpr int kTabColumns = 8;
static constexpr size_t kMaxLayouts = 600;
/// Of the marks beside the text.
static constexpr int kOverviewWidth = 4;

QString CodeView::display(std::string_view line) {
  if (line.find('\t') == std::string_view::npos)
    return QString::fromUtf8(line.data(), static_cast<qsizetype>(line.size()));
  std::string expanded;
  for (char c : line) {
    if (c == '\t')
      expanded.append(kTabColumns - expanded.size() % kTabColumns, ' ');
    else
      expanded.push_back(c);
  }
  return QString::fromStdString(expanded);
}

QTextLayout *CodeView::layoutOf(int32_t line) {
  auto known = m_layouts.find(line);
  if (known != m_layouts.end())
    return known->second.get();
  if (m_layouts.size() > kMaxLayouts)
    m_layouts.clear();
  const QString text = display(m_document.line(line));
  auto layout = std::make_unique<QTextLayout>(text, m_font);
  layout->setCacheEnabled(true);
  QTextOption option;
  option.setWrapMode(QTextOption::NoWrap);
  layout->setTextOption(option);
  const QByteArray bytes = text.toUtf8();
  const bool ascii = bytes.size() == text.size();
  QList<QTextLayout::FormatRange> formats;
  for (const ColoredToken &token :
       colorLine(m_language, std::string_view(bytes.constData(), bytes.size()))) {
    QTextLayout::FormatRange range;
    range.start = static_cast<int>(token.begin);
    range.length = static_cast<int>(token.length);
    if (!ascii) {
      range.start = static_cast<int>(QString::fromUtf8(bytes.first(token.begin)).size());
      range.length =
          static_cast<int>(QString::fromUtf8(bytes.sliced(token.begin, token.length)).size());
    }
    range.format.setForeground(theme()[token.role]);
    formats.push_back(range);
  }
  layout->setFormats(formats);
  layout->beginLayout();
  QTextLine textLine = layout->createLine();
  if (textLine.isValid())
    textLine.setLineWidth(1e7);
  layout->endLayout();
  return m_layouts.emplace(line, std::move(layout)).first->second.get();
}

QColor CodeView::background(int32_t line) const {
  const auto index = static_cast<size_t>(line);
  if (index < m_diff.size() && m_diff[index].kind != DiffKind::Same)
    return theme()[m_diff[index].kind == DiffKind::Added ? ColorRole::Added : ColorRole::Removed];
  if (index < m_diff.size() && m_diff[index].newLine < 0)
    return theme()[ColorRole::Filler];
  const Relation relation = index < m_relations.size() ? m_relations[index] : Relation::None;
  if (relation == Relation::SameRange || line == m_stepLine)
    return theme()[ColorRole::FocusStrong];
  if (relation == Relation::SameLine)
    return theme()[ColorRole::FocusWeak];
  if (!m_stale && index < m_tints.size() && m_tints[index] >= 0)
    return theme().tint(m_tints[index]);
  return theme()[ColorRole::Base];
}

void CodeView::paintGutter(QPainter &painter, int32_t line, int y) {
  const auto index = static_cast<size_t>(line);
  const int edge = numbersRight();
  painter.fillRect(0, y, edge - 6, m_lineHeight, theme()[ColorRole::Base]);
  if (index < m_tints.size() && m_tints[index] >= 0 && m_diff.empty())
    painter.fillRect(edge - 8, y, 2, m_lineHeight,
                     theme().dark ? theme().tint(m_tints[index]).lighter(190)
                                  : theme().tint(m_tints[index]).darker(125));
  const bool current = line == m_current;
  painter.setPen(theme()[current ? ColorRole::Text : ColorRole::TextFaint]);
  QString number = QString::number(line + 1);
  if (index < m_diff.size()) {
    auto shown = [](int32_t value) { return value < 0 ? QString() : QString::number(value + 1); };
    const int width = (edge - 22) / 2;
    painter.drawText(QRect(0, y, width, m_lineHeight), Qt::AlignRight | Qt::AlignVCenter,
                     shown(m_diff[index].oldLine));
    number = shown(m_diff[index].newLine);
  }
  painter.drawText(QRect(0, y, edge - 20, m_lineHeight), Qt::AlignRight | Qt::AlignVCenter, number);
  if (index < m_diff.size() && m_diff[index].kind != DiffKind::Same)
    painter.drawText(QRect(edge - 17, y, 12, m_lineHeight), Qt::AlignCenter,
                     m_diff[index].kind == DiffKind::Added ? QStringLiteral("+")
                                                           : QStringLiteral("\u2212"));
  paintStepMarks(painter, line, y);
  if (index >= m_diff.size() && m_document.foldAt(line)) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(edge - 14, y + m_lineHeight / 2.0);
    if (!m_document.isCollapsed(line))
      painter.rotate(90);
    QPainterPath path;
    path.moveTo(-1.5, -3);
    path.lineTo(1.5, 0);
    path.lineTo(-1.5, 3);
    painter.setPen(QPen(theme()[ColorRole::TextFaint], 1.2));
    painter.drawPath(path);
    painter.restore();
  }
  if (m_asideWidth == 0)
    return;
  const QRectF row(edge, y, m_asideWidth, m_lineHeight);
  painter.fillRect(row.adjusted(-2, 0, -6, 0), theme()[ColorRole::Base]);
  m_aside->paint(painter, line, row, m_stale);
}

/// A disc in front of the number, or, with a condition, a square, and an arrow.
void CodeView::paintStepMarks(QPainter &painter, int32_t line, int y) const {
  const auto breakpoint = m_breakpoints.find(line);
  if (line != m_stepLine && breakpoint == m_breakpoints.end())
    return;
  const double side = m_lineHeight * 0.55;
  const QRectF mark(2, y + (m_lineHeight - side) / 2, side, side);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  // An arrow is hard to see on either: then they are outlines.
  const bool isStep = line == m_stepLine;
  painter.setPen(isStep ? QPen(theme()[ColorRole::Accent]) : QPen(Qt::NoPen));
  painter.setBrush(theme()[isStep ? ColorRole::Base : ColorRole::Accent]);
  if (breakpoint != m_breakpoints.end() && breakpoint->second.empty())
    painter.drawEllipse(mark);
  else if (breakpoint != m_breakpoints.end())
    painter.drawRect(mark.adjusted(1, 1, -1, -1));
  if (isStep) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme()[ColorRole::Success]);
    painter.drawPolygon(
        QPolygonF({mark.topLeft(), QPointF(mark.right(), mark.center().y()), mark.bottomLeft()}));
  }
  painter.restore();
}

int CodeView::textRight() const { return viewport()->width() - kOverviewWidth; }

void CodeView::paintRow(QPainter &painter, int32_t line, int y) {
  const int width = textRight();
  const qreal left = m_gutterWidth - horizontalScrollBar()->value();
  painter.fillRect(m_gutterWidth - 6, y, width - m_gutterWidth + 6, m_lineHeight, background(line));
  const Place begin = std::min(m_anchor, m_caret);
  const Place end = std::max(m_anchor, m_caret);
  paintChangedWords(painter, line, y);
  QTextLayout *layout = layoutOf(line);
  const auto length = static_cast<int32_t>(layout->text().size());
  // Colors that must be readable on any background are replaced by one that is.
  QList<QTextLayout::FormatRange> plain;
  auto showPlain = [&](int32_t from, int32_t to, ColorRole role) {
    QTextLayout::FormatRange range{from, to - from, {}};
    range.format.setForeground(theme()[role]);
    plain.push_back(range);
  };
  if (m_stale)
    showPlain(0, length, ColorRole::TextMuted);
  if (begin != end && begin.line <= line && line <= end.line) {
    const int32_t from = line == begin.line ? begin.column : 0;
    const int32_t to = line == end.line ? end.column : length + 1;
    painter.fillRect(QRectF(left + from * m_charWidth, y, (to - from) * m_charWidth, m_lineHeight),
                     theme()[ColorRole::Selection]);
    showPlain(std::min(from, length), std::min(to, length), ColorRole::Text);
  }
  auto match = std::lower_bound(m_matches.begin(), m_matches.end(), Place{line, 0},
                                [](const Match &m, const Place &p) { return m.begin < p; });
  for (; match != m_matches.end() && match->begin.line == line; ++match) {
    painter.setPen(theme()[ColorRole::FocusEdge]);
    painter.drawRect(QRectF(left + match->begin.column * m_charWidth, y + 1,
                            match->length * m_charWidth, m_lineHeight - 3));
  }
  const qreal textHeight = QFontMetricsF(m_font).height();
  painter.setPen(theme()[ColorRole::Text]);
  layout->draw(&painter, QPointF(left, y + (m_lineHeight - textHeight) / 2), plain);
  if (m_document.isCollapsed(line)) {
    const QRectF box(left + (length + 1) * m_charWidth, y + 3, 3 * m_charWidth, m_lineHeight - 6);
    painter.setPen(theme()[ColorRole::BorderStrong]);
    painter.drawRoundedRect(box, 3, 3);
    painter.drawText(box, Qt::AlignCenter, QStringLiteral("\u22ef"));
  }
  if (line == m_current) {
    painter.setPen(theme()[hasFocus() ? ColorRole::Accent : ColorRole::BorderStrong]);
    painter.drawLine(m_gutterWidth - 6, y, width, y);
    painter.drawLine(m_gutterWidth - 6, y + m_lineHeight - 1, width, y + m_lineHeight - 1);
  }
  const auto index = static_cast<size_t>(line);
  if (index < m_relations.size() && m_relations[index] == Relation::SameRange && m_diff.empty())
    painter.fillRect(numbersRight() - 8, y, 3, m_lineHeight, theme()[ColorRole::FocusEdge]);
}

void CodeView::paintChangedWords(QPainter &painter, int32_t line, int y) {
  const auto index = static_cast<size_t>(line);
  if (index >= m_diff.size())
    return;
  const bool added = m_diff[index].kind == DiffKind::Added;
  for (const TextSpan &word : m_diff[index].words) {
    const auto [left, right] = placeOf(line, word);
    const QRectF box(left, y, right - left, m_lineHeight);
    painter.fillRect(box, theme()[added ? ColorRole::AddedWord : ColorRole::RemovedWord]);
    painter.fillRect(box.adjusted(0, m_lineHeight - 2, 0, 0),
                     theme()[added ? ColorRole::Success : ColorRole::Error]);
  }
}

std::pair<qreal, qreal> CodeView::placeOf(int32_t line, const TextSpan &part) const {
  const std::string_view text = m_document.line(line);
  const qreal left = m_gutterWidth - horizontalScrollBar()->value();
  const auto placeAt = [&](int32_t end) {
    return left + static_cast<qreal>(display(text.substr(0, static_cast<size_t>(end))).size()) *
                      m_charWidth;
  };
  return {placeAt(part.begin), placeAt(part.end)};
}

CodeView::HiddenWords CodeView::hiddenWords(int32_t line) const {
  HiddenWords hidden;
  if (static_cast<size_t>(line) >= m_diff.size())
    return hidden;
  for (const TextSpan &word : m_diff[static_cast<size_t>(line)].words) {
    const auto [left, right] = placeOf(line, word);
    hidden.areLeft |= right <= m_gutterWidth;
    hidden.areRight |= left >= textRight();
  }
  return hidden;
}

void CodeView::paintHiddenWords(QPainter &painter, int32_t line, int y) const {
  const HiddenWords hidden = hiddenWords(line);
  if (!hidden.areLeft && !hidden.areRight)
    return;
  const bool isAdded = m_diff[static_cast<size_t>(line)].kind == DiffKind::Added;
  const qreal half = m_lineHeight * 0.3;
  const qreal middle = y + m_lineHeight / 2.0;
  const auto paintWedge = [&](qreal tip, qreal base) {
    painter.drawPolygon(QPolygonF({{tip, middle}, {base, middle - half}, {base, middle + half}}));
  };
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme()[isAdded ? ColorRole::Success : ColorRole::Error]);
  if (hidden.areLeft)
    paintWedge(m_gutterWidth - 4, m_gutterWidth - 4 + half);
  if (hidden.areRight)
    paintWedge(textRight() - 2, textRight() - 2 - half);
  painter.restore();
}

void CodeView::paintOverview(QPainter &painter) {
  if (m_document.numLines() == 0)
    return;
  // A text that is all in sight has its marks beside its lines.
  const qreal scale = std::min<qreal>(m_lineHeight, static_cast<qreal>(viewport()->height()) /
                                                        m_document.numLines());
  const int x = textRight();
  for (size_t line = 0; line < m_relations.size(); ++line)
    if (m_relations[line] == Relation::SameRange)
      painter.fillRect(QRectF(x, line * scale, kOverviewWidth, std::max(2.0, scale)),
                       theme()[ColorRole::FocusEdge]);
  for (size_t line = 0; line < m_diff.size(); ++line)
    if (m_diff[line].kind != DiffKind::Same)
      painter.fillRect(
          QRectF(x, line * scale, kOverviewWidth, std::max(2.0, scale)),
          theme()[m_diff[line].kind == DiffKind::Added ? ColorRole::Success : ColorRole::Error]);
}

void CodeView::paintEvent(QPaintEvent *event) {
  m_slices.paint(event->region(), m_lineHeight, 0, [this](const QRect &part) { paintRows(part); });
}

void CodeView::paintRows(const QRect &area) {
  QPainter painter(viewport());
  painter.setClipRect(area);
  painter.fillRect(area, theme()[ColorRole::Base]);
  painter.setFont(m_font);
  const auto &rows = m_document.rows();
  const int top = verticalScrollBar()->value();
  const int first = top + area.top() / m_lineHeight;
  const int last = std::min(static_cast<int>(rows.size()), top + area.bottom() / m_lineHeight + 1);
  // The marks beside the text have their own strip.
  painter.setClipRect(area.intersected({0, 0, textRight(), viewport()->height()}));
  for (int row = first; row < last; ++row)
    paintRow(painter, rows[row], (row - top) * m_lineHeight);
  painter.setClipRect(area);
  for (int row = first; row < last; ++row)
    paintGutter(painter, rows[row], (row - top) * m_lineHeight);
  for (int row = first; row < last; ++row)
    paintHiddenWords(painter, rows[row], (row - top) * m_lineHeight);
  // Text that is scrolled sideways passes under the gutter; the edge mark belongs on top of it.
  for (int row = first; row < last; ++row) {
    const auto line = static_cast<size_t>(rows[row]);
    if (line < m_relations.size() && m_relations[line] == Relation::SameRange && m_diff.empty())
      painter.fillRect(numbersRight() - 8, (row - top) * m_lineHeight, 3, m_lineHeight,
                       theme()[ColorRole::FocusEdge]);
  }
  paintOverview(painter);
}

} // namespace tilescope::views
