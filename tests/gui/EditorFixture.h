// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/editor/CompletionPopup.h"
#include "views/editor/HoverCard.h"
#include "views/editor/KernelEditor.h"

#include <QtTest/QtTest>

#include <catch2/catch.hpp>

namespace tilescope::tests {

/// An editor in its own window, with the keyboard.
struct EditorFixture {
  QWidget window;
  views::KernelEditor editor{&window};

  explicit EditorFixture(const QString &text = {}) {
    window.resize(900, 600);
    editor.resize(900, 600);
    editor.setText(text);
    window.show();
    editor.setFocus();
    REQUIRE(QTest::qWaitForWindowExposed(&window));
  }

  /// Presses the keys of a text one after another; a line feed is Enter. The effects of each key
  /// are complete when the next is pressed, as with a user.
  void type(const char *keys) {
    for (const char *key = keys; *key; ++key)
      strike(*key == '\n' ? Qt::Key_Return : *key == '\t' ? Qt::Key_Tab : Qt::Key(0), *key);
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(&editor, key, modifiers);
    QCoreApplication::processEvents();
  }

  void putAtEnd() { editor.goTo({static_cast<uint32_t>(editor.lines()) - 1, 10000}); }

private:
  void strike(Qt::Key key, char character) {
    if (key != Qt::Key(0))
      return press(key);
    QTest::keyClick(&editor, character);
    QCoreApplication::processEvents();
  }
};

} // namespace tilescope::tests
