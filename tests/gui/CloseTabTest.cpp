// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/page/FileTabs.h"
#include "tests/gui/Dialogs.h"
#include "tests/gui/StateFixture.h"

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

TEST_CASE("the tab whose changes are asked about is in front", "[gui][document]") {
  StateFixture test;
  test.window.openFile(test.fixture.write("first.py", kTwoKernels));
  test.fixture.type("#");
  test.window.openFile(test.fixture.write("second.py", sampleSource()));
  auto *tabs = test.window.findChild<FileTabs *>();
  EditorPage *second = test.window.currentPage();
  const auto closeFirst = [&](QMessageBox::StandardButton answer) {
    const MessageAnswer answers(answer);
    Q_EMIT tabs->tabCloseRequested(0);
    CHECK(answers.text.contains(u"first.py"));
  };
  closeFirst(QMessageBox::Cancel);
  REQUIRE(tabs->count() == 2);
  CHECK(test.window.currentPage() == tabs->widget(0));
  // The text that was in front comes back when the other has gone.
  tabs->setCurrentWidget(second);
  closeFirst(QMessageBox::Discard);
  CHECK(test.window.currentPage() == second);
}
