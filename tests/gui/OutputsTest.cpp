// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What outputs and the console look like: pictures, axes, tables and lines, without a window.
#include "profiler/analysis/Comparison.h"
#include "tests/gui/WindowFixture.h"
#include "views/common/Theme.h"
#include "views/common/tensor/NumberTable.h"
#include "views/common/tensor/PictureAxes.h"
#include "views/common/tensor/TensorModel.h"
#include "views/common/tensor/TensorPictures.h"
#include "views/console/ConsoleModel.h"
#include "views/run/OutputText.h"

#include <cmath>
#include <set>

using namespace tilescope;
using profiler::Dtype;
using profiler::Tensor;
using views::PixelKind;

static Tensor poisoned(std::vector<int64_t> shape) {
  return profiler::makeTensor(Dtype::Fp32, std::move(shape), {});
}

TEST_CASE("NaN, infinities, elements that were never written and the rest behind the last look "
          "different",
          "[gui][run]") {
  Tensor tensor = poisoned({10});
  for (int64_t i = 0; i < 6; ++i)
    tensor.set(i, static_cast<double>(i));
  tensor.set(6, NAN);
  tensor.set(7, INFINITY);
  const views::TensorDigestPointer digest = views::digestTensor(tensor, true);
  REQUIRE(digest);
  CHECK(digest->statistics.numUnwritten == 2);
  CHECK(digest->statistics.numNan == 1);
  CHECK(digest->statistics.numInfinite == 1);
  CHECK(digest->statistics.numFinite == 6);
  const views::TensorPicture &picture = digest->picture;
  REQUIRE(picture.columns == 8);
  REQUIRE(picture.rows == 2);
  const auto pixel = [&](int x, int y) { return int{picture.image.constScanLine(y)[x]}; };
  CHECK(pixel(0, 0) == 0);
  CHECK(pixel(5, 0) == views::kNumShades - 1);
  CHECK(pixel(6, 0) == static_cast<int>(PixelKind::Nan));
  CHECK(pixel(7, 0) == static_cast<int>(PixelKind::Infinite));
  CHECK(pixel(0, 1) == static_cast<int>(PixelKind::UnwrittenOther));
  CHECK(pixel(1, 1) == static_cast<int>(PixelKind::Unwritten));
  CHECK(pixel(2, 1) == static_cast<int>(PixelKind::PastEnd));
  std::set<QRgb> colors;
  for (int kind = views::kNumShades; kind <= static_cast<int>(PixelKind::PastEnd); ++kind)
    colors.insert(views::HeatMap::pixelColor(kind));
  CHECK(colors.size() == 5);
  // A tensor that began with data has no such elements, whatever their bits.
  CHECK(views::digestTensor(tensor, false)->statistics.numNan == 3);
}

TEST_CASE("one element that differs, or is not a number, is seen in a picture smaller than its "
          "tensor",
          "[gui][run]") {
  const int64_t side = 1000, element = GENERATE(int64_t{0}, int64_t{501'777}, int64_t{999'999});
  CAPTURE(element);
  const bool isNan = GENERATE(false, true);
  views::ComparedTensor compared{profiler::makeTensor(Dtype::Fp32, {side, side}, {})};
  for (int64_t i = 0; i < side * side; ++i)
    compared.tensor.set(i, static_cast<double>(i % 97));
  if (isNan) {
    compared.tensor.set(element, NAN);
  } else {
    compared.expected = compared.tensor;
    compared.expected->set(element, -500);
    compared.comparison = profiler::compareTensors(compared.tensor, *compared.expected);
  }
  views::HeatMap heatMap;
  heatMap.resize(330, 290);
  heatMap.setTensor(views::digestTensor(std::move(compared)));
  const QImage image = heatMap.grab().toImage();
  const QRgb wanted = isNan ? views::HeatMap::pixelColor(static_cast<int>(PixelKind::Nan))
                            : views::HeatMap::markColor().rgb();
  const int below = image.height() - 2 * heatMap.fontMetrics().height();
  int seen = 0;
  // The explanation below the picture has the same color.
  for (int y = 0; y < below; ++y)
    for (int x = 0; x < image.width(); ++x)
      seen += image.pixel(x, y) == wanted ? 1 : 0;
  CHECK(seen >= 1);
  CHECK(seen <= 4);
}

TEST_CASE("what is wrong with the results of a run is counted", "[gui][run]") {
  const auto words = [](const std::vector<views::Fact> &badges) {
    std::vector<std::string> texts;
    for (const views::Fact &badge : badges) {
      CHECK(badge.isBadge);
      CHECK(badge.color == views::ColorRole::Error);
      texts.push_back(badge.text.toStdString());
    }
    return texts;
  };
  using Words = std::vector<std::string>;
  views::RunResults results;
  profiler::OutputResult output;
  output.name = "o_ptr";
  output.shape = {10};
  results.outputs = {output};
  CHECK(words(views::resultBadges(results)).empty());
  compiler::Diagnostic fault;
  fault.kind = compiler::DiagnosticKind::RunAccessOutside;
  results.findings = {fault, fault};
  results.outputs.front().neverWritten = 2;
  results.outputs.front().comparison.emplace();
  results.outputs.front().comparison->mismatches = 5;
  CHECK(words(views::resultBadges(results)) ==
        Words{"2 faults", "2 never written (20 %)", "5 differ (50 %)"});
  // Where the launch was guessed, the kernel may be right.
  profiler::OutputResult guessed = results.outputs.front();
  guessed.comparison.reset();
  guessed.firstNeverWritten = {8};
  guessed.changed = true;
  for (const auto &[isShape, isGrid, doubt] :
       {std::tuple(true, false, "its shape is a guess and may be too large"),
        {false, true, "the grid is a guess and may be too small"},
        {true, true,
         "its shape and the grid are guesses: the shape may be too large, or the grid too "
         "small"}}) {
    guessed.isShapeGuess = isShape;
    guessed.isGridGuess = isGrid;
    views::RunResults doubted;
    doubted.outputs = {guessed};
    REQUIRE(views::resultBadges(doubted).size() == 1);
    const views::Fact badge = views::resultBadges(doubted).front();
    CHECK(badge.text == QStringLiteral("2 never written (20 %)"));
    CHECK(badge.color == views::ColorRole::Warning);
    CHECK(badge.meaning == QStringLiteral("elements of o_ptr; ") + QLatin1String(doubt));
    CHECK(views::outputRemarks(guessed).endsWith(QStringLiteral("</a>; ") + QLatin1String(doubt)));
    CHECK(views::outputMark(guessed) == QStringLiteral("⚠ never written, as guessed"));
  }
  fault.kind = compiler::DiagnosticKind::RunWriteRace;
  fault.severity = compiler::Severity::Warning;
  results.findings = {fault};
  results.outputs.front() = output;
  results.outputs.front().comparison.emplace();
  REQUIRE(views::resultBadges(results).size() == 1);
  CHECK(views::resultBadges(results).front().text == QStringLiteral("race"));
  CHECK(views::resultBadges(results).front().color == views::ColorRole::Warning);
  results.findings.front().kind = compiler::DiagnosticKind::RunOrder;
  CHECK(views::resultBadges(results).front().text == QStringLiteral("one order"));
  CHECK_FALSE(views::outputRemarks(results.outputs.front()).contains(QStringLiteral("chance")));
  results.outputs.front().comparison->doubt = profiler::MatchDoubt::Races;
  CHECK(views::outputRemarks(results.outputs.front())
            .contains(QStringLiteral("<b>by chance, since programs race</b>")));
  results.outputs.front().comparison->doubt = profiler::MatchDoubt::Undefined;
  CHECK(views::outputRemarks(results.outputs.front())
            .contains(QStringLiteral("<b>by chance, since undefined values take part</b>")));
  // Only all of them are 100 %.
  results.findings.clear();
  results.outputs.front().neverWritten = 0;
  results.outputs.front().shape = {1000000};
  results.outputs.front().comparison->mismatches = 999925;
  CHECK(words(views::resultBadges(results)) == Words{"999,925 differ (more than 99.9 %)"});
  results.outputs.front().shape = {1000};
  results.outputs.front().comparison->mismatches = 999;
  CHECK(words(views::resultBadges(results)) == Words{"999 differ (99.9 %)"});
  results.outputs.front().shape = {1000000};
  results.outputs.front().comparison->mismatches = 1000000;
  CHECK(words(views::resultBadges(results)) == Words{"1,000,000 differ (100 %)"});
  Tensor tensor =
      profiler::makeTensor(Dtype::Fp32, {10000}, {.kind = profiler::TensorInit::Kind::Ones});
  output.shape = {10000};
  CHECK(words(views::digestBadges(*views::digestTensor(tensor, false), output)).empty());
  tensor.set(3, NAN);
  tensor.set(5, INFINITY);
  CHECK(words(views::digestBadges(*views::digestTensor(tensor, false), output)) ==
        Words{"1 NaN (less than 0.1 %)", "1 infinite (less than 0.1 %)"});
}

TEST_CASE("a single NaN is seen in a picture of a million elements", "[gui][run]") {
  Tensor tensor =
      profiler::makeTensor(Dtype::Fp32, {2048, 2048}, {.kind = profiler::TensorInit::Kind::Ones});
  tensor.set(2048 * 777 + 1501, NAN);
  const views::TensorDigestPointer digest = views::digestTensor(tensor, false);
  const QImage &image = digest->picture.image;
  REQUIRE(image.width() == 1024);
  CHECK(image.constScanLine(777 / 2)[1501 / 2] == static_cast<int>(PixelKind::Nan));
}

TEST_CASE("a single value has the middle color, and so has the scale", "[gui][run]") {
  const Tensor tensor =
      profiler::makeTensor(Dtype::Fp32, {16, 16}, {.kind = profiler::TensorInit::Kind::Ones});
  const views::TensorDigestPointer digest = views::digestTensor(tensor, false);
  CHECK(digest->picture.image.constScanLine(3)[5] == (views::kNumShades - 1) / 2);
  views::HeatMap map;
  map.resize(400, 300);
  map.setTensor(digest);
  const QImage shown = map.grab().toImage();
  int numBright = 0, numDark = 0;
  for (int y = 0; y < shown.height(); ++y)
    for (int x = 0; x < shown.width(); ++x) {
      numBright += shown.pixel(x, y) == views::heatColor(1);
      numDark += shown.pixel(x, y) == views::heatColor(0);
    }
  CHECK(numBright == 0);
  CHECK(numDark == 0);
}

TEST_CASE("how a picture differs from its tensor is said", "[gui][run]") {
  using profiler::TensorInit;
  const auto textOf = [](const Tensor &tensor) {
    return views::pictureText(*views::digestTensor(tensor, false));
  };
  CHECK(textOf(profiler::makeTensor(Dtype::Fp32, {8, 16}, {.kind = TensorInit::Kind::Ones}))
            .isEmpty());
  CHECK(textOf(profiler::makeTensor(Dtype::Fp32, {4, 2, 16}, {.kind = TensorInit::Kind::Ones})) ==
        QStringLiteral("4×2×16 shown as 8×16"));
  Tensor outlier = profiler::makeTensor(Dtype::Fp32, {1000}, {.kind = TensorInit::Kind::Rand});
  outlier.set(7, 1e6);
  CHECK(textOf(outlier).startsWith(u"shown in rows of 64 · the color scale ends at 0"));
  CHECK(textOf(outlier).endsWith(u"; values beyond look like its ends"));
}

TEST_CASE("rows and columns of a picture are named, as densely as labels fit", "[gui][run]") {
  using Ticks = std::vector<int64_t>;
  CHECK(views::axisTicks(100, 200, 30) == Ticks{0, 20, 40, 60, 80});
  CHECK(views::axisTicks(4, 400, 30) == Ticks{0, 1, 2, 3});
  CHECK(views::axisTicks(1000, 100, 30) == Ticks{0, 500});
  CHECK(views::axisTicks(8, 10, 30).empty());
  CHECK(views::axisTicks(0, 100, 30).empty());
  CHECK(views::rowLabel(21, {128, 8, 128}, 128) == u"2, 5");
  CHECK(views::rowLabel(7, {16, 8}, 8) == u"7");
  CHECK(views::rowLabel(3, {1000}, 64) == u"192");
  // They are drawn beside the picture, which keeps its own elements under the pointer.
  views::HeatMap map;
  map.resize(500, 300);
  map.setTensor(views::digestTensor(
      profiler::makeTensor(Dtype::Fp32, {16, 32}, {.kind = profiler::TensorInit::Kind::Arange}),
      false));
  map.show();
  REQUIRE(QTest::qWaitForWindowExposed(&map));
  const QImage shown = map.grab().toImage();
  const auto hasInk = [&](const QRect &area) {
    for (int y = area.top(); y <= area.bottom(); ++y)
      for (int x = area.left(); x <= area.right(); ++x)
        if (shown.pixel(x, y) != shown.pixel(1, 1))
          return true;
    return false;
  };
  const int line = QFontMetrics(views::uiFont()).height();
  CHECK(hasInk({30, 8, 300, line}));
  CHECK(hasInk({8, line + 14, 14, 200}));
  QSignalSpy hovered(&map, &views::HeatMap::elementHovered);
  QTest::mouseMove(&map, QPoint(40, line + 16));
  REQUIRE(QTest::qWaitFor([&] { return !hovered.isEmpty(); }, 1000));
  CHECK(hovered.last().front().toLongLong() >= 0);
}

TEST_CASE("a table of many rows offers a window that moves to the element", "[gui][run]") {
  const int64_t count = 2'000'000;
  views::TensorModel model;
  model.setTensor(views::digestTensor(
      profiler::makeTensor(Dtype::Fp32, {count}, {.kind = profiler::TensorInit::Kind::Arange}),
      false));
  CHECK(model.rowCount() == views::TensorModel::kMaxRows);
  const QModelIndex cell = model.reveal(count - 1);
  REQUIRE(cell.isValid());
  CHECK(cell.data().toString() == QStringLiteral("1999999"));
  CHECK(model.headerData(cell.row(), Qt::Vertical, Qt::DisplayRole).toLongLong() + cell.column() ==
        count - 1);
  CHECK(model.reveal(17).data().toString() == QStringLiteral("17"));
  CHECK_FALSE(model.reveal(count).isValid());
}

TEST_CASE("columns of a table are as wide as their numbers", "[gui][run]") {
  views::TensorModel model;
  views::NumberTable table;
  table.setProperty("code", true);
  table.resize(500, 300);
  table.setModel(&model);
  table.show();
  REQUIRE(QTest::qWaitForWindowExposed(&table));
  const auto show = [&](double scale) {
    model.setTensor(views::digestTensor(
        profiler::makeTensor(
            Dtype::Fp32, {64, 64},
            {.kind = profiler::TensorInit::Kind::Randn, .seed = 1, .scale = scale}),
        false));
    QCoreApplication::processEvents();
  };
  for (const double scale : {1e-4, 1e-30, 1.0}) {
    show(scale);
    for (int column = 0; column < 4; ++column)
      for (int row = 0; row < 4; ++row)
        CHECK(table.columnWidth(column) >=
              table.sizeHintForIndex(model.index(row, column)).width());
  }
  // Small integers take no more room than they need.
  model.setTensor(views::digestTensor(
      profiler::makeTensor(Dtype::Int32, {8, 64}, {.kind = profiler::TensorInit::Kind::Zeros}),
      false));
  QCoreApplication::processEvents();
  CHECK(table.columnWidth(0) <
        table.fontMetrics().horizontalAdvance(QStringLiteral("-0.000160445")));
}

TEST_CASE("elements are typed as coordinates or numbers", "[gui][run]") {
  const std::vector<int64_t> shape{4, 8};
  CHECK(views::parseElement(QStringLiteral("[2, 3]"), shape) == 19);
  CHECK(views::parseElement(QStringLiteral("19"), shape) == 19);
  for (const char *wrong : {"4, 0", "32", "-1", "x", "1, 2, 3", ""})
    CHECK_FALSE(views::parseElement(QString::fromLatin1(wrong), shape));
}

TEST_CASE("the console keeps the newest lines", "[gui][run]") {
  views::ConsoleModel model;
  for (int round = 0; round < 3; ++round) {
    std::vector<views::ConsoleLine> lines;
    for (int i = 0; i < 9000; ++i)
      lines.push_back({views::ConsoleLine::Kind::Print, QString::number(round * 9000 + i)});
    model.append(std::move(lines));
  }
  CHECK(model.rowCount() == static_cast<int>(views::ConsoleModel::kMaxLines));
  CHECK(model.line(0).text == QStringLiteral("7000"));
  CHECK(model.line(model.rowCount() - 1).text == QStringLiteral("26999"));
}

TEST_CASE("a matrix of few rows has a readable height in the heat map", "[gui][run]") {
  views::HeatMap map;
  map.resize(500, 300);
  map.setTensor(views::digestTensor(
      profiler::makeTensor(Dtype::Fp32, {5, 4096}, {.kind = profiler::TensorInit::Kind::Arange}),
      false));
  map.show();
  REQUIRE(QTest::qWaitForWindowExposed(&map));
  const int top = QFontMetrics(views::uiFont()).height() + 4;
  const int height = 5 * map.fontMetrics().lineSpacing();
  QSignalSpy hovered(&map, &views::HeatMap::elementHovered);
  QTest::mouseMove(&map, QPoint(100, top + height * 9 / 10));
  REQUIRE(QTest::qWaitFor([&] { return !hovered.isEmpty(); }, 1000));
  CHECK(hovered.last().front().toLongLong() / 4096 == 4);
  QTest::mouseMove(&map, QPoint(100, top + height + 2));
  REQUIRE(QTest::qWaitFor([&] { return hovered.size() > 1; }, 1000));
  CHECK(hovered.last().front().toLongLong() == -1);
}

TEST_CASE("rows of a buffer with slots are named by slot and row", "[gui][run]") {
  views::TensorModel model;
  model.setTensor(views::digestTensor(
      profiler::makeTensor(Dtype::Fp32, {3, 4, 5}, {.kind = profiler::TensorInit::Kind::Arange}),
      false));
  CHECK(model.rowCount() == 12);
  CHECK(model.headerData(0, Qt::Vertical, Qt::DisplayRole).toString() == u"0, 0");
  CHECK(model.headerData(11, Qt::Vertical, Qt::DisplayRole).toString() == u"2, 3");
  CHECK(model.headerData(4, Qt::Horizontal, Qt::DisplayRole).toInt() == 4);
}
