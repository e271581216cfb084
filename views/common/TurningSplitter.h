// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QSplitter>

namespace tilescope::views {

/// Parts of a picture: side by side, or one above another where it is too narrow for that. Of the
/// parts' sizes, which the user may change, the shares are kept.
class TurningSplitter : public QSplitter {
  Q_OBJECT
public:
  explicit TurningSplitter(QWidget *parent = nullptr);

  /// In a narrow splitter of at least this height the parts are above one another.
  void setHighEnough(int heightPx);
  bool isTurned() const { return orientation() == Qt::Vertical; }
  /// As wide as the widest part: it can always turn.
  QSize minimumSizeHint() const override;

protected:
  void resizeEvent(QResizeEvent *event) override;
  bool event(QEvent *event) override;

private:
  bool shouldTurn() const;
  void turn();

  int m_highEnoughPx = 125;
};

} // namespace tilescope::views
