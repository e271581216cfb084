// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/Ide.h"

#include "app/ide/MainWindow.h"
#include "app/ide/WorkerConnection.h"

#include <QApplication>
#include <QDir>
#include <QFile>

#include <cstdio>

namespace tilescope::app {

/// Time for a compile to settle before a screenshot is taken anyway.
static constexpr int kScreenshotDeadlineMs = 30000;
/// Time for the last repaints after it has settled.
static constexpr int kScreenshotDelayMs = 250;

/// Beside the program in the build tree, in the share folder of an installation.
static QString findExamples() {
  const QDir program(QCoreApplication::applicationDirPath());
  for (const char *place : {"examples", "../examples", "../share/tilescope/examples",
                            "../../examples", "../../../examples"}) {
    const QString folder = program.absoluteFilePath(QString::fromLatin1(place));
    if (QFile::exists(folder + QStringLiteral("/vector_add.py")))
      return QDir::cleanPath(folder);
  }
  return {};
}

static int takeScreenshot(QApplication &application, MainWindow &window,
                          const IdeOptions &options) {
  bool saved = false;
  auto shoot = [&] {
    saved = window.grab().save(QString::fromStdString(options.screenshot));
    application.exit(saved ? 0 : 3);
  };
  QTimer delay;
  delay.setSingleShot(true);
  QObject::connect(&delay, &QTimer::timeout, &window, shoot);
  bool focused = false;
  QObject::connect(&window, &MainWindow::settled, &window, [&] {
    if (!focused)
      window.focusOnFirstLoad();
    focused = true;
    delay.start(kScreenshotDelayMs);
  });
  QTimer::singleShot(kScreenshotDeadlineMs, &window, shoot);
  const int status = application.exec();
  if (!saved)
    std::fprintf(stderr, "tilescope: the screenshot could not be written to %s\n",
                 options.screenshot.c_str());
  return status;
}

int runIde(int &argc, char **argv, const IdeOptions &options) {
  const bool screenshot = !options.screenshot.empty();
  if (screenshot && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
    qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  QCoreApplication::setApplicationName(QStringLiteral("tilescope"));
  QCoreApplication::setOrganizationName(QStringLiteral("tilescope"));
  MainWindowOptions windowOptions;
  if (!screenshot)
    windowOptions.sessionPath = defaultSessionPath();
  windowOptions.examplesFolder = findExamples();
  WorkerConnection worker(QCoreApplication::applicationDirPath() +
                          QStringLiteral("/tilescope-worker"));
  MainWindow window(&worker, windowOptions);
  window.setThemeName(options.theme.empty() ? window.session().theme
                                            : QString::fromStdString(options.theme));
  if (screenshot)
    window.resize(options.width, options.height);
  window.show();
  const bool restored = options.files.empty() && window.restoreSession();
  for (const std::string &file : options.files)
    window.openFile(QString::fromStdString(file));
  if (!restored && !window.currentPage() && options.files.empty())
    window.openFirstExample();
  return screenshot ? takeScreenshot(application, window, options) : application.exec();
}

} // namespace tilescope::app
