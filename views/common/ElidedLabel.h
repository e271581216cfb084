// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QLabel>

namespace tilescope::views {

/// One line that ends in `…` where the room ends; the whole text is its tool tip.
class ElidedLabel : public QLabel {
  Q_OBJECT
public:
  explicit ElidedLabel(QWidget *parent = nullptr);
  /// Replaces QLabel's, which does not know the tool tip.
  void setText(const QString &text);

protected:
  void paintEvent(QPaintEvent *event) override;
};

} // namespace tilescope::views
