// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Sweeps in the window: made by a stand-in, and opened from a folder.
#include "app/ide/docks/ViewDock.h"
#include "app/ide/page/NoticeBar.h"
#include "app/ide/sweep/SweepController.h"
#include "tests/gui/Patience.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeBackend.h"
#include "tests/support/FakeResult.h"
#include "tests/support/FakeRuns.h"
#include "tests/support/FakeSweeps.h"
#include "tests/support/SampleSweep.h"
#include "views/common/Theme.h"
#include "views/sweep/SweepCanvas.h"
#include "views/sweep/SweepView.h"

#include <QComboBox>
#include <QScrollBar>
#include <QTableView>
#include <QToolButton>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

/// The sample's kernel with a launch block that a winner is written into.
static std::string sweptSource() {
  std::string text = sampleSource();
  const size_t at = text.find("@triton.jit");
  return text.insert(at,
                     "# /// tilescope\n# kernel = \"vector_add\"\n# grid = [4]\n# [constexprs]\n"
                     "# BLOCK = 128\n# ///\n\n\n");
}

namespace {
struct SweepWindow {
  FakeBackend backend;
  FakeRuns runs;
  FakeSweeps sweeps;
  QTemporaryDir folder;
  std::unique_ptr<MainWindow> window;
  views::SweepView *view = nullptr;

  SweepWindow() {
    backend.answer = [](const compiler::CompileRequest &request) {
      auto result = sampleResult();
      result->files.front() = {request.path, request.text};
      return result;
    };
    MainWindowOptions options;
    options.runs = &runs;
    options.sweeps = &sweeps;
    window = std::make_unique<MainWindow>(&backend, options);
    window->setThemeName(QStringLiteral("dark"));
    window->resize(1600, 1000);
    window->show();
    REQUIRE(QTest::qWaitForWindowActive(window.get()));
    view = window->findChild<views::SweepView *>();
  }
  QString write(const QString &name, const std::string &text) {
    const QString path = folder.filePath(name);
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write(text.data(), static_cast<qint64>(text.size()));
    return path;
  }
  void open() {
    QSignalSpy settled(window.get(), &MainWindow::settled);
    REQUIRE(window->openFile(write(QStringLiteral("vector_add.py"), sweptSource())));
    REQUIRE(settled.wait(kPatienceMs));
  }
  /// A folder as the command line leaves it, beside the kernel.
  QString storeSweep() {
    write(QStringLiteral("swept/points.csv"), "n,BLOCK\n");
    return write(QStringLiteral("swept/points.jsonl"),
                 sampleSweepLog(sampleSweep("vector_add.py", "vector_add")));
  }
  void key(QWidget &widget, Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(&widget, key, modifiers);
  }
};
} // namespace

TEST_CASE("a sweep of the kernel shows its points as they come", "[sweep]") {
  SweepWindow test;
  test.open();
  test.key(*test.window->editor(), Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
  REQUIRE(test.view->isVisible());
  CHECK(test.view->emptyText().contains(u"`vector_add` has not been swept yet"));
  test.window->action(QStringLiteral("sweep"))->trigger();
  REQUIRE(test.sweeps.requests.size() == 1);
  CHECK(test.sweeps.requests[0].input.text == sweptSource());
  CHECK(test.view->emptyText() == u"Sweeping: looking at the launch block");
  profiler::Sweep sweep = sampleSweep("vector_add.py", "vector_add");
  for (profiler::SweepPoint &point : sweep.points)
    point.status = profiler::SweepStatus::Open;
  test.sweeps.show(sweep, "compiled 3");
  CHECK(test.view->progressText() == u"Sweeping vector_add: compiled 3; 12 of 12 points are left");
  CHECK(test.view->sweepButton().text() == u"Stop");
  QTest::mouseClick(&test.view->sweepButton(), Qt::LeftButton);
  CHECK(test.sweeps.numCancelled == 1);
  test.sweeps.show(sampleSweep("vector_add.py", "vector_add"), "measured 10 points");
  Q_EMIT test.sweeps.ended(Error{ErrorCode::Cancelled, "", ""});
  CHECK(test.view->progressText().startsWith(u"The sweep was stopped"));
  CHECK(test.view->summaryText().startsWith(u"12 points, 10 measured, 2 failed · winner: "
                                            u"BLOCK = 256, num_warps = 4"));
  CHECK(test.view->table().model()->rowCount() == 12);
  CHECK(test.view->pictures().count() == 6);
  // An edit makes it one of an earlier text.
  QTest::keyClick(test.window->editor(), Qt::Key_Return);
  CHECK(QTest::qWaitFor([&] { return test.view->isStale(); }, kPatienceMs));
}

TEST_CASE("what cannot be swept is said in the view", "[sweep]") {
  SweepWindow test;
  test.open();
  test.window->action(QStringLiteral("sweep"))->trigger();
  Q_EMIT test.sweeps.ended(Error{ErrorCode::Usage,
                                 "there is nothing to sweep over: `vector_add` has "
                                 "no `[sweep]` and no configurations",
                                 ""});
  CHECK(test.view->emptyText().startsWith(u"There is nothing to sweep over"));
  CHECK(test.view->emptyText().contains(
      u"A table [sweep] in the launch block lists values to try: BLOCK = [512, 1024, 2048]."));
  // A button writes it, with the kernel's own names.
  REQUIRE(test.view->tableButton().isVisible());
  test.view->tableButton().setFocus();
  QTest::keyClick(&test.view->tableButton(), Qt::Key_Space);
  CHECK(test.window->editor()->utf8Text().find("# [sweep]\n# BLOCK = [512, 1024, 2048]\n") !=
        std::string::npos);
  CHECK_FALSE(test.view->tableButton().isVisible());
  CHECK_FALSE(test.window->action(QStringLiteral("stopSweep"))->isEnabled());
}

TEST_CASE("a stored sweep is opened by any of its files, with its kernel", "[sweep]") {
  SweepWindow test;
  const QString log = test.storeSweep();
  test.write(QStringLiteral("vector_add.py"), sweptSource());
  for (const char *name : {"points.jsonl", "points.csv", "."}) {
    INFO(name);
    test.window->openFile(QFileInfo(log).dir().filePath(QString::fromLatin1(name)));
    REQUIRE(test.view->hasContent());
    CHECK(test.view->titleText() ==
          u"vector_add.py · vector_add · NVIDIA H100 · opened from swept");
    CHECK(test.window->currentPage()->path().endsWith(u"vector_add.py"));
    test.window->action(QStringLiteral("close"))->trigger();
    CHECK_FALSE(test.view->hasContent());
  }
}

TEST_CASE("a broken sweep, and a page without its results, are refused", "[sweep]") {
  SweepWindow test;
  const auto refusal = [&]() -> QString {
    for (const NoticeBar *bar : test.window->findChildren<NoticeBar *>())
      if (bar->isVisible())
        return bar->text();
    return {};
  };
  CHECK_FALSE(test.window->openFile(test.write(QStringLiteral("a/points.jsonl"), "{}\n")));
  CHECK(refusal().contains(u"line 1"));
  CHECK_FALSE(test.window->openFile(test.write(
      QStringLiteral("b/report.html"), "<!DOCTYPE html><title>Sweep of k</title><p>page</p>")));
  CHECK(refusal().contains(u"report.html is the page of a sweep, for a browser"));
}

TEST_CASE("points are walked by keys, in picture and table, and a chosen one is compiled",
          "[sweep]") {
  SweepWindow test;
  test.open();
  test.window->openFile(test.storeSweep());
  REQUIRE(test.view->hasContent());
  views::SweepCanvas &canvas = test.view->canvas();
  test.view->pictures().setCurrentIndex(
      test.view->pictures().findText(QStringLiteral("time over num_warps and BLOCK, n = 65536")));
  canvas.setFocus();
  test.key(canvas, Qt::Key_Home);
  CHECK(test.view->infoText() == u"BLOCK = 128, n = 65536, num_warps = 4: 12.00 µs, 24 registers");
  test.key(canvas, Qt::Key_Down);
  CHECK(test.view->infoText().startsWith(u"BLOCK = 256, n = 65536, num_warps = 4: 10.00 µs"));
  const int row = test.view->table().currentIndex().row();
  CHECK(test.view->model().pointAt(row) == 8);
  test.key(canvas, Qt::Key_Return);
  const auto chosen = [&] {
    return test.window->compileController()->choice(test.window->currentPage());
  };
  CHECK(chosen().constexprs == std::map<std::string, std::string>{{"BLOCK", "256"}});
  CHECK(chosen().options == std::map<std::string, std::string>{{"num_warps", "4"}});
  // That another configuration is compiled does not make the sweep one of another text.
  CHECK_FALSE(test.view->isStale());
  // A row of the table is marked in the picture.
  test.view->table().setFocus();
  test.key(test.view->table(), Qt::Key_Home, Qt::ControlModifier);
  CHECK(test.view->infoText().contains(u"n = 4096"));
  const int failed = test.view->model().rowOf(11);
  test.view->table().setCurrentIndex(test.view->model().index(failed, 0));
  CHECK(test.view->infoText().endsWith(u"out of shared memory"));
}

TEST_CASE("the pointer on a point says what it is", "[sweep]") {
  SweepWindow test;
  test.open();
  test.window->openFile(test.storeSweep());
  views::SweepCanvas &canvas = test.view->canvas();
  test.view->pictures().setCurrentIndex(
      test.view->pictures().findText(QStringLiteral("time over registers, n = 65536")));
  const int mark = canvas.markOf(8);
  REQUIRE(mark >= 0);
  // The picture may be higher than the dock.
  const auto isPointedAt = [&] {
    QScrollBar &bar = *canvas.verticalScrollBar();
    const double below = canvas.markRect(mark).center().y() - canvas.viewport()->height() / 2.0;
    bar.setValue(bar.value() + static_cast<int>(below));
    QTest::mouseMove(canvas.viewport(), canvas.markRect(mark).center().toPoint());
    return test.view->infoText().startsWith(u"BLOCK = 256, n = 65536, num_warps = 4");
  };
  CHECK(QTest::qWaitFor(isPointedAt, 4000));
}

TEST_CASE("the winner is written into the launch block, and one undo takes it out", "[sweep]") {
  SweepWindow test;
  test.open();
  test.window->openFile(test.storeSweep());
  REQUIRE(test.view->writeButton().isEnabled());
  QTest::mouseClick(&test.view->writeButton(), Qt::LeftButton);
  const std::string text = test.window->editor()->utf8Text();
  CHECK(text.find("# BLOCK = 256\n") != std::string::npos);
  CHECK(text.find("# num_warps = 4\n") != std::string::npos);
  QTest::keyClick(test.window->editor(), Qt::Key_Z, Qt::ControlModifier);
  CHECK(test.window->editor()->utf8Text() == sweptSource());
}

TEST_CASE("without a winner there is nothing to write, which is seen and said", "[sweep]") {
  SweepWindow test;
  test.open();
  test.window->action(QStringLiteral("sweep"))->trigger();
  profiler::Sweep sweep = sampleSweep("vector_add.py", "vector_add");
  sweep.device.clear();
  for (profiler::SweepPoint &point : sweep.points) {
    point.status = profiler::SweepStatus::Compiled;
    point.medianUs.reset();
  }
  sweep.points[5].predictedUs = 7.5;
  test.sweeps.show(sweep, "compiled 12 points");
  // What a machine without a GPU can say is the first row, and called predicted.
  const QAbstractItemModel &rows = *test.view->table().model();
  int predicted = -1;
  for (int column = 0; column < rows.columnCount(); ++column)
    if (rows.headerData(column, Qt::Horizontal).toString() == u"Predicted, µs")
      predicted = column;
  REQUIRE(predicted > 0);
  CHECK(rows.index(0, predicted).data().toString() == u"7.50");
  CHECK(rows.index(1, predicted).data().toString().isEmpty());
  QToolButton &write = test.view->writeButton();
  CHECK(write.toolTip() == u"The sweep is still running");
  Q_EMIT test.sweeps.ended(Error{ErrorCode::Cancelled, "", ""});
  REQUIRE_FALSE(write.isEnabled());
  CHECK(write.toolTip() == u"There is no winner: no point has a time, which needs a GPU");
  // It looks as it is.
  const QImage inactive = write.grab().toImage();
  write.setEnabled(true);
  CHECK(write.grab().toImage() != inactive);
}

TEST_CASE("pictures of a sweep are exported, and drawn in both themes", "[sweep]") {
  SweepWindow test;
  test.open();
  test.window->openFile(test.storeSweep());
  for (const char *theme : {"light", "dark"}) {
    test.window->setThemeName(QString::fromLatin1(theme));
    for (int i = 0; i < test.view->pictures().count(); ++i) {
      test.view->pictures().setCurrentIndex(i);
      const QImage image = test.view->canvas().viewport()->grab().toImage();
      int drawn = 0;
      for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
          drawn += image.pixelColor(x, y) != views::theme()[views::ColorRole::Panel] ? 1 : 0;
      CHECK(drawn > 500);
    }
  }
  const QString path = test.folder.filePath(QStringLiteral("sweep.svg"));
  REQUIRE(test.view->exportSvg(path));
  QFile file(path);
  REQUIRE(file.open(QIODevice::ReadOnly));
  CHECK(file.readAll().contains("opened from swept"));
}
