// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "tests/support/FakeResult.h"
#include "views/layout/LayoutDiagram.h"

#include <QtTest/QtTest>

#include <catch2/catch.hpp>

namespace tilescope::tests {

/// The focus that a click at the beginning of a snippet sets.
inline views::Focus focusAt(const compiler::CompileResult &result, const char *snippet) {
  const SourceRange range = rangeOf(result.files[0].text, snippet);
  views::Focus focus;
  focus.position = range.begin;
  focus.sources = {range};
  return focus;
}

/// A layout diagram on the screen that shows the sample's compile.
struct Diagram {
  views::FocusState focus;
  views::LayoutDiagram view{&focus};
  std::shared_ptr<compiler::CompileResult> result = sampleResult();

  explicit Diagram(const QSize &size = {1200, 500}) {
    view.resize(size);
    view.show();
    REQUIRE(QTest::qWaitForWindowExposed(&view));
    view.setResult(result);
  }
  void click(const char *snippet) { focus.setSelected(focusAt(*result, snippet), nullptr); }
  void show(const compiler::LayoutFacts &facts) {
    auto next = std::make_shared<compiler::CompileResult>(*result);
    next->layouts = {facts};
    view.setResult(next);
  }
};

} // namespace tilescope::tests
