// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QList>

class QAction;
class QWidget;

namespace tilescope::app {

/// Shows every command that has a key, with all its keys, in a window beside `parent`'s that
/// nothing waits for.
void showShortcuts(const QList<QAction *> &actions, QWidget *parent);

} // namespace tilescope::app
