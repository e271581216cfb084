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
  /// Stands in place of the current text; empty: nothing does.
  void setNote(const QString &note);
  /// The list is as wide as its texts, as far as the screen has room: their ends tell them apart.
  void showPopup() override;

protected:
  void paintEvent(QPaintEvent *event) override;
  bool event(QEvent *event) override;

private:
  QString m_note;
};

} // namespace tilescope::views
