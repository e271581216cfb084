// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QWidget>

class QScrollArea;

namespace tilescope::views {

/// A part of a view that scrolls by itself, or is as high as its content needs in something that
/// scrolls.
class ScrollPart : public QWidget {
  Q_OBJECT
public:
  explicit ScrollPart(QWidget *content, QWidget *parent = nullptr);

  void setScrolling(bool scrolling);

private:
  QWidget *m_content;
  QScrollArea *m_scroll;
};

} // namespace tilescope::views
