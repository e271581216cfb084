// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The History view in the window: keys go in, versions come out, and are there after a restart.
#include "app/ide/history/HistoryController.h"
#include "app/ide/history/HistoryStore.h"
#include "tests/gui/Patience.h"
#include "tests/gui/RunsFixture.h"
#include "tests/support/FakeResult.h"
#include "views/common/CodeView.h"
#include "views/history/HistoryPicture.h"
#include "views/history/HistoryView.h"

#include <QComboBox>
#include <QDialog>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QToolButton>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::StageId;
using views::HistoryModel;

namespace {
struct HistoryFixture {
  FakeBackend backend;
  WindowFixture fixture{backend};

  HistoryFixture() {
    // PTX differs with the text, as it would.
    backend.answer = [](const compiler::CompileRequest &request) {
      auto result = sampleResult();
      result->files.front().text = request.text;
      result->resources.registers = static_cast<int64_t>(request.text.size());
      for (compiler::Stage &stage : result->stages)
        if (stage.id == StageId::Ptx)
          stage.text += "\t// \n\tmov " + std::to_string(request.text.size()) + ";\n";
      return result;
    };
    fixture.openAndWait(path());
  }
  QString path() { return fixture.write("vector_add.py", sampleSource()); }
  views::HistoryView &view() { return *fixture.window->versions()->view(); }
  int count() { return view().model().rowCount(); }
  void waitFor(int count) {
    (void)QTest::qWaitFor([&] { return this->count() == count; }, kPatienceMs);
    REQUIRE(this->count() == count);
  }
  /// Types, after a pause that ends the version before.
  void typeVersion(const char *keys, int count) {
    QTest::qWait(app::HistoryLog::kTypingMs + 100);
    fixture.editor().goTo(rangeOf(fixture.editor().utf8Text(), "x + y").end);
    fixture.type(keys);
    waitFor(count);
  }
  void goToHistory() {
    QTest::keyClick(fixture.window.get(), Qt::Key_H, Qt::ControlModifier | Qt::ShiftModifier);
    REQUIRE(QTest::qWaitFor([&] { return view().table().hasFocus(); }, kPatienceMs));
  }
  QToolButton *button(const char *text) {
    for (QToolButton *each : view().header()->findChildren<QToolButton *>())
      if (each->text() == QString::fromLatin1(text))
        return each;
    return nullptr;
  }
  QDialog *comparison() {
    for (QDialog *dialog : fixture.window->findChildren<QDialog *>())
      if (dialog->isVisible() && dialog->findChild<QLabel *>(QStringLiteral("facts")))
        return dialog;
    return nullptr;
  }
};
} // namespace

TEST_CASE("versions are listed, compared and restored by keys", "[gui][history]") {
  HistoryFixture test;
  test.waitFor(1);
  test.typeVersion(" * 2", 2);
  test.goToHistory();
  QTest::keyClick(&test.view().table(), Qt::Key_Home, Qt::ControlModifier);
  REQUIRE(test.view().chosen() == std::vector<int64_t>{2});
  QTest::keyClick(&test.view().table(), Qt::Key_Down, Qt::ShiftModifier);
  REQUIRE(test.view().chosen() == std::vector<int64_t>{1, 2});
  CHECK(test.view().difference().contains(u"registers"));
  QTest::keyClick(&test.view().table(), Qt::Key_Return);
  REQUIRE(QTest::qWaitFor([&] { return test.comparison() != nullptr; }, kPatienceMs));
  QDialog *dialog = test.comparison();
  auto *code = dialog->findChild<views::CodeView *>();
  REQUIRE(code != nullptr);
  CHECK(code->document().text().find("x + y * 2") != std::string::npos);
  // The stages of versions of now are there, too.
  auto *choice = dialog->findChild<QComboBox *>();
  REQUIRE(choice->findText(QStringLiteral("PTX")) > 0);
  choice->setCurrentIndex(choice->findText(QStringLiteral("PTX")));
  CHECK(code->document().text().find("mov ") != std::string::npos);
  QTest::keyClick(dialog, Qt::Key_Escape);
  // Back to the first version, and forth again by undo.
  test.goToHistory();
  test.view().choose(1);
  REQUIRE(test.button("Restore")->isEnabled());
  test.button("Restore")->click();
  CHECK(test.fixture.editor().utf8Text() == sampleSource());
  CHECK(test.fixture.editor().hasFocus());
  QTest::keyClick(test.fixture.window->editor(), Qt::Key_Z, Qt::ControlModifier);
  CHECK(test.fixture.editor().utf8Text().find("x + y * 2") != std::string::npos);
}

TEST_CASE("the version of now is compared with the one before", "[gui][history]") {
  HistoryFixture test;
  test.waitFor(1);
  test.typeVersion(" * 2", 2);
  test.goToHistory();
  test.view().choose(2);
  QTest::keyClick(&test.view().table(), Qt::Key_Return);
  REQUIRE(QTest::qWaitFor([&] { return test.comparison() != nullptr; }, kPatienceMs));
  CHECK(test.comparison()
            ->findChild<QLabel *>(QStringLiteral("facts"))
            ->text()
            .startsWith(QStringLiteral("From version 1 to version 2")));
  QTest::keyClick(test.comparison(), Qt::Key_Escape);
}

TEST_CASE("a comparison with a text that is still compiling completes itself", "[gui][history]") {
  HistoryFixture test;
  test.waitFor(1);
  const auto answer = std::exchange(test.backend.answer, nullptr);
  test.fixture.editor().goTo(rangeOf(test.fixture.editor().utf8Text(), "x + y").end);
  test.fixture.type(" * 5");
  const app::CompileController &compile = *test.fixture.window->compileController();
  REQUIRE(QTest::qWaitFor([&] { return compile.isRunning(); }, kPatienceMs));
  // The first stages are there, and the rest is not.
  const auto reply = [&](std::shared_ptr<compiler::CompileResult> result, bool done) {
    result->revision = compile.document()->revision;
    Q_EMIT test.backend.progressed(std::make_shared<const views::Correlation>(std::move(result)),
                                   done);
  };
  auto first = std::make_shared<compiler::CompileResult>(*answer(compile.request()));
  auto whole = std::make_shared<compiler::CompileResult>(*first);
  first->stages.resize(1);
  first->target.clear();
  first->resources = {};
  reply(first, false);
  test.goToHistory();
  test.view().choose(1);
  QTest::keyClick(&test.view().table(), Qt::Key_Return);
  REQUIRE(QTest::qWaitFor([&] { return test.comparison() != nullptr; }, kPatienceMs));
  QPointer<QDialog> dialog = test.comparison();
  const auto facts = [&] { return dialog->findChild<QLabel *>(QStringLiteral("facts"))->text(); };
  CHECK(facts() == QStringLiteral("From version 1 to the text of now: still compiling; resources "
                                  "and counts follow"));
  auto *choice = dialog->findChild<QComboBox *>();
  CHECK(choice->count() == 1);
  reply(whole, true);
  REQUIRE(dialog);
  CHECK(facts().contains(u"registers"));
  CHECK_FALSE(facts().contains(u"compiling"));
  CHECK(choice->findText(QStringLiteral("PTX")) > 0);
  CHECK(choice->toolTip().isEmpty());
}

/// Types the name into the dialog that Ctrl+Shift+S opens.
static void saveAs(WindowFixture &fixture, const QString &path) {
  QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  QTimer timer;
  QObject::connect(&timer, &QTimer::timeout, &timer, [&] {
    if (auto *files = qobject_cast<QFileDialog *>(QApplication::activeModalWidget())) {
      timer.stop();
      auto *field = files->findChild<QLineEdit *>();
      field->setText(path);
      QTest::keyClick(field, Qt::Key_Return);
    }
  });
  timer.start(10);
  fixture.window->activateWindow();
  REQUIRE(QTest::qWaitForWindowActive(fixture.window.get()));
  QTest::keyClick(&fixture.editor(), Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
}

TEST_CASE("versions of a text go along with the name that it is saved under", "[gui][history]") {
  HistoryFixture test;
  test.waitFor(1);
  test.fixture.window->newFile();
  test.fixture.editor().replaceText(QString::fromStdString(sampleSource()));
  test.waitFor(1);
  test.typeVersion(" * 6", 2);
  // As a kill would leave it: what counts is on the disk.
  const HistoryStore store(test.fixture.sessionFolder() + QStringLiteral("/history"));
  const QString id = QStringLiteral("page:") + test.fixture.window->currentPage()->id();
  const auto isKeptAs = [&](const QString &name) {
    return QTest::qWaitFor(
        [&] {
          const std::vector<views::HistoryEntry> kept = store.load(name);
          return !kept.empty() && kept.back().text.contains("x + y * 6") &&
                 kept.size() == size_t(test.count());
        },
        kPatienceMs);
  };
  REQUIRE(isKeptAs(id));
  const int count = test.count();
  const QString first = test.fixture.folder.filePath(QStringLiteral("first.py"));
  saveAs(test.fixture, first);
  REQUIRE(test.fixture.window->currentPage()->path() == first);
  REQUIRE(isKeptAs(first));
  CHECK(QTest::qWaitFor([&] { return store.load(id).empty(); }, kPatienceMs));
  CHECK(test.count() == count);
  // A copy begins with the versions of what it is a copy of.
  const QString second = test.fixture.folder.filePath(QStringLiteral("second.py"));
  saveAs(test.fixture, second);
  REQUIRE(isKeptAs(second));
  CHECK(store.load(first).size() == size_t(count));
}

TEST_CASE("a version opens as a file of its own", "[gui][history]") {
  HistoryFixture test;
  test.waitFor(1);
  test.typeVersion(" * 3", 2);
  EditorPage *before = test.fixture.window->currentPage();
  test.view().choose(1);
  test.fixture.editor().goTo({3, 2});
  test.button("Open a copy")->click();
  CHECK(test.fixture.window->currentPage() != before);
  CHECK(test.fixture.editor().cursor().line == 3);
  CHECK(test.fixture.window->currentPage()->path().isEmpty());
  CHECK(test.fixture.editor().utf8Text() == sampleSource());
}

TEST_CASE("versions and their baseline are there after a restart", "[gui][history]") {
  HistoryFixture test;
  test.waitFor(1);
  test.typeVersion(" * 4", 2);
  test.view().choose(1);
  test.button("Set as baseline")->click();
  CHECK(test.view().model().index(1, HistoryModel::Number).data() == QStringLiteral("1 ★"));
  // What was typed is in the session, too.
  QTest::qWait(1000);
  test.fixture.open();
  test.fixture.window->restoreSession();
  test.waitFor(2);
  CHECK(test.view().model().index(1, HistoryModel::Number).data() == QStringLiteral("1 ★"));
  // The text of now is the last version, and not a third one.
  REQUIRE(QTest::qWaitFor(
      [&] { return test.fixture.window->compileController()->latest() != nullptr; }, kPatienceMs));
  QTest::qWait(100);
  CHECK(test.count() == 2);
  // Without the versions of this kernel the place says what will be there.
  test.button("Clear")->click();
  CHECK(test.count() == 0);
}

TEST_CASE("a run is noted with the version that ran", "[gui][history]") {
  RunsFixture test;
  views::HistoryView &view = *test.window.versions()->view();
  REQUIRE(QTest::qWaitFor([&] { return view.model().rowCount() == 1; }, kPatienceMs));
  CHECK_FALSE(view.model().entryAt(0)->time.has_value());
  const auto run = [&](double us) {
    test.press(Qt::Key_F5);
    LaunchRun outcome = test.outcome(64, 64);
    outcome.measurement->device.name = "NVIDIA H200";
    outcome.measurement->timeSource = profiler::TimeSource::Cupti;
    outcome.measurement->timeUs = profiler::TimeStats{us, us, us, 100, 0.004, {}};
    test.runs.finish(std::move(outcome));
  };
  run(40);
  REQUIRE(QTest::qWaitFor([&] { return view.model().entryAt(0)->time.has_value(); }, kPatienceMs));
  CHECK(view.model().index(0, HistoryModel::Time).data() == QStringLiteral("40.0 µs ± 0.4 %"));
  CHECK(view.model().entryAt(0)->facts.has_value());
  run(30);
  REQUIRE(QTest::qWaitFor([&] { return view.model().rowCount() == 2; }, kPatienceMs));
  CHECK(view.model().index(0, HistoryModel::Change).data().toString().contains(u"25"));
  // One that failed has no time, and says so.
  test.press(Qt::Key_F5);
  LaunchRun failed = test.outcome(64, 64);
  failed.measurement->timeUs.reset();
  failed.diagnostics.push_back(test.finding("offsets < n", "program 0 reads outside"));
  failed.faults.push_back({{0, 0, 0}, failed.diagnostics.back().range});
  test.runs.finish(std::move(failed));
  REQUIRE(QTest::qWaitFor([&] { return view.model().rowCount() == 3; }, kPatienceMs));
  CHECK(view.model().index(0, HistoryModel::Change).data().toString().startsWith(u"run failed"));
  CHECK_FALSE(view.model().entryAt(0)->time.has_value());
  // A click in the picture chooses the version below it.
  view.resize(900, 300);
  view.show();
  test.window.dock(QStringLiteral("history"))->raise();
  REQUIRE(QTest::qWaitFor([&] { return view.picture().isVisible(); }, kPatienceMs));
  const views::HistoryCurve curve = view.picture().curves().front();
  REQUIRE(curve.points.size() == 2);
  QTest::mouseClick(&view.picture(), Qt::LeftButton, {},
                    QPoint(int(curve.points[0].x), int(curve.points[0].y)));
  CHECK(view.chosen() == std::vector<int64_t>{1});
}
