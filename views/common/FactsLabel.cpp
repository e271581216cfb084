// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/FactsLabel.h"

#include <QPainter>

#include <algorithm>

namespace tilescope::views {

/// At each side of a badge's text.
static constexpr int kBadgePad = 6;

static QString separator() { return QStringLiteral("  ·  "); }

static int widthOf(const Fact &fact, const QFontMetrics &metrics) {
  return metrics.horizontalAdvance(fact.text) + (fact.isBadge ? 2 * kBadgePad : 0);
}

FactsLabel::FactsLabel(QWidget *parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setIndent(0);
  setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
}

void FactsLabel::setFacts(std::vector<Fact> facts) {
  if (facts == m_facts)
    return;
  m_facts = std::move(facts);
  QStringList texts, tips;
  for (const Fact &fact : m_facts) {
    texts << fact.text;
    tips << (fact.meaning.isEmpty() ? fact.text
                                    : QStringLiteral("%1: %2").arg(fact.text, fact.meaning));
  }
  setText(texts.join(separator()));
  setToolTip(tips.join(u'\n'));
  updateGeometry();
  update();
}

size_t FactsLabel::numShown(int width) const {
  const int between = fontMetrics().horizontalAdvance(separator());
  int used = 0;
  for (size_t i = 0; i < m_facts.size(); ++i) {
    used += (i > 0 ? between : 0) + widthOf(m_facts[i], fontMetrics());
    if (used > width)
      return i;
  }
  return m_facts.size();
}

static QString leftOut() { return separator() + QStringLiteral("…"); }

size_t FactsLabel::numPainted(int width) const {
  const size_t num = numShown(width);
  if (num == m_facts.size())
    return num;
  return std::min(num, numShown(width - fontMetrics().horizontalAdvance(leftOut())));
}

QSize FactsLabel::sizeHint() const {
  const QMargins margins = contentsMargins();
  int width = indent() + margins.left() + margins.right() + 2;
  for (size_t i = 0; i < m_facts.size(); ++i)
    width += widthOf(m_facts[i], fontMetrics()) +
             (i > 0 ? fontMetrics().horizontalAdvance(separator()) : 0);
  return {width, fontMetrics().height() + margins.top() + margins.bottom() + 2};
}

QSize FactsLabel::minimumSizeHint() const { return {0, sizeHint().height()}; }

void FactsLabel::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  QRect area = contentsRect().adjusted(indent(), 0, 0, 0);
  const size_t numFacts = numPainted(area.width());
  const auto shown = [this](ColorRole color) {
    return theme()[isEnabled() ? color : ColorRole::TextFaint];
  };
  const auto draw = [&](const QString &text, ColorRole color) {
    painter.setPen(shown(color));
    painter.drawText(area, Qt::AlignVCenter | Qt::AlignLeft, text);
    area.setLeft(area.left() + fontMetrics().horizontalAdvance(text));
  };
  for (size_t i = 0; i < numFacts; ++i) {
    if (i > 0)
      draw(separator(), ColorRole::TextFaint);
    if (m_facts[i].isBadge) {
      const int width = widthOf(m_facts[i], fontMetrics());
      QRectF frame(area.left(), area.center().y() - fontMetrics().height() / 2.0, width,
                   fontMetrics().height());
      painter.setRenderHint(QPainter::Antialiasing);
      painter.setPen(shown(m_facts[i].color));
      painter.drawRoundedRect(frame.adjusted(0.5, 0, -0.5, 0), 4, 4);
      area.setLeft(area.left() + kBadgePad);
    }
    draw(m_facts[i].text, m_facts[i].color);
    area.setLeft(area.left() + (m_facts[i].isBadge ? kBadgePad : 0));
  }
  if (numFacts < m_facts.size())
    draw(numFacts > 0 ? leftOut() : QStringLiteral("…"), ColorRole::TextMuted);
}

} // namespace tilescope::views
