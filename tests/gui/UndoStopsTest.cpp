// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Where undo and redo stop, also after the program was killed.
#include "tests/gui/KeptTexts.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeBackend.h"
#include "tests/support/FakeResult.h"
#include "tests/support/FakeRuns.h"
#include "views/editor/KernelEditor.h"

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

TEST_CASE("after a restart undo stops where it did before: at what was saved, and what was run",
          "[gui][files]") {
  FakeRuns runs;
  FakeBackend backend;
  backend.answer = [](const compiler::CompileRequest &) { return sampleResult(); };
  WindowFixture fixture{backend, &runs};
  fixture.openAndWait(fixture.write("kernel.py", sampleSource()));
  const auto press = [&](int key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(fixture.window->editor(), static_cast<Qt::Key>(key), modifiers);
    QCoreApplication::processEvents();
  };
  std::vector<std::string> texts{fixture.editor().utf8Text()};
  const auto type = [&](const char *keys) {
    fixture.type(keys);
    texts.push_back(fixture.editor().utf8Text());
  };
  fixture.editor().goTo({0, 0});
  type("# one");
  press(Qt::Key_S, Qt::ControlModifier);
  type(" two");
  press(Qt::Key_F5);
  type(" three");
  press(Qt::Key_S, Qt::ControlModifier);
  type(" four");
  // A kill leaves what is on the disk.
  REQUIRE(QTest::qWaitFor(
      [&] {
        return keptTexts(fixture.sessionFolder())[QStringLiteral("kernel.py")] == texts.back();
      },
      3000));
  const QString left = fixture.folder.filePath(QStringLiteral("left"));
  copyFolder(fixture.sessionFolder(), left);
  fixture.window.reset();
  QDir(fixture.sessionFolder()).removeRecursively();
  copyFolder(left, fixture.sessionFolder());
  fixture.open();
  REQUIRE(fixture.window->restoreSession());
  REQUIRE(fixture.editor().utf8Text() == texts.back());
  press(Qt::Key_S, Qt::ControlModifier);
  fixture.editor().goTo({0, 20});
  type(" five");

  for (size_t i = texts.size() - 1; i > 0; --i) {
    press(Qt::Key_Z, Qt::ControlModifier);
    CHECK(fixture.editor().utf8Text() == texts[i - 1]);
  }
  for (size_t i = 1; i < texts.size(); ++i) {
    press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    CHECK(fixture.editor().utf8Text() == texts[i]);
  }
}
