// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What results are of: the run under way, the text and the kernel.
#include "tests/gui/Patience.h"
#include "tests/gui/RunsFixture.h"
#include "views/common/FactsLabel.h"
#include "views/common/Theme.h"
#include "views/common/tensor/TensorPictures.h"
#include "views/problems/ProblemsView.h"

#include <QProgressBar>
#include <QStatusBar>
#include <QTableView>

#include <set>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

TEST_CASE("results say what they are of, and turn outdated with the first edit", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  LaunchRun run = test.outcome();
  run.diagnostics.push_back(test.finding("tl.load(x_ptr + offsets, mask=mask)", "outside"));
  test.runs.finish(std::move(run));
  const views::ResultsView &results = test.view.results();
  for (const char *part : {"vector_add.py", "vector_add", "interpreter"})
    CHECK(results.stampText().contains(QString::fromLatin1(part)));
  CHECK_FALSE(results.stampText().contains(u"Outdated"));
  CHECK(test.hasProblem("outside"));
  // F8 leads there, past what else there is.
  const Position place =
      rangeOf(test.fixture.editor().utf8Text(), "tl.load(x_ptr + offsets, mask=mask)").begin;
  for (int i = 0; i < test.window.problems()->model().rowCount(); ++i) {
    test.press(Qt::Key_F8);
    if (test.fixture.editor().cursor() == place)
      break;
  }
  CHECK(test.fixture.editor().cursor() == place);
  auto *table = test.view.findChild<QTableView *>();
  CHECK(table->isEnabled());
  test.fixture.editor().goTo({0, 0});
  test.fixture.type("#");
  QCoreApplication::processEvents();
  CHECK(results.stampText().contains(u"Outdated: the text has changed"));
  CHECK_FALSE(table->isEnabled());
  test.savePicture("outdated.png");
  REQUIRE(QTest::qWaitFor([&] { return !test.hasProblem("outside"); }, kPatienceMs));
  CHECK(test.hasProblem("outdated: outside"));
  // The text of the run again: so are its results.
  test.press(Qt::Key_Z, Qt::ControlModifier);
  QCoreApplication::processEvents();
  INFO(results.stampText().toStdString());
  CHECK_FALSE(results.stampText().contains(u"Outdated"));
  CHECK(QTest::qWaitFor([&] { return test.hasProblem("outside"); }, kPatienceMs));
}

TEST_CASE("results stay with their file", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  test.runs.finish(test.outcome());
  CHECK(test.view.numOutputs() == 1);
  test.fixture.openAndWait(test.fixture.write("other.py", sampleSource() + "\n# other\n"));
  CHECK(test.view.numOutputs() == 0);
  CHECK(test.view.statusText() == QStringLiteral("Not run yet."));
  test.press(Qt::Key_Tab, Qt::ControlModifier | Qt::ShiftModifier);
  test.fixture.openAndWait(test.fixture.folder.filePath(QStringLiteral("vector_add.py")));
  CHECK(test.view.numOutputs() == 1);
  test.press(Qt::Key_W, Qt::ControlModifier);
  CHECK(test.view.numOutputs() == 0);
}

TEST_CASE("a run that ends while another file is in front says so, and where its results are",
          "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  test.fixture.openAndWait(test.fixture.write("other.py", sampleSource() + "\n# other\n"));
  test.runs.finish(test.outcome());
  CHECK(test.view.statusText() == u"Not run yet.");
  CHECK(test.window.statusBar()->currentMessage() ==
        u"The run of vector_add.py has ended: its results are shown with that file");
  test.press(Qt::Key_PageUp, Qt::ControlModifier);
  CHECK(test.view.numOutputs() == 1);
}

TEST_CASE("results that are no longer kept are said to have been there", "[gui][run]") {
  RunsFixture test;
  for (int i = 0; i < 9; ++i) {
    if (i > 0)
      test.fixture.openAndWait(
          test.fixture.write(qPrintable(QStringLiteral("k%1.py").arg(i)), sampleSource()));
    test.press(Qt::Key_F5);
    test.runs.finish(test.outcome(64, 64));
    // The oldest is known by its time.
    QTest::qWait(2);
  }
  test.window.openFile(test.fixture.folder.filePath(QStringLiteral("vector_add.py")));
  INFO(test.view.statusText().toStdString());
  CHECK(test.view.statusText().startsWith(
      u"The results of the last run (vector_add on interpreter, "));
  CHECK(test.view.statusText().contains(u"were dropped"));
  test.press(Qt::Key_F5);
  test.runs.finish(test.outcome(64, 64));
  CHECK(test.view.numOutputs() == 1);
  CHECK_FALSE(test.view.statusText().contains(u"dropped"));
}

TEST_CASE("after a restart the last run is named, whose results are not kept", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  test.runs.finish(test.outcome());
  for (int starts = 0; starts < 2; ++starts) {
    test.fixture.window->close();
    test.fixture.open();
    REQUIRE(test.fixture.window->restoreSession());
    const auto &view = *test.fixture.window->findChild<views::RunView *>();
    INFO(view.statusText().toStdString());
    CHECK(view.statusText().startsWith(u"Not run since Tilescope was started"));
    CHECK(view.statusText().contains(u"vector_add on interpreter, "));
  }
}

TEST_CASE("a long run says how far it has come, and a second one is refused aloud", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  Q_EMIT test.runs.progressed(1'500'000, 2'000'000'000);
  CHECK(test.view.statusText() == u"Running vector_add: 1,500,000 of 2,000,000,000 programs");
  CHECK(test.view.findChild<QProgressBar *>()->value() == 0);
  Q_EMIT test.runs.progressed(1'000'000'000, 2'000'000'000);
  CHECK(test.view.findChild<QProgressBar *>()->value() == 500);
  test.press(Qt::Key_F5);
  CHECK(test.runs.requests.size() == 1);
  CHECK(test.window.statusBar()->currentMessage() == u"A run is in progress: Shift+F5 stops it");
  test.press(Qt::Key_F5, Qt::ShiftModifier);
  // Later messages of the run do not hide that it is being stopped.
  Q_EMIT test.runs.progressed(1'000'000'001, 2'000'000'000);
  CHECK(test.view.statusText() == u"Stopping…");
}

TEST_CASE("that a run was stopped is said of its file alone", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  test.runs.finish(test.outcome(64, 64));
  const QString headline = test.view.statusText();
  EditorPage *first = test.window.currentPage();
  EditorPage *second = test.fixture.openAndWait(test.fixture.write("other.py", sampleSource()));
  test.press(Qt::Key_F5);
  test.window.openFile(first->path());
  QTest::keyClick(test.window.editor(), Qt::Key_F5, Qt::ShiftModifier);
  LaunchRun stopped;
  stopped.measurement = Error{ErrorCode::Cancelled, "the run was cancelled", ""};
  test.runs.finish(std::move(stopped));
  CHECK(test.view.statusText() == headline);
  test.window.openFile(second->path());
  CHECK(test.view.statusText() == u"Stopped.");
  test.window.openFile(first->path());
  CHECK(test.view.statusText() == headline);
}

TEST_CASE("a stopped run says that older results are shown, and is reported from another tab",
          "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  test.runs.finish(test.outcome(64, 64));
  EditorPage *first = test.window.currentPage();
  test.press(Qt::Key_F5);
  test.fixture.openAndWait(test.fixture.write("other.py", sampleSource()));
  QTest::keyClick(test.window.editor(), Qt::Key_F5, Qt::ShiftModifier);
  LaunchRun stopped;
  stopped.measurement = Error{ErrorCode::Cancelled, "the run was cancelled", ""};
  test.runs.finish(std::move(stopped));
  CHECK(test.window.statusBar()->currentMessage() ==
        QStringLiteral("The run of %1 was stopped").arg(QFileInfo(first->path()).fileName()));
  test.window.openFile(first->path());
  CHECK(test.view.statusText() == u"Stopped. Below is the run before.");
}

TEST_CASE("results of another kernel say whose they are", "[gui][run]") {
  RunsFixture test;
  std::string two = sampleSource();
  two += "\n\n# /// tilescope\n# kernel = \"other\"\n# grid = [1]\n# [args]\n"
         "# x_ptr = { dtype = \"fp32\", shape = [8] }\n# ///\n"
         "@triton.jit\ndef other(x_ptr):\n    tl.store(x_ptr, 1.0)\n";
  test.fixture.openAndWait(test.fixture.write("two.py", two));
  test.press(Qt::Key_F5);
  test.runs.finish(test.outcome());
  REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, kPatienceMs));
  test.fixture.editor().goTo(rangeOf(two, "def other").begin);
  CHECK(QTest::qWaitFor(
      [&] {
        return test.view.results().stampText().contains(
            u"results of `vector_add`; `other` is chosen");
      },
      kPatienceMs));
  // What it computed would read like what is being run.
  test.press(Qt::Key_F5);
  CHECK(test.view.results().numOutputs() == 0);
  CHECK(test.label(QStringLiteral("Running other")) != nullptr);
  LaunchRun stopped;
  stopped.measurement = Error{ErrorCode::Cancelled, "the run was cancelled", ""};
  test.runs.finish(std::move(stopped));
  CHECK(test.view.results().numOutputs() == 1);
}

TEST_CASE("while outputs are checked the run says so, also after the file got a name",
          "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  Q_EMIT test.runs.progressed(38, 64);
  // What else becomes of the document does not hide how far the run has come.
  test.fixture.editor().goTo({0, 0});
  test.fixture.type("#");
  CHECK(test.view.statusText() == u"Running vector_add: 38 of 64 programs");
  Q_EMIT test.runs.checking();
  CHECK(test.view.statusText() == u"Checking vector_add against `expected`…");
  test.fixture.type("#");
  CHECK(test.view.statusText() == u"Checking vector_add against `expected`…");
}

TEST_CASE("while a run is under way nothing is said of the results before", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  test.runs.finish(test.outcome());
  REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, kPatienceMs));
  test.fixture.editor().goTo({0, 0});
  test.fixture.type("#");
  QCoreApplication::processEvents();
  REQUIRE(test.label(QStringLiteral("Outdated")) != nullptr);
  test.press(Qt::Key_F5);
  CHECK(test.label(QStringLiteral("Outdated")) == nullptr);
  CHECK(test.label(QStringLiteral("Running vector_add"))->isEnabled());
}

TEST_CASE("while a run is under way, what the one before found is faint", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  test.runs.finish(test.outcome());
  REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, kPatienceMs));
  auto *picture = test.view.findChild<views::HeatMap *>();
  auto *badges = test.view.findChild<views::FactsLabel *>();
  const auto colors = [&] {
    std::set<QRgb> found;
    const QImage image = badges->grab().toImage();
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x)
        found.insert(image.pixel(x, y));
    return found;
  };
  const QRgb error = views::theme()[views::ColorRole::Error].rgb();
  const QImage before = picture->grab().toImage();
  REQUIRE(colors().contains(error));
  const auto isOfEarlier = [&] {
    return test.label(QStringLiteral("The run before this one")) != nullptr;
  };
  CHECK_FALSE(isOfEarlier());
  test.press(Qt::Key_F5);
  CHECK(isOfEarlier());
  CHECK_FALSE(colors().contains(error));
  CHECK(picture->grab().toImage() != before);
  test.runs.finish(test.outcome());
  REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, kPatienceMs));
  CHECK(colors().contains(error));
  CHECK_FALSE(isOfEarlier());
}

/// Whether a widget's picture has a color in it.
static bool shows(QWidget &widget, views::ColorRole role) {
  const QRgb color = views::theme()[role].rgb();
  const QImage image = widget.grab().toImage();
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.pixel(x, y) == color)
        return true;
  return false;
}

TEST_CASE("while outputs are checked, faults of the run before are faint and lead nowhere",
          "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  LaunchRun run = test.outcome();
  const compiler::Diagnostic fault = test.finding("tl.load(x_ptr + offsets, mask=mask)", "outside");
  run.diagnostics.push_back(fault);
  run.faults.push_back({{0, 0, 0}, fault.range});
  test.runs.finish(std::move(run));
  const auto links = [&] {
    QLabel *label = test.label(QStringLiteral("Step to"));
    REQUIRE(label != nullptr);
    return label;
  };
  auto *badges = test.view.findChild<views::FactsLabel *>();
  CHECK(links()->text().contains(u"<a href"));
  CHECK(links()->isEnabled());
  CHECK(shows(*links(), views::ColorRole::Accent));
  CHECK(shows(*badges, views::ColorRole::Error));
  test.fixture.editor().goTo({0, 0});
  test.fixture.type("#");
  QCoreApplication::processEvents();
  CHECK_FALSE(links()->isEnabled());
  test.press(Qt::Key_F5);
  Q_EMIT test.runs.checking();
  CHECK(test.view.statusText() == u"Checking vector_add against `expected`…");
  CHECK(test.label(QStringLiteral("The run before this one (outdated: the text has changed)")));
  CHECK_FALSE(links()->text().contains(u"<a href"));
  CHECK_FALSE(links()->isEnabled());
  CHECK_FALSE(shows(*links(), views::ColorRole::Accent));
  CHECK_FALSE(shows(*links(), views::ColorRole::Text));
  CHECK_FALSE(shows(*badges, views::ColorRole::Error));
  test.savePicture("checking.png");
}

TEST_CASE("a run of another file is told of beside the results of the file in front",
          "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  test.runs.finish(test.outcome());
  REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, kPatienceMs));
  const QString headline = test.view.statusText();
  const QString first = test.window.currentPage()->path();
  std::string other = sampleSource();
  other.replace(other.find("kernel = \"vector_add\""), 21, "kernel = \"other\"");
  other.replace(other.find("def vector_add"), 14, "def other");
  test.backend.answer = [](const compiler::CompileRequest &request) {
    auto result = sampleResult();
    result->kernel = request.text.find("def other") != std::string::npos ? "other" : "vector_add";
    result->kernels = {result->kernel};
    result->files.front() = {request.path, request.text};
    return result;
  };
  const QString second = test.fixture.openAndWait(test.fixture.write("other.py", other))->path();
  test.press(Qt::Key_F5);
  REQUIRE(test.runs.requests.size() == 2);
  Q_EMIT test.runs.progressed(3, 8);
  CHECK(test.view.results().elsewhereText().isEmpty());
  test.window.openFile(first);
  CHECK(test.view.results().elsewhereText() == u"Running other of other.py: 3 of 8 programs");
  Q_EMIT test.runs.checking();
  CHECK(test.view.results().elsewhereText() == u"Checking other of other.py against `expected`…");
  CHECK(test.view.statusText() == headline);
  CHECK(test.view.numOutputs() == 1);
  CHECK(test.view.findChild<QTableView *>()->isEnabled());
  CHECK(test.label(QStringLiteral("The run before this one")) == nullptr);
  CHECK_FALSE(test.view.results().stampText().contains(u"Outdated"));
  test.savePicture("elsewhere.png");
  test.window.openFile(second);
  CHECK(test.view.results().elsewhereText().isEmpty());
  CHECK(test.view.statusText() == u"Checking other against `expected`…");
  test.window.openFile(first);
  test.runs.finish(test.outcome());
  CHECK(test.view.results().elsewhereText().isEmpty());
  CHECK(test.view.statusText() == headline);
}

TEST_CASE("results whose kernel is gone say so", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  test.runs.finish(test.outcome());
  QTest::keyClick(&test.fixture.editor(), Qt::Key_A, Qt::ControlModifier);
  QTest::keyClick(&test.fixture.editor(), 'a');
  REQUIRE(QTest::qWaitFor(
      [&] { return test.label(QStringLiteral("Outdated: these are results of")) != nullptr; },
      5000));
  CHECK(test.label(QStringLiteral("and the text has no kernel now")));
  CHECK(test.label(QStringLiteral("``")) == nullptr);
}
