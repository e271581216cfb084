// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/MainWindow.h"

#include "tests/support/FakeBackend.h"
#include "tests/support/FakeResult.h"
#include "views/common/Theme.h"
#include "views/layout/LayoutDiagram.h"
#include "views/problems/ProblemsView.h"
#include "views/stages/StageColumn.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::views;
using compiler::StageId;

namespace {
/// A window over the sample kernel in its own folder.
struct Fixture {
  QTemporaryDir folder;
  tests::FakeBackend backend;
  std::unique_ptr<MainWindow> window;
  QString file;

  explicit Fixture(const QString &theme = QStringLiteral("dark")) {
    file = folder.filePath(QStringLiteral("vector_add.py"));
    QFile out(file);
    REQUIRE(out.open(QIODevice::WriteOnly));
    out.write(tests::sampleSource().c_str());
    out.close();
    backend.answer = [](const compiler::CompileRequest &) { return tests::sampleResult(); };
    open(theme);
  }

  void open(const QString &theme) {
    window.reset();
    auto session = SessionStore::open(folder.filePath(QStringLiteral("session")));
    REQUIRE((session && *session));
    MainWindowOptions options;
    options.session = std::move(*session);
    window = std::make_unique<MainWindow>(&backend, options);
    window->setThemeName(theme);
    window->resize(1920, 1080);
    window->show();
  }

  void openFile() {
    QSignalSpy settled(window.get(), &MainWindow::settled);
    REQUIRE(window->openFile(file));
    REQUIRE(settled.wait(5000));
  }
};
} // namespace

TEST_CASE("the window shows every stage of the kernel", "[gui]") {
  Fixture fixture;
  fixture.openFile();
  CHECK(fixture.window->stageColumn(StageId::Ttir)->codeView().document().text().find("tt.load") !=
        std::string::npos);
  CHECK(fixture.window->stageColumn(StageId::Ptx)->codeView().document().text().find("ld.global") !=
        std::string::npos);
  CHECK(fixture.window->layoutDiagram()->current() != nullptr);
  CHECK_FALSE(fixture.window->stageColumn(StageId::Ttir)->isStale());
}

TEST_CASE("screenshots of both themes show something", "[gui]") {
  for (const char *name : {"dark", "light"}) {
    Fixture fixture(QString::fromLatin1(name));
    fixture.openFile();
    fixture.window->focusOnFirstLoad();
    QTest::qWait(100);
    const QImage image = fixture.window->grab().toImage();
    CHECK(image.size() == QSize(1920, 1080));
    QSet<QRgb> colors;
    for (int y = 0; y < image.height(); y += 3)
      for (int x = 0; x < image.width(); x += 3)
        colors.insert(image.pixel(x, y));
    CHECK(colors.size() > 100);
    if (const QByteArray folder = qgetenv("TILESCOPE_SCREENSHOTS"); !folder.isEmpty())
      image.save(QString::fromUtf8(folder) + u'/' + QString::fromLatin1(name) +
                 QStringLiteral(".png"));
  }
}
