// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

class QString;
class QToolButton;
class QWidget;

namespace tilescope::views {

/// A button that shows an icon of `resources/icons`: its tool tip says what it does, and `name` is
/// what a screen reader says.
QToolButton *iconButton(const QString &icon, const QString &toolTip, const QString &name,
                        QWidget *parent);
/// The buttons of every picture: everything in sight, and the picture as a file.
QToolButton *fitButton(QWidget *parent);
QToolButton *exportButton(QWidget *parent);

} // namespace tilescope::views
