// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/WorkerConnection.h"
#include "app/ide/model/ModelController.h"
#include "tests/gui/Patience.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/SmallModel.h"

#include <QTreeView>

namespace tilescope::tests {

/// A window with a model, over the real worker processes.
struct ModelWindow {
  app::WorkerConnection worker{QStringLiteral(TILESCOPE_WORKER_PATH)};
  WindowFixture fixture{worker};

  app::MainWindow &window() { return *fixture.window; }
  views::ModelView &view() { return *window().models()->view(); }
  QTreeView &table() { return view().table(); }

  void open(const std::string &bytes = smallModel()) {
    REQUIRE(window().openFile(fixture.write("small.onnx", bytes)));
    REQUIRE(QTest::qWaitFor([&] { return view().model() != nullptr; }, kPatienceMs));
  }
  bool waitForKernel(int kernel) {
    return QTest::qWaitFor([&] { return view().kernel() == kernel; }, kPatienceMs);
  }
  /// What stands in the editor's line with the cursor.
  QString line() {
    return window().editor()->text(static_cast<int>(window().editor()->cursor().line)).trimmed();
  }
  QString cell(int row, int column) {
    return table().model()->index(row, column).data().toString();
  }
  void key(QWidget &widget, Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(&widget, key, modifiers);
    QCoreApplication::processEvents();
  }
};

} // namespace tilescope::tests
