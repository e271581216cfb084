// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What runs say, in the window: findings in the text, and the console.
#include "app/ide/page/NoticeBar.h"
#include "app/ide/run/MovedFindings.h"
#include "tests/gui/Patience.h"
#include "tests/gui/RunsFixture.h"
#include "views/console/ConsoleView.h"
#include "views/problems/ProblemsView.h"

#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QTreeView>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

TEST_CASE("what one of two findings says stays after the other is mended, marked as outdated",
          "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  LaunchRun run = test.outcome();
  run.diagnostics = {test.finding("tl.store", "writes outside"),
                     test.finding("tl.load(x_ptr", "reads outside")};
  run.diagnostics[0].fixes = {{run.diagnostics[0].range, "tl.store", "write it again"}};
  test.runs.finish(std::move(run));
  // In the order of their lines, whatever the order they were found in.
  const auto *list = test.view.findChild<QListWidget *>();
  REQUIRE(list->count() == 2);
  CHECK(list->item(0)->text().endsWith(u"reads outside"));
  // The line of the first is edited, and two lines come above.
  const std::string before = test.fixture.editor().utf8Text();
  test.fixture.editor().goTo(rangeOf(before, "tl.load(x_ptr").begin);
  test.fixture.type(" ");
  test.fixture.editor().goTo({0, 0});
  test.press(Qt::Key_Return);
  test.press(Qt::Key_Return);
  const auto outdated = [&]() -> const compiler::Diagnostic * {
    for (const compiler::Diagnostic &each : test.window.problems()->model().diagnostics())
      if (each.message == "outdated: writes outside")
        return &each;
    return nullptr;
  };
  REQUIRE(QTest::qWaitFor(
      [&] {
        const compiler::Diagnostic *found = outdated();
        return found &&
               found->range.begin == rangeOf(test.fixture.editor().utf8Text(), "tl.store").begin;
      },
      kPatienceMs));
  CHECK_FALSE(test.hasProblem("outdated: reads outside"));
  REQUIRE(outdated()->fixes.size() == 1);
  CHECK(outdated()->fixes[0].range == outdated()->range);
  CHECK(outdated()->severity == compiler::Severity::Warning);
}

TEST_CASE("findings move with their lines, and go with a change of these", "[gui][run]") {
  const auto moved = [](const std::string &before, const std::string &after) {
    std::vector<compiler::Diagnostic> findings(4);
    for (uint32_t line = 0; line < 4; ++line) {
      findings[line].range = {{line, 0}, {line, 1}, 0};
      findings[line].message = std::to_string(line);
    }
    std::string text;
    for (const compiler::Diagnostic &each : movedFindings(findings, before, after))
      text += each.message + "@" + std::to_string(each.range.begin.line) + " ";
    return text;
  };
  const std::string text = "a\nb\nc\nd\n";
  CHECK(moved(text, text) == "0@0 1@1 2@2 3@3 ");
  CHECK(moved(text, "a\nnew\nB\nc\nd\n") == "0@0 2@3 3@4 ");
  CHECK(moved(text, "a\nb\nnew\nc\nd\n") == "0@0 1@1 2@3 3@4 ");
  CHECK(moved(text, "a\nd\n") == "0@0 3@1 ");
  CHECK(moved(text, "a\nb\nc\ndd\n") == "0@0 1@1 2@2 ");
  CHECK(moved(text, "\na\nb\nc\nd\n") == "0@1 1@2 2@3 3@4 ");
}

TEST_CASE("a finding beside what is changed in its line stays", "[gui][run]") {
  const std::string before = "y = tl.load(x + i - 1) + tl.load(x + i + 1)\n";
  const std::string after = "y = tl.load(x + i - 1) + tl.load(x + i + 1, mask=i < n)\n";
  std::vector<compiler::Diagnostic> findings(2);
  findings[0].range = rangeOf(before, "tl.load(x + i - 1)");
  findings[1].range = rangeOf(before, "tl.load(x + i + 1)");
  const auto kept = movedFindings(findings, before, after);
  REQUIRE(kept.size() == 1);
  CHECK(kept[0].range == rangeOf(after, "tl.load(x + i - 1)"));
  // The other way round it moves along.
  const auto back =
      movedFindings(findings, before, "y = tl.load(x + i - 1, mask=i > 0) + tl.load(x + i + 1)\n");
  REQUIRE(back.size() == 1);
  CHECK(back[0].range.begin.column == findings[1].range.begin.column + 12);
}

TEST_CASE("the fix of one finding leaves the others of its place, as not checked", "[gui][run]") {
  const std::string before = "y = tl.load(x + i, mask=i <= n)\n";
  std::vector<compiler::Diagnostic> findings(3);
  for (compiler::Diagnostic &each : findings)
    each.range = rangeOf(before, "tl.load(x + i, mask=i <= n)");
  findings[0].message = "reads outside";
  findings[0].fixes = {{rangeOf(before, "i <= n"), "i < n", "write `i < n`"}};
  findings[1].message = "is undefined";
  findings[2].message = "reads outside, in another copy";
  findings[2].fixes = findings[0].fixes;
  const std::string after = "y = tl.load(x + i, mask=i < n)\n";
  const auto kept = movedFindings(findings, before, after);
  REQUIRE(kept.size() == 1);
  CHECK(kept[0].message == "is undefined");
  CHECK(kept[0].range == rangeOf(after, "tl.load(x + i, mask=i < n)"));
  REQUIRE(kept[0].notes.size() == 1);
  CHECK(kept[0].notes[0].starts_with("not checked since another finding in this line was fixed"));
  // What is typed may have mended it.
  CHECK(movedFindings(findings, before, "y = tl.load(x + i, mask=i < 7)\n").empty());
  CHECK(movedFindings(kept, after, "y = tl.load(x + i, mask=i < 7)\n").empty());
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
  CHECK(test.fixture.editor().cursor() == rangeOf(sampleSource(), "tl.program_id(0)").begin);
  CHECK_FALSE(test.fixture.editor().hasSelectedText());
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
  CHECK(test.fixture.editor().cursor() == rangeOf(helper, "x + x").begin);
  CHECK_FALSE(test.fixture.editor().hasSelectedText());
}

TEST_CASE("files that cannot be opened are named above the others, whose findings stay",
          "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  LaunchRun run = test.outcome();
  run.diagnostics = {test.finding("tl.store", "writes outside")};
  test.runs.finish(std::move(run));
  REQUIRE(test.hasProblem("writes outside"));
  const QString folder = test.fixture.folder.filePath(QStringLiteral("empty"));
  REQUIRE(QDir().mkdir(folder));
  CHECK(test.window.openFile(test.fixture.folder.filePath(QStringLiteral("gone.py"))) == nullptr);
  CHECK(test.window.openFile(folder) == nullptr);
  CHECK(test.hasProblem("writes outside"));
  const auto notice = [&]() -> NoticeBar * {
    for (NoticeBar *bar : test.window.findChildren<NoticeBar *>())
      if (bar->isVisible())
        return bar;
    return nullptr;
  };
  REQUIRE(notice() != nullptr);
  CHECK(notice()->text().contains(u"gone.py"));
  CHECK(notice()->text().contains(u"is a folder without kernels"));
  QTest::keyClick(notice()->findChild<QPushButton *>(), Qt::Key_Space);
  CHECK(notice() == nullptr);
  CHECK(test.window.editor()->hasFocus());
}

TEST_CASE("F5 on a kernel without a launch block begins with writing one of guesses",
          "[gui][run]") {
  RunsFixture test;
  std::string text = sampleSource();
  const size_t begin = text.find("# /// tilescope"), end = text.find("# ///\n", begin + 6) + 6;
  test.fixture.openAndWait(test.fixture.write("plain.py", text.erase(begin, end - begin)));
  REQUIRE(test.fixture.editor().utf8Text().find("# /// tilescope") == std::string::npos);
  test.press(Qt::Key_F5);
  CHECK(QTest::qWaitFor(
      [&] {
        return test.fixture.editor().utf8Text().find(
                   "# /// tilescope\n# kernel = \"vector_add\"\n") != std::string::npos;
      },
      5000));
  CHECK(test.label(QStringLiteral("There is nothing to run")) == nullptr);
}

TEST_CASE("an assembler that takes too long keeps nobody from running on the CPU", "[gui][run]") {
  RunsFixture test;
  const auto answer = test.backend.answer;
  test.backend.answer = [&](const compiler::CompileRequest &request) {
    auto result = answer(request);
    result->ok = false;
    std::erase_if(result->stages,
                  [](const compiler::Stage &stage) { return stage.id > compiler::StageId::Ptx; });
    compiler::Stage cubin;
    cubin.id = compiler::StageId::Cubin;
    result->stages.push_back(cubin);
    compiler::Diagnostic late;
    late.kind = compiler::DiagnosticKind::StageTimedOut;
    late.message = "the compiler took too long while making cubin";
    result->diagnostics = {late};
    return result;
  };
  std::string text = sampleSource();
  const size_t begin = text.find("# /// tilescope"), end = text.find("# ///\n", begin + 6) + 6;
  test.fixture.openAndWait(test.fixture.write("plain.py", text.erase(begin, end - begin)));
  REQUIRE(test.hasProblem("the compiler took too long while making cubin"));
  test.press(Qt::Key_F5);
  REQUIRE(QTest::qWaitFor([&] { return test.runs.requests.size() == 1; }, kPatienceMs));
  CHECK(test.label(QStringLiteral("There is nothing to run")) == nullptr);
  // What happened is still said.
  CHECK(test.hasProblem("the compiler took too long while making cubin"));
}

TEST_CASE("a text that does not parse gets no launch block from F5", "[gui][run]") {
  RunsFixture test;
  const std::string text = "import triton\n\n\n@triton.jit\ndef k(x_ptr):\n    return (\n";
  test.fixture.openAndWait(test.fixture.write("broken.py", text));
  test.press(Qt::Key_F5);
  CHECK(test.fixture.editor().utf8Text() == text);
}

TEST_CASE("a file without a kernel is not run", "[gui][run]") {
  RunsFixture test;
  test.fixture.openAndWait(test.fixture.write("none.py", "import triton\n"));
  test.press(Qt::Key_F5);
  CHECK(test.label(QStringLiteral("There is nothing to run")) != nullptr);
  CHECK(test.view.results().numOutputs() == 0);
}

TEST_CASE("the console opens at its newest lines, and stays where the user reads", "[gui][run]") {
  views::ConsoleView console;
  const auto lines = [](const char *text) {
    return std::vector<views::ConsoleLine>(
        200, {views::ConsoleLine::Kind::Print, QString::fromLatin1(text)});
  };
  // Nobody sees it yet.
  console.append(lines("an earlier run"));
  console.append(lines("the newest run"));
  console.resize(400, 200);
  console.show();
  REQUIRE(QTest::qWaitForWindowExposed(&console));
  auto *list = console.findChild<QTreeView *>();
  const QScrollBar *bar = list->verticalScrollBar();
  REQUIRE(QTest::qWaitFor([&] { return bar->maximum() > 0 && bar->value() == bar->maximum(); },
                          kPatienceMs));
  console.append(lines("one more"));
  REQUIRE(QTest::qWaitFor([&] { return bar->value() == bar->maximum(); }, kPatienceMs));
  list->setFocus();
  // The focus begins at the first line, though nobody sees it.
  QTest::keyClick(list, Qt::Key_End);
  QTest::keyClick(list, Qt::Key_Home);
  REQUIRE(bar->value() == 0);
  console.append(lines("the last"));
  console.hide();
  console.show();
  QCoreApplication::processEvents();
  CHECK(bar->value() == 0);
}
