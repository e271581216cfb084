// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Shows that the thread sanitizer is told enough by QtThreadSanitizer.cpp, and not too much: what goes from
// thread to thread in a queued call is no race, and what two threads write without one is. With the argument
// `race` this program has such a race, and fails.
#include <QCoreApplication>
#include <QThread>

#include <string_view>

int main(int argc, char **argv) {
  QCoreApplication application(argc, argv);
  const bool hasRace = argc > 1 && std::string_view(argv[1]) == "race";
  QThread thread;
  QObject receiver;
  receiver.moveToThread(&thread);
  thread.start();
  int handedOn = 1, shared = 0;
  QMetaObject::invokeMethod(&receiver, [&] { ++handedOn; }, Qt::QueuedConnection);
  QMetaObject::invokeMethod(
      &receiver,
      [&] {
        if (hasRace)
          ++shared;
        ++handedOn;
        QMetaObject::invokeMethod(
            &application, [&] { application.exit(handedOn == 3 ? 0 : 1); }, Qt::QueuedConnection);
      },
      Qt::QueuedConnection);
  if (hasRace)
    ++shared;
  const int status = QCoreApplication::exec();
  thread.quit();
  thread.wait();
  return status;
}
