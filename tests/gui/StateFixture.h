// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/docks/ViewDock.h"
#include "app/ide/window/StatusFacts.h"
#include "tests/gui/Patience.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeBackend.h"
#include "tests/support/FakeResult.h"
#include "tests/support/FakeRuns.h"
#include "views/layout/LayoutDiagram.h"
#include "views/palette/CommandPalette.h"
#include "views/problems/ProblemsView.h"
#include "views/run/RunView.h"
#include "views/stages/StageColumn.h"

#include <QComboBox>
#include <QDialog>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QScrollBar>
#include <QStatusBar>
#include <QToolButton>
#include <QTreeWidget>

namespace tilescope::tests {

using namespace tilescope::app;
using compiler::StageId;

inline const char *const kTwoKernels = R"py(import triton
import triton.language as tl


@triton.jit
def first(x_ptr):
    tl.store(x_ptr, wrong)


@triton.jit
def second(x_ptr):
    tl.store(x_ptr, 2.0)
)py";

/// A window over a compiler that objects to `wrong` in the kernel that is asked for.
struct StateFixture {
  FakeBackend backend;
  FakeRuns runs;
  WindowFixture fixture{backend, &runs};
  MainWindow &window = *fixture.window;

  StateFixture() {
    backend.answer = [](const compiler::CompileRequest &request) {
      std::string kernel = request.selection.kernel;
      if (const size_t at = request.text.find("def "); kernel.empty() && at != std::string::npos)
        kernel = request.text.substr(at + 4, request.text.find('(', at) - at - 4);
      const size_t begin = request.text.find("def " + kernel);
      const size_t wrong = request.text.find("wrong", begin);
      const size_t end = request.text.find("def ", begin + 4);
      const bool isBroken = begin != std::string::npos && wrong < end;
      auto result = isBroken ? brokenResult() : sampleResult();
      result->kernel = kernel;
      result->kernels = {kernel};
      result->files = {{request.path, request.text}};
      result->diagnostics.clear();
      if (isBroken) {
        compiler::Diagnostic error;
        error.range = rangeOf(request.text, "wrong");
        error.message = "`wrong` is not defined";
        result->diagnostics.push_back(error);
      }
      return result;
    };
  }
  void open(const char *name, const std::string &text) {
    fixture.openAndWait(fixture.write(name, text));
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(window.editor(), key, modifiers);
  }
  /// Moves the cursor into a kernel and waits until it is shown.
  void goToKernel(uint32_t line, const char *kernel) {
    fixture.editor().goTo({line, 4});
    REQUIRE(QTest::qWaitFor(
        [&] {
          const CompileController &compile = *window.compileController();
          return compile.isCurrent() && compile.latest()->result()->kernel == kernel;
        },
        kPatienceMs));
  }
  QString problemsText() {
    for (QLabel *label : window.problems()->findChildren<QLabel *>())
      if (label->isVisibleTo(window.problems()))
        return label->text();
    return {};
  }
  std::vector<std::string> messages() {
    std::vector<std::string> all;
    for (const compiler::Diagnostic &diagnostic : window.problems()->model().diagnostics())
      all.push_back(diagnostic.message);
    return all;
  }
  bool lists(const std::string &message) {
    return QTest::qWaitFor(
        [&] {
          const std::vector<std::string> all = messages();
          return std::ranges::find(all, message) != all.end();
        },
        kPatienceMs);
  }
  void checkUncompiled(const char *why) {
    for (const StageId stage : {StageId::Ttir, StageId::Ttgir, StageId::Ptx}) {
      CHECK(window.stageColumn(stage)->codeView().document().text().empty());
      CHECK(window.stageColumn(stage)->staleText().isEmpty());
    }
    CHECK(messages().empty());
    CHECK(problemsText() == QString::fromLatin1(why));
    CHECK(window.dock(QStringLiteral("problems"))->windowTitle() == u"Problems");
    CHECK(window.findChild<views::RunView *>()->statusText() == QString::fromLatin1(why));
    CHECK(window.layoutDiagram()->current() == nullptr);
  }
};

} // namespace tilescope::tests
