// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QComboBox>

class QStyleOptionComboBox;

namespace tilescope::views {

/// A choice whose text, where it is too long, lacks the words that all entries begin with
/// (`Color by warp` is `warp`), or ends in an ellipsis. The whole text is in the tool tip.
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
  /// One that adjusts to its contents has room for the longest text: styles count the arrow's room
  /// once, and take it from the text twice.
  QSize sizeHint() const override;

protected:
  void paintEvent(QPaintEvent *event) override;
  bool event(QEvent *event) override;

private:
  int textRoom(const QStyleOptionComboBox &option) const;

  QString m_note;
};

} // namespace tilescope::views
