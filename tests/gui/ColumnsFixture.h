// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeBackend.h"
#include "tests/support/FakeResult.h"
#include "views/stages/StageColumn.h"

#include <QAbstractItemView>
#include <QComboBox>

#include <algorithm>

namespace tilescope::tests {

/// A second launch of the sample's kernel, with a name.
inline std::string twoLaunches() {
  std::string text = sampleSource();
  const size_t begin = text.find("# /// tilescope"), end = text.find("# ///\n\n") + 6;
  std::string second = text.substr(begin, end - begin);
  second.insert(second.find("# grid"), "# name = \"large\"\n");
  return text.insert(end, "\n" + second);
}

struct Columns {
  FakeBackend backend;
  WindowFixture fixture{backend};
  /// What is added to every stage of a compile.
  std::function<std::string(const compiler::CompileRequest &)> addition =
      [](const compiler::CompileRequest &) { return std::string(); };

  Columns() {
    backend.answer = [this](const compiler::CompileRequest &request) {
      auto result = sampleResult();
      result->target = request.selection.target.empty() ? "cuda:90" : request.selection.target;
      result->files.front() = {request.path, request.text};
      const std::string added = addition(request);
      for (compiler::Stage &stage : result->stages)
        stage.text += added;
      for (compiler::PassRecord &pass : result->passes)
        pass.ir = request.recordPassIr && pass.changed ? pass.ir + added : std::string();
      return result;
    };
  }

  app::MainWindow &window() { return *fixture.window; }
  void open(const std::string &text = sampleSource()) {
    // No other view records passes.
    window().dock(QStringLiteral("passes"))->hide();
    fixture.openAndWait(fixture.write("add.py", text));
  }
  bool waitFor(const std::function<bool()> &what) { return QTest::qWaitFor(what, 10000); }
  void press(QWidget *widget, Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(widget, key, modifiers);
    QCoreApplication::processEvents();
  }
  views::StageColumn &column(compiler::StageId stage) { return *window().stageColumn(stage); }
  /// By its key, so that it has the keyboard.
  views::StageColumn &goTo(compiler::StageId stage, Qt::Key key) {
    window().activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&window()));
    press(window().editor(), key, Qt::ControlModifier);
    views::StageColumn &shown = column(stage);
    REQUIRE(waitFor([&] { return shown.codeView().hasFocus(); }));
    return shown;
  }
  /// Types at the end of the text.
  void append(const char *keys) {
    window().editor()->setFocus();
    press(window().editor(), Qt::Key_End, Qt::ControlModifier);
    fixture.type(keys);
  }
  /// Chooses an entry of a list by keys alone.
  void choose(QComboBox &field, const QString &entry) {
    field.setFocus();
    press(&field, Qt::Key_Home);
    for (int i = 0; i < field.count() && field.currentText() != entry; ++i)
      press(&field, Qt::Key_Down);
    REQUIRE(field.currentText() == entry);
  }
};

inline std::string textOf(views::StageColumn &column) {
  return column.codeView().document().text();
}

inline int lineWith(views::StageColumn &column, const std::string &words) {
  const std::string text = textOf(column);
  const size_t at = text.find(words);
  REQUIRE(at != std::string::npos);
  return static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'));
}

} // namespace tilescope::tests
