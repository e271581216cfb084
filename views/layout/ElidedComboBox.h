// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QComboBox>

namespace tilescope::views {

/// A choice whose text ends in an ellipsis where it is too long, and is whole in the tool tip.
class ElidedComboBox : public QComboBox {
  Q_OBJECT
public:
  using QComboBox::QComboBox;

  /// What of the current text is shown.
  QString shownText() const;

protected:
  void paintEvent(QPaintEvent *event) override;
  bool event(QEvent *event) override;
};

} // namespace tilescope::views
