// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Pictures of layouts: what large ones cost, and that reports draw what the window shows.
#include "app/report/BuildReport.h"
#include "app/report/LayoutSvg.h"
#include "compiler/layout/picture/LayoutPicture.h"
#include "tests/support/FakeResult.h"
#include "tests/support/LargeLayouts.h"
#include "tests/support/ThreadTime.h"
#include "views/common/Correlation.h"
#include "views/common/Theme.h"
#include "views/layout/DiagramCanvas.h"
#include "views/layout/LayoutDiagram.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QWheelEvent>
#include <QtTest/QtTest>

#include <array>
#include <catch2/catch.hpp>
#include <fstream>
#include <iostream>
#include <unistd.h>

using namespace tilescope;
using namespace tilescope::views;
using compiler::Family;
using compiler::LayoutFacts;

/// What an action may take of the window's thread before it must have visited every element: that
/// takes seconds. bench_views measures the actions against the time of a frame.
static constexpr double kMostMs = 160;

static double residentMiB() {
  std::ifstream status("/proc/self/statm");
  double total = 0, resident = 0;
  status >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

namespace {
/// A diagram as large as a window that fills a screen.
struct Desk {
  FocusState focus;
  LayoutDiagram view{&focus};
  std::map<std::string, std::pair<double, std::string>> worst;

  Desk() {
    view.resize(1900, 1000);
    view.show();
    REQUIRE(QTest::qWaitForWindowExposed(&view));
  }
  std::shared_ptr<compiler::CompileResult> resultOf(const std::vector<LayoutFacts> &layouts) {
    auto result = tests::sampleResult();
    result->layouts = layouts;
    return result;
  }
  /// Work and the painting that follows, without what other processes take. An interruption that
  /// occurs once does not occur three times.
  template <typename Action> void measure(const std::string &what, Action action) {
    double bestMs = 1e9;
    for (int turn = 0; turn < 3; ++turn) {
      const double before = tests::threadTimeMs();
      action();
      QCoreApplication::processEvents();
      bestMs = std::min(bestMs, tests::threadTimeMs() - before);
    }
    if (bestMs > worst[what].first)
      worst[what] = {bestMs, view.current()->value};
    INFO(what << " of " << view.current()->value);
    CHECK(bestMs < kMostMs);
  }
  void wheel(DiagramCanvas &canvas, int delta, QPointF at) {
    QWheelEvent event(at, canvas.mapToGlobal(at), {}, {0, delta}, {}, {}, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&canvas, &event);
  }
  void drag(DiagramCanvas &canvas, QPoint by) {
    const QPoint from = canvas.rect().center();
    QTest::mousePress(&canvas, Qt::LeftButton, {}, from);
    QTest::mouseMove(&canvas, from + by);
    QTest::mouseRelease(&canvas, Qt::LeftButton, {}, from + by);
  }
};
} // namespace

/// All that one does to a diagram, at every scale.
static void useDiagram(Desk &desk, DiagramCanvas &canvas) {
  desk.measure("fit", [&] { canvas.fit(); });
  QPointF at(130, 130);
  canvas.setFocus();
  while (canvas.scale() < 100) {
    const int64_t before = canvas.cellAt(at);
    desk.measure("zoom", [&] { desk.wheel(canvas, 90, at); });
    CHECK(canvas.cellAt(at) == before);
    desk.measure("scroll", [&] { desk.drag(canvas, {-31, -17}); });
    desk.measure("hover", [&] { QTest::mouseMove(&canvas, (at += QPointF(13, 9)).toPoint()); });
    desk.measure("key", [&] { QTest::keyClick(&canvas, Qt::Key_Down); });
  }
  desk.measure("key", [&] { QTest::keyClick(&canvas, Qt::Key_End, Qt::ControlModifier); });
}

TEST_CASE("a diagram costs what is seen of it, not what it has", "[gui][layout][timed]") {
  Desk desk;
  const std::vector<LayoutFacts> layouts = tests::largeLayouts();
  desk.view.setResult(desk.resultOf({layouts[0]}));
  QCoreApplication::processEvents();
  const double before = residentMiB();
  for (const LayoutFacts &facts : layouts) {
    const auto result = desk.resultOf({facts});
    desk.measure("open", [&] { desk.view.setResult(result); });
    REQUIRE(desk.view.current()->value == facts.value);
    int turn = 0;
    if (!facts.shared)
      desk.measure("color", [&] {
        desk.view.setColoring(std::array{Family::Lane, Family::Register, Family::Warp}[turn++]);
      });
    for (auto *box : desk.view.findChildren<QSpinBox *>())
      if (box->isVisible())
        desk.measure("cut", [&] { box->setValue(box->maximum() - box->value()); });
    useDiagram(desk, desk.view.tensorCanvas());
    useDiagram(desk, desk.view.hardwareCanvas());
  }
  const double grownMiB = residentMiB() - before;
  for (const auto &[what, slowest] : desk.worst)
    std::cout << what << ": " << slowest.first << " ms at worst, of " << slowest.second << "\n";
  std::cout << "memory: " << grownMiB << " MiB\n";
  CHECK(grownMiB < 64);
}

TEST_CASE("a lane with thousands of registers can be pointed at without zooming", "[gui][layout]") {
  Desk desk;
  // As in a window of 1366 x 768 pixels.
  desk.view.resize(900, 260);
  desk.view.setResult(desk.resultOf({tests::largeLayouts()[0]}));
  DiagramCanvas &hardware = desk.view.hardwareCanvas();
  QTest::qWait(0);
  const compiler::PictureGrid &grid = hardware.content().grid;
  REQUIRE(desk.view.infoText().contains(QStringLiteral("8192 registers")));
  for (int64_t warp = 0; warp < 4; ++warp)
    for (int64_t lane = 0; lane < 32; ++lane) {
      const compiler::Cell first{lane * grid.groupRows, warp * grid.blockColumns};
      const compiler::Cell last{first.row + grid.groupRows - 1,
                                first.column + grid.blockColumns - 1};
      const QRectF rect =
          hardware.cellRect(grid.number(first)).united(hardware.cellRect(grid.number(last)));
      CHECK(rect.height() >= 3);
      CHECK(rect.width() >= 20);
      QTest::mouseMove(&hardware, rect.center().toPoint());
      INFO(desk.view.infoText().toStdString());
      CHECK(desk.view.infoText().contains(
          QStringLiteral("warp %1 · lane %2 · register ").arg(warp).arg(lane)));
    }
}

/// Pixels that differ by more than a shade.
static int numDifferent(const QImage &a, const QImage &b) {
  int count = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) {
      const QRgb one = a.pixel(x, y), other = b.pixel(x, y);
      const int most =
          std::max({std::abs(qRed(one) - qRed(other)), std::abs(qGreen(one) - qGreen(other)),
                    std::abs(qBlue(one) - qBlue(other))});
      count += most > 3 ? 1 : 0;
    }
  return count;
}

TEST_CASE("a part that is painted alone looks as it does in the whole", "[gui][layout]") {
  Desk desk;
  for (const LayoutFacts &facts : tests::largeLayouts()) {
    desk.view.setResult(desk.resultOf({facts}));
    for (DiagramCanvas *canvas : {&desk.view.tensorCanvas(), &desk.view.hardwareCanvas()})
      for (int step = 0; step < 4; ++step) {
        INFO(facts.value << " at " << canvas->scale());
        QImage whole(canvas->size(), QImage::Format_RGB32), parts = whole;
        QWidget &widget = *canvas;
        widget.render(&whole);
        for (int y = 0; y < canvas->height(); y += 83)
          for (int x = 0; x < canvas->width(); x += 127) {
            const QRect part = QRect(x, y, 127, 83) & canvas->rect();
            widget.render(&parts, part.topLeft(), part);
          }
        // Qt scales images and cuts slanting lines by a rounding step differently.
        CHECK(numDifferent(whole, parts) <= whole.width() * whole.height() / 500);
        canvas->zoomBy(step == 0 ? 7 / canvas->scale() : 2.3, QPointF(130, 130));
      }
  }
}

TEST_CASE("an exported picture of a large tensor is of a bounded size", "[gui][layout]") {
  Desk desk;
  QTemporaryDir folder;
  for (const LayoutFacts &facts : tests::largeLayouts()) {
    INFO(facts.value);
    desk.view.setResult(desk.resultOf({facts}));
    const QString path = folder.filePath(QStringLiteral("layout.svg"));
    REQUIRE(desk.view.exportSvg(path));
    CHECK(QFileInfo(path).size() < 8'000'000);
    const auto diagram = app::layoutDiagram(facts);
    REQUIRE(diagram);
    CHECK(diagram->svg.size() < 1'000'000);
    const bool isCut = diagram->caption.find("; shown are the first ") != std::string::npos;
    CHECK((isCut || diagram->caption.find("; leading dimensions at 0") != std::string::npos));
  }
}

TEST_CASE("a report and the window map equally many lines", "[gui][layout]") {
  app::ReportInputs inputs;
  inputs.result = *tests::sampleResult();
  const Correlation window(tests::sampleResult());
  int numCompared = 0;
  const profiler::ReportKernel kernel = app::buildReportKernel(inputs);
  for (size_t i = 0; i < kernel.stages.size(); ++i)
    if (const compiler::StageId id = inputs.result.stages[i].id; id != compiler::StageId::Cubin) {
      INFO(kernel.stages[i].id);
      CHECK(kernel.stages[i].mappedShare == Approx(window.mappedShare(id)));
      numCompared += kernel.stages[i].mappedShare > 0 ? 1 : 0;
    }
  CHECK(numCompared >= 3);
}

namespace {
/// A rectangle of a report's picture, in cells.
struct ReportTile {
  int64_t row = 0, first = 0, last = 0;
  QColor fill;
  QString title, label;
};
} // namespace

/// The rectangles of a report's picture whose cells are `cellWidth` wide.
static std::vector<ReportTile> tilesOf(const std::string &svg, double cellWidth) {
  static const QRegularExpression kTile(
      QStringLiteral("<g><rect x=\"([^\"]+)\" y=\"([^\"]+)\" width=\"([^\"]+)\"[^>]* "
                     "fill=\"oklch\\(([^%]+)% ([^ ]+) ([^)]+)\\)\"><title>([^<]*)</title></rect>"
                     "(?:<rect[^>]*/>)?(?:<text[^>]*>([^<]*)</text>)?</g>"));
  std::vector<ReportTile> tiles;
  auto matches = kTile.globalMatch(QString::fromStdString(svg));
  while (matches.hasNext()) {
    const QRegularExpressionMatch match = matches.next();
    const auto number = [&](int part) { return match.captured(part).toDouble(); };
    const auto first = static_cast<int64_t>(std::lround((number(1) - 34) / cellWidth));
    const auto count = static_cast<int64_t>(std::lround((number(3) + 0.6) / cellWidth));
    tiles.push_back({static_cast<int64_t>(std::lround((number(2) - 26) / 13)), first, first + count,
                     oklch(number(4) / 100, number(5), number(6)), match.captured(7),
                     match.captured(8)});
  }
  return tiles;
}

static int distance(const QColor &a, const QColor &b) {
  return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) +
         std::abs(a.blue() - b.blue());
}

TEST_CASE("a report draws the tiles, labels and colors of the window", "[gui][layout]") {
  applyTheme(loadTheme(QStringLiteral("light")));
  Desk desk;
  for (const LayoutFacts &facts : tests::largeLayouts()) {
    // Others wrap or cut otherwise; what they draw is the same.
    if (facts.shape.size() < 2 || facts.shape.back() < 64)
      continue;
    INFO(facts.value);
    desk.view.setResult(desk.resultOf({facts}));
    const DiagramContent &window = desk.view.tensorCanvas().content();
    const std::vector<ReportTile> tiles = tilesOf(app::layoutDiagram(facts)->svg, 560.0 / 64);
    int64_t numCells = 0;
    for (const ReportTile &tile : tiles) {
      // `w1 L13`, or the word of shared memory that the offset lies in.
      const auto holder = [&](int64_t column) {
        const QString label = window.label(window.grid.number({tile.row, column}));
        return facts.shared ? QString::number(label.toLongLong() * facts.elementBits / 32)
                            : label.section(u'\n', 0, 0);
      };
      const compiler::Cell begin{tile.row, tile.first};
      const uint64_t member = window.members.at(begin);
      for (int64_t column = tile.first; column < tile.last; ++column) {
        REQUIRE(holder(column) == holder(tile.first));
        REQUIRE(window.members.at({tile.row, column}) == member);
      }
      // Neither merged nor cut more than need be.
      if (tile.first > 0)
        REQUIRE(holder(tile.first) != holder(tile.first - 1));
      REQUIRE(distance(tile.fill, QColor(window.palette.of(member))) <= 3);
      const QString name = window.memberLabel(member);
      if (!tile.label.isEmpty() && facts.shared)
        REQUIRE(tile.label == name);
      else if (!tile.label.isEmpty())
        REQUIRE((tile.label == holder(tile.first) ||
                 tile.label == holder(tile.first).section(u' ', 1)));
      const QString number = name.mid(1);
      REQUIRE(tile.title.startsWith(
          (facts.shared ? QStringLiteral("bank %1,") : QStringLiteral("warp %1,")).arg(number)));
      numCells += tile.last - tile.first;
    }
    CHECK(numCells == std::min<int64_t>(window.grid.rows, 32) * 64);
  }
  applyTheme(loadTheme(QStringLiteral("dark")));
}
