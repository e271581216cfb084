// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The longest time that the window's thread is busy with one event while somebody types ten keys a
// second into a kernel file of 400 lines, with the compile worker at work on each. On a machine
// that does other things as well, only the processor's time means something.
//
//   bench_typing [seconds, 20 by default]
#include "app/ide/MainWindow.h"
#include "app/ide/SessionStore.h"
#include "app/ide/WorkerConnection.h"
#include "views/editor/KernelEditor.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>

using namespace tilescope;

static constexpr int kKeyIntervalMs = 100;
static constexpr int kNumLines = 400;
static constexpr int kWarmUpMs = 3000;

namespace {

double threadTimeMs() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// One event: until it was done, and what the thread worked for it.
struct Stall {
  double elapsedMs = 0;
  double workMs = 0;
};

/// Times every event that the loop delivers, and remembers what the longest ones were.
class TimedApplication : public QApplication {
public:
  using QApplication::QApplication;

  bool notify(QObject *receiver, QEvent *event) override {
    if (m_depth++ > 0) {
      const bool done = QApplication::notify(receiver, event);
      --m_depth;
      return done;
    }
    const QByteArray what =
        QByteArray(receiver->metaObject()->className()) + " " + QByteArray::number(event->type());
    QElapsedTimer timer;
    timer.start();
    const double workBefore = threadTimeMs();
    const bool done = QApplication::notify(receiver, event);
    --m_depth;
    if (isMeasuring) {
      Stall &worst = longest[what];
      worst.elapsedMs = std::max(worst.elapsedMs, static_cast<double>(timer.nsecsElapsed()) / 1e6);
      worst.workMs = std::max(worst.workMs, threadTimeMs() - workBefore);
    }
    return done;
  }

  bool isMeasuring = false;
  std::map<QByteArray, Stall> longest;

private:
  int m_depth = 0;
};

} // namespace

/// An example with as many further kernels behind it as fill the lines.
static QString longKernelFile() {
  QFile file(QStringLiteral(TILESCOPE_EXAMPLES "/matmul.py"));
  if (!file.open(QIODevice::ReadOnly))
    return {};
  const QString example = QString::fromUtf8(file.readAll());
  const QString kernel = example.mid(example.indexOf(QStringLiteral("@triton.jit")));
  QString text = example;
  for (int copy = 1; text.count(u'\n') < kNumLines; ++copy)
    text +=
        QStringLiteral("\n\n") + QString(kernel).replace(QStringLiteral("def matmul"),
                                                         QStringLiteral("def matmul_%1").arg(copy));
  return text;
}

int main(int argc, char **argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  TimedApplication application(argc, argv);
  const int seconds = argc > 1 ? std::atoi(argv[1]) : 20;
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("long.py"));
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(longKernelFile().toUtf8()) <= 0)
    return 1;
  file.close();
  app::WorkerConnection worker(QStringLiteral(TILESCOPE_WORKER_PATH));
  // Saving the session is part of what a key costs.
  auto session = app::SessionStore::open(folder.filePath(QStringLiteral("session")));
  if (!session)
    return 1;
  app::MainWindow window(&worker, {std::move(*session), {}});
  window.setThemeName(QStringLiteral("dark"));
  window.resize(1600, 1000);
  window.show();
  QSignalSpy settled(&window, &app::MainWindow::settled);
  window.openFile(path);
  settled.wait(60000);
  views::KernelEditor &editor = *window.editor();
  const std::string text = editor.utf8Text();
  const size_t at = text.find("    accumulator = tl.zeros");
  editor.goTo({static_cast<uint32_t>(std::count(text.begin(), text.begin() + at, '\n')), 0});
  editor.setFocus();

  const QByteArray keys = "    scale = tl.sum(rows * 2, axis=0) + tl.max(columns, axis=0)\n";
  int numKeys = 0;
  QTimer typist;
  QObject::connect(&typist, &QTimer::timeout, &editor, [&] {
    const char key = keys[numKeys++ % keys.size()];
    if (key == '\n')
      QTest::keyClick(&editor, Qt::Key_Return);
    else
      QTest::keyClick(&editor, key);
  });
  QTimer::singleShot(kWarmUpMs + 1000 * seconds, &application, &QCoreApplication::quit);
  typist.start(kKeyIntervalMs);
  // Fonts and popups are made at their first use.
  QTimer::singleShot(kWarmUpMs, &application, [&] { application.isMeasuring = true; });
  TimedApplication::exec();
  application.isMeasuring = false;

  std::vector<std::pair<QByteArray, Stall>> ranked(application.longest.begin(),
                                                   application.longest.end());
  std::sort(ranked.begin(), ranked.end(),
            [](const auto &a, const auto &b) { return a.second.workMs > b.second.workMs; });
  double elapsedMs = 0;
  for (const auto &[what, stall] : ranked)
    elapsedMs = std::max(elapsedMs, stall.elapsedMs);
  std::printf("%d lines, %d keys: the longest stall of the window's thread is %.1f ms, "
              "%.1f ms of work\n",
              editor.lines(), numKeys, elapsedMs, ranked.front().second.workMs);
  for (size_t i = 0; i < std::min<size_t>(8, ranked.size()); ++i)
    std::printf("  %6.1f ms, %6.1f ms of work: %s\n", ranked[i].second.elapsedMs,
                ranked[i].second.workMs, ranked[i].first.constData());
  return 0;
}
