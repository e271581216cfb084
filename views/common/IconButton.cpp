// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/IconButton.h"

#include "views/common/Theme.h"

#include <QCoreApplication>
#include <QToolButton>

namespace tilescope::views {

QToolButton *iconButton(const QString &icon, const QString &toolTip, const QString &name,
                        QWidget *parent) {
  auto *button = new QToolButton(parent);
  button->setIcon(themedIcon(icon));
  button->setToolTip(toolTip);
  button->setAccessibleName(name);
  return button;
}

QToolButton *fitButton(QWidget *parent) {
  return iconButton(QStringLiteral("fit"),
                    QCoreApplication::translate("Picture", "Show everything (double click)"),
                    QCoreApplication::translate("Picture", "Show everything"), parent);
}

QToolButton *exportButton(QWidget *parent) {
  return iconButton(QStringLiteral("export"),
                    QCoreApplication::translate("Picture", "Export as SVG or PNG"),
                    QCoreApplication::translate("Picture", "Export the picture"), parent);
}

} // namespace tilescope::views
