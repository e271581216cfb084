// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/editor/PopupPlacement.h"

#include <QFrame>
#include <QTextDocument>

namespace tilescope::views {

enum class ColorRole;

/// Plain text as the card shows it in a color of the theme.
QString colored(const QString &text, ColorRole role);

/// A small card beside the text: types, documentation, the signature of the call being typed. A
/// window of its own, so that it may be larger than the editor's pane; it takes neither the
/// keyboard nor the mouse.
class HoverCard : public QFrame {
  Q_OBJECT
public:
  explicit HoverCard(QWidget *parent);

  /// Shows rich text beside `anchor` (global). Text that is shown already is only moved.
  void showText(const QString &html, const QRect &anchor, PopupSide side);
  QString text() const { return m_html; }

protected:
  void paintEvent(QPaintEvent *event) override;
  void changeEvent(QEvent *event) override;

private:
  /// Breaks the text into lines of at most `widest` pixels.
  void layOut(int widest);

  QString m_html;
  QTextDocument m_document;
  /// The room that the lines were made for; 0 before they were made.
  int m_widest = 0;
};

} // namespace tilescope::views
