// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The Programs view over the real compiler: opened, read, scrubbed and exported by keys.
#include "app/ide/docks/ViewDock.h"
#include "tests/gui/ViewSample.h"
#include "views/common/Scrubber.h"
#include "views/programs/ProgramsView.h"

#include <QSpinBox>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::access::ElementBox;
using views::ProgramsView;
using Scrub = views::ArrayCanvas::Scrub;

/// A product of 256 x 128 and 128 x 256, 4 x 4 tiles in bands of 2 rows.
static const std::string kProduct = R"(import triton
import triton.language as tl

# /// tilescope
# kernel = "product"
# grid = [16]
# [args]
# a_ptr = { dtype = "fp16", shape = [256, 128], init = "randn" }
# b_ptr = { dtype = "fp16", shape = [128, 256], init = "randn" }
# c_ptr = { dtype = "fp32", shape = [256, 256] }
# [constexprs]
# GROUP = "2"
# ///


@triton.jit
def product(a_ptr, b_ptr, c_ptr, GROUP: tl.constexpr):
    pid = tl.program_id(0)
    m, n = tl.swizzle2d(pid // 4, pid % 4, 4, 4, GROUP)
    i = m * 64 + tl.arange(0, 64)
    j = n * 64 + tl.arange(0, 64)
    k = tl.arange(0, 32)
    total = tl.zeros((64, 64), dtype=tl.float32)
    for at in range(0, 128, 32):
        a = tl.load(a_ptr + i[:, None] * 128 + (at + k)[None, :])
        b = tl.load(b_ptr + (at + k)[:, None] * 256 + j[None, :])
        total = tl.dot(a, b, total)
    tl.store(c_ptr + i[:, None] * 256 + j[None, :], total)
)";

namespace {
struct Product : ViewSample {
  ProgramsView &view = *window.programsView();
  views::ArrayCanvas &canvas = view.canvas();

  explicit Product(const std::string &text = kProduct) : ViewSample(text) {}
  void open() { openView(Qt::Key_G); }
  bool opens() {
    open();
    return waitFor([&] { return view.content().arrays != nullptr && canvas.hasFocus(); });
  }
  /// The only box that the program touches of an array in the iteration that is shown.
  ElementBox boxOf(size_t array) const {
    const views::ArrayCanvas::Content &shown = view.content();
    const auto boxes = shown.arrays->boxes(array, shown.program, {shown.step, shown.step + 1});
    return boxes.size() == 1 ? boxes.front().box : ElementBox{{-1, -1, -1}};
  }
};
} // namespace

TEST_CASE("the arrays of a product are drawn with what a program touches",
          "[gui][worker][programs]") {
  Product test;
  // Nothing is looked at while the view is out of sight.
  QTest::qWait(200);
  CHECK_FALSE(test.view.hasContent());
  REQUIRE(test.opens());
  CHECK(test.window.dock(QStringLiteral("programs"))->isInFront());
  const auto &arrays = *test.view.content().arrays;
  REQUIRE(arrays.numArrays() == 3);
  CHECK(arrays.argument(0).name == "a_ptr");
  CHECK(arrays.shape(1).rows == 128);
  CHECK(test.boxOf(0) == ElementBox{{0, 0, 0}, {1, 64, 32}, {1, 1, 1}});
  CHECK(test.boxOf(1) == ElementBox{{0, 0, 0}, {1, 32, 64}, {1, 1, 1}});
  CHECK(test.view.titleText() ==
        u"Program 0 of 0–15 reads 32 KiB, writes 16 KiB · iteration 0 of 0–3 reads 8 KiB");
  // Two iterations on, then the next program, which is below in the band.
  QTest::keyClick(&test.canvas, Qt::Key_T);
  QTest::keyClick(&test.canvas, Qt::Key_T);
  CHECK(test.boxOf(0) == ElementBox{{0, 0, 64}, {1, 64, 32}, {1, 1, 1}});
  QTest::keyClick(&test.canvas, Qt::Key_P);
  REQUIRE(test.waitFor([&] { return test.view.content().program == 1; }));
  CHECK(test.boxOf(0) == ElementBox{{0, 64, 64}, {1, 64, 32}, {1, 1, 1}});
  CHECK(test.boxOf(1) == ElementBox{{0, 64, 0}, {1, 32, 64}, {1, 1, 1}});
  // The last iteration stores.
  QTest::keyClick(&test.canvas, Qt::Key_T);
  CHECK(test.boxOf(2) == ElementBox{{0, 64, 0}, {1, 64, 64}, {1, 1, 1}});
  QTest::keyClick(&test.canvas, Qt::Key_T);
  CHECK(test.view.content().step == 3);
  QTest::keyClick(&test.canvas, Qt::Key_P, Qt::ShiftModifier);
  QTest::keyClick(&test.canvas, Qt::Key_T, Qt::ShiftModifier);
  CHECK(test.waitFor([&] { return test.view.content().program == 0; }));
  CHECK(test.view.content().step == 2);
  // By the field.
  views::Scrubber &program = test.view.scrubber(Scrub::X);
  CHECK(program.count() == 16);
  program.field().setFocus();
  program.field().selectAll();
  QTest::keyClicks(&program.field(), QStringLiteral("13"));
  QTest::keyClick(&program.field(), Qt::Key_Return);
  REQUIRE(test.waitFor([&] { return test.view.content().program == 13; }));
  // Band 1, fifth of its programs: row 3, column 2.
  CHECK(test.boxOf(0).first[1] == 192);
  CHECK(test.boxOf(1).first[2] == 128);
}

TEST_CASE("an array leads to its access, and the cursor's line to its array",
          "[gui][worker][programs]") {
  Product test;
  test.fixture.editor().goTo(rangeOf(kProduct, "tl.load(b_ptr").begin);
  REQUIRE(test.opens());
  CHECK(test.waitFor(
      [&] { return test.view.content().isAtCursor == std::vector<bool>{false, true, false}; }));
  CHECK(test.canvas.current() == 1);
  const QPoint at = test.canvas.rectOf({2, {0, 10, 10}}).center().toPoint();
  // The counts of the whole grid arrive behind the program's own, and are shown without the mouse.
  int side = 0;
  CHECK(test.waitFor([&] {
    QTest::mouseMove(&test.canvas, at + QPoint(side = 1 - side, 0));
    return test.view.infoText().startsWith(u"c_ptr[") &&
           test.view.infoText().contains(u"written by this program in iteration 3");
  }));
  CHECK(test.canvas.accessibleDescription() == test.view.infoText());
  QTest::mouseClick(&test.canvas, Qt::LeftButton, {}, at);
  const uint32_t line = rangeOf(kProduct, "tl.store(").begin.line;
  CHECK(test.waitFor([&] { return test.fixture.editor().cursor().line == line; }));
  CHECK(test.waitFor(
      [&] { return test.view.content().isAtCursor == std::vector<bool>{false, false, true}; }));
  // By keys: the next array, an element, its access.
  test.open();
  REQUIRE(test.waitFor([&] { return test.canvas.hasFocus(); }));
  QTest::keyClick(&test.canvas, Qt::Key_A);
  CHECK(test.canvas.current() == 0);
  QTest::keyClick(&test.canvas, Qt::Key_End, Qt::ControlModifier);
  CHECK(test.view.infoText().startsWith(u"a_ptr[255, 127] · not touched by this program"));
  QTest::keyClick(&test.canvas, Qt::Key_Return);
  const uint32_t load = rangeOf(kProduct, "tl.load(a_ptr").begin.line;
  CHECK(test.waitFor([&] { return test.fixture.editor().cursor().line == load; }));
}

TEST_CASE("the programs that read each element are counted, of the grid and of a wave",
          "[gui][worker][programs]") {
  Product test;
  REQUIRE(test.opens());
  QTest::keyClick(&test.canvas, Qt::Key_O);
  REQUIRE(test.waitFor([&] { return test.view.content().overlay != nullptr; }));
  const auto countAt = [&](size_t array, int64_t row, int64_t column) {
    return test.view.content().overlay->counts[array].at({0, row, column});
  };
  // Each tile of A is read by the four programs of its row.
  for (int64_t row : {0, 100, 255})
    CHECK(countAt(0, row, row / 2) == 4);
  CHECK(countAt(1, 100, 200) == 4);
  CHECK(countAt(2, 100, 200) == 1);
  // Four programs at once: a square of two by two tiles.
  QTest::keyClick(&test.canvas, Qt::Key_O);
  test.view.multiprocessors().setFocus();
  test.view.multiprocessors().selectAll();
  QTest::keyClicks(&test.view.multiprocessors(), QStringLiteral("4"));
  QTest::keyClick(&test.view.multiprocessors(), Qt::Key_Return);
  REQUIRE(test.waitFor([&] {
    const auto &overlay = test.view.content().overlay;
    return overlay && overlay->waves && overlay->programs.count() == 4;
  }));
  CHECK(countAt(0, 100, 0) == 2);
  CHECK(countAt(0, 200, 0) == 0);
  CHECK(test.view.orderText() ==
        u"Wave 0: programs 0 to 3. 4 programs read 128 KiB; 64 KiB of it is different: each byte "
        u"is read 2.0 times. All 4 waves together fetch 256 KiB of the 512 KiB that their programs "
        u"read; 128 KiB is the least.");
  test.canvas.setFocus();
  QTest::keyClick(&test.canvas, Qt::Key_W);
  REQUIRE(test.waitFor([&] {
    return test.view.content().overlay && test.view.content().overlay->programs.first == 4;
  }));
  CHECK(test.view.content().program == 4);
  CHECK(countAt(1, 0, 0) == 0);
  CHECK(countAt(1, 0, 200) == 2);
}

TEST_CASE("an edit of the order of tiles changes what a wave fetches", "[gui][worker][programs]") {
  Product test;
  REQUIRE(test.opens());
  test.view.multiprocessors().setValue(4);
  test.view.setOverlay(ProgramsView::Overlay::Wave);
  const auto fetches = [&](const char *words) {
    return test.waitFor([&] { return test.view.orderText().contains(QString::fromLatin1(words)); });
  };
  CHECK(fetches("64 KiB of it is different"));
  test.window.action(QStringLiteral("focusEditor"))->trigger();
  test.fixture.editor().goTo(rangeOf(kProduct, "GROUP = \"2").end);
  QTest::keyClick(&test.fixture.editor(), Qt::Key_Backspace);
  test.fixture.type("1");
  // One row of A and four columns of B.
  CHECK(fetches("80 KiB of it is different"));
  QTest::keyClick(&test.fixture.editor(), Qt::Key_End, Qt::ControlModifier);
  test.fixture.type("def (");
  CHECK(test.waitFor([&] { return test.view.isStale(); }));
  CHECK(test.view.hasContent());
}

TEST_CASE("a picture of programs is written as SVG and PNG", "[gui][worker][programs]") {
  Product test;
  CHECK_FALSE(test.view.exportSvg(test.exportPath()));
  REQUIRE(test.opens());
  const QByteArray text = test.exported(test.view);
  CHECK(text.contains("a_ptr [256, 128]"));
  CHECK(text.contains("rows 0 to 63, columns 0 to 31"));
}

TEST_CASE("without a launch block the view offers to write one", "[gui][worker][programs]") {
  std::string text = kProduct;
  const size_t begin = text.find("# ///"), end = text.rfind("# ///") + 6;
  Product test(text.erase(begin, end - begin));
  test.open();
  const auto *button = [&]() -> QPushButton * {
    for (QPushButton *each : test.view.findChildren<QPushButton *>())
      if (each->text() == u"Write a launch block")
        return each;
    return nullptr;
  }();
  REQUIRE(button);
  CHECK(test.waitFor([&] { return button->isVisible(); }));
}
