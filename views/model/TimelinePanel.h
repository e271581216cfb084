// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/model/TimelineCanvas.h"

class QPushButton;

namespace tilescope::views {

class ElidedLabel;

/// When the kernels of a model ran, with what its first run, a new shape and its steady runs took, and the button
/// that measures it.
class TimelinePanel : public QWidget {
  Q_OBJECT
public:
  explicit TimelinePanel(QWidget *parent = nullptr);

  /// What was measured and where, or what is under way or went wrong.
  void setFacts(const QString &facts, bool isFault);
  void setMeasuring(bool isMeasuring);

  TimelineCanvas &canvas() { return *m_canvas; }
  QPushButton &measureButton() { return *m_measure; }
  QString factsText() const;

Q_SIGNALS:
  void measureRequested();
  void stopRequested();

private:
  ElidedLabel *m_facts;
  QPushButton *m_measure;
  TimelineCanvas *m_canvas;
  bool m_isMeasuring = false;
};

} // namespace tilescope::views
