// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/EndRequests.h"

#include <QSocketNotifier>

#include <array>
#include <csignal>
#include <sys/socket.h>
#include <unistd.h>

namespace tilescope::app {

static constexpr std::array<int, 3> kSignals = {SIGTERM, SIGHUP, SIGINT};

/// Handlers write to the first end, the window's thread reads from the second one; -1: none.
static std::array<int, 2> g_ends = {-1, -1};

EndRequests::EndRequests(QObject *parent) : QObject(parent) {
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, g_ends.data()) != 0)
    return;
  auto *notifier = new QSocketNotifier(g_ends[1], QSocketNotifier::Read, this);
  connect(notifier, &QSocketNotifier::activated, this, [this] {
    char number = 0;
    if (read(g_ends[1], &number, 1) == 1)
      Q_EMIT endRequested();
  });
  struct sigaction action{};
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  action.sa_handler = [](int) {
    const char number = 1;
    // There is nothing to do about a failure here.
    [[maybe_unused]] const ssize_t written = write(g_ends[0], &number, 1);
  };
  for (const int number : kSignals)
    sigaction(number, &action, nullptr);
}

EndRequests::~EndRequests() {
  for (const int number : kSignals)
    std::signal(number, SIG_DFL);
  for (int &end : g_ends) {
    if (end >= 0)
      close(end);
    end = -1;
  }
}

} // namespace tilescope::app
