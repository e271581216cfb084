// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QString>
#include <QtGlobal>

namespace tilescope::tests {

/// Leaves out what the offscreen platform says of each window that it cannot do: hundreds of such
/// lines would bury the check that failed.
inline void hidePlatformLacks() {
  static QtMessageHandler print;
  print = qInstallMessageHandler(
      [](QtMsgType type, const QMessageLogContext &context, const QString &message) {
        if (!message.startsWith(QLatin1String("This plugin does not support")))
          print(type, context, message);
      });
}

} // namespace tilescope::tests
