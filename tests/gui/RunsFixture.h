// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "tests/gui/RunWindow.h"
#include "views/problems/ProblemsView.h"

#include <QLabel>
#include <QLineEdit>

#include <utility>
#include <vector>

namespace tilescope::tests {

/// A window with the sample kernel whose runs end as the test says, and what they show.
struct RunsFixture : RunWindow {
  RunsFixture() { open(); }

  /// Elements that were never written.
  static profiler::Tensor poisoned(std::vector<int64_t> shape) {
    return profiler::makeTensor(profiler::Dtype::Fp32, std::move(shape), {});
  }

  /// A run of the kernel in the window whose output was written up to an element.
  app::LaunchRun outcome(int64_t count = 4000, int64_t numWritten = 3072) {
    profiler::Tensor tensor = poisoned({count});
    for (int64_t i = 0; i < numWritten; ++i)
      tensor.set(i, static_cast<double>(i));
    app::LaunchRun run = runWith(tensor, 4);
    profiler::OutputResult &output = run.measurement->outputs.front();
    output.neverWritten = count - numWritten;
    output.firstNeverWritten = {numWritten};
    return run;
  }

  compiler::Diagnostic finding(const char *code, const char *message) {
    compiler::Diagnostic diagnostic;
    diagnostic.kind = compiler::DiagnosticKind::RunAccessOutside;
    diagnostic.range = rangeOf(fixture.editor().utf8Text(), code);
    diagnostic.message = message;
    return diagnostic;
  }

  bool hasProblem(const char *message) {
    for (const compiler::Diagnostic &diagnostic : window.problems()->model().diagnostics())
      if (diagnostic.message == message)
        return true;
    return false;
  }

  /// For developers who want to see it.
  void savePicture(const char *name) {
    const QString folder = qEnvironmentVariable("TILESCOPE_TEST_PICTURES");
    CHECK((folder.isEmpty() || window.grab().save(folder + u'/' + QString::fromLatin1(name))));
  }

  /// Of the shown table; null: no table is shown.
  QLineEdit *elementField() {
    for (QLineEdit *edit : view.findChildren<QLineEdit *>())
      if (edit->accessibleName() == u"Go to element")
        return edit;
    return nullptr;
  }

  void goToElement(const QString &element) {
    QLineEdit *field = elementField();
    REQUIRE(field != nullptr);
    QTest::keyClicks(field, element);
    QTest::keyClick(field, Qt::Key_Return);
  }

  QLabel *label(const QString &part) {
    for (QLabel *label : view.findChildren<QLabel *>())
      if (!label->isHidden() && label->text().contains(part))
        return label;
    return nullptr;
  }
};

} // namespace tilescope::tests
