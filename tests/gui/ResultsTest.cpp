// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What runs gave: pictures and tables of outputs, the console, and to which text results belong.
#include "app/ide/docks/ViewDock.h"
#include "app/ide/run/RunController.h"
#include "app/ide/run/RunHistory.h"
#include "profiler/data/Npy.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeBackend.h"
#include "tests/support/FakeResult.h"
#include "tests/support/FakeRuns.h"
#include "views/common/Theme.h"
#include "views/console/ConsoleView.h"
#include "views/problems/ProblemsView.h"
#include "views/run/OutputText.h"
#include "views/run/PictureAxes.h"
#include "views/run/RunView.h"
#include "views/run/TensorModel.h"
#include "views/run/TensorPictures.h"

#include <QComboBox>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressBar>
#include <QScrollBar>
#include <QStatusBar>
#include <QTableView>
#include <QTreeView>

#include <cmath>
#include <set>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using profiler::Dtype;
using profiler::Tensor;
using views::PixelKind;

static constexpr int kPatienceMs = 10000;

static Tensor poisoned(std::vector<int64_t> shape) {
  return profiler::makeTensor(Dtype::Fp32, std::move(shape), {});
}

TEST_CASE("NaN, infinities, elements that were never written and the rest behind the last look "
          "different",
          "[gui][run]") {
  Tensor tensor = poisoned({10});
  for (int64_t i = 0; i < 6; ++i)
    tensor.set(i, static_cast<double>(i));
  tensor.set(6, NAN);
  tensor.set(7, INFINITY);
  const views::TensorDigestPointer digest = views::digestTensor(tensor, true);
  REQUIRE(digest);
  CHECK(digest->statistics.numUnwritten == 2);
  CHECK(digest->statistics.numNan == 1);
  CHECK(digest->statistics.numInfinite == 1);
  CHECK(digest->statistics.numFinite == 6);
  const views::TensorPicture &picture = digest->picture;
  REQUIRE(picture.columns == 8);
  REQUIRE(picture.rows == 2);
  const auto pixel = [&](int x, int y) { return int{picture.image.constScanLine(y)[x]}; };
  CHECK(pixel(0, 0) == 0);
  CHECK(pixel(5, 0) == views::kNumShades - 1);
  CHECK(pixel(6, 0) == static_cast<int>(PixelKind::Nan));
  CHECK(pixel(7, 0) == static_cast<int>(PixelKind::Infinite));
  CHECK(pixel(0, 1) == static_cast<int>(PixelKind::UnwrittenOther));
  CHECK(pixel(1, 1) == static_cast<int>(PixelKind::Unwritten));
  CHECK(pixel(2, 1) == static_cast<int>(PixelKind::PastEnd));
  std::set<QRgb> colors;
  for (int kind = views::kNumShades; kind <= static_cast<int>(PixelKind::PastEnd); ++kind)
    colors.insert(views::HeatMap::pixelColor(kind));
  CHECK(colors.size() == 5);
  // A tensor that began with data has no such elements, whatever their bits.
  CHECK(views::digestTensor(tensor, false)->statistics.numNan == 3);
}

TEST_CASE("a single NaN is seen in a picture of a million elements", "[gui][run]") {
  Tensor tensor =
      profiler::makeTensor(Dtype::Fp32, {2048, 2048}, {.kind = profiler::TensorInit::Kind::Ones});
  tensor.set(2048 * 777 + 1501, NAN);
  const views::TensorDigestPointer digest = views::digestTensor(tensor, false);
  const QImage &image = digest->picture.image;
  REQUIRE(image.width() == 1024);
  CHECK(image.constScanLine(777 / 2)[1501 / 2] == static_cast<int>(PixelKind::Nan));
}

TEST_CASE("how a picture differs from its tensor is said", "[gui][run]") {
  using profiler::TensorInit;
  const auto textOf = [](const Tensor &tensor) {
    return views::pictureText(*views::digestTensor(tensor, false));
  };
  CHECK(textOf(profiler::makeTensor(Dtype::Fp32, {8, 16}, {.kind = TensorInit::Kind::Ones}))
            .isEmpty());
  CHECK(textOf(profiler::makeTensor(Dtype::Fp32, {4, 2, 16}, {.kind = TensorInit::Kind::Ones})) ==
        QStringLiteral("4×2×16 shown as 8×16"));
  Tensor outlier = profiler::makeTensor(Dtype::Fp32, {1000}, {.kind = TensorInit::Kind::Rand});
  outlier.set(7, 1e6);
  CHECK(textOf(outlier).startsWith(u"shown in rows of 64 · colors from 0"));
  CHECK(textOf(outlier).endsWith(u"beyond have the color of the end"));
}

TEST_CASE("rows and columns of a picture are named, as densely as labels fit", "[gui][run]") {
  using Ticks = std::vector<int64_t>;
  CHECK(views::axisTicks(100, 200, 30) == Ticks{0, 20, 40, 60, 80});
  CHECK(views::axisTicks(4, 400, 30) == Ticks{0, 1, 2, 3});
  CHECK(views::axisTicks(1000, 100, 30) == Ticks{0, 500});
  CHECK(views::axisTicks(8, 10, 30).empty());
  CHECK(views::axisTicks(0, 100, 30).empty());
  CHECK(views::rowLabel(21, {128, 8, 128}, 128) == u"2, 5");
  CHECK(views::rowLabel(7, {16, 8}, 8) == u"7");
  CHECK(views::rowLabel(3, {1000}, 64) == u"192");
  // They are drawn beside the picture, which keeps its own elements under the pointer.
  views::HeatMap map;
  map.resize(500, 300);
  map.setTensor(views::digestTensor(
      profiler::makeTensor(Dtype::Fp32, {16, 32}, {.kind = profiler::TensorInit::Kind::Arange}),
      false));
  map.show();
  REQUIRE(QTest::qWaitForWindowExposed(&map));
  const QImage shown = map.grab().toImage();
  const auto hasInk = [&](const QRect &area) {
    for (int y = area.top(); y <= area.bottom(); ++y)
      for (int x = area.left(); x <= area.right(); ++x)
        if (shown.pixel(x, y) != shown.pixel(1, 1))
          return true;
    return false;
  };
  const int line = QFontMetrics(views::uiFont()).height();
  CHECK(hasInk({30, 8, 300, line}));
  CHECK(hasInk({8, line + 14, 14, 200}));
  QSignalSpy hovered(&map, &views::HeatMap::elementHovered);
  QTest::mouseMove(&map, QPoint(40, line + 16));
  REQUIRE(QTest::qWaitFor([&] { return !hovered.isEmpty(); }, 1000));
  CHECK(hovered.last().front().toLongLong() >= 0);
}

TEST_CASE("a table of many rows offers a window that moves to the element", "[gui][run]") {
  const int64_t count = 2'000'000;
  views::TensorModel model;
  model.setTensor(views::digestTensor(
      profiler::makeTensor(Dtype::Fp32, {count}, {.kind = profiler::TensorInit::Kind::Arange}),
      false));
  CHECK(model.rowCount() == views::TensorModel::kMaxRows);
  const QModelIndex cell = model.reveal(count - 1);
  REQUIRE(cell.isValid());
  CHECK(cell.data().toString() == QStringLiteral("1999999"));
  CHECK(model.headerData(cell.row(), Qt::Vertical, Qt::DisplayRole).toLongLong() + cell.column() ==
        count - 1);
  CHECK(model.reveal(17).data().toString() == QStringLiteral("17"));
  CHECK_FALSE(model.reveal(count).isValid());
}

TEST_CASE("elements are typed as coordinates or numbers", "[gui][run]") {
  const std::vector<int64_t> shape{4, 8};
  CHECK(views::parseElement(QStringLiteral("[2, 3]"), shape) == 19);
  CHECK(views::parseElement(QStringLiteral("19"), shape) == 19);
  for (const char *wrong : {"4, 0", "32", "-1", "x", "1, 2, 3", ""})
    CHECK_FALSE(views::parseElement(QString::fromLatin1(wrong), shape));
}

TEST_CASE("the console keeps the newest lines", "[gui][run]") {
  views::ConsoleModel model;
  for (int round = 0; round < 3; ++round) {
    std::vector<views::ConsoleLine> lines;
    for (int i = 0; i < 9000; ++i)
      lines.push_back({views::ConsoleLine::Kind::Print, QString::number(round * 9000 + i)});
    model.append(std::move(lines));
  }
  CHECK(model.rowCount() == static_cast<int>(views::ConsoleModel::kMaxLines));
  CHECK(model.line(0).text == QStringLiteral("7000"));
  CHECK(model.line(model.rowCount() - 1).text == QStringLiteral("26999"));
}

namespace {

/// A window whose compiles and runs end as the test says.
struct RunsFixture {
  FakeBackend backend;
  FakeRuns runs;
  WindowFixture fixture{backend, &runs};
  MainWindow &window = *fixture.window;
  views::RunView &view = *window.findChild<views::RunView *>();
  QTemporaryDir outputs;

  RunsFixture() {
    backend.answer = [](const compiler::CompileRequest &request) {
      auto result = sampleResult();
      result->files.front() = {request.path, request.text};
      return result;
    };
    fixture.openAndWait(fixture.write("vector_add.py", sampleSource()));
  }

  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(window.editor(), key, modifiers);
  }

  /// A run of the kernel in the window whose output was written up to an element.
  LaunchRun outcome(int64_t count = 4000, int64_t numWritten = 3072) {
    Tensor tensor = poisoned({count});
    for (int64_t i = 0; i < numWritten; ++i)
      tensor.set(i, static_cast<double>(i));
    profiler::OutputResult output;
    output.name = "out_ptr";
    output.dtype = "fp32";
    output.shape = {count};
    output.changed = true;
    output.path = outputs.filePath(QStringLiteral("out_ptr.npy")).toStdString();
    output.neverWritten = count - numWritten;
    output.firstNeverWritten = {numWritten};
    REQUIRE(profiler::writeNpy(output.path, tensor));
    profiler::Measurement measurement;
    measurement.device.name = "CPU (interpreter)";
    measurement.kernel = "vector_add";
    measurement.grid = {4, 1, 1};
    measurement.outputs.push_back(std::move(output));
    measurement.timeUs = profiler::TimeStats{2000, 2000, 2000, 1, 0, {}};
    measurement.timeSource = profiler::TimeSource::Interpreter;
    LaunchRun run;
    run.measurement = std::move(measurement);
    run.files = {{window.currentPage()->path().toStdString(), fixture.editor().utf8Text()}};
    return run;
  }

  compiler::Diagnostic finding(const char *code, const char *message) {
    compiler::Diagnostic diagnostic;
    diagnostic.kind = compiler::DiagnosticKind::RunAccessOutside;
    diagnostic.range = rangeOf(fixture.editor().utf8Text(), code);
    diagnostic.message = message;
    return diagnostic;
  }

  bool hasProblem(const char *message) {
    for (const compiler::Diagnostic &diagnostic : window.problems()->model().diagnostics())
      if (diagnostic.message == message)
        return true;
    return false;
  }

  /// For whoever wants to see it.
  void savePicture(const char *name) {
    const QString folder = qEnvironmentVariable("TILESCOPE_TEST_PICTURES");
    CHECK((folder.isEmpty() || window.grab().save(folder + u'/' + QString::fromLatin1(name))));
  }

  QLabel *label(const QString &part) {
    for (QLabel *label : view.findChildren<QLabel *>())
      if (!label->isHidden() && label->text().contains(part))
        return label;
    return nullptr;
  }
};

} // namespace

TEST_CASE("elements that were never written are said, and a key leads to the first", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  REQUIRE(test.runs.requests.size() == 1);
  CHECK(test.runs.requests[0].place.kind == RunPlace::Kind::Cpu);
  CHECK(test.runs.requests[0].input.text == sampleSource());
  test.runs.finish(test.outcome());
  CHECK(test.view.statusText() == QStringLiteral("4 programs in 2.0 ms on the interpreter"));
  QLabel *remarks = test.label(QStringLiteral("never written"));
  REQUIRE(remarks != nullptr);
  CHECK(remarks->text().contains(QStringLiteral("928 of 4,000 elements were never written")));
  CHECK(remarks->wordWrap());
  REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, kPatienceMs));
  test.savePicture("unwritten.png");
  remarks->setFocus();
  QTest::keyClick(remarks, Qt::Key_Tab);
  QTest::keyClick(remarks, Qt::Key_Return);
  auto *table = test.view.findChild<QTableView *>();
  CHECK(table->isVisible());
  CHECK(table->currentIndex().row() == 3072 / 16);
  CHECK(table->currentIndex().data().toString() == QStringLiteral("unwritten"));
  QLineEdit *goTo = nullptr;
  for (QLineEdit *edit : test.view.findChildren<QLineEdit *>())
    if (edit->accessibleName() == u"Go to element")
      goTo = edit;
  REQUIRE(goTo != nullptr);
  QTest::keyClicks(goTo, QStringLiteral("17"));
  QTest::keyClick(goTo, Qt::Key_Return);
  CHECK(table->currentIndex().data().toString() == QStringLiteral("17"));
}

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

TEST_CASE("an error is said once in the Run view, and once in the console", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  LaunchRun run = test.outcome();
  run.diagnostics.push_back(test.finding("offsets < n", "program 0 reads outside"));
  run.measurement->timeUs.reset();
  test.runs.finish(std::move(run));
  CHECK(test.view.statusText() == u"The run failed with 1 error.");
  const auto *findings = test.view.findChild<QListWidget *>();
  REQUIRE(findings->count() == 1);
  CHECK(findings->item(0)->text().endsWith(u"program 0 reads outside"));
  auto *console = test.window.findChild<views::ConsoleView *>();
  int numSaid = 0;
  for (int row = 0; row < console->model().rowCount(); ++row)
    numSaid += console->model().line(row).text.contains(u"reads outside");
  CHECK(numSaid == 1);
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
  // What still comes of it does not take back that it is being stopped.
  Q_EMIT test.runs.progressed(1'000'000'001, 2'000'000'000);
  CHECK(test.view.statusText() == u"Stopping…");
}

TEST_CASE("a run goes on while its text is edited, and ends by a key", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  auto *progress = test.view.findChild<QProgressBar *>();
  CHECK(progress->isVisible());
  test.fixture.editor().goTo({0, 0});
  test.fixture.type("#");
  // A second run waits for the first to end.
  test.press(Qt::Key_F5);
  CHECK(test.runs.requests.size() == 1);
  CHECK(test.runs.numCancelled == 0);
  CHECK(progress->isVisible());
  test.press(Qt::Key_F5, Qt::ShiftModifier);
  CHECK(test.runs.numCancelled == 1);
  LaunchRun stopped;
  stopped.measurement = Error{ErrorCode::Cancelled, "the run was cancelled", ""};
  test.runs.finish(std::move(stopped));
  CHECK(test.view.statusText() == QStringLiteral("Stopped."));
  CHECK_FALSE(progress->isVisible());
}

TEST_CASE("what kernels print and runners note is in the console, line by line, with its place",
          "[gui][run]") {
  RunsFixture test;
  auto *console = test.window.findChild<views::ConsoleView *>();
  REQUIRE(console != nullptr);
  test.press(Qt::Key_F5);
  LaunchRun run = test.outcome();
  run.prints.push_back({{0, 0, 0}, rangeOf(sampleSource(), "tl.program_id(0)"), "a: 1\nb: 2\n"});
  run.measurement->notes = {"clocks are not locked"};
  run.diagnostics.push_back(test.finding("offsets < n", "does not hold"));
  run.diagnostics.back().severity = compiler::Severity::Warning;
  Q_EMIT test.runs.printed(QStringLiteral("from the device"));
  test.runs.finish(std::move(run));
  QStringList lines;
  int printed = -1;
  for (int row = 0; row < console->model().rowCount(); ++row) {
    lines << console->model().line(row).text;
    if (lines.back() == u"b: 2")
      printed = row;
  }
  INFO(lines.join(u'\n').toStdString());
  for (const char *line : {"from the device", "a: 1", "b: 2", "does not hold",
                           "clocks are not locked", "4 programs in 2.0 ms on the interpreter"})
    CHECK(lines.contains(QString::fromLatin1(line)));
  REQUIRE(printed >= 0);
  CHECK(console->model().index(printed, views::ConsoleModel::PlaceColumn).data().toString() ==
        QStringLiteral("vector_add.py:25"));
  QTest::keyClick(test.window.editor(), Qt::Key_U, Qt::ControlModifier | Qt::ShiftModifier);
  auto *list = console->findChild<QTreeView *>();
  REQUIRE(list->isVisible());
  list->setCurrentIndex(console->model().index(printed, 0));
  QTest::keyClick(list, Qt::Key_Return);
  CHECK(test.fixture.editor().selectedText() == QStringLiteral("tl.program_id(0)"));
  test.savePicture("console.png");
  CHECK(test.window.editor()->hasFocus());
}

TEST_CASE("the console cuts no line, and its tab counts what has not been seen", "[gui][run]") {
  RunsFixture test;
  auto *console = test.window.findChild<views::ConsoleView *>();
  QDockWidget *dock = test.window.dock(QStringLiteral("console"));
  CHECK(dock->windowTitle() == u"Console");
  test.press(Qt::Key_F5);
  LaunchRun run = test.outcome();
  const std::string longLine(400, 'x');
  run.prints.push_back(
      {{0, 0, 0}, rangeOf(sampleSource(), "tl.program_id(0)"), "a: 1\n" + longLine + "\n"});
  test.runs.finish(std::move(run));
  CHECK(dock->windowTitle() == u"Console (2)");
  QTest::keyClick(test.window.editor(), Qt::Key_U, Qt::ControlModifier | Qt::ShiftModifier);
  auto *list = console->findChild<QTreeView *>();
  REQUIRE(QTest::qWaitFor([&] { return list->isVisible(); }, kPatienceMs));
  CHECK(dock->windowTitle() == u"Console");
  CHECK(list->textElideMode() == Qt::ElideNone);
  CHECK(list->columnWidth(views::ConsoleModel::TextColumn) >=
        list->fontMetrics().horizontalAdvance(QString::fromStdString(longLine)));
  CHECK(list->horizontalScrollBar()->maximum() > 0);
  // The place stands in front, in the room that it takes.
  const QRect place = list->visualRect(list->model()->index(1, views::ConsoleModel::PlaceColumn));
  CHECK(place.left() <= 0);
  CHECK(place.width() >= list->fontMetrics().horizontalAdvance(QStringLiteral("vector_add.py:25")));
  // Lines that only tell of a run are not output.
  test.press(Qt::Key_F5);
  test.runs.finish(test.outcome());
  CHECK(dock->windowTitle() == u"Console");
}

TEST_CASE("a finding in another file leads to that file", "[gui][run]") {
  RunsFixture test;
  const std::string helper = "import triton\n\n\ndef twice(x):\n    return x + x\n";
  const QString path = test.fixture.write("helper.py", helper);
  test.press(Qt::Key_F5);
  LaunchRun run = test.outcome();
  run.files.push_back({path.toStdString(), helper});
  compiler::Diagnostic found = test.finding("offsets < n", "in the helper");
  found.range = rangeOf(helper, "x + x");
  found.range.file = 1;
  run.diagnostics.push_back(found);
  test.runs.finish(std::move(run));
  auto *tree = test.window.problems()->findChild<QTreeView *>();
  const views::ProblemsModel &model = test.window.problems()->model();
  for (int row = 0; row < model.rowCount(); ++row)
    if (model.index(row, 0).data().toString().contains(u"in the helper"))
      tree->setCurrentIndex(model.index(row, 0));
  QTest::keyClick(tree, Qt::Key_Return);
  CHECK(test.window.currentPage()->path() == path);
  CHECK(test.fixture.editor().selectedText() == QStringLiteral("x + x"));
}

TEST_CASE("the first and the worst mismatch are shown", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  LaunchRun run = test.outcome(64, 64);
  profiler::OutputComparison comparison;
  comparison.mismatches = 12;
  comparison.firstMismatch = {3};
  comparison.firstActual = 3;
  comparison.firstExpected = 4;
  comparison.worst = {40};
  comparison.worstActual = 40;
  comparison.worstExpected = -1;
  run.measurement->outputs.front().comparison = comparison;
  test.runs.finish(std::move(run));
  const QLabel *remarks = test.label(QStringLiteral("differ"));
  REQUIRE(remarks != nullptr);
  CHECK(remarks->text().contains(u"12 elements differ"));
  CHECK(remarks->text().contains(u"<a href=\"3\">first [3]</a>: 3 instead of 4"));
  CHECK(remarks->text().contains(u"<a href=\"40\">worst [40]</a>: 40 instead of -1"));
}

TEST_CASE("a machine behind ssh is typed once, chosen and remembered", "[gui][run]") {
  FakeBackend backend;
  FakeRuns runs;
  profiler::DeviceInfo device;
  device.name = "Fake GPU";
  runs.devices = {device};
  backend.answer = [](const compiler::CompileRequest &) { return sampleResult(); };
  WindowFixture fixture(backend, &runs);
  fixture.openAndWait(fixture.write("vector_add.py", sampleSource()));
  const auto places = [&] {
    for (QComboBox *box : fixture.window->findChildren<QComboBox *>())
      if (box->accessibleName() == u"Where to run")
        return box;
    FAIL("there is no choice of places");
    return static_cast<QComboBox *>(nullptr);
  };
  REQUIRE(places()->count() == 3);
  CHECK(places()->itemText(1) == QStringLiteral("Fake GPU"));
  places()->setFocus();
  QTest::keyClick(places(), Qt::Key_End);
  auto *dialog = fixture.window->findChild<QInputDialog *>();
  REQUIRE(dialog != nullptr);
  auto *edit = dialog->findChild<QLineEdit *>();
  QTest::keyClicks(edit, QStringLiteral("me@gpu.example/1"));
  QTest::keyClick(edit, Qt::Key_Return);
  CHECK(places()->currentText() == QStringLiteral("ssh://me@gpu.example/1"));
  CHECK(runs.lookups.back() == RunPlace{RunPlace::Kind::Ssh, 1, "me@gpu.example"});
  QTest::keyClick(fixture.window->editor(), Qt::Key_F5, Qt::ControlModifier);
  REQUIRE(runs.requests.size() == 1);
  CHECK(runs.requests[0].place == RunPlace{RunPlace::Kind::Ssh, 1, "me@gpu.example"});
  CHECK(runs.requests[0].compare);
  fixture.window->close();
  fixture.window.reset();
  fixture.open();
  CHECK(places()->findText(QStringLiteral("ssh://me@gpu.example/1")) >= 0);
}

TEST_CASE("large outputs are read and drawn beside the window", "[gui][run][timed]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  LaunchRun run = test.outcome(8'000'000, 7'000'000);
  test.runs.finish(std::move(run));
  // Nothing was waited for.
  CHECK_FALSE(test.view.results().isLoaded());
  CHECK(test.label(QStringLiteral("1,000,000 of 8,000,000 elements were never written")));
  QElapsedTimer sinceTick;
  qint64 longest = 0;
  QTimer tick;
  QObject::connect(&tick, &QTimer::timeout, &tick,
                   [&] { longest = std::max(longest, sinceTick.restart()); });
  sinceTick.start();
  tick.start(0);
  REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, 60000));
  INFO(longest);
  CHECK(longest < 250);
}
