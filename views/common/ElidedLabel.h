// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QLabel>

namespace tilescope::views {

/// One line of facts, as in `0.8 ms · 88 lines`: those that fit are shown whole, all of them in the
/// tool tip. A text that is a single fact is cut, and so is a fact of forty letters or more, such as
/// a layout; where there is room for a few letters alone, nothing is seen. With `setWordWrap` it has as many lines as it needs.
class ElidedLabel : public QLabel {
  Q_OBJECT
public:
  explicit ElidedLabel(QWidget *parent = nullptr);
  /// Replaces QLabel's, which does not know the tool tip.
  void setText(const QString &text);
  /// What is seen of the text in a line of this width.
  QString shownText(int width) const;

protected:
  void paintEvent(QPaintEvent *event) override;
};

} // namespace tilescope::views
