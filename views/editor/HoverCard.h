// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/editor/PopupPlacement.h"

#include <QFrame>

class QLabel;

namespace tilescope::views {

/// A small card beside the text: types, documentation, the signature of the call being typed. A
/// window of its own, so that it may be larger than the editor's pane; it takes neither the
/// keyboard nor the mouse.
class HoverCard : public QFrame {
  Q_OBJECT
public:
  explicit HoverCard(QWidget *parent);

  /// Shows rich text beside `anchor` (global).
  void showText(const QString &html, const QRect &anchor, PopupSide side);
  QString text() const;

private:
  QLabel *m_label;
};

} // namespace tilescope::views
