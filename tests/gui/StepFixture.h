// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/WorkerConnection.h"
#include "app/ide/docks/ViewDock.h"
#include "app/ide/step/StepController.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/Sanitized.h"
#include "views/common/tensor/TensorModel.h"
#include "views/editor/EditorIndicators.h"
#include "views/run/ResultsView.h"
#include "views/run/RunView.h"
#include "views/stages/StageColumn.h"
#include "views/step/StepModel.h"
#include "views/step/StepPicture.h"
#include "views/step/StepView.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QStatusBar>
#include <QTableView>

namespace tilescope::tests {

using namespace app;
using compiler::StageId;
using views::StepModel;
using views::StepView;

/// Lines from 0: the kernel's first is 21.
inline const std::string kScaled = R"(import triton
import triton.language as tl

# /// tilescope
# kernel = "scale"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [50], init = "arange" }
# out_ptr = { dtype = "fp32", shape = [50], expected = "x_ptr * 2 + 1" }
# n = 50
# ///


@triton.jit
def scaled(x, k):
    y = x * k
    return y + 1


@triton.jit
def scale(x_ptr, out_ptr, n):
    offs = tl.program_id(0) * 16 + tl.arange(0, 16)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask, other=0.0)
    z = scaled(x, 2.0)
    tl.store(out_ptr + offs, z, mask=mask)
)";

/// A window in which a file is open, to step through.
struct Steps {
  WorkerConnection worker{QStringLiteral(TILESCOPE_WORKER_PATH)};
  WindowFixture fixture{worker};
  MainWindow &window = *fixture.window;
  StepView &view = *window.steps()->view();
  QAbstractItemModelTester tester{&view.model()};

  explicit Steps(const std::string &text = kScaled) {
    fixture.openAndWait(fixture.write("scale.py", text));
  }
  bool waitFor(const std::function<bool()> &what) {
    return QTest::qWaitFor(what, 30000 * kSlowdown);
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(window.editor(), key, modifiers);
    QCoreApplication::processEvents();
    REQUIRE(waitFor([&] { return !window.steps()->isBusy() && view.hasState(); }));
  }
  /// What the results of the run say with these words, once they do; nothing if they never do.
  QLabel *saidByRun(QStringView words) {
    QLabel *said = nullptr;
    (void)waitFor([&] {
      for (QLabel *label : window.findChild<views::RunView *>()->results().findChildren<QLabel *>())
        if (label->text().contains(words))
          said = label;
      return said != nullptr;
    });
    return said;
  }
  /// From 1; 0: no program has stopped in the editor.
  int line() const {
    const std::optional<uint32_t> at = window.editor()->stepLine();
    return at ? static_cast<int>(*at) + 1 : 0;
  }
  QString value(const QString &name, int column = StepModel::Value) const {
    for (int row = 0; row < view.model().rowCount(); ++row)
      if (view.model().index(row, StepModel::Name).data() == name)
        return view.model().index(row, column).data().toString();
    return {};
  }
  void choose(const QString &name) {
    for (int row = 0; row < view.model().rowCount(); ++row)
      if (view.model().index(row, StepModel::Name).data() == name)
        view.table().setCurrentIndex(view.model().index(row, 0));
    REQUIRE(waitFor([&] {
      return !window.steps()->isBusy() && view.picture().isDrawn() &&
             view.picture().titleText().startsWith(name);
    }));
  }
  void goToLine(int line) { fixture.editor().goTo({static_cast<uint32_t>(line - 1), 4}); }
};

} // namespace tilescope::tests
