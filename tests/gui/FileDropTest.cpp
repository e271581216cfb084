// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Files that are dropped on the window.
#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeBackend.h"
#include "tests/support/FakeResult.h"
#include "views/problems/ProblemsView.h"

#include <QDir>
#include <QDropEvent>
#include <QMimeData>
#include <QWindow>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

namespace {
struct DropFixture {
  FakeBackend backend;
  WindowFixture fixture{backend};
  DropFixture() {
    backend.answer = [](const compiler::CompileRequest &) { return sampleResult(); };
  }
};

/// A drag of files and texts over the window, as its window system reports it.
struct Drag {
  MainWindow &window;
  QMimeData data;

  explicit Drag(MainWindow &window) : window(window) {}
  void carry(const QStringList &paths) {
    QList<QUrl> urls;
    for (const QString &path : paths)
      urls << QUrl::fromLocalFile(path);
    data.setUrls(urls);
    // File managers offer names as text, too.
    data.setText(paths.join(u'\n'));
  }
  /// Returns whether it was taken, and the action with which.
  std::optional<Qt::DropAction> drop(const QWidget &over) {
    const QPointF at = over.mapTo(&window, over.rect().center());
    QWindow *handle = window.windowHandle();
    const Qt::DropActions offered = Qt::CopyAction | Qt::MoveAction;
    QDragEnterEvent enter(at.toPoint(), offered, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(handle, &enter);
    QDragMoveEvent move(at.toPoint(), offered, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(handle, &move);
    if (!move.isAccepted())
      return std::nullopt;
    QDropEvent event(at, offered, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(handle, &event);
    QTest::qWait(50);
    return event.isAccepted() ? std::optional(event.dropAction()) : std::nullopt;
  }
};
} // namespace

TEST_CASE("files dropped anywhere on the window are opened, and a text belongs to the editor",
          "[gui][files]") {
  DropFixture test;
  WindowFixture &fixture = test.fixture;
  MainWindow &window = *fixture.window;
  const QString first = fixture.write("first.py", sampleSource());
  const auto isOpen = [&](const QString &path) {
    return window.currentPage() && window.currentPage()->path() == path;
  };
  // On the empty window, then on the editor, in whose text its name would be, and on views.
  Drag empty(window);
  empty.carry({first});
  CHECK(empty.drop(*window.centralWidget()) == Qt::CopyAction);
  REQUIRE(isOpen(first));
  const std::string text = fixture.editor().utf8Text();
  const QString second = fixture.write("second.py", sampleSource());
  Drag onEditor(window);
  onEditor.carry({second});
  CHECK(onEditor.drop(*fixture.editor().viewport()) == Qt::CopyAction);
  CHECK(isOpen(second));
  CHECK(fixture.editor().utf8Text() == text);
  // One that is open comes to the front.
  Drag onView(window);
  onView.carry({first});
  CHECK(onView.drop(*window.problems()) == Qt::CopyAction);
  CHECK(isOpen(first));
  CHECK(fixture.editor().utf8Text() == text);
  // Several at once; what cannot be opened is named, and takes nothing with it.
  const QString ir = fixture.write("softmax.ttir", "module {\n}\n");
  QDir(fixture.folder.path()).mkpath(QStringLiteral("more/empty"));
  const QString third = fixture.write("more/third.py", sampleSource());
  const QString fourth = fixture.write("more/fourth.py", sampleSource());
  Drag several(window);
  several.carry({fixture.folder.filePath(QStringLiteral("gone.py")), ir,
                 fixture.folder.filePath(QStringLiteral("more/empty")),
                 fixture.folder.filePath(QStringLiteral("more"))});
  CHECK(several.drop(*fixture.editor().viewport()) == Qt::CopyAction);
  QStringList open;
  for (EditorPage *page : window.findChildren<EditorPage *>())
    open << page->path();
  CHECK(open.contains(ir));
  // Of a folder, the kernels that lie in it.
  CHECK(open.contains(third));
  CHECK(open.contains(fourth));
  QString said;
  for (const NoticeBar *bar : window.findChildren<NoticeBar *>())
    if (bar->isVisible())
      said += bar->text();
  CHECK(said.contains(u"gone.py"));
  CHECK(said.contains(u"empty"));
  // Text is the editor's.
  window.openFile(first);
  Drag words(window);
  words.data.setText(QStringLiteral("# dropped"));
  CHECK(words.drop(*fixture.editor().viewport()));
  CHECK(fixture.editor().utf8Text().find("# dropped") != std::string::npos);
  // So is the address of a page: it is not a file.
  Drag link(window);
  link.data.setUrls({QUrl(QStringLiteral("https://example.org/kernel.py"))});
  link.data.setText(QStringLiteral("https://example.org/kernel.py"));
  CHECK(link.drop(*fixture.editor().viewport()));
  CHECK(isOpen(first));
}
