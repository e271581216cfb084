// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The Access view over the real compiler: opened, read, scrubbed and exported by keys.
#include "app/ide/docks/ViewDock.h"
#include "tests/gui/ViewSample.h"
#include "views/access/AccessListModel.h"
#include "views/access/AccessView.h"
#include "views/access/BulkCanvas.h"
#include "views/common/Scrubber.h"

#include <QSpinBox>
#include <QTableView>

#include <fstream>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using views::AccessListModel;
using views::AccessView;
using Scrub = views::RequestCanvas::Scrub;

/// A transpose without an exchange: a load of single elements, each in a line of its own.
static const std::string kTranspose = R"(import triton
import triton.language as tl

# /// tilescope
# kernel = "transpose"
# grid = [4, 2]
# [args]
# in_ptr  = { dtype = "fp32", shape = [128, 64], init = "randn" }
# out_ptr = { dtype = "fp32", shape = [64, 128] }
# [constexprs]
# N = "32"
# ///


@triton.jit
def transpose(in_ptr, out_ptr, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    for k in range(3):
        j = tl.program_id(1) * N + tl.arange(0, 1) + k
        column = tl.load(in_ptr + i[:, None] * 64 + j[None, :])
        tl.store(out_ptr + j[None, :] * 128 + i[:, None], column)
)";

namespace {
struct Transpose : ViewSample {
  AccessView &view = *window.accessView();

  explicit Transpose(const std::string &text = kTranspose)
      : ViewSample(text, nullptr, "transpose.py") {}
  void open() { openView(Qt::Key_A); }
  bool titleBegins(const char *words) {
    return waitFor([&] { return view.titleText().startsWith(QString::fromLatin1(words)); });
  }
};
} // namespace

TEST_CASE("nothing of another file stays in the Access view", "[gui][worker][access]") {
  Transpose test;
  test.open();
  REQUIRE(test.waitFor([&] { return test.view.hasContent(); }));
  std::string other = kTranspose;
  other.replace(other.find("kernel = \"transpose\""), 20, "kernel = \"no_such_one\"");
  test.fixture.openAndWait(test.fixture.write("other.py", other));
  CHECK_FALSE(test.view.hasContent());
  QTest::keyClick(test.window.editor(), Qt::Key_PageUp, Qt::ControlModifier);
  CHECK(test.waitFor([&] { return test.view.hasContent(); }));
}

TEST_CASE("what a pipelined loop's load moves is told with its copies in front of the loop",
          "[gui][worker][access]") {
  std::string product = kProductLoop + kStoredTotal;
  product.insert(product.find("\n\n@triton.jit"), R"(
# /// tilescope
# kernel = "product"
# grid = [1]
# [args]
# a_ptr = { dtype = "fp16", shape = [64, 1024], init = "randn" }
# b_ptr = { dtype = "fp16", shape = [1024, 64], init = "randn" }
# c_ptr = { dtype = "fp32", shape = [64, 64] }
# K = 1024
# ///
)");
  Transpose test(product);
  test.goTo("tl.load(a_ptr");
  test.open();
  REQUIRE(test.titleBegins("async copy of a_ptr"));
  CHECK(test.waitFor([&] { return test.view.costText().startsWith(u"100 % of 120 KiB"); }));
  INFO(test.view.titleText().toStdString() << "\n" << test.view.costText().toStdString());
  // 30 of 32 steps are in the loop, 64 × 32 numbers of 2 bytes each.
  CHECK(
      test.view.costText().startsWith(u"100 % of 120 KiB fetched used · 128 KiB with the 2 others "
                                      u"of this line · "));
  // Once is once.
  test.goTo("tl.store(c_ptr");
  REQUIRE(test.titleBegins("global store of c_ptr"));
  CHECK_FALSE(test.view.costText().contains(u"of this line"));
}

TEST_CASE("the access at the cursor is drawn, and its numbers are those of all programs",
          "[gui][worker][access]") {
  Transpose test;
  // Nothing is looked at while the view is out of sight.
  QTest::qWait(200);
  CHECK_FALSE(test.view.hasContent());
  test.goTo("tl.load(");
  test.open();
  CHECK(test.waitFor([&] { return test.window.dock(QStringLiteral("access"))->isInFront(); }));
  REQUIRE(test.titleBegins("global load of in_ptr"));
  CHECK(test.waitFor([&] { return test.view.titleText().endsWith(u"all 8 programs"); }));
  INFO(test.view.titleText().toStdString() << "\n" << test.view.costText().toStdString());
  const compiler::AccessFacts &load = *test.view.current();
  // Eight programs with three iterations; 32 elements, each with a sector of its own.
  CHECK(load.executions == 24);
  CHECK(load.counts.sectors == load.counts.requests * 32);
  CHECK(test.view.costText().startsWith(u"13 % of "));
  CHECK(test.view.reasonText().startsWith(u"A lane moves 4 bytes at once (1 element)"));
  // The picture: 32 lines, of each one sector, of each sector 4 bytes.
  const auto &request = test.view.request();
  CHECK(request.lines.size() == 32);
  CHECK(request.places.size() == 32);
  CHECK(request.unused(5).size() == 1);
  CHECK(test.view.infoText().contains(u"32 sectors in 32 lines"));
  CHECK(test.view.canvas().accessibleDescription() == test.view.infoText());
  // The store of the same block lies in one piece.
  test.goTo("tl.store(");
  REQUIRE(test.titleBegins("global store of out_ptr"));
  CHECK(test.view.request().lines.size() == 1);
  CHECK(test.view.costText().startsWith(u"100 % of "));
  // Where all programs are not counted, the numbers themselves say whose they are.
  test.view.setGridFacts(nullptr, QStringLiteral("It would take too long."));
  INFO(test.view.costText().toStdString());
  CHECK(test.view.costText().startsWith(u"Program (0"));
  CHECK(test.view.costText().contains(u" alone: 100 % of "));
  CHECK_FALSE(test.view.titleText().contains(u"program"));
}

TEST_CASE("keys show other requests, iterations and programs", "[gui][worker][access]") {
  Transpose test;
  test.goTo("tl.load(");
  test.open();
  REQUIRE(test.titleBegins("global load of in_ptr"));
  views::RequestCanvas &canvas = test.view.canvas();
  REQUIRE(test.waitFor([&] { return canvas.hasFocus(); }));
  QTest::keyClick(&canvas, Qt::Key_Right);
  CHECK(test.view.infoText().contains(u"lane 0"));
  CHECK(test.view.infoText().contains(u"in_ptr[0, 0]"));
  QTest::keyClick(&canvas, Qt::Key_Down);
  CHECK(test.view.infoText().contains(u"in_ptr[1, 0]"));
  CHECK(test.view.infoText().contains(u"lane 1"));
  CHECK(test.view.infoText().contains(u"element [1, 0] of the block"));
  QTest::keyClick(&canvas, Qt::Key_Return);
  // The second column.
  QTest::keyClick(&canvas, Qt::Key_T);
  CHECK(test.view.scrubber(Scrub::Iteration).value() == 1);
  CHECK(test.view.scrubber(Scrub::Iteration).count() == 3);
  QTest::keyClick(&canvas, Qt::Key_Right);
  CHECK(test.view.infoText().contains(u"in_ptr[1, 1]"));
  // The program below: its first row is 32.
  QTest::keyClick(&canvas, Qt::Key_P);
  CHECK(test.waitFor([&] {
    return !test.view.request().places.empty() &&
           test.view.scrubber(Scrub::Program).field().suffix().contains(u"(1, 0)") &&
           canvas.content().lineName(test.view.request().lines.front().address) == u"in_ptr[32, 0]";
  }));
  CHECK(test.view.scrubber(Scrub::Iteration).value() == 1);
  QTest::keyClick(&canvas, Qt::Key_P, Qt::ShiftModifier);
  CHECK(test.waitFor([&] {
    return canvas.content().lineName(test.view.request().lines.front().address) == u"in_ptr[0, 0]";
  }));
  // With the pointer.
  const QPoint at = canvas.placeRect(7).center().toPoint();
  QTest::mouseMove(canvas.viewport(), at);
  QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, at);
  CHECK(test.view.infoText().contains(u"lane 7"));
}

TEST_CASE("the list names all accesses, the worst first, and leads to their lines",
          "[gui][worker][access]") {
  Transpose test;
  test.goTo("tl.store(");
  test.open();
  REQUIRE(test.titleBegins("global store of out_ptr"));
  QTableView &list = test.view.list();
  REQUIRE(list.model()->rowCount() == 2);
  const auto cell = [&](int row, AccessListModel::Column column) {
    return list.model()->index(row, column).data().toString();
  };
  CHECK(cell(0, AccessListModel::AccessColumn) == u"global load of in_ptr");
  CHECK(cell(0, AccessListModel::UsedColumn) == u"13 %");
  CHECK(cell(1, AccessListModel::UsedColumn) == u"100 %");
  // Used is in sight in a narrow list; the tool tip has what is not.
  list.resize(260, list.height());
  CHECK(list.columnViewportPosition(AccessListModel::UsedColumn) +
            list.columnWidth(AccessListModel::UsedColumn) <=
        260);
  const QString tip = list.model()->index(0, 0).data(Qt::ToolTipRole).toString();
  CHECK(tip.contains(u"Used: 13 %"));
  CHECK(tip.contains(u"Lane: "));
  for (int column = 0; column < AccessListModel::kNumColumns; ++column)
    CHECK_FALSE(
        list.model()->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
  CHECK(list.currentIndex().row() == 1);
  list.setFocus();
  QTest::keyClick(&list, Qt::Key_Up);
  CHECK(test.view.titleText().startsWith(u"global load of in_ptr"));
  CHECK(test.view.titleText().contains(u"not at the cursor"));
  QTest::keyClick(&list, Qt::Key_Return);
  const uint32_t line = rangeOf(kTranspose, "tl.load(").begin.line;
  CHECK(test.waitFor([&] { return test.fixture.editor().cursor().line == line; }));
  CHECK(test.waitFor([&] { return !test.view.titleText().contains(u"not at the cursor"); }));
}

TEST_CASE("the picture follows an edit, and stays marked while the text does not compile",
          "[gui][worker][access]") {
  Transpose test;
  test.goTo("tl.load(");
  test.open();
  REQUIRE(test.titleBegins("global load of in_ptr"));
  test.window.action(QStringLiteral("focusEditor"))->trigger();
  // 64 becomes 6: rows lie closer together.
  test.fixture.editor().goTo(rangeOf(kTranspose, "* 64").end);
  QTest::keyClick(&test.fixture.editor(), Qt::Key_Backspace);
  CHECK(test.waitFor([&] { return test.view.request().lines.size() == 6; }));
  QTest::keyClick(&test.fixture.editor(), Qt::Key_Backspace);
  test.fixture.type("undefined");
  CHECK(test.waitFor([&] { return test.view.isStale(); }));
  CHECK(test.view.request().lines.size() == 6);
  for (int i = 0; i < 9; ++i)
    QTest::keyClick(&test.fixture.editor(), Qt::Key_Backspace);
  test.fixture.type("8");
  CHECK(
      test.waitFor([&] { return !test.view.isStale() && test.view.request().lines.size() == 8; }));
}

TEST_CASE("a picture of an access is written as SVG and PNG", "[gui][worker][access]") {
  Transpose test;
  CHECK_FALSE(test.view.exportSvg(test.exportPath()));
  test.goTo("tl.load(");
  test.open();
  REQUIRE(test.titleBegins("global load of in_ptr"));
  const QByteArray text = test.exported(test.view);
  CHECK(text.contains("in_ptr[31, 0]"));
  CHECK(text.contains("not more: "));
}

TEST_CASE("without a launch block the view says what is missing, and a worker's death is said",
          "[gui][worker][access]") {
  qputenv("TILESCOPE_TEST_HOOKS", "1");
  std::string text = kTranspose;
  const size_t begin = text.find("# ///"), end = text.rfind("# ///") + 6;
  Transpose test(text.erase(begin, end - begin));
  test.open();
  const auto says = [&](const char *words) {
    return test.waitFor([&] {
      for (const QLabel *label : test.view.findChildren<QLabel *>())
        if (label->isVisible() && label->text().contains(QString::fromLatin1(words)))
          return true;
      return false;
    });
  };
  CHECK(says("The file does not say it yet"));
  test.window.action(QStringLiteral("focusEditor"))->trigger();
  test.fixture.openAndWait(test.fixture.write("whole.py", kTranspose));
  CHECK(test.waitFor([&] { return test.view.hasContent(); }));
  test.worker.setTestHook({compiler::TestHook::Action::Crash, "count"});
  test.fixture.editor().goTo(rangeOf(kTranspose, ", column)").end);
  test.fixture.type(" #");
  CHECK(says("the worker ended meanwhile"));
  // The next key is compiled and looked at by another.
  test.fixture.type("#");
  CHECK(test.waitFor([&] { return test.view.hasContent() && !test.view.isStale(); }));
  qunsetenv("TILESCOPE_TEST_HOOKS");
}

TEST_CASE("the passes of an access to shared memory are shown one by one",
          "[gui][worker][access]") {
  Transpose test(R"(import triton
import triton.language as tl

# /// tilescope
# kernel = "product"
# grid = [1]
# [args]
# a_ptr = { dtype = "fp16", shape = [64, 64], init = "randn" }
# c_ptr = { dtype = "fp32", shape = [64, 64] }
# ///


@triton.jit
def product(a_ptr, c_ptr):
    i = tl.arange(0, 64)
    a = tl.load(a_ptr + i[:, None] * 64 + i[None, :])
    tl.store(c_ptr + i[:, None] * 64 + i[None, :], tl.dot(a, a))
)");
  test.open();
  REQUIRE(test.waitFor([&] { return test.view.hasContent(); }));
  QTableView &list = test.view.list();
  const auto shared = list.model()->match(list.model()->index(0, AccessListModel::AccessColumn),
                                          Qt::DisplayRole, QStringLiteral("shared store"));
  REQUIRE_FALSE(shared.empty());
  list.setCurrentIndex(shared.front());
  const auto &request = test.view.request();
  REQUIRE(request.isShared);
  REQUIRE(request.counts.wavefronts > 1);
  views::RequestCanvas &canvas = test.view.canvas();
  canvas.setFocus();
  QTest::keyClick(&canvas, Qt::Key_S);
  CHECK(canvas.content().pass == 0);
  CHECK(test.view.infoText().startsWith(
      QStringLiteral("pass 1 of %1 of warp 0").arg(request.counts.wavefronts)));
  QTest::keyClick(&canvas, Qt::Key_S, Qt::ShiftModifier);
  CHECK(canvas.content().pass == -1);
  CHECK(test.view.infoText().contains(u"wavefronts, at least"));
}

/// The text of a kernel that Triton wrote.
static std::string dump(const char *name) {
  std::ifstream file(std::string(TILESCOPE_DUMPS "/") + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("the block of a bulk copy is drawn in its tensor, and keys go over it",
          "[gui][worker][access]") {
  ViewSample test(dump("copy.ttgir"), "cuda:90", "copy.ttgir");
  AccessView &view = *test.window.accessView();
  test.goTo("ttng.async_tma_copy_global_to_local");
  test.openView(Qt::Key_A);
  REQUIRE(test.waitFor([&] { return view.bulkPicture() != nullptr; }));
  INFO(view.titleText().toStdString() << "\n" << view.costText().toStdString());
  CHECK(view.titleText().startsWith(u"bulk load of a_ptr · line "));
  CHECK_FALSE(view.titleText().contains(u"not at the cursor"));
  CHECK(view.costText() == u"1 box of 32 × 64 · 4 KiB · 128 sectors in 56 lines");
  CHECK(view.reasonText().startsWith(u"a_ptr has 56 × 112 elements of 2 bytes"));
  // The last program of both dimensions: its block ends outside of the tensor.
  views::BulkCanvas &canvas = view.bulkCanvas();
  canvas.setFocus();
  for (int i = 0; i < 3; ++i)
    QTest::keyClick(&canvas, Qt::Key_P);
  REQUIRE(test.waitFor([&] { return view.costText().contains(u"outside become zeros"); }));
  CHECK(view.costText().startsWith(u"1 box of 32 × 64 · 2.2 KiB of 4 KiB inside"));
  CHECK(view.bulkPicture()->execution().offsets == std::vector<int64_t>{32, 64});
  CHECK(view.titleText().startsWith(u"bulk load of a_ptr"));
  // A swizzle of 128 bytes: the second row begins with the banks of the second chunk.
  QTest::keyClick(&canvas, Qt::Key_Home, Qt::ControlModifier);
  CHECK(view.infoText().startsWith(u"a_ptr[32, 64 to 71] · 3 sectors in this row · byte 0 of"));
  QTest::keyClick(&canvas, Qt::Key_Down);
  CHECK(view.infoText().contains(u"byte 144 of the buffer, banks 4 to 7"));
  QTest::keyClick(&canvas, Qt::Key_End, Qt::ControlModifier);
  CHECK(view.infoText().startsWith(u"a_ptr[63, 120 to 127] · outside of the tensor: zeros"));
  CHECK(canvas.accessibleDescription() == view.infoText());
  CHECK(canvas.placeRect(canvas.highlighted()).height() > 0);
  CHECK(view.canExport());
  // The store writes nothing there, and the row of the list leads to it, too.
  test.goTo("ttng.async_tma_copy_local_to_global");
  REQUIRE(test.waitFor([&] { return view.titleText().startsWith(u"bulk store to b_ptr"); }));
  CHECK(view.costText().contains(u"outside are not written"));
  QTableView &list = view.list();
  list.setCurrentIndex(list.model()->index(list.model()->rowCount() - 2, 0));
  CHECK(view.titleText().startsWith(u"bulk load of a_ptr"));
  // An access that is counted takes the place again.
  test.goTo("ttg.local_load");
  CHECK(test.waitFor([&] { return view.bulkPicture() == nullptr && view.current(); }));
}

TEST_CASE("a bulk copy of a described argument is drawn iteration by iteration",
          "[gui][worker][access]") {
  ViewSample test(dump("matmul.ttgir"), "cuda:90", "matmul.ttgir");
  AccessView &view = *test.window.accessView();
  test.goTo("ttng.async_tma_copy_global_to_local %b[%acc_45");
  test.openView(Qt::Key_A);
  REQUIRE(test.waitFor([&] { return view.bulkPicture() != nullptr; }));
  INFO(view.titleText().toStdString() << "\n" << view.costText().toStdString());
  CHECK(view.titleText().startsWith(u"bulk load of b · line "));
  CHECK(view.costText().startsWith(u"2 boxes of 64 × 64 · 16 KiB · "));
  CHECK(view.bulkPicture()->execution().extents == std::vector<int64_t>{192, 128});
  CHECK(view.bulkPicture()->execution().offsets == std::vector<int64_t>{128, 0});
  // The last tile is on its way: the next iteration copies none.
  view.bulkCanvas().setFocus();
  QTest::keyClick(&view.bulkCanvas(), Qt::Key_T);
  CHECK(view.costText().contains(u"off: its condition is false here"));
}
