// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// How long after a key each stage is on the screen, as the window's own meter has it: digits are typed
// into kernels, each after the compile of the one before has come to PTX.
//
//   bench_keys [keys for each kernel, 40 by default] [ms between PTX and the next key, 150 by default]
#include "app/ide/compile/WorkerConnection.h"
#include "app/ide/window/MainWindow.h"
#include "views/editor/KernelEditor.h"
#include "views/meter/CompileMeter.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

using namespace tilescope;
using compiler::StageId;

static constexpr int kDeadlineMs = 60000;
/// Of a number that is typed: as many as a float tells apart.
static constexpr int kDigits = 5;

/// An example that also stores a number, in front of the last letter of the text: every stage
/// depends on it.
static QString kernelText(const QString &name) {
  QFile file(QStringLiteral(TILESCOPE_EXAMPLES "/%1.py").arg(name));
  if (!file.open(QIODevice::ReadOnly))
    return {};
  const QString text = QString::fromUtf8(file.readAll()).trimmed();
  const QString array =
      text.contains(u"c_ptr") ? QStringLiteral("c_ptr") : QStringLiteral("out_ptr");
  return text + QStringLiteral("\n    tl.store(%1, 1.5)").arg(array);
}

static void print(const QString &name, std::map<StageId, std::vector<double>> &times) {
  std::printf("%s", qPrintable(name));
  for (auto &[stage, ms] : times) {
    std::ranges::sort(ms);
    const auto at = [&](size_t percent) { return ms[(ms.size() - 1) * percent / 100]; };
    std::printf(" · %s %.1f / %.1f ms", compiler::stageTitle(stage).data(), at(50), at(95));
  }
  std::printf("\n");
  std::fflush(stdout);
}

/// The compile of what was typed last has come to PTX; what follows need not be waited for. Waits in
/// an event loop: `qWaitFor` sleeps between its looks, and the window with it.
static bool waitForPtx(const views::CompileMeter &meter) {
  QSignalSpy changed(&meter, &views::CompileMeter::changed);
  // It begins with the key, or a moment later.
  for (const bool isThere : {false, true})
    while (meter.time(StageId::Ptx).has_value() != isThere)
      if (!changed.wait(kDeadlineMs))
        return false;
  return true;
}

/// False: the kernel could not be opened, or is not compiled in time.
static bool measure(app::MainWindow &window, const QString &folder, const QString &name,
                    int numKeys, int pauseMs) {
  const QString path = QStringLiteral("%1/%2.py").arg(folder, name);
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(kernelText(name).toUtf8()) <= 0)
    return false;
  file.close();
  QSignalSpy settled(&window, &app::MainWindow::settled);
  if (!window.openFile(path) || !settled.wait(kDeadlineMs))
    return false;
  const auto &meter = *window.findChild<views::CompileMeter *>();
  QTest::keyClick(window.editor(), Qt::Key_End, Qt::ControlModifier);
  QTest::keyClick(window.editor(), Qt::Key_Left);
  std::map<StageId, std::vector<double>> times;
  // The first ones make fonts and popups.
  constexpr int kWarmUp = 4;
  for (int key = -kWarmUp; key < numKeys; ++key) {
    QTest::qWait(pauseMs);
    // No text comes a second time, and each has another number.
    if ((key + kWarmUp) % kDigits == 0) {
      QTest::keyClicks(window.editor(), QStringLiteral(" + 1"));
      if (!waitForPtx(meter))
        return false;
      QTest::qWait(pauseMs);
    }
    QTest::keyClicks(window.editor(), QString::number((key + kWarmUp) * 7 % 9 + 1));
    if (!waitForPtx(meter))
      return false;
    for (const StageId stage : {StageId::Ttir, StageId::Ttgir, StageId::Ptx})
      if (const auto ns = meter.time(stage); ns && key >= 0)
        times[stage].push_back(static_cast<double>(*ns) / 1e6);
  }
  print(name, times);
  return true;
}

int main(int argc, char **argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  const int numKeys = std::max(1, argc > 1 ? std::atoi(argv[1]) : 40);
  const int pauseMs = std::max(1, argc > 2 ? std::atoi(argv[2]) : 150);
  QTemporaryDir folder;
  app::WorkerConnection worker(QStringLiteral(TILESCOPE_WORKER_PATH));
  app::MainWindow window(&worker, {});
  window.setThemeName(QStringLiteral("dark"));
  window.resize(1600, 1000);
  window.show();
  std::printf("from the key to the stage on the screen, median / 95th percentile of %d keys\n",
              numKeys);
  for (const char *name : {"vector_add", "fused_softmax", "layer_norm", "matmul"})
    if (!measure(window, folder.path(), QString::fromLatin1(name), numKeys, pauseMs)) {
      std::fprintf(stderr, "bench_keys: %s was not compiled\n", name);
      return 1;
    }
  return 0;
}
