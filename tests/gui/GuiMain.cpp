// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The main of every GUI test: an application on the offscreen platform.
#define CATCH_CONFIG_RUNNER
#include <QApplication>
#include <QStandardPaths>

#include <catch2/catch.hpp>

int main(int argc, char **argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QStandardPaths::setTestModeEnabled(true);
  QApplication application(argc, argv);
  return Catch::Session().run(argc, argv);
}
