// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/PlaneCanvas.h"
#include "views/model/ArenaPicture.h"
#include "views/model/ShownModel.h"

namespace tilescope::views {

/// Draws who has which bytes of a model's memory while its kernels run: kernels to the right in their
/// order, bytes downwards, a box for each tensor. Places are the tensors.
class ArenaCanvas : public PlaneCanvas {
  Q_OBJECT
public:
  explicit ArenaCanvas(QWidget *parent = nullptr);

  /// Null empties it.
  void setModel(ShownModelPointer model);
  /// The first tensor that a kernel makes is the chosen one; -1: none.
  void showKernel(int kernel);
  /// What makes the tensor.
  int kernelOf(int place) const;
  /// `step 4 of 71: 12.1 MiB live`, and what the place is.
  QString placeText(int place) const;

  void render(QPainter &painter, const QRectF &target) const;

protected:
  int numPlaces() const override { return static_cast<int>(m_picture.numSlots()); }
  QSizeF pictureSize() const override;
  std::pair<double, double> zoomRange() const override;
  QRectF rectOf(int place) const override;
  int placeAt(QPointF point) const override;
  int placeFrom(int place, compiler::access::Step step) const override;
  void paintPicture(QPainter &painter, const QRectF &inSight) const override;

private:
  void draw(QPainter &painter, const QRectF &inSight, const QSizeF &size) const;
  void drawSlot(QPainter &painter, size_t slot, const QRectF &rect) const;

  ShownModelPointer m_model;
  ArenaPicture m_picture;
};

} // namespace tilescope::views
