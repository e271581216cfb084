// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/PaintSlices.h"

#include <QBackingStore>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QPaintEngine>
#include <QPainter>
#include <QTimer>
#include <QWidget>

#include <algorithm>
#include <set>

namespace tilescope::views {

/// Of one event.
static constexpr qint64 kBudgetNs = 2'000'000;
static constexpr int kRowsAtOnce = 2;

/// The time that the current event has spent on painting.
static qint64 &spentNs() {
  static qint64 spent = 0;
  return spent;
}

static void spend(qint64 ns) {
  if (spentNs() == 0)
    QMetaObject::invokeMethod(
        qApp, [] { spentNs() = 0; }, Qt::QueuedConnection);
  spentNs() += ns;
}

PaintSlices::PaintSlices(QWidget *widget) : m_widget(widget) {
  // Nothing is erased under what waits.
  widget->setAttribute(Qt::WA_OpaquePaintEvent);
}

/// Else a picture of the widget is taken.
static bool isOnScreen(QWidget &widget) {
  const QPainter painter(&widget);
  QBackingStore *store = widget.backingStore();
  return store && painter.paintEngine()->paintDevice() == store->paintDevice();
}

/// Whole rows of the widget that the region touches, a few side by side, those at the height
/// `first` in front. Painting a row paints all of it, including parts that another part of the
/// region has painted.
static std::vector<QRect> inRows(const QRegion &region, int width, int rowHeight, int first) {
  const int height = std::max(1, rowHeight);
  std::set<int> rows;
  for (const QRect &rect : region)
    for (int row = rect.top() / height; row <= rect.bottom() / height; ++row)
      rows.insert(row);
  std::vector<QRect> parts;
  for (int row : rows) {
    if (parts.empty() || parts.back().bottom() + 1 != row * height ||
        parts.back().height() >= kRowsAtOnce * height)
      parts.push_back(QRect(0, row * height, width, 0));
    parts.back().setHeight(parts.back().height() + height);
  }
  std::ranges::stable_partition(
      parts, [&](const QRect &part) { return part.top() <= first && first <= part.bottom(); });
  return parts;
}

void PaintSlices::paint(const QRegion &region, int rowHeight, int first,
                        const std::function<void(const QRect &)> &paint) {
  const std::vector<QRect> parts = inRows(region, m_widget->width(), rowHeight, first);
  paintParts(parts, paint);
}

void PaintSlices::paintAtOnce(const QRegion &region,
                              const std::function<void(const QRect &)> &paint) {
  paintParts({region.boundingRect()}, paint);
}

void PaintSlices::paintParts(const std::vector<QRect> &parts,
                             const std::function<void(const QRect &)> &paint) {
  // Painting into a picture does not paint areas that wait on the screen.
  if (!isOnScreen(*m_widget))
    return void(std::ranges::for_each(parts, paint));
  const bool mayWait = m_paintedSize == m_widget->size();
  m_paintedSize = m_widget->size();
  m_waiting &= m_widget->rect();
  for (const QRect &part : parts) {
    if (mayWait && spentNs() >= kBudgetNs) {
      m_waiting += part;
      continue;
    }
    QElapsedTimer timer;
    timer.start();
    paint(part);
    spend(timer.nsecsElapsed());
    m_waiting -= part;
  }
  // A timer, unlike an update, lets keys go first.
  if (!m_waiting.isEmpty())
    QTimer::singleShot(0, m_widget, [this] { m_widget->update(m_waiting); });
}

} // namespace tilescope::views
