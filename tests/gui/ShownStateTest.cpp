// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is shown belongs to the text in front.
#include "tests/gui/StateFixture.h"

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::StageId;

TEST_CASE("a large file and one that is not a kernel show nothing of the file before",
          "[gui][document]") {
  StateFixture test;
  test.open("kernels.py", kTwoKernels);
  REQUIRE(test.lists("`wrong` is not defined"));
  const size_t numCompiles = test.backend.requests.size();
  std::string large = sampleSource();
  while (large.size() <= kMaxLiveBytes)
    large += "# a line that makes the file large, and says nothing else than this\n";
  for (const auto &[name, text, why] :
       {std::tuple("large.py", large, "Not compiled: press Ctrl+B."),
        std::tuple("notes.txt", std::string("hello\n"),
                   "Not compiled: kernel files end with .py, and this is notes.txt. Ctrl+B "
                   "compiles it all the same.")}) {
    INFO(name);
    test.window.openFile(test.fixture.write(name, text));
    test.checkUncompiled(why);
    CHECK(test.backend.requests.size() == numCompiles);
  }
  // Asked for, it is compiled; an edit makes that old.
  test.window.openFile(test.fixture.folder.filePath(QStringLiteral("large.py")));
  QSignalSpy settled(&test.window, &MainWindow::settled);
  test.press(Qt::Key_B, Qt::ControlModifier);
  REQUIRE(settled.wait(kPatienceMs));
  CHECK_FALSE(test.window.stageColumn(StageId::Ttir)->codeView().document().text().empty());
  CHECK_FALSE(test.window.stageColumn(StageId::Ttir)->isStale());
  test.fixture.type("#");
  CHECK(test.window.stageColumn(StageId::Ttir)->isStale());
  // The kernel file is compiled again as soon as it is in front.
  test.window.openFile(test.fixture.folder.filePath(QStringLiteral("kernels.py")));
  CHECK(test.lists("`wrong` is not defined"));
}

TEST_CASE("an empty file is not a mistake", "[gui][document]") {
  StateFixture test;
  test.open("kernel.py", sampleSource());
  test.press(Qt::Key_A, Qt::ControlModifier);
  test.press(Qt::Key_Delete);
  REQUIRE(test.fixture.editor().utf8Text().empty());
  QCoreApplication::processEvents();
  test.checkUncompiled("The file is empty: there is nothing to compile yet.");
  test.fixture.type("# To do: a kernel");
  QCoreApplication::processEvents();
  test.checkUncompiled("The file has only comments: there is nothing to compile yet.");
  // Another kernel than before is typed: it is the one meant.
  QSignalSpy settled(&test.window, &MainWindow::settled);
  test.fixture.editor().replaceText(QString::fromUtf8(kTwoKernels));
  REQUIRE(settled.wait(kPatienceMs));
  CHECK(test.window.compileController()->latest()->result()->kernel == "first");
}

TEST_CASE("a search leaves the kernel chosen until it ends; unpinning follows the cursor",
          "[gui][document]") {
  StateFixture test;
  test.open("two.py", kTwoKernels);
  test.goToKernel(10, "second");
  const auto kernel = [&] { return test.window.compileController()->document()->kernel(); };
  test.fixture.editor().goTo({0, 0});
  test.press(Qt::Key_F, Qt::ControlModifier);
  QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("wrong"));
  REQUIRE(test.fixture.editor().cursor().line == 6);
  CHECK(kernel() == "second");
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  CHECK(QTest::qWaitFor([&] { return kernel() == "first"; }, kPatienceMs));
  // The pin holds it while the cursor is elsewhere.
  test.press(Qt::Key_P, Qt::ControlModifier | Qt::AltModifier);
  test.fixture.editor().goTo({10, 0});
  CHECK(kernel() == "first");
  test.press(Qt::Key_P, Qt::ControlModifier | Qt::AltModifier);
  CHECK(QTest::qWaitFor([&] { return kernel() == "second"; }, kPatienceMs));
}

TEST_CASE("errors of the file's other kernels are listed, marked and led to", "[gui][document]") {
  StateFixture test;
  test.open("two.py", kTwoKernels);
  REQUIRE(test.lists("`wrong` is not defined"));
  // The other kernel is shown now: the error stays, with the name of its kernel.
  test.goToKernel(10, "second");
  const std::string other = "in `first`: `wrong` is not defined";
  CHECK(test.messages() == std::vector<std::string>{other});
  CHECK(test.problemsText().isEmpty());
  test.press(Qt::Key_F8);
  CHECK(test.fixture.editor().cursor() == Position{6, 20});
  // Lines above move it.
  test.goToKernel(10, "second");
  test.fixture.editor().goTo({0, 0});
  QTest::keyClick(test.window.editor(), Qt::Key_Return);
  CHECK(test.messages() == std::vector<std::string>{other});
  REQUIRE(QTest::qWaitFor(
      [&] { return test.window.problems()->model().diagnostics().front().range.begin.line == 7; },
      kPatienceMs));
}

TEST_CASE("kernels that were never shown are checked while the user does not type",
          "[gui][document]") {
  StateFixture test;
  std::string swapped = kTwoKernels;
  swapped.replace(swapped.find("wrong"), 5, "1.0");
  swapped.replace(swapped.find("2.0"), 3, "wrong");
  test.open("two.py", swapped);
  CHECK(test.lists("in `second`: `wrong` is not defined"));
  REQUIRE(test.backend.checks.size() == 1);
  CHECK(test.backend.checks[0].stopAfter == StageId::Ttir);
  // The window still shows the kernel at the cursor.
  CHECK(test.window.compileController()->latest()->result()->kernel == "first");
  // Mended, it is gone with the edit.
  test.fixture.editor().replaceRange(rangeOf(swapped, "wrong"), QStringLiteral("2.0"));
  CHECK(QTest::qWaitFor([&] { return test.messages().empty(); }, kPatienceMs));
}

TEST_CASE("a column never shows another kernel's stage as this one's last good",
          "[gui][document]") {
  StateFixture test;
  test.open("two.py", kTwoKernels);
  test.goToKernel(10, "second");
  const views::StageColumn &column = *test.window.stageColumn(StageId::Ptx);
  const views::CodeView &view = test.window.stageColumn(StageId::Ptx)->codeView();
  REQUIRE_FALSE(view.document().text().empty());
  test.goToKernel(6, "first");
  CHECK_FALSE(column.staleText().contains(u"last good"));
  CHECK(view.document().text().empty());
  CHECK(test.window.layoutDiagram()->current() == nullptr);
}

TEST_CASE("results of one unnamed text are not another's, and follow it to its name",
          "[gui][run]") {
  StateFixture test;
  QSignalSpy settled(&test.window, &MainWindow::settled);
  QTest::keyClick(&test.window, Qt::Key_N, Qt::ControlModifier);
  REQUIRE(settled.wait(kPatienceMs));
  // A new file says nothing of a launch.
  test.fixture.editor().replaceText(QString::fromStdString(sampleSource()));
  REQUIRE(settled.wait(kPatienceMs));
  test.press(Qt::Key_F5);
  LaunchRun run;
  run.measurement = Error{ErrorCode::Environment, "no such thing", ""};
  test.runs.finish(run);
  auto &view = *test.window.findChild<views::RunView *>();
  REQUIRE(view.statusText() == u"no such thing");
  EditorPage *ran = test.window.currentPage();
  test.press(Qt::Key_N, Qt::ControlModifier);
  REQUIRE(settled.wait(kPatienceMs));
  CHECK(view.statusText() == u"Not run yet.");
  test.press(Qt::Key_W, Qt::ControlModifier);
  REQUIRE(test.window.currentPage() == ran);
  CHECK(view.statusText() == u"no such thing");
  const QString path = test.fixture.folder.filePath(QStringLiteral("named.py"));
  QTimer::singleShot(200, &test.window, [&] {
    auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
    REQUIRE(dialog);
    dialog->findChild<QLineEdit *>()->setText(path);
    QTest::keyClick(dialog->findChild<QLineEdit *>(), Qt::Key_Return);
  });
  QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  test.press(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
  REQUIRE(ran->path() == path);
  CHECK(view.statusText() == u"no such thing");
  CHECK(view.results().stampText().contains(u"named.py"));
  // The result compiled under the old name belongs to this text, too.
  REQUIRE(
      QTest::qWaitFor([&] { return test.window.compileController()->isCurrent(); }, kPatienceMs));
  test.fixture.editor().replaceText(QStringLiteral("@triton.jit\ndef kernel(x):\n    wrong\n"));
  REQUIRE(settled.wait(kPatienceMs));
  CHECK(test.window.stageColumn(StageId::Ttir)->staleText().contains(u"last good"));
}

TEST_CASE("the last good stages stay while the kernel does not compile, also under another name",
          "[gui][document]") {
  StateFixture test;
  test.open("kernel.py", sampleSource());
  const auto isKept = [&] {
    for (const StageId stage : {StageId::Ttir, StageId::Ttgir, StageId::Ptx})
      if (test.window.stageColumn(stage)->codeView().document().text().empty() ||
          !test.window.stageColumn(stage)->isStale())
        return false;
    return test.window.layoutDiagram()->current() && test.window.layoutDiagram()->isStale();
  };
  // A text that compiles part of the way before the next key: its stages say nothing yet about what
  // they are of.
  const auto answer = std::exchange(test.backend.answer, nullptr);
  test.fixture.editor().goTo({20, 0});
  test.fixture.type("#");
  auto part = answer(test.backend.requests.back());
  part->revision = test.backend.requests.back().revision;
  part->kernel.clear();
  part->stages.resize(3);
  Q_EMIT test.backend.progressed(std::make_shared<const views::Correlation>(std::move(part)),
                                 false);
  test.backend.answer = answer;
  QSignalSpy settled(&test.window, &MainWindow::settled);
  // A line of its own in the kernel.
  const std::string text = test.fixture.editor().utf8Text();
  const Position store = rangeOf(text, "tl.store").begin;
  test.fixture.editor().goTo(store);
  test.fixture.type("wrong;");
  REQUIRE(settled.wait(kPatienceMs));
  CHECK(isKept());
  // Saved under another name while it is broken.
  QTimer::singleShot(0, &test.window, [&] {
    QWidget *dialog = QApplication::activeModalWidget();
    REQUIRE(dialog);
    auto *name = dialog->findChild<QLineEdit *>();
    name->setText(test.fixture.folder.filePath(QStringLiteral("other.py")));
    QTest::keyClick(name, Qt::Key_Return);
  });
  settled.clear();
  test.press(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
  REQUIRE(test.window.currentPage()->path().endsWith(u"other.py"));
  REQUIRE((!settled.isEmpty() || settled.wait(kPatienceMs)));
  CHECK(isKept());
}

TEST_CASE("after a compile that was cut short, a broken text leaves one revision everywhere",
          "[gui][document]") {
  StateFixture test;
  test.open("kernel.py", sampleSource());
  const StageId stages[] = {StageId::Ttir, StageId::Ttgir, StageId::Ptx};
  const auto textOf = [&](StageId stage) {
    return test.window.stageColumn(stage)->codeView().document().text();
  };
  std::map<StageId, std::string> whole;
  for (const StageId stage : stages)
    whole[stage] = textOf(stage);
  // An edit of which only the first stages arrive before the next one.
  const auto answer = std::exchange(test.backend.answer, nullptr);
  const uint64_t before = test.window.compileController()->request().revision;
  test.fixture.type("#");
  REQUIRE(QTest::qWaitFor(
      [&] { return test.window.compileController()->request().revision != before; }, kPatienceMs));
  // The compiler has looked for its answer, and there is none.
  QCoreApplication::processEvents();
  auto part = sampleResult();
  part->ok = false;
  part->target.clear();
  part->kernel = test.window.compileController()->latest()->result()->kernel;
  part->files = test.window.compileController()->latest()->result()->files;
  part->revision = test.window.compileController()->request().revision;
  part->stages.resize(3);
  part->stages[1].text += "// of the edit\n";
  part->stages[2].text += "// of the edit\n";
  part->layouts[0].value = "%of_the_edit";
  Q_EMIT test.backend.progressed(std::make_shared<const views::Correlation>(part), false);
  REQUIRE(textOf(StageId::Ttir) != whole[StageId::Ttir]);
  test.backend.answer = answer;
  QSignalSpy settled(&test.window, &MainWindow::settled);
  test.fixture.editor().replaceText(QString::fromStdString(sampleSource())
                                        .replace(QStringLiteral("x + y"), QStringLiteral("wrong")));
  REQUIRE(settled.wait(kPatienceMs));
  for (const StageId stage : stages) {
    INFO(compiler::stageName(stage));
    const views::StageColumn &column = *test.window.stageColumn(stage);
    CHECK(column.isStale());
    CHECK(textOf(stage) == whole[stage]);
    CHECK(column.headerText().contains(u"cuda:90"));
  }
  REQUIRE(test.window.layoutDiagram()->isStale());
  const QComboBox *values = test.window.layoutDiagram()->findChild<QComboBox *>();
  REQUIRE(values);
  CHECK(values->itemText(0).endsWith(u"%x_3"));
}

TEST_CASE("all columns come to the cursor's line when the first text compiles", "[gui][document]") {
  static constexpr int kLinesAbove = 300;
  StateFixture test;
  test.open("kernel.py", "wrong = 1\n" + sampleSource());
  const std::string source = sampleSource();
  test.fixture.editor().goTo({rangeOf("wrong = 1\n" + source, "tl.store(").begin.line, 6});
  QCoreApplication::processEvents();
  const uint32_t storeLine = test.fixture.editor().cursor().line;
  test.backend.answer = [&](const compiler::CompileRequest &request) {
    auto result = sampleResult();
    result->files = {{request.path, request.text}};
    for (compiler::Stage &stage : result->stages) {
      for (int i = 0; i < kLinesAbove; ++i)
        stage.text.insert(0, "\n");
      for (compiler::LineMapping &mapping : stage.sourceMap.lines) {
        mapping.line += kLinesAbove;
        for (SourceRange &range : mapping.sources)
          range = {{range.begin.line + 1, range.begin.column},
                   {range.end.line + 1, range.end.column},
                   0};
      }
    }
    return result;
  };
  QSignalSpy settled(&test.window, &MainWindow::settled);
  test.fixture.editor().replaceText(QString::fromStdString("right = 1\n" + source));
  REQUIRE(settled.wait(kPatienceMs));
  REQUIRE(test.fixture.editor().cursor().line == storeLine);
  for (const StageId stage : {StageId::Ttir, StageId::Ttgir, StageId::Ptx}) {
    INFO(compiler::stageName(stage));
    CHECK(test.window.stageColumn(stage)->codeView().verticalScrollBar()->value() >
          kLinesAbove / 2);
  }
}

TEST_CASE("while an error is held back, problems do not deny it", "[gui][document]") {
  StateFixture test;
  test.open("kernel.py", sampleSource());
  test.fixture.editor().goTo(rangeOf(sampleSource(), "x + y").end);
  bool isHeldBack = false;
  // A busy machine may take longer than a typist's pause.
  for (int attempt = 0; attempt < 5 && !isHeldBack; ++attempt) {
    QSignalSpy settled(&test.window, &MainWindow::settled);
    test.fixture.type(" + wrong");
    REQUIRE(settled.wait(kPatienceMs));
    isHeldBack = test.messages().empty();
  }
  REQUIRE(isHeldBack);
  CHECK(test.problemsText().contains(u"as soon as the typing pauses"));
  CHECK_FALSE(test.problemsText().contains(u"No problems"));
  CHECK(test.lists("`wrong` is not defined"));
}

TEST_CASE("what was wrong is gone as soon as the front end accepts the text", "[gui][document]") {
  StateFixture test;
  test.open("kernel.py",
            std::string(sampleSource()).replace(sampleSource().find("x + y"), 5, "wrong"));
  REQUIRE(test.lists("`wrong` is not defined"));
  test.backend.answer = nullptr;
  const uint64_t before = test.window.compileController()->request().revision;
  test.fixture.editor().replaceText(QString::fromStdString(sampleSource()));
  REQUIRE(QTest::qWaitFor(
      [&] { return test.window.compileController()->request().revision != before; }, kPatienceMs));
  QCoreApplication::processEvents();
  auto part = sampleResult();
  part->ok = false;
  part->diagnostics.clear();
  part->files = {{test.window.currentPage()->path().toStdString(), sampleSource()}};
  part->revision = test.window.compileController()->request().revision;
  part->stages.resize(2);
  Q_EMIT test.backend.progressed(std::make_shared<const views::Correlation>(part), false);
  CHECK(test.messages().empty());
  CHECK(test.fixture.editor().visibleDiagnostics().empty());
}

TEST_CASE("the fix of an error in another kernel is offered, and finds its line",
          "[gui][document]") {
  StateFixture test;
  const auto answer = test.backend.answer;
  test.backend.answer = [answer](const compiler::CompileRequest &request) {
    auto result = answer(request);
    for (compiler::Diagnostic &error : result->diagnostics)
      error.fixes = {{error.range, "1.0", "write `1.0`"}};
    return result;
  };
  test.open("two.py", kTwoKernels);
  test.goToKernel(10, "second");
  REQUIRE(test.lists("in `first`: `wrong` is not defined"));
  // Lines above move it.
  test.fixture.editor().goTo({0, 0});
  test.press(Qt::Key_Return);
  const auto fix = [&]() -> const compiler::DiagnosticFix * {
    const std::vector<compiler::Diagnostic> &all = test.window.problems()->model().diagnostics();
    return all.size() == 1 && all[0].fixes.size() == 1 ? &all[0].fixes[0] : nullptr;
  };
  REQUIRE(QTest::qWaitFor([&] { return fix() && fix()->range.begin.line == 7; }, kPatienceMs));
  Q_EMIT test.window.problems()->fixRequested(compiler::DiagnosticFix(*fix()));
  CHECK(test.fixture.editor().utf8Text().find("tl.store(x_ptr, 1.0)") != std::string::npos);
}

TEST_CASE("what does not parse is listed once, whatever kernel it is in", "[gui][document]") {
  StateFixture test;
  // Every compile of the file says it.
  const auto answer = test.backend.answer;
  test.backend.answer = [answer](const compiler::CompileRequest &request) {
    auto result = answer(request);
    compiler::Diagnostic error;
    error.kind = compiler::DiagnosticKind::SyntaxIndentation;
    error.range = rangeOf(request.text, "tl.store(x_ptr, 2.0)");
    error.message = "unexpected indent";
    result->diagnostics.push_back(error);
    return result;
  };
  std::string text = kTwoKernels;
  text.replace(text.find("wrong"), 5, "1.0");
  test.open("two.py", text);
  REQUIRE(test.lists("unexpected indent"));
  REQUIRE(QTest::qWaitFor([&] { return !test.backend.checks.empty(); }, kPatienceMs));
  QTest::qWait(50);
  CHECK(test.messages() == std::vector<std::string>{"unexpected indent"});
}

TEST_CASE("the history of a file that is not compiled says why it has none", "[gui][document]") {
  StateFixture test;
  const auto says = [&](const char *words) {
    for (const QLabel *label :
         test.window.dock(QStringLiteral("history"))->findChildren<QLabel *>())
      if (label->text() == QString::fromLatin1(words))
        return true;
    return false;
  };
  test.window.openFile(test.fixture.write("latin.py", "# \xe4\n"));
  CHECK(says("Not compiled: the file is not UTF-8."));
  CHECK_FALSE(says("No file is open."));
}
