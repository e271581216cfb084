// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/docks/DockTabs.h"
#include "app/ide/docks/DockTitle.h"
#include "app/ide/docks/ViewDock.h"
#include "tests/gui/FakeWindow.h"

#include <QScrollBar>

namespace tilescope::tests {

/// A window with a file, whose places are looked at.
struct Arranged : FakeWindow {
  Arranged() { openAndWait(write("kernel.py", sampleSource())); }

  app::ViewDock &dock(const char *id) { return *window->dock(QString::fromLatin1(id)); }
  void key(Qt::Key pressed, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(QApplication::focusWidget(), pressed, modifiers);
    QTest::qWait(20);
  }
  bool isIn(const char *id) { return dock(id).isAncestorOf(QApplication::focusWidget()); }
  /// As for a window that is opened for the first time at this size.
  void resize(QSize size) {
    window->resize(size);
    window->action(QStringLiteral("defaultLayout"))->trigger();
    QTest::qWait(50);
  }
  /// What the editor has for code, beside its margins and its scroll bar.
  int codeWidth() {
    views::KernelEditor &editor = *window->editor();
    int width = editor.width() - editor.verticalScrollBar()->sizeHint().width() -
                static_cast<int>(editor.SendScintilla(QsciScintillaBase::SCI_GETMARGINLEFT));
    for (int margin = 0; margin < editor.margins(); ++margin)
      width -= editor.marginWidth(margin);
    return width;
  }
  /// The stages that can be seen, from left to right, each with what it shares its place with.
  std::string columns() {
    std::map<int, QString> shown;
    for (const char *id :
         {"stage.ast", "stage.ttir", "stage.ttgir", "stage.llir", "stage.ptx", "stage.sass"})
      if (app::ViewDock &each = dock(id); each.isInFront() && !each.isFloating()) {
        const app::DockTabs &tabs = each.title().tabs();
        QStringList names;
        for (int i = 0; tabs.isVisible() && i < tabs.count(); ++i)
          names << tabs.tabText(i);
        shown[each.x()] =
            names.isEmpty() ? each.windowTitle() : names.join(u',') + u'>' + each.windowTitle();
      }
    QStringList all;
    for (const auto &[x, text] : shown)
      all << text;
    return all.join(QStringLiteral(" | ")).toStdString();
  }
};

} // namespace tilescope::tests
