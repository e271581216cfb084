// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/DisplayCheck.h"

#include <QByteArray>
#include <QString>

#include <cstdio>
#include <cstdlib>

namespace tilescope::app {

static constexpr int kMachineLacks = 3;

static void onMessage(QtMsgType type, const QMessageLogContext &, const QString &) {
  // What leads to the end says less than the message below.
  if (type != QtFatalMsg)
    return;
  const QByteArray platform = qgetenv("QT_QPA_PLATFORM");
  const QByteArray display = qgetenv("DISPLAY"), wayland = qgetenv("WAYLAND_DISPLAY");
  if (!platform.isEmpty())
    std::fprintf(stderr, "tilescope: error: Qt cannot open a window with QT_QPA_PLATFORM=%s\n",
                 platform.constData());
  else if (display.isEmpty() && wayland.isEmpty())
    std::fprintf(stderr, "tilescope: error: cannot open a window: neither DISPLAY nor "
                         "WAYLAND_DISPLAY is set\n");
  else
    std::fprintf(stderr, "tilescope: error: cannot open a window on the display `%s`\n",
                 (display.isEmpty() ? wayland : display).constData());
  std::fprintf(stderr,
               "tilescope: note: `tilescope --help` lists the commands that need no window; "
               "over ssh, `ssh -X` forwards a display\n");
  std::fflush(stderr);
  std::_Exit(kMachineLacks);
}

DisplayCheck::DisplayCheck() : m_before(qInstallMessageHandler(onMessage)) {}

DisplayCheck::~DisplayCheck() { qInstallMessageHandler(m_before); }

} // namespace tilescope::app
