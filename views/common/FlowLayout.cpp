// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/FlowLayout.h"

#include <QWidget>

#include <algorithm>
#include <span>

namespace tilescope::views {

static constexpr int kGap = 6;

FlowLayout::FlowLayout(QWidget *parent) : QLayout(parent) { setSpacing(kGap); }

FlowLayout::~FlowLayout() {
  for (QLayoutItem *item : m_items)
    delete item;
}

void FlowLayout::addItem(QLayoutItem *item) {
  m_items.push_back(item);
  invalidate();
}

QLayoutItem *FlowLayout::itemAt(int index) const {
  return index >= 0 && index < count() ? m_items[static_cast<size_t>(index)] : nullptr;
}

QLayoutItem *FlowLayout::takeAt(int index) {
  QLayoutItem *taken = itemAt(index);
  if (taken)
    m_items.erase(m_items.begin() + index);
  return taken;
}

void FlowLayout::setGeometry(const QRect &rect) {
  QLayout::setGeometry(rect);
  arrange(rect, true);
}

QSize FlowLayout::sizeHint() const {
  QSize size;
  for (const QLayoutItem *item : m_items)
    if (!item->isEmpty())
      size = QSize(size.width() + (size.isEmpty() ? 0 : spacing()) + item->sizeHint().width(),
                   std::max(size.height(), item->sizeHint().height()));
  return size.grownBy(contentsMargins());
}

QSize FlowLayout::minimumSize() const {
  QSize size;
  for (const QLayoutItem *item : m_items)
    if (!item->isEmpty())
      size = size.expandedTo(item->minimumSize());
  return size.grownBy(contentsMargins());
}

/// What an item takes at least. One whose hint is its maximum becomes narrower where that saves a
/// line.
static int leastWidth(const QLayoutItem *item) {
  const QWidget *widget = const_cast<QLayoutItem *>(item)->widget();
  const bool shrinks = widget && widget->sizePolicy().horizontalPolicy() == QSizePolicy::Maximum;
  return shrinks ? std::min(item->minimumSize().width(), item->sizeHint().width())
                 : item->sizeHint().width();
}

namespace {
/// Items that are side by side.
struct Line {
  std::vector<QLayoutItem *> items;
  int width = 0;
  int height = 0;
};
} // namespace

static std::vector<Line> breakLines(std::span<QLayoutItem *const> items, int room, int gap) {
  std::vector<Line> lines;
  for (QLayoutItem *item : items) {
    if (item->isEmpty())
      continue;
    const QSize size(leastWidth(item), item->sizeHint().height());
    if (lines.empty() || lines.back().width + gap + size.width() > room)
      lines.push_back({});
    else
      lines.back().width += gap;
    Line &line = lines.back();
    line.items.push_back(item);
    line.width += size.width();
    line.height = std::max(line.height, size.height());
  }
  return lines;
}

static void placeLine(const Line &line, QPoint at, int room, int gap) {
  const auto expands = [](const QLayoutItem *item) {
    return (item->expandingDirections() & Qt::Horizontal) != 0;
  };
  auto numExpanding = static_cast<int>(std::ranges::count_if(line.items, expands));
  const auto lacks = [](const QLayoutItem *item) {
    return item->sizeHint().width() - leastWidth(item);
  };
  auto numShrunk = static_cast<int>(
      std::ranges::count_if(line.items, [&](const QLayoutItem *item) { return lacks(item) > 0; }));
  int left = std::max(0, room - line.width);
  std::vector<int> widths;
  for (const QLayoutItem *item : line.items) {
    const int given = lacks(item) > 0 ? std::min(lacks(item), left / numShrunk--) : 0;
    left -= given;
    widths.push_back(std::min(leastWidth(item) + given, room));
  }
  for (size_t i = 0; i < line.items.size(); ++i) {
    QLayoutItem *item = line.items[i];
    int width = widths[i];
    if (expands(item)) {
      const int share = left / numExpanding--;
      width += share;
      left -= share;
    }
    item->setGeometry(QRect(at, QSize(width, line.height)));
    at.rx() += width + gap;
  }
}

int FlowLayout::arrange(const QRect &rect, bool place) const {
  const QRect area = rect.marginsRemoved(contentsMargins());
  int y = area.y();
  for (const Line &line : breakLines(m_items, area.width(), spacing())) {
    if (place)
      placeLine(line, {area.x(), y}, area.width(), spacing());
    y += line.height + spacing();
  }
  const int height = std::max(0, y - area.y() - spacing());
  return height + contentsMargins().top() + contentsMargins().bottom();
}

} // namespace tilescope::views
