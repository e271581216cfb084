// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/files/FileNames.h"

#include <QRegularExpression>

namespace tilescope::app {

QString fileNameOf(const QString &symbol) {
  static const QRegularExpression kOdd(QStringLiteral("[^A-Za-z0-9_]+"));
  const QString name = QString(symbol).replace(kOdd, QStringLiteral("_")).left(100);
  return name.isEmpty() ? QStringLiteral("kernel") : name;
}

} // namespace tilescope::app
