// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The main of every GUI test: an application on the offscreen platform.
#define CATCH_CONFIG_RUNNER
#include "tests/gui/QuietPlatform.h"

#include <QApplication>
#include <QStandardPaths>

#include <catch2/catch.hpp>

namespace {
/// Every case begins as the program does: without a style sheet. A window that is made under the
/// style sheet of the case before it looks up the rules of each widget several times, which takes
/// four times as long as to open it.
class BeginWithoutStyle : public Catch::TestEventListenerBase {
public:
  using TestEventListenerBase::TestEventListenerBase;

  void testCaseEnded(const Catch::TestCaseStats &) override {
    // Qt would not notice that a widget is gone from which the style sheet was taken before.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    qApp->setStyleSheet({});
  }
};
CATCH_REGISTER_LISTENER(BeginWithoutStyle)
} // namespace

int main(int argc, char **argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QStandardPaths::setTestModeEnabled(true);
  tilescope::tests::hidePlatformLacks();
  QApplication application(argc, argv);
  return Catch::Session().run(argc, argv);
}
