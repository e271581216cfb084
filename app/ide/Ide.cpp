// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/Ide.h"

#include "app/ide/DisplayCheck.h"
#include "app/ide/EndRequests.h"
#include "app/ide/compile/WorkerConnection.h"
#include "app/ide/session/SessionKeeper.h"
#include "app/ide/session/SingleInstance.h"
#include "app/ide/window/MainWindow.h"
#include "app/launch/ProgramFolders.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>

#include <cstdio>
#include <optional>

namespace tilescope::app {

/// Time for a compile to settle before a screenshot is taken anyway.
static constexpr int kScreenshotDeadlineMs = 30000;
/// Time for the last repaints after it has settled.
static constexpr int kScreenshotDelayMs = 250;

/// For the process that has the session to answer; it may be starting.
static constexpr int kHandOverMs = 4000;
/// For one that ends, or was killed, to be gone.
static constexpr int kEndingMs = 20000;
static constexpr int kMaxSessions = 100;

namespace {
/// The session that this process may use.
struct SessionClaim {
  std::shared_ptr<SessionStore> store;
  /// The process that has the session has taken over: nothing is left to do here.
  bool isHandedOver = false;
};
} // namespace

/// The first session beside the main one that is not in use.
static std::shared_ptr<SessionStore> openSeparateSession() {
  for (int number = 2; number < kMaxSessions; ++number) {
    auto opened =
        SessionStore::open(QStringLiteral("%1/session-%2").arg(sessionsFolder()).arg(number));
    if (!opened || *opened)
      return opened ? std::move(*opened) : nullptr;
  }
  return nullptr;
}

static QString mainSessionFolder() { return sessionsFolder() + QStringLiteral("/session"); }

static SessionClaim claimSession(const WindowOptions &options) {
  if (options.separate)
    return {openSeparateSession(), false};
  auto opened = openWhenFree(mainSessionFolder(), kEndingMs);
  if (!opened) {
    // The window works without; it asks before it loses anything.
    std::fprintf(stderr, "tilescope: %s\n", opened.error().message.c_str());
    return {};
  }
  if (*opened)
    return {std::move(*opened), false};
  QStringList files;
  for (const std::string &file : options.files)
    files << QFileInfo(QString::fromStdString(file)).absoluteFilePath();
  if (handOver(instanceAddress(mainSessionFolder()), files, kHandOverMs))
    return {nullptr, true};
  // It may have been about to end.
  if (auto freed = openWhenFree(mainSessionFolder(), kEndingMs); freed && *freed)
    return {std::move(*freed), false};
  // It is on another screen, or does not answer.
  return {openSeparateSession(), false};
}

static void comeToFront(MainWindow &window) {
  window.setWindowState(window.windowState() & ~Qt::WindowMinimized);
  window.raise();
  window.activateWindow();
}

static int takeScreenshot(QApplication &application, MainWindow &window,
                          const WindowOptions &options) {
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

int runIde(int &argc, char **argv, const WindowOptions &options) {
  const bool screenshot = !options.screenshot.empty();
  if (screenshot && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
    qputenv("QT_QPA_PLATFORM", "offscreen");
  std::optional<DisplayCheck> check(std::in_place);
  QApplication application(argc, argv);
  check.reset();
  QCoreApplication::setApplicationName(QStringLiteral("tilescope"));
  QCoreApplication::setApplicationVersion(QStringLiteral(TILESCOPE_VERSION));
  QCoreApplication::setOrganizationName(QStringLiteral("tilescope"));
  MainWindowOptions windowOptions;
  if (!screenshot) {
    SessionClaim claim = claimSession(options);
    if (claim.isHandedOver)
      return 0;
    windowOptions.session = std::move(claim.store);
    if (windowOptions.session && windowOptions.session->folder() == mainSessionFolder())
      windowOptions.abandoned = findAbandonedTexts(sessionsFolder());
  }
  windowOptions.saysWhatIsKept = !screenshot;
  if (windowOptions.session) {
    windowOptions.session->mark().watchForCrashes();
    // The next start may come before workers and threads have ended.
    QObject::connect(&application, &QCoreApplication::aboutToQuit, &application,
                     [folder = windowOptions.session->folder()] { announceEnd(folder); });
  }
  windowOptions.examplesFolder =
      QString::fromStdString(folderBeside("examples", "examples", "vector_add.py"));
  windowOptions.lessonsFolder = QString::fromStdString(shippedLessons());
  windowOptions.learnerFolder = QDir(sessionsFolder()).filePath(QStringLiteral("lessons"));
  WorkerConnection worker(QCoreApplication::applicationDirPath() +
                          QStringLiteral("/tilescope-worker"));
  MainWindow window(&worker, windowOptions);
  // The window alone decides how long it keeps other windows' texts.
  windowOptions.abandoned.clear();
  window.setThemeName(options.theme.empty() ? window.session().theme
                                            : QString::fromStdString(options.theme));
  if (screenshot)
    window.resize(options.width, options.height);
  window.show();
  InstanceListener listener;
  if (windowOptions.session && windowOptions.session->folder() == mainSessionFolder())
    listener.listen(instanceAddress(mainSessionFolder()));
  QObject::connect(&listener, &InstanceListener::filesHandedOver, &window,
                   [&window](const QStringList &files) {
                     for (const QString &file : files)
                       window.openOrBegin(file);
                     comeToFront(window);
                   });
  if (!screenshot)
    window.beginSession();
  for (const std::string &file : options.files)
    window.openOrBegin(QString::fromStdString(file));
  EndRequests requests;
  QObject::connect(&requests, &EndRequests::endRequested, &window, [&window] {
    // Closing the window may ask; whoever ends the desktop's session does not wait for an answer.
    if (auto *keeper = window.findChild<SessionKeeper *>())
      keeper->writeNow();
    QCoreApplication::exit(0);
  });
  // A start without a file begins with the choice of one; a picture shows what an example looks like.
  if (screenshot && options.files.empty())
    window.openFirstExample();
  return screenshot ? takeScreenshot(application, window, options) : application.exec();
}

} // namespace tilescope::app
