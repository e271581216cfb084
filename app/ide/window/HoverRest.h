// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/FocusState.h"

#include <QTimer>

namespace tilescope::app {

/// Reports when the pointer rests on a place of the kernel: on its way it brings nothing into view.
class HoverRest : public QObject {
  Q_OBJECT
public:
  HoverRest(views::FocusState *focus, QObject *parent);

Q_SIGNALS:
  /// `author`: the view that it rests on.
  void rested(const QObject *author);

private:
  QTimer m_timer;
  const QObject *m_author = nullptr;
};

} // namespace tilescope::app
