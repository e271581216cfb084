// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Which value the layout diagram shows, and how it tells warps apart.
#include "tests/gui/DiagramFixture.h"
#include "views/common/HatchLines.h"
#include "views/common/Theme.h"
#include "views/layout/DiagramCanvas.h"
#include "views/layout/FilteredComboBox.h"
#include "views/layout/LabelSpace.h"
#include "views/layout/LayoutDiagram.h"

#include <QApplication>
#include <QComboBox>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <catch2/catch.hpp>
#include <map>
#include <set>

using namespace tilescope;
using namespace tilescope::views;
using compiler::LayoutFacts;
using tests::Diagram;
using tests::focusAt;
using Reason = LayoutChoice::Reason;

TEST_CASE("the diagram shows what belongs to the cursor", "[gui][layout]") {
  const auto result = tests::sampleResult();
  const auto chosen = [&](const Focus &focus) { return chooseLayout(*result, focus); };
  CHECK(chosen(focusAt(*result, "x + y")) == LayoutChoice{1, Reason::Made});
  CHECK(chosen(focusAt(*result, "tl.load(x_ptr + offsets, mask=mask)")) ==
        LayoutChoice{0, Reason::Made});
  // A store has no value of its own: what it writes is shown.
  CHECK(chosen(focusAt(*result, "tl.store(out_ptr + offsets, x + y, mask=mask)")) ==
        LayoutChoice{1, Reason::Stored});
  // On TTGIR's line, too.
  Focus store;
  store.stage = compiler::StageId::Ttgir;
  store.position = {10, 0};
  CHECK(chosen(store) == LayoutChoice{1, Reason::Stored});
  CHECK(chosen(focusAt(*result, "tl.program_id(0)")).index == -1);
  Focus head;
  head.position = {0, 0};
  head.sources = {{{0, 0}, {0, 0}, 0}};
  CHECK(chosen(head) == LayoutChoice{0, Reason::Outside});
  // In the indentation of a line the line is meant.
  Focus line;
  line.position = {tests::rangeOf(result->files[0].text, "tl.store(").begin.line, 0};
  line.sources = {{line.position, line.position, 0}};
  CHECK(chosen(line).index == 1);
}

TEST_CASE("a place without a block shows no diagram", "[gui][layout]") {
  Diagram diagram;
  diagram.click("x + y");
  REQUIRE(diagram.view.current() != nullptr);
  diagram.click("tl.program_id(0)");
  CHECK(diagram.view.current() == nullptr);
  CHECK(diagram.view.tensorCanvas().emptyText().contains(QStringLiteral("No block value here")));
  CHECK(diagram.view.tensorCanvas().content().grid.numCells == 0);
  // A value from the list is shown until the cursor moves.
  auto *values = diagram.view.findChild<QComboBox *>();
  values->setFocus();
  QTest::keyClick(values, Qt::Key_Home);
  REQUIRE(diagram.view.current() != nullptr);
  CHECK(diagram.view.current()->value == "%x_3");
  diagram.view.setResult(tests::sampleResult());
  CHECK(diagram.view.current()->value == "%x_3");
  diagram.click("tl.store(out_ptr + offsets, x + y, mask=mask)");
  CHECK(diagram.view.current()->value == "%0");
  CHECK(diagram.view.titleText().contains(QStringLiteral("stored here")));
}

TEST_CASE("a diagram of an earlier text says so", "[gui][layout]") {
  Diagram diagram;
  CHECK_FALSE(diagram.view.isStale());
  diagram.view.setResult(tests::brokenResult());
  CHECK(diagram.view.isStale());
  CHECK(diagram.view.current() != nullptr);
  diagram.view.setResult(tests::sampleResult());
  CHECK_FALSE(diagram.view.isStale());
}

TEST_CASE("eight patterns differ", "[gui][layout]") {
  std::set<QByteArray> pictures;
  for (int member = 0; member < 8; ++member) {
    QImage image(48, 48, QImage::Format_Grayscale8);
    image.fill(Qt::white);
    QPainter painter(&image);
    QList<QLineF> lines;
    addHatchLines(lines, QRectF(0, 0, 48, 48), static_cast<uint64_t>(member));
    painter.drawLines(lines);
    painter.end();
    pictures.insert(QByteArray(reinterpret_cast<const char *>(image.constBits()), 48 * 48));
    lines.clear();
    addHatchLines(lines, QRectF(10, 20, 30, 7), static_cast<uint64_t>(member));
    for (const QLineF &line : lines)
      for (const QPointF &end : {line.p1(), line.p2()})
        CHECK(QRectF(9.99, 19.99, 30.02, 7.02).contains(end));
  }
  CHECK(pictures.size() == 8);
}

/// How gray an area of the picture is, on average.
static double greyOf(const QImage &image, const QRect &rect) {
  double sum = 0;
  for (int y = rect.top(); y <= rect.bottom(); ++y)
    for (int x = rect.left(); x <= rect.right(); ++x)
      sum += qGray(image.pixel(x, y));
  return sum / (rect.width() * rect.height());
}

TEST_CASE("four warps differ in grey, whatever the scale", "[gui][layout]") {
  for (const char *name : {"dark", "light"}) {
    applyTheme(loadTheme(QString::fromLatin1(name)));
    // In thinner rows, lines of the patterns are much of what is seen.
    for (const QSize &size : {QSize(1200, 500), QSize(420, 460)}) {
      Diagram diagram(size);
      DiagramCanvas &tensor = diagram.view.tensorCanvas();
      const QImage image = tensor.grab().toImage();
      std::vector<double> greys;
      for (int warp = 0; warp < 4; ++warp) {
        const QRectF area(tensor.cellRect(warp * 128).topLeft(),
                          tensor.cellRect(warp * 128 + 63).bottomRight());
        greys.push_back(greyOf(image, area.toAlignedRect().adjusted(1, 1, -1, -1)));
      }
      for (size_t i = 0; i < 4; ++i)
        for (size_t j = 0; j < i; ++j) {
          INFO(name << ": warps " << j << " and " << i << ", " << size.width() << " wide");
          CHECK(std::abs(greys[i] - greys[j]) > 8);
        }
    }
  }
  applyTheme(loadTheme(QStringLiteral("dark")));
}

TEST_CASE("warps are named where they fit, hatched where they do not", "[gui][layout]") {
  Diagram diagram;
  const auto svg = [&] {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("layout.svg"));
    REQUIRE(diagram.view.exportSvg(path));
    QFile file(path);
    REQUIRE(file.open(QIODevice::ReadOnly));
    return file.readAll();
  };
  const QByteArray named = svg();
  for (const char *warp : {">w0<", ">w1<", ">w2<", ">w3<"})
    CHECK(named.contains(warp));
  // Warps that change from element to element leave no room for names.
  LayoutFacts facts = diagram.result->layouts[0];
  facts.shape = {64, 64};
  facts.layout = {{"register", {{0, 8}, {0, 16}, {0, 32}, {8, 0}, {16, 0}}},
                  {"lane", {{0, 2}, {0, 4}, {2, 0}, {4, 0}, {32, 0}}},
                  {"warp", {{0, 1}, {1, 0}}}};
  diagram.show(facts);
  const QByteArray hatched = svg();
  // Only the warps' own blocks at the right have room for names.
  CHECK(hatched.count(">w3<") <= 1);
  CHECK(hatched.count("<polyline") + hatched.count("<line") + hatched.count("<path") >
        named.count("<polyline") + named.count("<line") + named.count("<path") + 1000);
}

TEST_CASE("a lane is a lane everywhere", "[gui][layout]") {
  Diagram diagram;
  const DiagramContent &tensor = diagram.view.tensorCanvas().content();
  CHECK(tensor.label(130) == QStringLiteral("w1 L0\nr2"));
  const DiagramContent &hardware = diagram.view.hardwareCanvas().content();
  CHECK(hardware.rowLabel(13) == QStringLiteral("L13"));
  CHECK(hardware.columnLabel(3) == QStringLiteral("r3"));
}

TEST_CASE("blocks of a cluster are counted, named and told apart by color", "[gui][layout]") {
  Diagram diagram;
  LayoutFacts facts = diagram.result->layouts[0];
  facts.shape = {64, 64};
  facts.layout = {{"register", {{0, 1}, {0, 2}, {8, 0}, {16, 0}}},
                  {"lane", {{0, 4}, {0, 8}, {0, 16}, {0, 32}, {1, 0}}},
                  {"warp", {{2, 0}, {4, 0}}},
                  {"block", {{32, 0}}}};
  diagram.show(facts);
  CHECK(diagram.view.infoText().startsWith(u"2 blocks × 4 warps × 32 lanes × 16 registers"));
  CHECK(diagram.view.tensorCanvas().content().label(int64_t(32) * 64) == u"B1 w0\nL0 r0");
  const DiagramContent &hardware = diagram.view.hardwareCanvas().content();
  CHECK(hardware.blockTitle(5) == u"block 1 · warp 1");
  CHECK(hardware.shortBlockTitle(5) == u"B1 w1");
  diagram.view.setColoring(compiler::Family::Block);
  const DiagramContent &tensor = diagram.view.tensorCanvas().content();
  CHECK(tensor.memberLabel(tensor.members.at({31, 5})) == u"B0");
  CHECK(tensor.memberLabel(tensor.members.at({32, 5})) == u"B1");
  CHECK(tensor.palette.colors.size() == 2);
  // One block has nothing to tell apart, and the choice is kept for those that have.
  diagram.view.setResult(diagram.result);
  CHECK(diagram.view.tensorCanvas().content().memberLabel(1) == u"w1");
  CHECK(diagram.view.coloringName() == u"block");
}

TEST_CASE("a variable's own name stands for what is assigned to it", "[gui][layout]") {
  auto result = tests::sampleResult();
  LayoutFacts mask = result->layouts[0];
  mask.value = "%mask";
  mask.op = "arith.cmpi";
  mask.source = tests::rangeOf(result->files[0].text, "offsets < n");
  result->layouts.push_back(mask);
  // As the window finds it: the smallest place of some stage is the statement, of the tree.
  Focus name = focusAt(*result, "mask = offsets < n");
  CHECK(chooseLayout(*result, name) == LayoutChoice{2, Reason::Made});
  // Of a statement without a block nothing is shown.
  CHECK(chooseLayout(*result, focusAt(*result, "pid = tl.program_id(0)")).index == -1);
}

TEST_CASE("the layout is of the operation that the columns mark", "[gui][layout]") {
  auto result = tests::sampleResult();
  LayoutFacts part = result->layouts[0];
  part.source = {{3, 4}, {3, 9}, 0};
  LayoutFacts whole = result->layouts[1];
  whole.source = {{3, 4}, {3, 19}, 0};
  result->layouts = {part, whole};
  // At the end of `a * c - b * s`: both begin at the same place.
  Focus focus;
  focus.position = whole.source.end;
  focus.sources = {whole.source};
  CHECK(layoutAt(result->layouts, focus) == 1);
  focus.position = part.source.end;
  focus.sources = {part.source};
  CHECK(layoutAt(result->layouts, focus) == 0);
}

TEST_CASE("a constant is not called the first load", "[gui][layout]") {
  Diagram diagram;
  auto result = tests::sampleResult();
  LayoutFacts constant = result->layouts[0];
  constant.op = "arith.constant";
  LayoutFacts sum = result->layouts[1];
  result->layouts = {constant, sum};
  diagram.view.setResult(result);
  CHECK(diagram.view.titleText().startsWith(QStringLiteral("first value: %0 = arith.addf")));
  sum.op = "ttg.local_load";
  result = std::make_shared<compiler::CompileResult>(*result);
  result->layouts = {constant, sum};
  diagram.view.setResult(result);
  CHECK(diagram.view.titleText().startsWith(QStringLiteral("first load: %0 = ttg.local_load")));
}

TEST_CASE("a condition takes a byte in memory", "[gui][layout]") {
  Diagram diagram;
  LayoutFacts mask = diagram.result->layouts[0];
  mask.elementType = "i1";
  mask.elementBits = 1;
  diagram.show(mask);
  CHECK(diagram.view.infoText().contains(
      QStringLiteral("4 contiguous per lane (4 bytes in memory)")));
  mask.elementBits = 16;
  diagram.show(mask);
  CHECK(diagram.view.infoText().contains(QStringLiteral("4 contiguous per lane (8 bytes)")));
}

TEST_CASE("a stale diagram neither vanishes nor names lines of another text", "[gui][layout]") {
  Diagram diagram;
  diagram.click("x + y");
  diagram.view.setResult(tests::brokenResult());
  REQUIRE(diagram.view.current() != nullptr);
  // The places of the text that does not compile are others.
  diagram.click("tl.program_id(0)");
  CHECK(diagram.view.current() != nullptr);
  CHECK(diagram.view.isStale());

  diagram.view.setResult(diagram.result);
  diagram.click("tl.program_id(0)");
  REQUIRE(diagram.view.current() == nullptr);
  CHECK(diagram.view.tensorCanvas().emptyText().contains(QStringLiteral("in line")));
}

TEST_CASE("an error brings the last picture back, or no note about one", "[gui][layout]") {
  Diagram diagram;
  diagram.click("x + y");
  // Typing begins beside the value.
  diagram.click("tl.program_id(0)");
  REQUIRE(diagram.view.current() == nullptr);
  diagram.view.setResult(tests::brokenResult());
  REQUIRE(diagram.view.current() != nullptr);
  CHECK(diagram.view.current()->value == "%0");
  CHECK(diagram.view.isStale());

  // Where no picture was shown there is none that could be stale.
  Diagram empty;
  empty.click("tl.program_id(0)");
  empty.view.setResult(tests::sampleResult());
  REQUIRE(empty.view.current() == nullptr);
  empty.view.setResult(tests::brokenResult());
  CHECK(empty.view.current() == nullptr);
  CHECK_FALSE(empty.view.isStale());
  CHECK_FALSE(empty.view.tensorCanvas().emptyText().contains(QStringLiteral("in line")));
  CHECK(empty.view.tensorCanvas().emptyText().contains(QStringLiteral("does not compile")));
  // The element chosen then is marked.
  auto *values = empty.view.findChild<QComboBox *>();
  values->setFocus();
  QTest::keyClick(values, Qt::Key_Home);
  REQUIRE(empty.view.current() != nullptr);
  CHECK(empty.view.isStale());
  // A good text ends it.
  empty.view.setResult(tests::sampleResult());
  CHECK_FALSE(empty.view.isStale());
}

TEST_CASE("the name of a value ends in an ellipsis where it does not fit", "[gui][layout]") {
  Diagram diagram({420, 300});
  LayoutFacts facts = diagram.result->layouts[0];
  facts.value = "%a_name_that_says_in_many_words_what_it_is";
  diagram.show(facts);
  auto *values = diagram.view.findChild<ElidedComboBox *>();
  REQUIRE(values != nullptr);
  CHECK(values->shownText().endsWith(u'…'));
  CHECK(values->currentText().contains(u"   fp32[1024]"));
  diagram.view.resize(1600, 300);
  CHECK(QTest::qWaitFor([&] { return values->shownText() == values->currentText(); }));
}

TEST_CASE("names stand on a plain ground, not on the gaps of cells or on patterns",
          "[gui][layout]") {
  Diagram diagram;
  DiagramCanvas &tensor = diagram.view.tensorCanvas();
  // Cells with gaps, too small for labels of their own.
  REQUIRE(tensor.scale() >= 8);
  REQUIRE_FALSE(tensor.showsCellLabels());
  const QImage image = tensor.grab().toImage();
  // Warp 1 holds elements 128 to 255.
  const QRectF tile = tensor.cellRect(128).united(tensor.cellRect(255));
  const QRect name(tile.center().toPoint() - QPoint(6, 4), QSize(12, 8));
  REQUIRE(image.rect().contains(name));
  const QRgb fill = tensor.content().palette.of(1), panel = theme()[ColorRole::Panel].rgb();
  int numFill = 0;
  for (int y = name.top(); y <= name.bottom(); ++y)
    for (int x = name.left(); x <= name.right(); ++x) {
      CHECK(image.pixel(x, y) != panel);
      numFill += image.pixel(x, y) == fill ? 1 : 0;
    }
  CHECK(numFill > 20);
}

TEST_CASE("every warp has its pattern, in the hardware too, and within its own tiles",
          "[gui][layout]") {
  Diagram diagram;
  for (DiagramCanvas *canvas : {&diagram.view.tensorCanvas(), &diagram.view.hardwareCanvas()}) {
    const DiagramContent &content = canvas->content();
    std::map<uint64_t, QRectF> tiles;
    // In the tensor the warps come a second time.
    for (int64_t cell = 0; cell < 512; ++cell) {
      QRectF &tile = tiles[content.members.at(content.grid.cell(cell))];
      tile = tile.united(canvas->cellRect(cell));
    }
    REQUIRE(tiles.size() == 4);
    const QImage image = canvas->grab().toImage();
    for (const auto &[warp, tile] : tiles) {
      // The name is in the middle.
      const QRect part(qRound(tile.left()), qRound(tile.top()), 16, qRound(tile.height()) - 1);
      int numLines = 0;
      for (int y = part.top(); y <= part.bottom(); ++y)
        for (int x = part.left(); x <= part.right(); ++x) {
          const QRgb pixel = image.pixel(x, y);
          numLines += pixel != content.palette.of(warp) && pixel != theme()[ColorRole::Panel].rgb();
        }
      INFO(canvas->accessibleName().toStdString() << ", warp " << warp);
      // The first pattern is plain: nothing of its neighbors' is in it.
      CHECK((numLines > 0) == (warp > 0));
    }
  }
}

TEST_CASE("the keys walk over the elements, pin one and zoom", "[gui][layout]") {
  Diagram diagram;
  DiagramCanvas &tensor = diagram.view.tensorCanvas();
  const auto press = [&](Qt::Key key, Qt::KeyboardModifiers with = {}) {
    QTest::keyClick(&tensor, key, with);
  };
  diagram.view.hardwareCanvas().setFocus();
  const QImage before = tensor.grab().toImage();
  diagram.view.setFocus();
  REQUIRE(tensor.hasFocus());
  // The ring around what has the keyboard can be seen.
  CHECK(tensor.grab().toImage() != before);
  press(Qt::Key_Right);
  press(Qt::Key_Right);
  press(Qt::Key_Down);
  const int64_t expected = tensor.content().grid.columns + 2;
  CHECK(tensor.highlighted() == std::vector<int64_t>{expected});
  CHECK(diagram.view.hardwareCanvas().highlighted().size() == 1);
  const QString text = diagram.view.infoText();
  CHECK(text.contains(QStringLiteral("element [%1]").arg(expected)));
  CHECK(tensor.accessibleDescription() == text);
  // A pinned element stays when the keys and the pointer go elsewhere.
  press(Qt::Key_Return);
  diagram.view.hardwareCanvas().setFocus();
  CHECK(diagram.view.infoText() == text);
  tensor.setFocus();
  press(Qt::Key_Escape);
  CHECK_FALSE(diagram.view.infoText().contains(QStringLiteral("element")));
  CHECK(tensor.highlighted().empty());
  press(Qt::Key_End, Qt::ControlModifier);
  CHECK(tensor.highlighted() == std::vector<int64_t>{tensor.content().grid.numCells - 1});
  press(Qt::Key_Down);
  CHECK(tensor.highlighted() == std::vector<int64_t>{tensor.content().grid.numCells - 1});
  const double scale = tensor.scale();
  press(Qt::Key_Plus);
  CHECK(tensor.scale() > scale);
  // Where the keys are stays in sight.
  for (int i = 0; i < 12; ++i)
    press(Qt::Key_Plus);
  press(Qt::Key_Home, Qt::ControlModifier);
  CHECK(tensor.rect().contains(tensor.cellRect(0).center().toPoint()));
  press(Qt::Key_0);
  CHECK(tensor.scale() == Approx(scale));
}

TEST_CASE("a click pins an element, and another one lets go of it", "[gui][layout]") {
  Diagram diagram;
  DiagramCanvas &tensor = diagram.view.tensorCanvas();
  const QPoint at = tensor.cellRect(130).center().toPoint();
  QTest::mouseClick(&tensor, Qt::LeftButton, {}, at);
  QEvent leave(QEvent::Leave);
  QApplication::sendEvent(&tensor, &leave);
  CHECK(diagram.view.infoText().contains(QStringLiteral("element [130]")));
  CHECK(tensor.highlighted() == std::vector<int64_t>{130});
  QTest::mouseClick(&tensor, Qt::LeftButton, {}, at);
  QApplication::sendEvent(&tensor, &leave);
  CHECK(tensor.highlighted().empty());
}

TEST_CASE("of a pipelined load the tile is shown, not its predicate", "[gui][layout]") {
  auto result = tests::sampleResult();
  const LayoutFacts load = result->layouts[0];
  const auto made = [&](const char *value, const char *op, const char *elementType) {
    LayoutFacts facts = load;
    facts.value = value;
    facts.op = op;
    facts.elementType = elementType;
    return facts;
  };
  const LayoutFacts tile = made("%a_72", "ttg.memdesc_index", "f16");
  const LayoutFacts predicate = made("%a_100", "tt.splat", "i1");
  const LayoutFacts read = made("%a_110", "ttg.local_load", "f16");
  Focus line;
  line.position = {load.source.begin.line, 0};
  line.sources = {{line.position, line.position, 0}};
  for (const Focus &focus : {focusAt(*result, "tl.load(x_ptr + offsets, mask=mask)"), line}) {
    result->layouts = {tile, predicate};
    CHECK(chooseLayout(*result, focus) == LayoutChoice{0, Reason::Made});
    result->layouts = {read, tile, predicate};
    CHECK(chooseLayout(*result, focus) == LayoutChoice{0, Reason::Made});
  }
}

/// Banks of two elements, in rows that begin at different ones.
static LayoutFacts banks(const Diagram &diagram) {
  LayoutFacts facts = diagram.result->layouts[0];
  facts.shape = {4, 64};
  facts.elementBits = 16;
  facts.shared = true;
  facts.layout = {{"offset", {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {0, 32}, {1, 8}, {2, 16}}}};
  return facts;
}

TEST_CASE("names of tiles leave the lines between the rows", "[gui][layout]") {
  Diagram diagram;
  diagram.show(banks(diagram));
  const DiagramCanvas &canvas = diagram.view.tensorCanvas();
  for (int width = 1500; width < 2000; width += 20) {
    diagram.view.resize(width, 500);
    QCoreApplication::processEvents();
    const QImage image = diagram.view.tensorCanvas().grab().toImage();
    const QRectF first = canvas.cellRect(0), last = canvas.cellRect(63);
    const int gap = qRound(first.bottom()) - 1;
    bool isWhole = true;
    for (int x = qRound(first.left()); x < qRound(last.right()) - 1; ++x)
      isWhole = isWhole && image.pixelColor(x, gap) == theme()[ColorRole::Panel];
    INFO(width << ": cells of " << first.width());
    CHECK(isWhole);
  }
}

TEST_CASE("an exported picture is as high as its diagrams", "[gui][layout]") {
  Diagram diagram;
  diagram.show(banks(diagram));
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("banks.png"));
  REQUIRE(diagram.view.exportPng(path));
  const QImage image(path);
  CHECK(image.width() == 3200);
  int lowest = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); x += 5)
      if (image.pixelColor(x, y) != theme()[ColorRole::Panel])
        lowest = y;
  CHECK(image.height() - lowest < 100);
}

TEST_CASE("values are found by what is typed into their list", "[gui][layout]") {
  Diagram diagram;
  LayoutFacts other = diagram.result->layouts[0];
  other.value = "%needle_7";
  auto result = std::make_shared<compiler::CompileResult>(*diagram.result);
  result->layouts.push_back(other);
  diagram.view.setResult(result);
  auto *values = diagram.view.findChild<FilteredComboBox *>();
  REQUIRE(values != nullptr);
  const auto &first = diagram.result->layouts[0];
  CHECK(values->itemText(0).startsWith(
      QStringLiteral("line %1   ").arg(first.source.begin.line + 1)));
  CHECK(values->itemText(0).endsWith(QString::fromStdString(first.value)));
  values->showPopup();
  QTest::keyClicks(values->view(), QStringLiteral("NEED"));
  CHECK(values->shownText().contains(QStringLiteral("NEED")));
  CHECK(static_cast<QListView *>(values->view())->isRowHidden(0));
  QTest::keyClick(values->view(), Qt::Key_Return);
  REQUIRE(QTest::qWaitFor([&] { return diagram.view.current() != nullptr; }));
  CHECK(QTest::qWaitFor([&] { return diagram.view.current()->value == "%needle_7"; }));
  // The next time all are there.
  values->showPopup();
  CHECK_FALSE(static_cast<QListView *>(values->view())->isRowHidden(0));
  values->hidePopup();
}

TEST_CASE("large text leaves the diagrams readable, and scrolls what does not fit",
          "[gui][layout]") {
  Diagram diagram({1200, 240});
  diagram.click("x + y");
  const auto *scroll = diagram.view.findChild<QScrollArea *>();
  REQUIRE(scroll);
  views::setFontZoom(8);
  QTest::qWait(50);
  for (DiagramCanvas *canvas : {&diagram.view.tensorCanvas(), &diagram.view.hardwareCanvas()}) {
    INFO(canvas->accessibleName().toStdString());
    CHECK(canvas->height() >= canvas->minimumSizeHint().height());
    // The grid has room under its labels.
    const QRectF last = canvas->cellRect(canvas->content().grid.numCells - 1);
    CHECK(last.bottom() <= canvas->height());
    CHECK(canvas->scale() > 1);
  }
  diagram.view.resize(1200, 150);
  CHECK(QTest::qWaitFor([&] { return scroll->verticalScrollBar()->isVisible(); }, 2000));
  views::setFontZoom(0);
}
