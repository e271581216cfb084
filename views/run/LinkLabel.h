// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QLabel>

namespace tilescope::views {

/// A line of a panel with links for pointer and keyboard. While it is disabled they are text like
/// the rest, and all of it is faint: rich text keeps the colors that it was laid out with.
class LinkLabel : public QLabel {
  Q_OBJECT
public:
  explicit LinkLabel(QWidget *parent);

  /// Rich text; links are `<a href="…">…</a>`.
  void setHtml(const QString &html);

protected:
  void changeEvent(QEvent *event) override;

private:
  void layOut();

  QString m_html;
};

} // namespace tilescope::views
