// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QComboBox>

namespace tilescope::views {

/// A choice in little room. It shows what it is about as long as nothing is chosen, else the short
/// name of what is.
class CaptionBox : public QComboBox {
  Q_OBJECT
public:
  /// Of an item: what is shown in place of its text; without one, the caption is.
  static constexpr int kShortRole = Qt::UserRole + 1;

  CaptionBox(QString caption, QWidget *parent);

  QString shownText() const;

  QSize sizeHint() const override;
  /// What is chosen is always read; the caption can do without letters.
  QSize minimumSizeHint() const override;

protected:
  void paintEvent(QPaintEvent *event) override;

private:
  QSize sizeFor(int textWidth) const;

  QString m_caption;
};

} // namespace tilescope::views
