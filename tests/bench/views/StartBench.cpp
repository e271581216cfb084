// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// How long a warm start takes until the window can be used: from the start of the process until the
// editor has painted its file and the window takes the next event. Each start is a process of its own,
// with the session that the one before left: one file, or one of so many tabs.
//
//   bench_start [starts, 20 by default] [tabs, 1 by default]
#include "app/ide/Ide.h"
#include "views/editor/KernelEditor.h"

#include <QCoreApplication>
#include <QEvent>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace tilescope;

/// Of the environment: when the process was started, by a clock that all processes share.
static constexpr const char *kBegin = "TILESCOPE_BENCH_BEGIN";
/// Of the environment: the process stays until it is asked to end.
static constexpr const char *kStays = "TILESCOPE_BENCH_STAYS";

static int64_t nowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

namespace {
/// Ends the program once an editor has painted a text, and prints the milliseconds until then.
class FirstPaint : public QObject {
public:
  explicit FirstPaint(int64_t beginNs) : m_beginNs(beginNs) {}

  bool eventFilter(QObject *object, QEvent *event) override {
    const auto *editor = qobject_cast<const views::KernelEditor *>(object->parent());
    if (!m_isSeen && event->type() == QEvent::Paint && editor && editor->length() > 0) {
      m_isSeen = true;
      // Behind the painting, and behind what else is waiting.
      QTimer::singleShot(0, this, [this] {
        std::printf("%.1f\n", static_cast<double>(nowNs() - m_beginNs) / 1e6);
        std::fflush(stdout);
        QCoreApplication::exit(0);
      });
    }
    return false;
  }

private:
  int64_t m_beginNs;
  bool m_isSeen = false;
};
} // namespace

static void watchFirstPaint() {
  if (!qEnvironmentVariableIsSet(kBegin) || qEnvironmentVariableIsSet(kStays))
    return;
  auto *watch = new FirstPaint(qEnvironmentVariable(kBegin).toLongLong());
  watch->setParent(QCoreApplication::instance());
  QCoreApplication::instance()->installEventFilter(watch);
}
Q_COREAPP_STARTUP_FUNCTION(watchFirstPaint)

static QProcessEnvironment environmentIn(const QString &folder) {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  for (const char *name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME",
                           "XDG_STATE_HOME", "XDG_RUNTIME_DIR"})
    environment.insert(QString::fromLatin1(name), folder);
  environment.insert(QString::fromLatin1(kBegin), QString::number(nowNs()));
  return environment;
}

static constexpr int kDeadlineMs = 60000;

/// Leaves a session with copies of a file.
static void openTabs(const QString &program, const QString &folder, int numTabs) {
  QStringList files;
  for (int tab = 0; tab < numTabs; ++tab) {
    files << QStringLiteral("%1/tab%2.py").arg(folder).arg(tab);
    QFile::copy(QStringLiteral(TILESCOPE_EXAMPLES "/matmul.py"), files.back());
  }
  QProcessEnvironment environment = environmentIn(folder);
  environment.insert(QString::fromLatin1(kStays), QStringLiteral("1"));
  QProcess process;
  process.setProcessEnvironment(environment);
  process.start(program, files);
  process.waitForFinished(5000 + 200 * numTabs);
  process.terminate();
  process.waitForFinished(kDeadlineMs);
}

/// Milliseconds; nothing could be measured: less than 0.
static double measureStart(const QString &program, const QString &folder,
                           const QStringList &files) {
  QProcess process;
  process.setProcessEnvironment(environmentIn(folder));
  process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
  process.start(program, files);
  if (!process.waitForFinished(kDeadlineMs) || process.exitCode() != 0)
    return -1;
  return process.readAllStandardOutput().trimmed().toDouble();
}

static int measureStarts(const QString &program, int count, int numTabs) {
  QTemporaryDir folder;
  QStringList files;
  if (numTabs > 1)
    openTabs(program, folder.path(), numTabs);
  else
    files << QStringLiteral(TILESCOPE_EXAMPLES "/matmul.py");
  // The first one reads the program from the disk, and begins the session.
  std::vector<double> times;
  for (int start = -1; start < count; ++start) {
    const double ms = measureStart(program, folder.path(), files);
    if (ms <= 0) {
      std::fputs("bench_start: a start was not measured\n", stderr);
      return 1;
    }
    if (start >= 0)
      times.push_back(ms);
  }
  std::ranges::sort(times);
  const auto at = [&](size_t percent) { return times[(times.size() - 1) * percent / 100]; };
  std::printf(
      "%zu warm starts with %d tabs: median %.0f ms, 95th percentile %.0f ms, longest %.0f ms\n",
      times.size(), numTabs, at(50), at(95), times.back());
  return 0;
}

int main(int argc, char **argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  if (!qEnvironmentVariableIsSet(kBegin)) {
    QCoreApplication application(argc, argv);
    return measureStarts(QCoreApplication::applicationFilePath(),
                         std::max(1, argc > 1 ? std::atoi(argv[1]) : 20),
                         std::max(1, argc > 2 ? std::atoi(argv[2]) : 1));
  }
  app::WindowOptions options;
  options.files.assign(argv + 1, argv + argc);
  return app::runIde(argc, argv, options);
}
