// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QPointer>
#include <QWidget>

class QScrollArea;

namespace tilescope::views {

/// Keeps what the pointer is over, else what has the keyboard, at its place on the screen while
/// other parts of something that scrolls grow or shrink: a click must not hit something else
/// because a message has appeared above. What has the keyboard stays in sight in any case.
class KeptPlace {
public:
  /// Looks at what is in `content` now.
  explicit KeptPlace(const QWidget &content);

  /// Scrolls by what it was moved since then, as far as that goes.
  void restore() const;

private:
  int heightInView() const;

  QPointer<QWidget> m_kept;
  QPointer<QWidget> m_focus;
  QPointer<QScrollArea> m_scroll;
  int m_yPx = 0;
};

} // namespace tilescope::views
