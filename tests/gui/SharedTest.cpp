// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The Shared memory view over the real compiler: opened, read, scrubbed and exported by keys and
// mouse.
#include "app/ide/docks/ViewDock.h"
#include "tests/gui/ViewSample.h"
#include "views/common/Scrubber.h"
#include "views/shared/MapCanvas.h"
#include "views/shared/RingCanvas.h"
#include "views/shared/SharedView.h"

#include <QComboBox>
#include <QLabel>

#include <algorithm>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using views::SharedView;
using Scrub = views::RequestCanvas::Scrub;

/// A product without a launch block: what is in shared memory does not depend on one.
static const std::string kProduct = kProductLoop + kStoredTotal;

namespace {
struct Product : ViewSample {
  SharedView &view = *window.sharedView();

  explicit Product(const std::string &text = kProduct, const char *target = "cuda:80",
                   const char *name = "product.py")
      : ViewSample(text, target, name) {}
  void open() { openView(Qt::Key_M); }
  bool bufferBegins(const char *words) {
    return waitFor([&] { return view.bufferText().startsWith(QString::fromLatin1(words)); });
  }
  /// The choice that holds these words; -1: there is none.
  int choiceWith(const char *words) {
    return view.choices().findText(QString::fromLatin1(words), Qt::MatchContains);
  }
};
} // namespace

TEST_CASE("the buffer at the cursor is shown in the map of the kernel", "[gui][worker][shared]") {
  Product test;
  // Nothing is looked at while the view is out of sight.
  QTest::qWait(200);
  CHECK_FALSE(test.view.hasContent());
  test.goTo("tl.load(a_ptr");
  test.open();
  CHECK(test.waitFor([&] { return test.window.dock(QStringLiteral("shared"))->isInFront(); }));
  REQUIRE(test.bufferBegins("a: "));
  INFO(test.view.bufferText().toStdString());
  CHECK(test.view.titleText().contains(u"of 163 KiB"));
  CHECK(test.view.titleText().contains(u"2 buffers, scratch of 1 operation"));
  CHECK(test.view.bufferText().contains(u"3 slots of fp16[64, 32]"));
  CHECK(test.view.bufferText().contains(u"12 KiB"));
  CHECK(test.view.reasonText().contains(u"At other times its bytes are those of scratch"));
  // Beside the other buffer, and above the scratch that takes its bytes.
  const int a = test.view.buffer();
  test.goTo("tl.load(b_ptr");
  REQUIRE(test.bufferBegins("b: "));
  const QRectF boxOfA = test.view.map().boxRect(a),
               boxOfB = test.view.map().boxRect(test.view.buffer());
  CHECK(boxOfA.width() == Approx(boxOfB.width()).margin(2));
  CHECK_FALSE(boxOfA.intersects(boxOfB.adjusted(1, 1, -1, -1)));
  test.goTo("tl.store(");
  REQUIRE(test.bufferBegins("scratch: "));
  CHECK(test.view.map().boxRect(test.view.buffer()).top() >= boxOfA.bottom() - 1);
  CHECK_FALSE(test.view.bufferText().contains(u"not at the cursor"));
}

TEST_CASE("a click and Enter on a buffer show it and its line", "[gui][worker][shared]") {
  Product test;
  test.goTo("tl.store(");
  test.open();
  REQUIRE(test.bufferBegins("scratch: "));
  views::MapCanvas &map = test.view.map();
  REQUIRE(test.waitFor([&] { return map.hasFocus(); }));
  const uint32_t lineOfA = test.lineOf("tl.load(a_ptr"), lineOfB = test.lineOf("tl.load(b_ptr");
  QTest::keyClick(&map, Qt::Key_Home);
  const QString first = test.view.infoText();
  CHECK(first.contains(u"slots of"));
  CHECK(map.accessibleDescription() == first);
  QTest::keyClick(&map, Qt::Key_Return);
  const int shown = test.view.buffer();
  CHECK(first.startsWith(test.view.bufferText().section(QStringLiteral(" · "), 0, 0)));
  const auto isAtLine = [&] {
    const uint32_t line = test.fixture.editor().cursor().line;
    return line == lineOfA || line == lineOfB;
  };
  CHECK(test.waitFor(isAtLine));
  // The keyboard stays in the map.
  CHECK(map.hasFocus());
  QTest::keyClick(&map, Qt::Key_Right);
  QTest::keyClick(&map, Qt::Key_Return);
  CHECK(test.view.buffer() != shown);
  // With the pointer.
  const QPoint at = map.boxRect(shown).center().toPoint();
  QTest::mouseMove(map.viewport(), at);
  QTest::mouseClick(map.viewport(), Qt::LeftButton, {}, at);
  CHECK(test.view.buffer() == shown);
  CHECK(test.waitFor(isAtLine));
  CHECK(map.selected() == shown);
}

TEST_CASE("the ring of a pipelined loop is shown slot by slot", "[gui][worker][shared]") {
  Product test;
  test.goTo("tl.load(a_ptr");
  test.open();
  REQUIRE(test.bufferBegins("a: "));
  CHECK(test.view.choices().currentText().startsWith(u"slots by iteration, loop of line 10"));
  views::RingCanvas &ring = test.view.ring();
  REQUIRE(ring.isVisible());
  REQUIRE(ring.table().size() == 7);
  ring.setFocus();
  QTest::keyClick(&ring, Qt::Key_Home);
  CHECK(test.view.infoText() == u"before the loop, slot 0: a copy of block 0 is under way into it");
  QTest::keyClick(&ring, Qt::Key_Down);
  CHECK(test.view.infoText() == u"iteration 0, slot 0: block 0 is read");
  CHECK(ring.accessibleDescription() == test.view.infoText());
  const QPoint at = ring.cellRect(3 + 2).center().toPoint();
  QTest::mouseMove(ring.viewport(), at);
  CHECK(test.view.infoText() == u"iteration 0, slot 2: a copy of block 2 is under way into it");
}

TEST_CASE("what numbers of a ring count is said as a whole, or in the tool tip",
          "[gui][worker][shared]") {
  Product test;
  test.goTo("tl.load(a_ptr");
  test.open();
  REQUIRE(test.bufferBegins("a: "));
  views::RingCanvas ring;
  ring.setTable(test.view.ring().table());
  ring.resize(400, 400);
  ring.show();
  CHECK(ring.showsFoot());
  CHECK(ring.toolTip().isEmpty());
  // The rows alone fill it.
  ring.resize(400, 140);
  QCoreApplication::processEvents();
  CHECK_FALSE(ring.showsFoot());
  CHECK(ring.toolTip().startsWith(u"numbers count the blocks"));
  const QRectF last = ring.cellRect(3 * 7 - 1);
  CHECK(last.bottom() <= ring.viewport()->height());
}

TEST_CASE("the banks of an access are shown pass by pass", "[gui][worker][shared]") {
  Product test;
  test.goTo("tl.load(a_ptr");
  test.open();
  REQUIRE(test.bufferBegins("a: "));
  // The choice by keys: the load of matrices.
  const int load = test.choiceWith("matrix load");
  REQUIRE(load > 0);
  test.view.choices().setFocus();
  for (int i = test.view.choices().currentIndex(); i < load; ++i)
    QTest::keyClick(&test.view.choices(), Qt::Key_Down);
  REQUIRE(test.view.banks().isVisible());
  const auto &request = test.view.banks().content().request;
  CHECK(request.counts.wavefronts == 4);
  CHECK(request.counts.minimumWavefronts == 4);
  CHECK(test.view.infoText().contains(u"4 wavefronts, at least 4"));
  views::RequestCanvas &banks = test.view.banks();
  banks.setFocus();
  QTest::keyClick(&banks, Qt::Key_S);
  CHECK(test.view.scrubber(Scrub::Pass).value() == 1);
  CHECK(banks.content().pass == 0);
  CHECK(test.view.infoText() == u"pass 1 of 4 of warp 0: lanes 0–7, 32 of 32 banks busy");
  QTest::keyClick(&banks, Qt::Key_S);
  CHECK(test.view.infoText().startsWith(u"pass 2 of 4 of warp 0: lanes 8–15"));
  QTest::keyClick(&banks, Qt::Key_S, Qt::ShiftModifier);
  QTest::keyClick(&banks, Qt::Key_W);
  CHECK(test.view.scrubber(Scrub::Warp).value() == 1);
  QTest::keyClick(&banks, Qt::Key_Right);
  CHECK(test.view.infoText().contains(u"offset "));
  CHECK(test.view.infoText().contains(u"bank "));
}

TEST_CASE("factors of a tensor core are drawn with their swizzle and counted",
          "[gui][worker][shared]") {
  std::string text = kProduct;
  for (const char *part : {"0, 32)", "K, 32)"})
    text.replace(text.find(part) + 3, 2, "64");
  Product test(text, "cuda:90");
  test.goTo("tl.load(a_ptr");
  test.open();
  REQUIRE(test.bufferBegins("a: "));
  const int product = test.choiceWith("warp_group_dot");
  REQUIRE(product >= 0);
  test.view.choices().setCurrentIndex(product);
  const std::string reason = test.view.reasonText().toStdString();
  CHECK_THAT(reason, Catch::StartsWith("product read by ttng.warp_group_dot: "));
  CHECK_THAT(reason, Catch::Contains("core matrices of 8 rows by 16 bytes"));
  CHECK_THAT(reason, Catch::Contains("one pass brings it"));
  CHECK_THAT(reason, !Catch::Contains("  "));
  CHECK(test.view.banks().content().request.lines.size() == 8);
  CHECK(test.view.banks().content().request.counts.wavefronts == 1);
  CHECK(test.view.infoText().startsWith(u"rows 0 to 7 of the buffer"));
}

TEST_CASE("the map follows an edit, and stays marked while the text does not compile",
          "[gui][worker][shared]") {
  Product test;
  test.goTo("tl.load(a_ptr");
  test.open();
  REQUIRE(test.bufferBegins("a: 3 slots of fp16[64, 32]"));
  test.window.action(QStringLiteral("focusEditor"))->trigger();
  test.fixture.editor().goTo(rangeOf(kProduct, "k = tl.arange(0, 32").end);
  QTest::keyClick(&test.fixture.editor(), Qt::Key_Backspace);
  QTest::keyClick(&test.fixture.editor(), Qt::Key_Backspace);
  test.fixture.type("undefined");
  CHECK(test.waitFor([&] { return test.view.isStale(); }));
  CHECK(test.view.hasContent());
  for (int i = 0; i < 9; ++i)
    QTest::keyClick(&test.fixture.editor(), Qt::Key_Backspace);
  test.fixture.type("64");
  // Blocks are now twice as wide.
  CHECK(test.waitFor(
      [&] { return !test.view.isStale() && test.view.titleText().contains(u"48 KiB"); }));
}

TEST_CASE("a kernel that needs too much shared memory shows what takes it",
          "[gui][worker][shared]") {
  // As a compiler of other blocks would write it: 256 x 256 numbers of 16 bits.
  Product test(
      R"(#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:89", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%p: !tt.ptr<f16>) {
    %c = arith.constant dense<0.0> : tensor<256x256xf16, #blocked>
    %m = ttg.local_alloc %c : (tensor<256x256xf16, #blocked>) -> !ttg.memdesc<256x256xf16, #shared, #smem>
    %v = ttg.local_load %m : !ttg.memdesc<256x256xf16, #shared, #smem> -> tensor<256x256xf16, #blocked>
    %q = tt.splat %p : !tt.ptr<f16> -> tensor<256x256x!tt.ptr<f16>, #blocked>
    tt.store %q, %v : tensor<256x256x!tt.ptr<f16>, #blocked>
    tt.return
  }
}
)",
      "cuda:89", "large.ttgir");
  test.open();
  CHECK(test.waitFor(
      [&] { return test.view.titleText().startsWith(u"128 KiB needed, and there are 99 KiB"); }));
  CHECK(test.view.buffer() == 0);
  CHECK(test.view.bufferText().startsWith(u"m: fp16[256, 256]"));
}

TEST_CASE("a picture of shared memory is written as SVG and PNG", "[gui][worker][shared]") {
  Product test;
  CHECK_FALSE(test.view.exportSvg(test.exportPath()));
  test.goTo("tl.load(a_ptr");
  test.open();
  REQUIRE(test.bufferBegins("a: "));
  const QByteArray text = test.exported(test.view);
  CHECK(text.contains("slot 2"));
  CHECK(text.contains("iteration 5"));
  CHECK(text.contains("tl.store("));
}

TEST_CASE("the palette leads to the view, and a kernel without shared memory says so",
          "[gui][worker][shared]") {
  Product test(kScale);
  test.openFromPalette(QStringLiteral("bank conflicts"));
  CHECK(test.waitFor([&] { return test.window.dock(QStringLiteral("shared"))->isInFront(); }));
  CHECK(test.waitFor(
      [&] { return test.hasLabel(test.view, "This kernel keeps nothing in shared memory."); }));
  // It is said once.
  CHECK(test.view.titleText().isEmpty());
  CHECK_FALSE(test.view.map().isVisible());
  CHECK(test.view.buffer() == -1);
}

TEST_CASE("views of GPU targets say so when the target is a processor", "[gui][worker][shared]") {
  Product test;
  test.goTo("tl.load(a_ptr");
  test.open();
  REQUIRE(test.bufferBegins("a: "));
  QComboBox *target = nullptr;
  for (QComboBox *each : test.window.findChildren<QComboBox *>())
    if (each->accessibleName() == u"Target")
      target = each;
  REQUIRE(target != nullptr);
  const QString gpu = target->currentText();
  const auto choose = [&](const QString &name, std::string_view family) {
    target->setFocus();
    QTest::keyClick(target, Qt::Key_Home);
    for (int i = 0; i < target->count() && !target->currentText().startsWith(name); ++i)
      QTest::keyClick(target, Qt::Key_Down);
    const CompileController &compile = *test.window.compileController();
    REQUIRE(test.waitFor([&] {
      return compile.isCurrent() && !compile.isRunning() && compile.latest() &&
             compile.latest()->result()->target.starts_with(family);
    }));
  };
  choose(QStringLiteral("cpu:n"), "cpu:");
  REQUIRE(test.window.compileController()->latest()->result()->ok);
  CHECK(test.waitFor([&] { return !test.view.hasContent(); }));
  for (const auto &[id, key] : {std::pair("shared", Qt::Key_M), std::pair("pipeline", Qt::Key_I),
                                std::pair("registers", Qt::Key_Y), std::pair("access", Qt::Key_A),
                                std::pair("conversion", Qt::Key_C)}) {
    INFO(id);
    test.openView(key);
    ViewDock *dock = test.window.dock(QString::fromLatin1(id));
    CHECK(test.waitFor([&] { return test.hasLabel(*dock, "choose a GPU as the target"); }));
    CHECK_FALSE(test.hasLabel(*dock, "does not compile"));
  }
  // Back at a GPU, the picture is there again.
  choose(gpu, "cuda");
  test.openView(Qt::Key_M);
  CHECK(test.bufferBegins("a: "));
}
