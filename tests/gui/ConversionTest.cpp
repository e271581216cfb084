// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The Conversion view over the real compiler: opened, read, walked through and exported by keys and
// mouse.
#include "app/ide/docks/ViewDock.h"
#include "tests/gui/ViewSample.h"
#include "views/access/AccessView.h"
#include "views/layout/conversion/ArrowLayer.h"
#include "views/layout/conversion/ConversionListModel.h"
#include "views/layout/conversion/ConversionView.h"

#include <QComboBox>
#include <QLabel>
#include <QTableView>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::ConversionSide;
using compiler::MoveKind;
using views::ConversionListModel;
using views::ConversionView;

/// A transpose in a loop, and a sum of rows that is stored beside it.
static const std::string kTranspose = R"(import triton
import triton.language as tl

# /// tilescope
# kernel = "transpose"
# grid = [2, 1]
# [args]
# in_ptr  = { dtype = "fp32", shape = [64, 256], init = "randn" }
# out_ptr = { dtype = "fp32", shape = [256, 64] }
# sum_ptr = { dtype = "fp32", shape = [64] }
# [constexprs]
# N = "64"
# ///


@triton.jit
def transpose(in_ptr, out_ptr, sum_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    total = tl.zeros((N,), dtype=tl.float32)
    for k in range(2):
        j = (tl.program_id(0) * 2 + k) * N + tl.arange(0, N)
        tile = tl.load(in_ptr + i[:, None] * 256 + j[None, :])
        tl.store(out_ptr + j[None, :] * 64 + i[:, None], tile)
        total += tl.sum(tile, axis=1)
    tl.store(sum_ptr + i, total)
)";

namespace {
struct Conversions : ViewSample {
  ConversionView &view = *window.conversionView();

  explicit Conversions(const std::string &text = kTranspose)
      : ViewSample(text, nullptr, "transpose.py") {}
  void open() { openView(Qt::Key_C); }
  bool titleHas(const char *words) {
    return waitFor([&] { return view.titleText().contains(QString::fromUtf8(words)); });
  }
  bool says(const char *words) {
    return waitFor([&] { return hasLabel(view, words); });
  }
};
} // namespace

TEST_CASE("how often programs execute a conversion is not rounded where they differ",
          "[gui][conversion]") {
  compiler::ConversionFacts facts;
  compiler::MemoryFacts all;
  all.programs = 2;
  for (const auto &[executions, words] : {std::pair(0, u"never"),
                                          {2, u"once"},
                                          {6, u"3 ×"},
                                          {7, u"3.5 × on average"},
                                          {1, u"0.5 × on average"}}) {
    facts.executions = static_cast<uint64_t>(executions);
    CHECK(views::timesText(facts, all) == QStringView(words));
  }
}

TEST_CASE("the conversion of the cursor's line is drawn with what it costs and why",
          "[gui][worker][conversion]") {
  Conversions test;
  // Nothing is looked at while the view is out of sight.
  QTest::qWait(200);
  CHECK_FALSE(test.view.hasContent());
  test.goTo("tl.store(out_ptr");
  test.open();
  CHECK(test.waitFor([&] { return test.window.dock(QStringLiteral("conversion"))->isInFront(); }));
  REQUIRE(test.titleHas("fp32[64, 64]"));
  CHECK(test.titleHas("program 0 executes it 2 ×"));
  CHECK(test.view.titleText().contains(u"in a loop"));
  CHECK_FALSE(test.view.titleText().contains(u"not at the cursor"));
  CHECK(test.view.costText().startsWith(u"16 KiB through shared memory"));
  CHECK(test.view.costText().contains(u"come from another warp"));
  CHECK(test.view.reasonText().contains(u"tt.load in line 22"));
  CHECK(test.view.reasonText().contains(u"tt.store in line 23"));
  CHECK(test.view.reasonText().contains(u"Made by the pass "));
  CHECK(test.view.reasonText().contains(u"runs along dimension 1 of the block"));
  // Before anything is pointed at, the arrows of one lane are there.
  CHECK(test.view.infoText().startsWith(u"warp 0 · lane 0 receives 32 elements"));
  CHECK_FALSE(test.view.arrows().runs().empty());
}

TEST_CASE("keys walk over the registers behind, and arrows follow", "[gui][worker][conversion]") {
  Conversions test;
  test.goTo("tl.store(out_ptr");
  test.open();
  REQUIRE(test.titleHas("executes it"));
  views::DiagramCanvas &behind = test.view.canvas(ConversionSide::Behind);
  REQUIRE(test.waitFor([&] { return behind.hasFocus(); }));
  QTest::keyClick(&behind, Qt::Key_Down);
  CHECK(test.view.infoText().startsWith(u"warp 0 · lane 1 receives 32 elements"));
  CHECK(behind.accessibleDescription() == test.view.infoText());
  // What is said is what the arrows show: every element of the lane, from where it was.
  size_t count = 0;
  for (const compiler::MoveRun &run : test.view.arrows().runs())
    count += run.count;
  CHECK(count == 32);
  QTest::keyClick(&behind, Qt::Key_L);
  CHECK(test.view.scope() == compiler::MoveScope::Element);
  CHECK(test.view.infoText().startsWith(u"element ["));
  CHECK(test.view.arrows().runs().size() == 1);
  CHECK(behind.highlighted().size() == 1);
  CHECK(test.view.canvas(ConversionSide::Before).highlighted().size() == 1);
  // The same element in the tensor: the same cell on both sides.
  QTest::keyClick(&behind, Qt::Key_V);
  CHECK(test.view.cells() == compiler::ConversionCells::Elements);
  QTest::keyClick(&behind, Qt::Key_Home, Qt::ControlModifier);
  QTest::keyClick(&behind, Qt::Key_End);
  CHECK(test.view.infoText().startsWith(u"element [0, 63]"));
  CHECK(behind.highlighted() == test.view.canvas(ConversionSide::Before).highlighted());
  // Enter pins: the other canvas may be walked through, and what is pinned comes back.
  QTest::keyClick(&behind, Qt::Key_Return);
  QTest::keyClick(&behind, Qt::Key_Home);
  CHECK(test.view.infoText().startsWith(u"element [0, 0]"));
  test.view.list().setFocus();
  CHECK(test.view.infoText().startsWith(u"element [0, 63]"));
}

TEST_CASE("pointing at a register before shows where its lane sends elements",
          "[gui][worker][conversion]") {
  Conversions test;
  test.goTo("tl.store(out_ptr");
  test.open();
  REQUIRE(test.titleHas("executes it"));
  views::DiagramCanvas &before = test.view.canvas(ConversionSide::Before);
  const QPoint at = before.cellRect(0).center().toPoint();
  REQUIRE(before.rect().contains(at));
  QTest::mouseMove(&before, at);
  QTest::mouseClick(&before, Qt::LeftButton, {}, at);
  CHECK(test.waitFor([&] { return test.view.infoText().contains(u"sends 32 elements"); }));
  REQUIRE_FALSE(test.view.arrows().runs().empty());
  // Arrows begin and end in the cells that are highlighted.
  for (const compiler::MoveRun &run : test.view.arrows().runs()) {
    const auto [from, to] = test.view.arrows().endsOf(run);
    const auto areaOf = [&](const views::DiagramCanvas &canvas) {
      return QRectF(canvas.mapTo(test.view.arrows().parentWidget(), QPoint()), canvas.size());
    };
    CHECK(areaOf(before).contains(from));
    CHECK(areaOf(test.view.canvas(ConversionSide::Behind)).contains(to));
  }
  CHECK(test.window.focusState()->hovered().sources.size() == 1);
}

TEST_CASE("the list has conversions of loops first, and leads to their lines",
          "[gui][worker][conversion]") {
  Conversions test;
  test.goTo("total = tl.zeros");
  test.open();
  REQUIRE(test.titleHas("executes it"));
  CHECK(test.view.titleText().contains(u"not at the cursor"));
  QTableView &list = test.view.list();
  REQUIRE(list.model()->rowCount() >= 2);
  const auto cell = [&](int row, ConversionListModel::Column column) {
    return list.model()->index(row, column).data().toString();
  };
  CHECK(cell(0, ConversionListModel::LineColumn) == u"23");
  CHECK(cell(0, ConversionListModel::TimesColumn) == u"2 ×");
  const int last = list.model()->rowCount() - 1;
  CHECK(cell(last, ConversionListModel::TimesColumn) == u"once");
  list.setFocus();
  QTest::keyClick(&list, Qt::Key_End, Qt::ControlModifier);
  QTest::keyClick(&list, Qt::Key_Return);
  const uint32_t line = cell(last, ConversionListModel::LineColumn).toUInt() - 1;
  CHECK(test.waitFor([&] { return test.fixture.editor().cursor().line == line; }));
  CHECK(test.waitFor([&] { return !test.view.titleText().contains(u"not at the cursor"); }));
}

TEST_CASE("the picture follows an edit, and stays marked while the text does not compile",
          "[gui][worker][conversion]") {
  Conversions test;
  test.goTo("tl.store(out_ptr");
  test.open();
  REQUIRE(test.titleHas("fp32[64, 64]"));
  test.window.action(QStringLiteral("focusEditor"))->trigger();
  // A tile half as high and wide.
  test.fixture.editor().goTo(rangeOf(kTranspose, "# N = \"64").end);
  for (int i = 0; i < 2; ++i)
    QTest::keyClick(&test.fixture.editor(), Qt::Key_Backspace);
  test.fixture.type("32");
  CHECK(test.titleHas("fp32[32, 32]"));
  test.fixture.editor().goTo(rangeOf(kTranspose, "axis=1").end);
  test.fixture.type(" +");
  CHECK(test.waitFor([&] { return test.view.isStale(); }));
  CHECK(test.view.titleText().contains(u"fp32[32, 32]"));
  for (int i = 0; i < 2; ++i)
    QTest::keyClick(&test.fixture.editor(), Qt::Key_Backspace);
  CHECK(test.waitFor([&] { return !test.view.isStale(); }));
}

TEST_CASE("a picture of a conversion is written as SVG and PNG", "[gui][worker][conversion]") {
  Conversions test;
  CHECK_FALSE(test.view.exportSvg(test.exportPath()));
  test.goTo("tl.store(out_ptr");
  test.open();
  REQUIRE(test.titleHas("executes it"));
  const QByteArray text = test.exported(test.view, 3200);
  CHECK(text.contains("through shared memory"));
  CHECK(text.contains("other warp"));
}

TEST_CASE("conversions are shown without a launch block, beside the Access view, and none is said",
          "[gui][worker][conversion]") {
  std::string text = kTranspose;
  const size_t begin = text.find("# ///"), end = text.rfind("# ///") + 6;
  Conversions test(text.erase(begin, end - begin));
  test.goTo("tl.store(out_ptr");
  test.open();
  // The guessed launch has other sizes; nothing is executed.
  CHECK(test.waitFor([&] { return test.view.current() != nullptr; }));
  CHECK_FALSE(test.view.titleText().contains(u"executes it"));
  // The worker answers both views.
  test.window.action(QStringLiteral("focusEditor"))->trigger();
  test.fixture.openAndWait(test.fixture.write("whole.py", kTranspose));
  test.goTo("tl.store(out_ptr");
  test.window.dock(QStringLiteral("access"))->setFloating(true);
  CHECK(test.waitFor([&] { return test.window.accessView()->hasContent(); }));
  CHECK(test.titleHas("executes it 2 ×"));
  test.window.action(QStringLiteral("focusEditor"))->trigger();
  test.fixture.openAndWait(test.fixture.write("copy.py", R"(import triton
import triton.language as tl


@triton.jit
def copy(x_ptr, o_ptr, N: tl.constexpr = 128):
    i = tl.arange(0, N)
    tl.store(o_ptr + i, tl.load(x_ptr + i))
)"));
  CHECK(test.says("No conversions between layouts"));
}
