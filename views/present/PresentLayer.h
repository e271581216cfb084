// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/present/PresentInk.h"
#include "views/present/PresentKeys.h"

#include <QWidget>

#include <optional>

namespace tilescope::views {

/// Lies over the window while a kernel is presented: a line that says where the presenter is, a
/// spotlight, what the presenter draws, and darkness. The pointer reaches what is below it unless
/// something is drawn; keys are commands while no view has the keyboard.
class PresentLayer : public QWidget {
  Q_OBJECT
public:
  /// Covers `window`, whose size it follows.
  explicit PresentLayer(QWidget *window);

  /// `mark` comes first, such as `3 of 9`.
  void setCaption(const QString &mark, const QString &caption);
  QString caption() const { return m_caption; }
  /// Below what is presented; the window leaves as much free.
  int captionHeight() const;
  /// Shows the drawings of a stop; lines end.
  void setStop(size_t stop);
  void setSpotlit(bool isSpotlit);
  bool isSpotlit() const { return m_isSpotlit; }
  /// What the spotlight falls on; nothing: on what is around the pointer.
  void setTarget(const std::optional<QRectF> &target);
  bool hasTarget() const { return m_target.has_value(); }
  /// Where the light is now; empty: there is none.
  QRectF lit() const;
  void setPointer(QPointF point);
  void setDrawing(bool isDrawing);
  bool isDrawing() const { return m_isDrawing; }
  void clearDrawing();
  const PresentInk &ink() const { return m_ink; }
  void setBlank(bool isBlank);
  bool isBlank() const { return m_isBlank; }

Q_SIGNALS:
  void commanded(tilescope::views::PresentCommand command);

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;
  void paintEvent(QPaintEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;

private:
  QRectF stage() const;
  QPointF share(QPointF point) const;
  void paintLight(QPainter &painter) const;
  void paintCaption(QPainter &painter) const;
  void followButtons();

  QWidget *m_window;
  QString m_mark, m_caption;
  PresentInk m_ink;
  std::optional<QRectF> m_target;
  QPointF m_pointer;
  bool m_isSpotlit = false;
  bool m_isDrawing = false;
  bool m_isBlank = false;
};

} // namespace tilescope::views
