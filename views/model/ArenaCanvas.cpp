// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/model/ArenaCanvas.h"

#include "compiler/support/BytesText.h"
#include "views/common/PictureParts.h"
#include "views/common/Theme.h"
#include "views/model/ModelWords.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace tilescope::views {

using compiler::ModelSlot;
using compiler::access::Step;

/// Neighbors in time are told apart by these many colors.
static constexpr int kNumColors = 8;
static constexpr double kMostZoom = 200;

static QString text(const std::string &value) { return QString::fromStdString(value); }

ArenaCanvas::ArenaCanvas(QWidget *parent) : PlaneCanvas(parent) {
  setAccessibleName(tr("Memory of the model's tensors"));
  setEmptyText(tr("No memory was planned: no kernel of this model passes a tensor on."));
}

void ArenaCanvas::setModel(ShownModelPointer model) {
  m_model = std::move(model);
  m_picture = m_model ? ArenaPicture(m_model->result()) : ArenaPicture();
  resetPicture();
}

void ArenaCanvas::showKernel(int kernel) {
  if (!m_model || kernelOf(chosen()) == kernel)
    return;
  const std::vector<ModelSlot> &all = m_model->result().slots;
  const auto found = std::ranges::find(all, static_cast<uint32_t>(kernel), &ModelSlot::kernel);
  setChosen(found == all.end() ? -1 : static_cast<int>(found - all.begin()));
}

int ArenaCanvas::kernelOf(int place) const {
  return place < 0 ? -1
                   : static_cast<int>(m_model->result().slots[static_cast<size_t>(place)].kernel);
}

QString ArenaCanvas::placeText(int place) const {
  const ModelSlot &slot = m_model->result().slots[static_cast<size_t>(place)];
  const auto &kernels = m_model->result().kernels;
  const auto nameOf = [&](size_t kernel) { return text(kernels[kernel].launch); };
  const QString until =
      slot.last < kernels.size()
          ? tr("last read by %1 (step %2)").arg(nameOf(slot.last)).arg(slot.last + 1)
          : tr("an output of the model");
  return tr("%1 · %2 [%3] · %4 at byte %L5 · made by %6 (step %7 of %8), %9 · %10 live in that "
            "step")
      .arg(text(slot.tensor.name), text(slot.tensor.elementType), shapeText(slot.tensor),
           text(bytesText(slot.bytes)))
      .arg(slot.offset)
      .arg(nameOf(slot.kernel))
      .arg(slot.kernel + 1)
      .arg(kernels.size())
      .arg(until, text(bytesText(m_picture.liveBytes()[slot.kernel])));
}

/// All of it fits at the zoom of 1.
QSizeF ArenaCanvas::pictureSize() const {
  return (QSizeF(viewport()->size()) - QSizeF(20, 20)).expandedTo({1, 1}) * zoom();
}

std::pair<double, double> ArenaCanvas::zoomRange() const { return {1, kMostZoom}; }

static QRectF within(const compiler::GridRect &rect, const QSizeF &size) {
  return {rect.x * size.width(), rect.y * size.height(), rect.width * size.width(),
          rect.height * size.height()};
}

QRectF ArenaCanvas::rectOf(int place) const {
  return within(m_picture.slot(static_cast<size_t>(place)), pictureSize());
}

int ArenaCanvas::placeAt(QPointF point) const {
  const QSizeF size = pictureSize();
  return m_picture.slotAt({point.x() / size.width(), point.y() / size.height()});
}

/// In the order in which tensors are made; up and down to those that live in the same step.
int ArenaCanvas::placeFrom(int place, Step step) const {
  const std::vector<ModelSlot> &all = m_model->result().slots;
  const ModelSlot &from = all[static_cast<size_t>(place)];
  const int last = numPlaces() - 1;
  int best = place;
  switch (step) {
  case Step::Left:
    return std::max(0, place - 1);
  case Step::Right:
    return std::min(last, place + 1);
  case Step::RowStart:
  case Step::First:
    return 0;
  case Step::RowEnd:
  case Step::Last:
    return last;
  case Step::Up:
  case Step::Down:
    for (size_t i = 0; i < all.size(); ++i) {
      const ModelSlot &slot = all[i];
      if (slot.kernel > from.kernel || slot.last < from.kernel || slot.bytes == 0)
        continue;
      const uint64_t bestOffset = all[static_cast<size_t>(best)].offset;
      const bool isCloser =
          step == Step::Up
              ? slot.offset < from.offset && (best == place || slot.offset > bestOffset)
              : slot.offset > from.offset && (best == place || slot.offset < bestOffset);
      if (isCloser)
        best = static_cast<int>(i);
    }
    return best;
  }
  return place;
}

void ArenaCanvas::paintPicture(QPainter &painter, const QRectF &inSight) const {
  draw(painter, inSight, pictureSize());
}

void ArenaCanvas::draw(QPainter &painter, const QRectF &inSight, const QSizeF &size) const {
  painter.setFont(labelFont());
  for (size_t i = 0; i < m_picture.numSlots(); ++i) {
    const QRectF rect = within(m_picture.slot(i), size);
    if (rect.intersects(inSight))
      drawSlot(painter, i, rect);
  }
  if (chosen() >= 0) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme()[ColorRole::FocusEdge], 2.5));
    painter.drawRect(within(m_picture.slot(static_cast<size_t>(chosen())), size));
  }
  // No plan ends above this line.
  const double least = m_picture.leastHeight() * size.height();
  painter.setPen(QPen(theme()[ColorRole::Warning], 1.5, Qt::DashLine));
  painter.drawLine(QPointF(inSight.left(), least),
                   QPointF(std::min(inSight.right(), size.width()), least));
}

void ArenaCanvas::drawSlot(QPainter &painter, size_t slot, const QRectF &rect) const {
  const QColor fill = theme().categorical(static_cast<int>(slot % kNumColors), kNumColors);
  painter.fillRect(rect, fill);
  if (rect.width() > 3 && rect.height() > 3) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(theme()[ColorRole::Panel]);
    painter.drawRect(rect);
  }
  const QFontMetricsF metrics(painter.font());
  const QRectF room = rect.adjusted(4, 0, -4, 0);
  if (room.width() < 4 * metrics.height() || room.height() < metrics.height())
    return;
  const ModelSlot &shown = m_model->result().slots[slot];
  painter.setPen(inkOn(fill));
  // The size is whole, or not there.
  const QString size = QStringLiteral("  ") + text(bytesText(shown.bytes));
  const double sizeWidth = metrics.horizontalAdvance(size);
  const bool hasSize = sizeWidth < room.width() * 0.7;
  const QString name = metrics.elidedText(text(shown.tensor.name), Qt::ElideMiddle,
                                          room.width() - (hasSize ? sizeWidth : 0));
  painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, hasSize ? name + size : name);
}

void ArenaCanvas::render(QPainter &painter, const QRectF &target) const {
  painter.save();
  painter.translate(target.topLeft());
  draw(painter, QRectF(QPointF(), target.size()), target.size());
  painter.restore();
}

} // namespace tilescope::views
