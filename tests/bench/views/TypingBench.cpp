// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The longest time that the window's thread is busy with one event while someone types ten keys a
// second into a kernel file of 400 lines, with the compile worker at work on each and the
// interpreter at work on a run, and the memory that this takes.
//
// The clock counts what the window does and what the machine takes: other programs have the
// processors, or a virtual machine's host slows them down, which even the processor time of the
// thread contains. The kernel tells how long the thread waited for a processor, and a metronome
// tells how slow the machine was: what an event took while it hardly waited, and while a fixed small
// work beside it took no longer than usual, is the window's own.
//
// The worker of the run holds the tensors of the run and what it knows of their elements, which fill
// while it goes on; those of the window and of the worker that compiles must stay what they were.
//
//   bench_typing [seconds, 20 by default] [all]
//
// With `all`, every view is in sight at once, each in a window of its own.
#include "app/ide/compile/WorkerConnection.h"
#include "app/ide/docks/ViewDock.h"
#include "app/ide/session/SessionStore.h"
#include "app/ide/window/MainWindow.h"
#include "tests/bench/views/MachineUse.h"
#include "tests/bench/views/Metronome.h"
#include "tests/bench/views/ProcessMemory.h"
#include "tests/bench/views/TimedApplication.h"
#include "views/editor/KernelEditor.h"
#include "views/run/RunView.h"

#include <QFile>
#include <QProgressBar>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <ranges>
#include <utility>

using namespace tilescope;
using namespace tilescope::tests;

static constexpr int kKeyIntervalMs = 100;
static constexpr int kNumLines = 400;
static constexpr int kWarmUpMs = 10000;
static constexpr int kRunCheckMs = 500;
static constexpr int kMinuteMs = 60000;
/// An event that waited longer for a processor was interrupted by another program.
static constexpr double kShortWaitMs = 1;

/// An example, with sizes and so many times its programs that a run takes longer than a measurement,
/// and as many further kernels behind it as fill the lines.
static QString longKernelFile() {
  QFile file(QStringLiteral(TILESCOPE_EXAMPLES "/matmul.py"));
  if (!file.open(QIODevice::ReadOnly))
    return {};
  const QString example =
      QString::fromUtf8(file.readAll())
          .replace(QStringLiteral(" = 512\n"), QStringLiteral(" = 2048\n"))
          .replace(QStringLiteral("BLOCK_N)\"]\n"), QStringLiteral("BLOCK_N)\", 1000]\n"));
  const QString kernel = example.mid(example.indexOf(QStringLiteral("@triton.jit")));
  QString text = example;
  for (int copy = 1; text.count(u'\n') < kNumLines; ++copy)
    text +=
        QStringLiteral("\n\n") + QString(kernel).replace(QStringLiteral("def matmul"),
                                                         QStringLiteral("def matmul_%1").arg(copy));
  return text;
}

namespace {

/// Types, and keeps a run in progress.
class Typist {
public:
  explicit Typist(app::MainWindow &window)
      : m_editor(*window.editor()),
        m_run(*window.findChild<views::RunView *>()->findChild<QProgressBar *>()) {
    const std::string text = m_editor.utf8Text();
    const size_t at = text.find("    accumulator = tl.zeros");
    const auto line = std::count(text.begin(), text.begin() + static_cast<long>(at), '\n');
    m_editor.goTo({static_cast<uint32_t>(line), 0});
    m_editor.setFocus();
    QObject::connect(&m_keyTimer, &QTimer::timeout, &m_editor, [this] { typeKey(); });
    QObject::connect(&m_runTimer, &QTimer::timeout, &m_editor, [this] { checkRun(); });
    m_runTimer.start(kRunCheckMs);
    m_keyTimer.start(kKeyIntervalMs);
  }

  void print() const {
    std::printf("%d lines, %d keys, a run in progress %d %% of the time, in %d runs\n",
                m_editor.lines(), m_numKeys, 100 * m_numRunning / std::max(m_numChecks, 1),
                m_numStarted);
  }

private:
  /// Types some lines, then selects and deletes them: the text must not grow, since its stages
  /// would take more time and memory from line to line.
  void typeKey() {
    static const QByteArray kLine =
        "    scale = tl.sum(rows * 2, axis=0) + tl.max(columns, axis=0)\n";
    static constexpr int kLines = 4;
    const int numTyped = kLines * static_cast<int>(kLine.size());
    const int at = m_numKeys++ % (numTyped + kLines + 1);
    if (at == 0)
      startRun();
    if (at == numTyped + kLines)
      QTest::keyClick(&m_editor, Qt::Key_Delete);
    else if (at >= numTyped)
      QTest::keyClick(&m_editor, Qt::Key_Up, Qt::ShiftModifier);
    else if (const char key = kLine[at % kLine.size()]; key == '\n')
      QTest::keyClick(&m_editor, Qt::Key_Return);
    else
      QTest::keyClick(&m_editor, key);
  }

  bool isRunning() const { return m_run.isVisibleTo(m_run.parentWidget()); }

  /// A run that has ended is followed by the next when the text is whole: what does not compile does
  /// not run.
  void startRun() {
    if (isRunning())
      return;
    QTest::keyClick(&m_editor, Qt::Key_F5);
    ++m_numStarted;
  }

  void checkRun() {
    ++m_numChecks;
    m_numRunning += isRunning();
  }

  views::KernelEditor &m_editor;
  QProgressBar &m_run;
  QTimer m_keyTimer;
  QTimer m_runTimer;
  int m_numKeys = 0;
  int m_numChecks = 0;
  int m_numRunning = 0;
  int m_numStarted = 0;
};

} // namespace

static void printRanking(const std::map<QByteArray, EventClass> &classes,
                         TimeHistogram EventClass::*measure) {
  std::vector<std::pair<double, QByteArray>> ranked;
  for (const auto &[what, each] : classes)
    ranked.emplace_back((each.*measure).longestMs(), what);
  std::ranges::sort(ranked, std::greater());
  for (const auto &[longestMs, what] : ranked | std::views::take(10)) {
    const TimeHistogram &times = classes.at(what).*measure;
    std::printf("  %6.1f ms, 99 %% in %5.1f, half in %5.2f, %6zu of them: %s\n", longestMs,
                times.quantileMs(0.99), times.quantileMs(0.5), times.size(), what.constData());
  }
}

/// The longest of some events.
static void printLongest(const char *which, const std::vector<NotableEvent> &events) {
  double elapsedMs = 0;
  double workMs = 0;
  int numElapsed = 0;
  int numWork = 0;
  for (const NotableEvent &each : events) {
    elapsedMs = std::max(elapsedMs, each.spent.elapsedMs);
    workMs = std::max(workMs, each.spent.workMs);
    numElapsed += each.spent.elapsedMs > kFrameMs;
    numWork += each.spent.workMs > kFrameMs;
  }
  std::printf("%s: %.1f ms by the clock, %.1f ms of its processor time; more than %.0f ms: %d by "
              "the clock, %d of its processor time\n",
              which, elapsedMs, workMs, kFrameMs, numElapsed, numWork);
}

static void printStalls(const TimedApplication &application, const Metronome &metronome) {
  const auto slowness = [&](const NotableEvent &event) {
    return metronome.slowness(event.begin, event.end);
  };
  std::printf("events of the window's thread: %zu\n", application.all().elapsed.size());
  printLongest("the longest stall", application.notable());
  std::vector<NotableEvent> own = application.notable();
  std::erase_if(own, [&](const auto &event) {
    return slowness(event) > Metronome::kSlow || event.spent.waitMs > kShortWaitMs;
  });
  printLongest("the longest stall that the machine had no part in", own);
  std::printf("  (of %zu events of more than %.0f ms, %zu are left out there)\n",
              application.notable().size(), kNotableMs, application.notable().size() - own.size());
  std::vector<NotableEvent> longest = application.notable();
  std::ranges::sort(longest, std::greater(),
                    [](const NotableEvent &event) { return event.spent.elapsedMs; });
  std::printf("the longest ones:\n");
  for (const NotableEvent &event : longest | std::views::take(16))
    std::printf("  %5.1f ms by the clock, %5.1f of processor time, %5.1f waiting for a processor, "
                "%3ld pages touched, machine %4.1f times slower: %s\n",
                event.spent.elapsedMs, event.spent.workMs, event.spent.waitMs,
                event.spent.numPageFaults, slowness(event), event.what.constData());
}

static void printMachine(const Metronome::Summary &beats, const MachineUse &use) {
  const auto numBeats = static_cast<double>(std::max<size_t>(beats.work.size(), 1));
  std::printf("the machine alone: a metronome's %.2f ms of work, %.0f times, took up to %.1f ms by "
              "the clock, %.1f ms of its processor time; %.1f %% of them took more than %.0f times "
              "the usual\n",
              beats.usualMs, numBeats, beats.elapsed.longestMs(), beats.work.longestMs(),
              100.0 * static_cast<double>(beats.numSlow) / numBeats, Metronome::kSlow);
  std::printf(
      "of %u processors, the window and its workers had %.2f, other programs %.2f, the host "
      "%.2f\n",
      use.numProcessors, use.own, use.others, use.host);
}

static void printMemory(int seconds, const ProcessMemory &memory) {
  std::printf("memory in MiB after %3d s: window %.1f, allocated in it %.2f; worker that compiles "
              "%.1f; worker of the run %.0f\n",
              seconds, memory.window, memory.windowInUse, memory.compiler, memory.run);
  std::fflush(stdout);
}

static int measure(TimedApplication &application, app::MainWindow &window,
                   const app::WorkerConnection &worker, int seconds) {
  const Typist typist(window);
  Metronome metronome;
  QTimer minute;
  std::optional<MachineClock> machine;
  int numMinutes = 0;
  QObject::connect(&minute, &QTimer::timeout, &application, [&] {
    printMemory(++numMinutes * kMinuteMs / 1000, processMemory(worker.processId()));
  });
  // Fonts and popups are made at their first use.
  QTimer::singleShot(kWarmUpMs, &application, [&] {
    printMemory(0, processMemory(worker.processId()));
    minute.start(kMinuteMs);
    machine.emplace();
    metronome.begin();
    application.begin();
  });
  // `quit` would close the window first, and that would count as a stall.
  QTimer::singleShot(kWarmUpMs + 1000 * seconds, &application, [] { QCoreApplication::exit(); });
  TimedApplication::exec();
  application.end();
  const MachineUse use = machine->use();
  if (seconds % 60 != 0)
    printMemory(seconds, processMemory(worker.processId()));

  typist.print();
  printStalls(application, metronome);
  printMachine(metronome.summary(), use);
  std::printf("events by processor time:\n");
  printRanking(application.events(), &EventClass::work);
  std::printf("events by the clock:\n");
  printRanking(application.events(), &EventClass::elapsed);
  std::printf("painting in them, by processor time:\n");
  printRanking(application.painting(), &EventClass::work);
  return 0;
}

/// No tab covers another view then.
static void showAllViews(app::MainWindow &window) {
  int number = 0;
  for (auto *dock : window.findChildren<app::ViewDock *>(Qt::FindDirectChildrenOnly)) {
    dock->setFloating(true);
    dock->resize(600, 420);
    dock->move(40 * (number % 12), 40 * (number / 12));
    dock->show();
    ++number;
  }
  std::printf("%d views in sight\n", number);
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
  if (argc > 2 && QByteArrayView(argv[2]) == "all")
    showAllViews(window);
  return measure(application, window, worker, seconds);
}
