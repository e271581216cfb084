// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QScrollArea>

namespace tilescope::views {

/// Lines about a picture, as high as they are at the width that they get, up to a limit beyond which
/// they are scrolled.
class ScrolledWords : public QScrollArea {
  Q_OBJECT
public:
  explicit ScrolledWords(QWidget *words, QWidget *parent = nullptr);

  void setMostHeight(int pixels);
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  int m_mostHeight = QWIDGETSIZE_MAX;
};

} // namespace tilescope::views
