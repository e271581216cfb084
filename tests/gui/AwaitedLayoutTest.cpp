// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the Layout view says while the newest text is being compiled.
#include "tests/gui/DiagramFixture.h"
#include "tests/gui/StateFixture.h"
#include "views/layout/DiagramCanvas.h"

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

TEST_CASE("a place that an earlier text says nothing about waits for the newest", "[gui][layout]") {
  Diagram diagram;
  diagram.click("tl.program_id(0)");
  REQUIRE(diagram.view.current() == nullptr);
  diagram.view.setOutdated(QStringLiteral("an earlier text"));
  const auto said = [&] { return diagram.view.tensorCanvas().emptyText(); };
  CHECK(said().contains(u"The newest text is being compiled"));
  CHECK_FALSE(said().contains(u"in line"));
  CHECK_FALSE(diagram.view.isStale());
  // A value of the earlier text is called one.
  diagram.click("x + y");
  REQUIRE(diagram.view.current() != nullptr);
  CHECK(diagram.view.isStale());
  diagram.view.setResult(tests::sampleResult());
  CHECK_FALSE(diagram.view.isStale());
  diagram.click("tl.program_id(0)");
  CHECK(said().contains(u"in line"));
}

TEST_CASE("a diagram without a value says that it waits for the compile", "[gui][document]") {
  StateFixture test;
  test.backend.answer = [answer = test.backend.answer](const compiler::CompileRequest &request) {
    auto result = std::make_shared<compiler::CompileResult>(*answer(request));
    result->layouts.clear();
    result->values.clear();
    return result;
  };
  test.open("alpha.py", "@triton.jit\ndef alpha(x_ptr):\n    tl.store(x_ptr, 1.0)\n");
  const auto said = [&] { return test.window.layoutDiagram()->tensorCanvas().emptyText(); };
  REQUIRE(said().contains(u"single numbers only"));
  // The compiler is busy.
  const auto answer = std::exchange(test.backend.answer, nullptr);
  test.fixture.editor().goTo({2, 4});
  test.fixture.type("y = 1;");
  CHECK(QTest::qWaitFor([&] { return said().contains(u"is being compiled"); }, kPatienceMs));
  CHECK_FALSE(said().contains(u"single numbers only"));
  // Its answer ends it.
  test.backend.answer = answer;
  test.fixture.type("z = 2;");
  CHECK(QTest::qWaitFor([&] { return said().contains(u"single numbers only"); }, kPatienceMs));
}
