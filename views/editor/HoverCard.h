// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QFrame>

class QLabel;

namespace tilescope::views {

/// A small card beside the text: types, documentation, the signature of the call being typed. It
/// never takes the keyboard.
class HoverCard : public QFrame {
  Q_OBJECT
public:
  explicit HoverCard(QWidget *parent);

  /// Shows rich text with its lower or upper edge at `anchor` (global); the side with more room
  /// wins unless `above` asks for the upper one.
  void showText(const QString &html, const QRect &anchor, bool above);
  QString text() const;

private:
  QLabel *m_label;
};

} // namespace tilescope::views
