// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the window shows, written into files: where they are offered, and what is said of them.
#include "app/ide/page/NoticeBar.h"
#include "tests/gui/Dialogs.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeBackend.h"
#include "tests/support/FakeResult.h"
#include "tests/support/FakeRuns.h"

#include <QDesktopServices>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QStatusBar>

#include <algorithm>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

/// Takes the place of the desktop's browser.
class Browser : public QObject {
  Q_OBJECT
public:
  Browser() { QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "open"); }
  ~Browser() override { QDesktopServices::unsetUrlHandler(QStringLiteral("file")); }
  QUrl opened;

public Q_SLOTS:
  void open(const QUrl &url) { opened = url; }
};

namespace {
struct ExportFixture {
  FakeBackend backend;
  FakeRuns runs;
  WindowFixture fixture{backend, &runs};
  MainWindow &window = *fixture.window;
  QTemporaryDir folder;

  ExportFixture() {
    backend.answer = [](const compiler::CompileRequest &request) {
      auto result = sampleResult();
      result->files.front() = {request.path, request.text};
      return result;
    };
    fixture.openAndWait(fixture.write("vector_add.py", sampleSource()));
    // The cursor on a value with a layout.
    window.focusOnFirstLoad();
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    // A dialog that closes does not always hand the keys back on this platform.
    window.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&window));
    QTest::keyClick(window.editor(), key, modifiers);
  }
};
} // namespace

TEST_CASE("the layout's diagram is offered beside the kernel, and said where it was written",
          "[gui][export]") {
  ExportFixture test;
  const QString path = test.folder.filePath(QStringLiteral("picture.svg"));
  FileAnswer answer(path);
  test.window.action(QStringLiteral("exportLayout"))->trigger();
  CHECK(answer.offered == test.fixture.folder.filePath(QStringLiteral("vector_add-layout.svg")));
  CHECK(QFileInfo(path).size() > 100);
  CHECK(test.window.statusBar()->currentMessage() ==
        QStringLiteral("The layout diagram was written to %1").arg(path));
}

TEST_CASE("a report is written beside the window, and offered to be opened", "[gui][export]") {
  ExportFixture test;
  Browser browser;
  const QString path = test.folder.filePath(QStringLiteral("report.html"));
  const auto notice = [&]() -> NoticeBar * {
    for (NoticeBar *bar : test.window.findChildren<NoticeBar *>())
      if (bar->text().contains(u"report"))
        return bar;
    return nullptr;
  };
  for (const bool isWritten : {true, false}) {
    FileAnswer answer(path);
    test.window.action(QStringLiteral("exportReport"))->trigger();
    CHECK(answer.offered == test.fixture.folder.filePath(QStringLiteral("vector_add-report.html")));
    REQUIRE_FALSE(test.runs.reports.empty());
    CHECK(test.runs.reports.back().output == path.toStdString());
    CHECK(test.runs.reports.back().input.text == test.fixture.editor().utf8Text());
    // Neither runs beside the other, and the same key stops both.
    test.press(Qt::Key_F5);
    CHECK(test.runs.requests.empty());
    test.press(Qt::Key_F5, Qt::ShiftModifier);
    CHECK(test.runs.numCancelled == (isWritten ? 1 : 2));
    Q_EMIT test.runs.reported(isWritten ? Status()
                                        : Error{ErrorCode::Environment, "the disk is full", ""});
    REQUIRE(notice());
    if (isWritten) {
      QTest::keyClick(notice()->findChildren<QPushButton *>().front(), Qt::Key_Space);
      CHECK(browser.opened == QUrl::fromLocalFile(path));
      CHECK_FALSE(notice());
    } else {
      CHECK(notice()->text() == u"The report was not written: the disk is full");
    }
  }
}

TEST_CASE("the notice of a report goes with the next key that is typed, or after a while",
          "[gui][export]") {
  ExportFixture test;
  const auto notice = [&]() -> NoticeBar * {
    for (NoticeBar *bar : test.window.findChildren<NoticeBar *>())
      if (bar->text().contains(u"report"))
        return bar;
    return nullptr;
  };
  const auto write = [&] {
    FileAnswer answer(test.folder.filePath(QStringLiteral("r.html")));
    test.window.action(QStringLiteral("exportReport"))->trigger();
    // A run would end it: that is said of the report, not of a run.
    const size_t numRuns = test.runs.requests.size();
    test.press(Qt::Key_F5);
    CHECK(test.runs.requests.size() == numRuns);
    CHECK(test.window.statusBar()->currentMessage().startsWith(
        u"The report r.html is being written"));
    Q_EMIT test.runs.reported(Status());
    REQUIRE(notice());
  };
  // However wide the letters of the folder's name are.
  test.window.resize(1900, 900);
  write();
  // It takes one row: text and choices beside each other.
  const auto isOneRow = [&] {
    return notice()->height() < 2 * notice()->findChild<QPushButton *>()->height();
  };
  CHECK(QTest::qWaitFor(isOneRow, 2000));
  INFO(notice()->width() << " x " << notice()->height() << ": " << notice()->text().toStdString());
  CHECK(isOneRow());
  CHECK(notice()->findChildren<QPushButton *>().back()->text() == NoticeBar::hideText());
  // Keys that move the cursor leave it.
  test.press(Qt::Key_Down);
  CHECK(notice());
  test.press(Qt::Key_A);
  CHECK_FALSE(notice());
  write();
  notice()->setPatience(30);
  write();
  CHECK(QTest::qWaitFor([&] { return !notice(); }, 5000));
}

#include "ExportTest.moc"

TEST_CASE("the report of one of several launches is offered under a name of its own",
          "[gui][export]") {
  ExportFixture test;
  const auto offered = [&](uint32_t line) {
    test.fixture.editor().goTo({line, 0});
    const auto isChosen = [&] {
      const DocumentPointer &document = test.window.compileController()->document();
      const profiler::LaunchBlock *block = document ? document->launchBlock() : nullptr;
      return block && block->range.begin.line + 1 == line;
    };
    CHECK(QTest::qWaitFor(isChosen, 10000));
    FileAnswer answer(test.folder.filePath(QStringLiteral("r.html")));
    test.window.action(QStringLiteral("exportReport"))->trigger();
    Q_EMIT test.runs.reported(Status());
    return QFileInfo(answer.offered).fileName();
  };
  std::string text = sampleSource();
  const size_t begin = text.find("# /// tilescope"), end = text.find("# ///\n\n") + 6;
  const std::string block = text.substr(begin, end - begin);
  const auto lineOf = [&](size_t at) {
    return static_cast<uint32_t>(
        std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'));
  };
  text.insert(end, "\n" + block);
  std::string named = block;
  named.insert(named.find("# grid"), "# name = \"small\"\n");
  const size_t third = end + 1 + block.size();
  text.insert(third, "\n" + named);
  test.fixture.editor().replaceText(QString::fromStdString(text));
  const uint32_t second = lineOf(end + 1);
  CHECK(offered(second + 1) == QStringLiteral("vector_add-line%1-report.html").arg(second + 1));
  CHECK(offered(lineOf(third + 1) + 1) == u"vector_add-small-report.html");
}
