// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Runs that wait: for that of another text, or for a launch block.
#include "tests/gui/Patience.h"
#include "tests/gui/RunsFixture.h"

#include <QProgressBar>
#include <QStatusBar>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

TEST_CASE("F5 in a second file waits for the run of the first, and says so", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  test.fixture.openAndWait(test.fixture.write("other.py", sampleSource() + "\n# other\n"));
  test.press(Qt::Key_F5);
  CHECK(test.runs.requests.size() == 1);
  CHECK(test.view.statusText() ==
        u"Waiting for the run of vector_add.py to end. Shift+F5 stops that one.");
  test.runs.finish(test.outcome());
  REQUIRE(test.runs.requests.size() == 2);
  CHECK(test.runs.requests.back().input.text == sampleSource() + "\n# other\n");
  CHECK(test.view.statusText() == u"Running vector_add…");
  test.runs.finish(test.outcome());
  CHECK(test.view.numOutputs() == 1);
  test.press(Qt::Key_PageUp, Qt::ControlModifier);
  CHECK(test.view.numOutputs() == 1);
}

TEST_CASE("of two runs that wait the last begins, and one whose file is closed does not",
          "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  test.fixture.openAndWait(test.fixture.write("second.py", sampleSource()));
  test.press(Qt::Key_F5);
  test.fixture.openAndWait(test.fixture.write("third.py", sampleSource()));
  test.press(Qt::Key_F5);
  test.window.openFile(test.fixture.folder.filePath(QStringLiteral("second.py")));
  CHECK(test.view.statusText() == u"Not run: third.py was started while this file waited for "
                                  u"another run to end. Press F5 again.");
  test.window.openFile(test.fixture.folder.filePath(QStringLiteral("third.py")));
  test.press(Qt::Key_W, Qt::ControlModifier);
  test.runs.finish(test.outcome());
  CHECK(test.runs.requests.size() == 1);
}

TEST_CASE("a run goes on while its text is edited, and the newer text runs after it or when it is "
          "stopped",
          "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  auto *progress = test.view.findChild<QProgressBar *>();
  CHECK(progress->isVisible());
  test.fixture.editor().goTo({0, 0});
  test.fixture.type("#");
  test.press(Qt::Key_F5);
  CHECK(test.runs.requests.size() == 1);
  CHECK(test.runs.numCancelled == 0);
  CHECK(progress->isVisible());
  CHECK(test.view.statusText() ==
        u"Running vector_add…, then the newer text. Shift+F5 stops this run.");
  const auto stop = [&] {
    test.press(Qt::Key_F5, Qt::ShiftModifier);
    LaunchRun stopped;
    stopped.measurement = Error{ErrorCode::Cancelled, "the run was cancelled", ""};
    test.runs.finish(std::move(stopped));
  };
  stop();
  CHECK(test.runs.numCancelled == 1);
  REQUIRE(test.runs.requests.size() == 2);
  CHECK(test.runs.requests.back().input.text.starts_with("#"));
  CHECK(test.view.statusText() == u"Running vector_add…");
  stop();
  CHECK(test.runs.numCancelled == 2);
  CHECK(test.runs.requests.size() == 2);
  CHECK(test.view.statusText() == QStringLiteral("Stopped."));
  CHECK_FALSE(progress->isVisible());
}

TEST_CASE("F5 at another kernel of the file waits for the run of the first", "[gui][run]") {
  RunsFixture test;
  const std::string first = sampleSource();
  std::string second = first;
  for (size_t at = 0; (at = second.find("vector_add", at)) != std::string::npos;)
    second.replace(at, 10, "other_add");
  test.fixture.openAndWait(test.fixture.write("both.py", first + "\n\n" + second));
  test.press(Qt::Key_F5);
  REQUIRE(test.runs.requests.size() == 1);
  const std::string text = test.fixture.editor().utf8Text();
  test.fixture.editor().goTo(rangeOf(text, "def other_add").begin);
  REQUIRE(QTest::qWaitFor(
      [&] {
        const auto document = test.window.compileController()->document();
        return document && document->kernel() == "other_add";
      },
      kPatienceMs));
  test.press(Qt::Key_F5);
  CHECK(test.runs.requests.size() == 1);
  test.runs.finish(test.outcome());
  REQUIRE(test.runs.requests.size() == 2);
  CHECK(test.runs.requests.back().selection.kernel == "other_add");
}

TEST_CASE("a launch block of guesses waits for TTIR, and for no machine code", "[gui][run]") {
  RunsFixture test;
  std::string text = sampleSource();
  const size_t begin = text.find("# /// tilescope"), end = text.find("# ///\n", begin + 6) + 6;
  text.erase(begin, end - begin);
  // The compiler is busy.
  const auto answer = std::exchange(test.backend.answer, nullptr);
  test.window.openFile(test.fixture.write("plain.py", text));
  test.press(Qt::Key_F5);
  QCoreApplication::processEvents();
  CHECK(test.view.statusText() ==
        u"Writing a launch block of guesses, to run it, as soon as there is TTIR…");
  CHECK(test.fixture.editor().utf8Text() == text);
  compiler::CompileRequest request = test.backend.requests.back();
  auto part = std::make_shared<compiler::CompileResult>(*answer(request));
  part->revision = request.revision;
  std::erase_if(part->stages,
                [](const compiler::Stage &stage) { return stage.id > compiler::StageId::Ttir; });
  REQUIRE(part->stage(compiler::StageId::Ttir)->ok);
  // The block is another text, whose compile does not end, either.
  Q_EMIT test.backend.progressed(std::make_shared<const views::Correlation>(std::move(part)),
                                 false);
  REQUIRE(QTest::qWaitFor([&] { return test.runs.requests.size() == 1; }, kPatienceMs));
  CHECK(test.runs.requests.front().input.text.find("# /// tilescope") != std::string::npos);
}

TEST_CASE("a run that waits for its launch block says that its file was left", "[gui][run]") {
  RunsFixture test;
  std::string text = sampleSource();
  const size_t begin = text.find("# /// tilescope"), end = text.find("# ///\n", begin + 6) + 6;
  text.erase(begin, end - begin);
  // The compiler is busy.
  const auto answer = std::exchange(test.backend.answer, nullptr);
  test.window.openFile(test.fixture.write("plain.py", text));
  test.press(Qt::Key_F5);
  CHECK(test.view.statusText().contains(u"Writing a launch block of guesses"));
  QTest::keyClick(test.window.editor(), Qt::Key_PageUp, Qt::ControlModifier);
  REQUIRE(test.window.currentPage()->path().endsWith(u"vector_add.py"));
  INFO(test.window.statusBar()->currentMessage().toStdString());
  CHECK(test.window.statusBar()->currentMessage().contains(
      u"Not run: plain.py was left before its launch block was written"));
  test.backend.answer = answer;
  // Nothing of it happens to the other file, and nothing when the first one comes back.
  QTest::keyClick(test.window.editor(), Qt::Key_PageDown, Qt::ControlModifier);
  REQUIRE(test.window.currentPage()->path().endsWith(u"plain.py"));
  QTest::qWait(100);
  CHECK(test.fixture.editor().utf8Text() == text);
  CHECK(test.view.statusText().startsWith(u"Not run: plain.py was left before"));
  // There it is run.
  test.press(Qt::Key_F5);
  CHECK(QTest::qWaitFor(
      [&] { return test.fixture.editor().utf8Text().find("# /// tilescope") != std::string::npos; },
      5000));
}
