// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The longest time that the window's thread is busy with one event while someone types ten keys a
// second into a kernel file of 400 lines, with the compile worker at work on each and the
// interpreter at work on a run, and the memory that this takes. On a machine that does other things
// as well, only the processor's time means something. The worker of the run holds the tensors of
// the run and what it knows of their elements, some hundred MiB that fill while it goes on; those
// of the window and of the worker that compiles must stay what they were.
//
//   bench_typing [seconds, 20 by default]
#include "app/ide/compile/WorkerConnection.h"
#include "app/ide/session/SessionStore.h"
#include "app/ide/window/MainWindow.h"
#include "views/editor/KernelEditor.h"
#include "views/run/RunView.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QProgressBar>
#include <QTemporaryDir>
#include <QThread>
#include <QtTest/QtTest>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <ranges>
#include <unistd.h>
#include <utility>

using namespace tilescope;

static constexpr int kKeyIntervalMs = 100;
static constexpr int kNumLines = 400;
static constexpr int kWarmUpMs = 10000;
static constexpr int kRunCheckMs = 500;

namespace {

double threadTimeMs() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Memory of the machine that a process holds, in MiB; 0 when it is gone.
double residentMiB(const std::string &process) {
  std::ifstream status("/proc/" + process + "/statm");
  double total = 0;
  double resident = 0;
  status >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

/// The window's memory and that of its workers, in MiB.
struct Memory {
  double window = residentMiB("self");
  double compiler = 0;
  double run = 0;

  explicit Memory(qint64 compilerId) {
    for (const auto &task : std::filesystem::directory_iterator("/proc/self/task")) {
      std::ifstream children(task.path() / "children");
      for (std::string child; children >> child;)
        (child == std::to_string(compilerId) ? compiler : run) += residentMiB(child);
    }
  }
};

/// One event: until it was done, and what the thread worked for it.
struct Stall {
  double elapsedMs = 0;
  double workMs = 0;
};

/// Events of more than this leave out a frame of a usual screen.
constexpr double kFrameMs = 16;

/// Times every event that the loop delivers, and remembers what the longest ones were.
class TimedApplication : public QApplication {
public:
  using QApplication::QApplication;

  bool notify(QObject *receiver, QEvent *event) override {
    // Other threads deliver events as well; those do not delay the user.
    if (QThread::currentThread() != thread())
      return QApplication::notify(receiver, event);
    // Within an event, only painting is told apart.
    const bool isInside = m_depth > 0;
    if (isInside && event->type() != QEvent::Paint)
      return QApplication::notify(receiver, event);
    ++m_depth;
    QByteArray what = receiver->metaObject()->className();
    // Timers and areas that scroll are known by what they belong to.
    if (what.startsWith("Q") && receiver->parent())
      what += QByteArray(" of ") + receiver->parent()->metaObject()->className();
    what += isInside ? QByteArray(": painting")
                     : ": event " + QByteArray::number(static_cast<int>(event->type()));
    QElapsedTimer timer;
    timer.start();
    const double workBefore = threadTimeMs();
    const bool done = QApplication::notify(receiver, event);
    --m_depth;
    if (isMeasuring) {
      Stall &worst = (isInside ? painting : longest)[what];
      const double elapsedMs = static_cast<double>(timer.nsecsElapsed()) / 1e6;
      const double workMs = threadTimeMs() - workBefore;
      worst.elapsedMs = std::max(worst.elapsedMs, elapsedMs);
      worst.workMs = std::max(worst.workMs, workMs);
      m_parts[what].workMs += workMs;
      if (!isInside) {
        if (workMs > worstWorkMs)
          partsOfWorst = std::exchange(m_parts, {});
        worstWorkMs = std::max(worstWorkMs, workMs);
        m_parts.clear();
        ++numEvents;
        numLongElapsed += elapsedMs > kFrameMs;
        numLongWork += workMs > kFrameMs;
      }
    }
    return done;
  }

  bool isMeasuring = false;
  int numEvents = 0;
  int numLongElapsed = 0;
  int numLongWork = 0;
  double worstWorkMs = 0;
  /// The event that took most work, and what was painted in it.
  std::map<QByteArray, Stall> partsOfWorst;
  std::map<QByteArray, Stall> longest;
  /// Parts of those above.
  std::map<QByteArray, Stall> painting;

private:
  int m_depth = 0;
  std::map<QByteArray, Stall> m_parts;
};

} // namespace

/// An example, with sizes whose run takes minutes, and as many further kernels behind it as fill
/// the lines.
static QString longKernelFile() {
  QFile file(QStringLiteral(TILESCOPE_EXAMPLES "/matmul.py"));
  if (!file.open(QIODevice::ReadOnly))
    return {};
  const QString example = QString::fromUtf8(file.readAll())
                              .replace(QStringLiteral(" = 512\n"), QStringLiteral(" = 8192\n"));
  const QString kernel = example.mid(example.indexOf(QStringLiteral("@triton.jit")));
  QString text = example;
  for (int copy = 1; text.count(u'\n') < kNumLines; ++copy)
    text +=
        QStringLiteral("\n\n") + QString(kernel).replace(QStringLiteral("def matmul"),
                                                         QStringLiteral("def matmul_%1").arg(copy));
  return text;
}

using Ranking = std::vector<std::pair<QByteArray, Stall>>;

static Ranking rank(const std::map<QByteArray, Stall> &longest) {
  Ranking ranked(longest.begin(), longest.end());
  std::ranges::sort(ranked, std::greater(), [](const auto &one) { return one.second.workMs; });
  return ranked;
}

static void print(const Ranking &ranked) {
  for (const auto &[what, stall] : ranked | std::views::take(8))
    std::printf("  %6.1f ms, %6.1f ms of work: %s\n", stall.elapsedMs, stall.workMs,
                what.constData());
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

  // A run that ends is followed by the next.
  QProgressBar &run = *window.findChild<views::RunView *>()->findChild<QProgressBar *>();
  int numChecks = 0;
  int numRunning = 0;
  QTimer runner;
  QObject::connect(&runner, &QTimer::timeout, &editor, [&] {
    ++numChecks;
    numRunning += run.isVisibleTo(run.parentWidget());
    if (!run.isVisibleTo(run.parentWidget()))
      QTest::keyClick(&editor, Qt::Key_F5);
  });
  QTest::keyClick(&editor, Qt::Key_F5);
  runner.start(kRunCheckMs);

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
  const QProcess *process = worker.findChild<QProcess *>();
  // Fonts and popups are made at their first use.
  std::optional<Memory> before;
  QTimer::singleShot(kWarmUpMs, &application, [&] {
    before.emplace(process->processId());
    application.isMeasuring = true;
  });
  TimedApplication::exec();
  application.isMeasuring = false;
  const Memory after(process->processId());

  const auto ranked = rank(application.longest);
  double elapsedMs = 0;
  for (const auto &[what, stall] : ranked)
    elapsedMs = std::max(elapsedMs, stall.elapsedMs);
  std::printf("%d lines, %d keys, a run in progress %d %% of the time: the longest stall of the "
              "window's thread is %.1f ms, %.1f ms of work\n",
              editor.lines(), numKeys, 100 * numRunning / std::max(numChecks, 1), elapsedMs,
              ranked.front().second.workMs);
  std::printf("of %d events, %d took more than %.0f ms, %d more than that of work\n",
              application.numEvents, application.numLongElapsed, kFrameMs, application.numLongWork);
  std::printf("memory in MiB: window %.0f, at the end %.0f; worker that compiles %.0f, at the end "
              "%.0f; worker of the run %.0f, at the end %.0f\n",
              before->window, after.window, before->compiler, after.compiler, before->run,
              after.run);
  print(ranked);
  std::printf("the most work was done by:\n");
  for (const auto &[what, stall] : rank(application.partsOfWorst) | std::views::take(8))
    std::printf("  %6.1f ms of work: %s\n", stall.workMs, what.constData());
  std::printf("of the longest, painting:\n");
  print(rank(application.painting));
  return 0;
}
