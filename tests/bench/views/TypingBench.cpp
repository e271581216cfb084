// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The longest time that the window's thread is busy with one event while someone types ten keys a
// second into a kernel file of 400 lines, with the compile worker at work on each and the
// interpreter at work on a run, and the memory that this takes. On a machine that does other things
// as well, only the processor's time means something, and on a virtual one not even that: what the
// machine takes from a loop of a millisecond is printed beside it. The worker of the run holds the
// tensors of the run and what it knows of their elements, some hundred MiB that fill while it goes
// on; those of the window and of the worker that compiles must stay what they were.
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

/// Until something was done, and what the thread worked for it.
struct Stall {
  double elapsedMs = 0;
  double workMs = 0;
};

double elapsedOf(const Stall &stall) { return stall.elapsedMs; }
double workOf(const Stall &stall) { return stall.workMs; }
using Measure = double (*)(const Stall &);

using Stalls = std::vector<Stall>;

/// The time that a part of them, 1 for all, does not exceed.
double quantile(const Stalls &stalls, double part, Measure measure) {
  std::vector<double> times;
  std::ranges::transform(stalls, std::back_inserter(times), measure);
  std::ranges::sort(times);
  const auto rank = static_cast<size_t>(part * static_cast<double>(times.size()));
  return times.empty() ? 0 : times[std::min(rank, times.size() - 1)];
}

/// Measures from its construction on.
class StallTimer {
public:
  StallTimer() { m_clock.start(); }
  Stall taken() const {
    return {static_cast<double>(m_clock.nsecsElapsed()) / 1e6, threadTimeMs() - m_workBefore};
  }

private:
  QElapsedTimer m_clock;
  double m_workBefore = threadTimeMs();
};

/// Events of more than this leave out a frame of a usual screen.
constexpr double kFrameMs = 16;

/// What an event is, as the report names it.
QByteArray classOf(const QObject &receiver, const QEvent &event, bool isInside) {
  QByteArray what = receiver.metaObject()->className();
  // Work that follows from an event has a name; timers and areas that scroll are known by what they
  // belong to.
  if (what == "QObject" && !receiver.objectName().isEmpty())
    what = receiver.objectName().toUtf8();
  if ((what.startsWith("Q") || what == receiver.objectName().toUtf8()) && receiver.parent())
    what += QByteArray(" of ") + receiver.parent()->metaObject()->className();
  return what + (isInside ? QByteArray(": painting")
                          : ": event " + QByteArray::number(static_cast<int>(event.type())));
}

/// Times every event that the loop delivers, and the painting in it.
class TimedApplication : public QApplication {
public:
  using QApplication::QApplication;

  bool notify(QObject *receiver, QEvent *event) override {
    // Other threads deliver events as well; those do not delay the user.
    if (QThread::currentThread() != thread())
      return QApplication::notify(receiver, event);
    // Within an event, only painting is told apart.
    const bool isInside = m_depth > 0;
    if (!isMeasuring || (isInside && event->type() != QEvent::Paint))
      return QApplication::notify(receiver, event);
    const QByteArray what = classOf(*receiver, *event, isInside);
    ++m_depth;
    const StallTimer timer;
    const bool done = QApplication::notify(receiver, event);
    const Stall stall = timer.taken();
    --m_depth;
    (isInside ? painting : events)[what].push_back(stall);
    if (isInside) {
      m_parts[what].workMs += stall.workMs;
      return done;
    }
    if (stall.workMs > m_worstWorkMs)
      partsOfWorst = m_parts;
    m_worstWorkMs = std::max(m_worstWorkMs, stall.workMs);
    m_parts.clear();
    return done;
  }

  bool isMeasuring = false;
  std::map<QByteArray, Stalls> events;
  /// Parts of those above.
  std::map<QByteArray, Stalls> painting;
  /// What was painted in the event that took most work.
  std::map<QByteArray, Stall> partsOfWorst;

private:
  int m_depth = 0;
  double m_worstWorkMs = 0;
  std::map<QByteArray, Stall> m_parts;
};

/// Loops of about a millisecond each, for a while.
Stalls measureMachine() {
  static constexpr int kSteps = 200000, kWhileMs = 5000;
  Stalls loops;
  QElapsedTimer clock;
  for (clock.start(); clock.elapsed() < kWhileMs;) {
    const StallTimer timer;
    volatile double number = 1;
    for (int step = 0; step < kSteps; ++step)
      number = number * 1.0000001 + 1e-9;
    loops.push_back(timer.taken());
  }
  return loops;
}

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

static void printRanking(const std::map<QByteArray, Stalls> &classes, Measure measure) {
  std::vector<std::pair<double, QByteArray>> ranked;
  for (const auto &[what, stalls] : classes)
    ranked.emplace_back(quantile(stalls, 1, measure), what);
  std::ranges::sort(ranked, std::greater());
  for (const auto &[longestMs, what] : ranked | std::views::take(10)) {
    const Stalls &stalls = classes.at(what);
    std::printf("  %6.1f ms, 99 %% in %5.1f, half in %5.2f, %6zu of them: %s\n", longestMs,
                quantile(stalls, 0.99, measure), quantile(stalls, 0.5, measure), stalls.size(),
                what.constData());
  }
}

static void printParts(const std::map<QByteArray, Stall> &parts) {
  std::vector<std::pair<double, QByteArray>> ranked;
  for (const auto &[what, stall] : parts)
    ranked.emplace_back(stall.workMs, what);
  std::ranges::sort(ranked, std::greater());
  for (const auto &[workMs, what] : ranked | std::views::take(8))
    std::printf("  %6.1f ms: %s\n", workMs, what.constData());
}

static void printEvents(const TimedApplication &application) {
  Stalls all;
  for (const auto &[what, stalls] : application.events)
    all.insert(all.end(), stalls.begin(), stalls.end());
  const auto numLong = [&](Measure measure) {
    return std::ranges::count_if(all, [&](const Stall &each) { return measure(each) > kFrameMs; });
  };
  std::printf("the longest stall of the window's thread is %.1f ms by the clock, %.1f ms of work\n",
              quantile(all, 1, elapsedOf), quantile(all, 1, workOf));
  std::printf(
      "of %zu events, %td took more than %.0f ms by the clock, %td more than that of work\n",
      all.size(), numLong(elapsedOf), kFrameMs, numLong(workOf));
  std::printf("events by work:\n");
  printRanking(application.events, workOf);
  std::printf("events by the clock:\n");
  printRanking(application.events, elapsedOf);
  std::printf("painting in them, by work:\n");
  printRanking(application.painting, workOf);
  std::printf("painted in the event that took most work:\n");
  printParts(application.partsOfWorst);
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
  // Fonts and popups are made at their first use.
  std::optional<Memory> before;
  QTimer::singleShot(kWarmUpMs, &application, [&] {
    before.emplace(worker.processId());
    application.isMeasuring = true;
  });
  TimedApplication::exec();
  application.isMeasuring = false;
  const Memory after(worker.processId());

  const Stalls machine = measureMachine();

  std::printf("%d lines, %d keys, a run in progress %d %% of the time\n", editor.lines(), numKeys,
              100 * numRunning / std::max(numChecks, 1));
  printEvents(application);
  std::printf("the machine meanwhile: loops of %.1f ms take up to %.1f ms by the clock, %.1f ms of "
              "work\n",
              quantile(machine, 0.5, workOf), quantile(machine, 1, elapsedOf),
              quantile(machine, 1, workOf));
  std::printf("memory in MiB: window %.0f, at the end %.0f; worker that compiles %.0f, at the end "
              "%.0f; worker of the run %.0f, at the end %.0f\n",
              before->window, after.window, before->compiler, after.compiler, before->run,
              after.run);
  return 0;
}
