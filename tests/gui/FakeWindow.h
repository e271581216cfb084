// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeBackend.h"
#include "tests/support/FakeResult.h"

namespace tilescope::tests {

struct AnsweringBackend {
  FakeBackend fake;
  AnsweringBackend() {
    fake.answer = [](const compiler::CompileRequest &) { return sampleResult(); };
  }
};

/// A window whose every compile returns the sample's result.
struct FakeWindow : AnsweringBackend, WindowFixture {
  FakeWindow() : WindowFixture(fake) {}

  app::EditorPage &page() { return *window->currentPage(); }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::ControlModifier) {
    // A dialog that closes does not always hand the keys back on this platform.
    window->activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(window.get()));
    QTest::keyClick(window->editor(), key, modifiers);
  }
  void save() { press(Qt::Key_S); }
};

} // namespace tilescope::tests
