// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Steps of a program that waits for others, by keys.
#include "tests/gui/StepFixture.h"

using namespace tilescope;
using namespace tilescope::tests;

/// The kernel's lines are 13 to 20; `awaited` programs arrive at its barrier.
static std::string barrierKernel(const std::string &awaited) {
  return R"(import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# count_ptr = { dtype = "i32", shape = [1], init = "zeros" }
# x_ptr = { dtype = "fp32", shape = [4], init = "zeros" }
# ///
@triton.jit
def k(count_ptr, x_ptr):
    pid = tl.program_id(0)
    tl.store(x_ptr + pid, pid + 0.5)
    tl.atomic_add(count_ptr, 1)
    while tl.atomic_add(count_ptr, 0) < )" +
         awaited + R"(:
        pass
    y = tl.load(x_ptr + (pid + 1) % 4)
    tl.store(x_ptr + pid, y * 2)
)";
}

TEST_CASE("F10 goes past a barrier over the grid, and says how", "[gui][worker][step]") {
  Steps test(barrierKernel("4"));
  for (int i = 0; i < 6 && test.line() < 18; ++i)
    test.press(Qt::Key_F10);
  CHECK(test.line() == 18);
  CHECK(test.view.reasonText().startsWith(
      u"Program 0 waited in line 16: meanwhile 3 other programs, from program 1 to program 3, have "
      u"worked until it went on"));
  test.press(Qt::Key_F10);
  CHECK(test.value(QStringLiteral("y")) == u"1.5");
  // Back in front of the barrier in two steps.
  test.press(Qt::Key_F10, Qt::ShiftModifier);
  test.press(Qt::Key_F10, Qt::ShiftModifier);
  CHECK(test.line() == 16);
}

TEST_CASE("a wait that no other program ends is said to be one", "[gui][worker][step]") {
  Steps test(barrierKernel("5"));
  test.press(Qt::Key_F7);
  CHECK(test.line() == 16);
  CHECK(test.view.reasonText().startsWith(
      u"Program 0 waits in line 16 for a value that no other program writes"));
}

TEST_CASE("a step that is wanted while the kernel compiles waits, and says so",
          "[gui][worker][step]") {
  Steps test;
  app::CompileController &compile = *test.fixture.window->compileController();
  compile.setChosenTarget("cuda:80");
  REQUIRE(compile.isRunning());
  QTest::keyClick(test.window.editor(), Qt::Key_F10);
  const auto labels = test.view.findChildren<QLabel *>();
  CHECK(std::ranges::any_of(labels, [](const QLabel *label) {
    return label->text() == u"This begins as soon as the kernel is compiled.";
  }));
  CHECK(test.waitFor([&] { return test.line() > 0; }));
}

TEST_CASE("keys that are pressed while a launch begins are done behind its first stop",
          "[gui][worker][step]") {
  Steps test;
  for (int i = 0; i < 4; ++i)
    QTest::keyClick(test.window.editor(), Qt::Key_F10);
  // The first one begins with the kernel's first line, 22.
  CHECK(test.waitFor([&] { return test.line() == 25 && !test.window.steps()->isBusy(); }));
  test.press(Qt::Key_F10);
  CHECK(test.line() == 26);
}

TEST_CASE("stages behind the one that is executed need not be there", "[gui][worker][step]") {
  Steps test;
  app::CompileController &compile = *test.fixture.window->compileController();
  auto result = std::make_shared<compiler::CompileResult>(*compile.latest()->result());
  result->ok = false;
  std::erase_if(result->stages,
                [](const compiler::Stage &stage) { return stage.id > StageId::Ttir; });
  CHECK(StepController::whyNotOf(*result, StageId::Ttir).isEmpty());
  result->stages.back().ok = false;
  CHECK(StepController::whyNotOf(*result, StageId::Ttir).startsWith(u"The text does not compile"));
}
