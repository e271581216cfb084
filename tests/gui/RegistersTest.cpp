// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The Registers view and what is beside SASS, over a small loop: pictures, keys, mouse.
#include "views/common/CodeView.h"
#include "views/common/RegisterLimit.h"
#include "views/common/Scrubber.h"
#include "views/common/ShortTexts.h"
#include "views/common/Theme.h"
#include "views/registers/AliveModel.h"
#include "views/registers/LiveStrip.h"
#include "views/registers/OccupancyText.h"
#include "views/registers/RegistersView.h"
#include "views/stages/SassAside.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::views;
using compiler::CompileResult;
using compiler::Stage;
using compiler::StageId;

/// At 0040, R0 to R3 are alive with R6 and R7, and R8 is written.
static constexpr const char *kSass = ".section .text.k,\"ax\"\n"
                                     "/*0000*/       S2R R0, SR_TID.X ;\n"
                                     "/*0010*/       LDC.64 R6, c[0x0][0x210] ;\n"
                                     ".L_x_0:\n"
                                     "/*0020*/       LDG.E.64 R2, desc[UR4][R6.64] ;\n"
                                     "/*0030*/       MOV R1, RZ ;\n"
                                     "/*0040*/       IADD3 R8, R2, R3, R0 ;\n"
                                     "/*0050*/       STG.E desc[UR4][R6.64], R8 ;\n"
                                     "/*0060*/   @P0 BRA `(.L_x_0) ;\n"
                                     "/*0070*/       EXIT ;\n";
static constexpr const char *kPtx = ".visible .entry k(\n"
                                    ")\n"
                                    "{\n"
                                    "\t.reg .pred \t%p<2>;\n"
                                    "\t.reg .b32 \t%r<6>;\n"
                                    "\t.reg .b64 \t%rd<3>;\n"
                                    "\tld.param.b64 \t%rd1, [k_param_0];\n"
                                    "\tmov.u32 \t%r1, %tid.x;\n"
                                    "$L__BB0_1:\n"
                                    "\tld.global.v2.b32 \t{%r2, %r3}, [%rd1];\n"
                                    "\tadd.s32 \t%r4, %r2, %r3;\n"
                                    "\tadd.s32 \t%r5, %r4, %r1;\n"
                                    "\tst.global.b32 \t[%rd1], %r5;\n"
                                    "\tsetp.lt.s32 \t%p1, %r5, 9;\n"
                                    "\t@%p1 bra \t$L__BB0_1;\n"
                                    "\tret;\n"
                                    "}\n";
static const std::string kSource = "def k(x):\n    pid = tl.program_id(0)\n    a = tl.load(x)\n"
                                   "    tl.store(x, a + pid)\n";

static Stage stageOf(StageId id, const char *text, std::vector<std::pair<uint32_t, uint32_t>> map) {
  Stage stage;
  stage.id = id;
  stage.ok = true;
  stage.text = text;
  for (const auto &[line, source] : map)
    stage.sourceMap.lines.push_back({line, {SourceRange{{source, 4}, {source, 20}, 0}}});
  return stage;
}

static CompileResult resultWith(bool hasSass) {
  CompileResult result;
  result.kernel = "k";
  result.target = "cuda:90";
  result.stages.push_back(stageOf(StageId::Ptx, kPtx, {{7, 1}, {9, 2}, {10, 3}, {11, 3}}));
  if (hasSass)
    result.stages.push_back(stageOf(StageId::Sass, kSass, {{1, 1}, {4, 2}, {6, 3}, {7, 3}}));
  result.resources = {hasSass ? 80 : -1, 40 * 1024, 0, 128};
  return result;
}

namespace {
struct Shown {
  FocusState focus;
  RegistersView view{&focus};

  explicit Shown(bool hasSass = true) {
    view.resize(900, 420);
    view.show();
    REQUIRE(QTest::qWaitForWindowExposed(&view));
    view.setContent(makeRegistersContent(resultWith(hasSass), kSource));
    QCoreApplication::processEvents();
  }
  QString cell(int row, int column) { return view.alive().index(row, column).data().toString(); }
};
} // namespace

TEST_CASE("the tightest limit of a thread's registers is named", "[registers]") {
  CompileResult result;
  const auto sentence = [&](int64_t threads) {
    return limitSentence(registerLimit(result, threads));
  };
  CHECK(sentence(128) == u"At most 255 are possible: an instruction cannot name more.");
  CHECK(sentence(512) == u"At most 128 are possible: the 65,536 of a multiprocessor among the 512 "
                         u"threads of num_warps = 16.");
  result.options["maxnreg"] = "96";
  CHECK(sentence(512) == u"At most 96 are allowed: maxnreg = 96.");
  CHECK(sentence(1024) == u"At most 64 are possible: the 65,536 of a multiprocessor among the 1024 "
                          u"threads of num_warps = 32.");
}

TEST_CASE("what is spilled is told apart from what is loaded back", "[registers]") {
  Shown shown;
  CompileResult result = resultWith(true);
  result.resources.spillBytes = 48;
  result.resources.spillLoadBytes = 28;
  shown.view.setContent(makeRegistersContent(result, kSource));
  CHECK(shown.view.relationText().contains(
      u"Each thread stores 20 bytes of spilled values and loads 28 bytes of them back."));
  // Of a code that was made elsewhere only the sum is known.
  result.resources.spillLoadBytes = -1;
  shown.view.setContent(makeRegistersContent(result, kSource));
  CHECK(shown.view.relationText().contains(u"48 bytes of each thread are spilled."));
}

TEST_CASE("the view shows the peak and the values that are alive there", "[registers]") {
  Shown shown;
  RegistersView &view = shown.view;
  QAbstractItemModelTester tester(&view.alive());
  CHECK(view.stage() == StageId::Sass);
  // R0, R1, R2, R3, R6, R7, R8.
  CHECK(view.step() == 4);
  CHECK(view.titleText().contains(u"at most 7 registers alive"));
  CHECK(view.relationText().contains(u"reserves 80"));
  CHECK(view.relationText().contains(u"At most 255 are possible"));
  CHECK(view.infoText().contains(u"IADD3 R8"));
  // Those of the same line of the source are one row, the largest first.
  REQUIRE(view.alive().rowCount() == 4);
  CHECK(shown.cell(0, AliveModel::Registers) == u"3");
  CHECK(shown.cell(0, AliveModel::Name) == u"of no line: made by the compiler");
  QTableView &table = *shown.view.findChild<QTableView *>();
  const QModelIndex unnamed = table.model()->index(0, AliveModel::Name);
  table.horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table.setColumnWidth(AliveModel::Name, table.fontMetrics().horizontalAdvance(
                                             QStringLiteral("made by the compiler")));
  CHECK(shownText(&table, unnamed) == u"by the compiler");
  CHECK(shown.cell(1, AliveModel::Name) == u"a");
  CHECK(shown.cell(1, AliveModel::Which) == u"R2\u2013R3");
  CHECK(shown.cell(1, AliveModel::Line) == u"3");
  CHECK(shown.cell(2, AliveModel::Name) == u"pid");
}

TEST_CASE("on a small screen the whole strip is in sight", "[registers]") {
  Shown test;
  // What is left of 1366 x 768 below a column of stages, its tabs apart.
  test.view.resize(790, 206);
  auto *scroll = test.view.findChild<QScrollArea *>();
  REQUIRE(scroll != nullptr);
  CHECK(QTest::qWaitFor([&] { return scroll->verticalScrollBar()->maximum() == 0; }));
  CHECK(test.view.findChild<LiveStrip *>()->height() >= 80);
  // With more room there are sliders again.
  test.view.resize(1200, 500);
  CHECK(QTest::qWaitFor([&] {
    return std::ranges::all_of(test.view.findChildren<QSlider *>(),
                               [](const QSlider *slider) { return slider->isVisible(); });
  }));
}

TEST_CASE("keys move over the strip, list values, and go to their lines", "[registers]") {
  Shown shown;
  RegistersView &view = shown.view;
  LiveStrip &strip = view.strip();
  strip.setFocus();
  QTest::keyClick(&strip, Qt::Key_Home);
  QTest::keyClick(&strip, Qt::Key_Home);
  CHECK(view.infoText().contains(u"S2R R0"));
  QTest::keyClick(&strip, Qt::Key_Right);
  CHECK(view.infoText().contains(u"LDC.64"));
  QTest::keyClick(&strip, Qt::Key_Return);
  CHECK(view.step() == 1);
  CHECK(view.alive().rowCount() == 2);
  // The next line of the source.
  QTest::keyClick(&strip, Qt::Key_Down);
  CHECK(view.infoText().contains(u"LDG.E.64"));
  QTest::keyClick(&strip, Qt::Key_P);
  CHECK(view.step() == 4);
  CHECK(strip.accessibleDescription() == view.infoText());

  QSignalSpy places(&view, &PictureView::placeShown);
  view.table().setFocus();
  view.table().setCurrentIndex(view.alive().index(1, 0));
  QTest::keyClick(&view.table(), Qt::Key_Return);
  REQUIRE(places.size() == 1);
  CHECK(places[0][0].value<SourceRange>().begin.line == 2);
}

TEST_CASE("a click lists what is alive at an instruction", "[registers]") {
  Shown shown;
  const QRectF column = shown.view.strip().columnRect(6);
  QTest::mouseClick(shown.view.strip().viewport(), Qt::LeftButton, {}, column.center().toPoint());
  CHECK(shown.view.step() == 6);
  // What the cursor's line became is marked.
  shown.focus.setSelected({std::nullopt, {3, 4}, {SourceRange{{3, 4}, {3, 20}, 0}}, false},
                          nullptr);
  CHECK(shown.view.strip().numMarked() == 2);
}

TEST_CASE("PTX is shown where there is no machine code, and on demand", "[registers]") {
  Shown without(false);
  CHECK(without.view.stage() == StageId::Ptx);
  // %rd1 takes two; with %r1, %r2 and %r3, %r4 when it is written.
  CHECK(without.view.titleText().contains(u"at most 6 virtual registers alive"));
  CHECK(without.view.occupancyText().contains(u"not known without an assembler"));
  Shown with;
  with.view.stages().setFocus();
  QTest::keyClick(&with.view.stages(), Qt::Key_Down);
  CHECK(with.view.stage() == StageId::Ptx);
  CHECK(with.view.relationText().contains(u"schedules anew"));
}

TEST_CASE("sliders answer what fits on a multiprocessor", "[registers]") {
  Shown shown;
  RegistersView &view = shown.view;
  // 80 registers: 65536 / (80 * 32 * 4) = 6; 41 KiB of 228: 5.
  CHECK(view.occupancyText().contains(u"5 programs of 4 warps"));
  CHECK(view.occupancyText().contains(u"the limit: shared memory"));
  CHECK_FALSE(view.isTried());
  view.sharedMemory().field().setValue(20);
  CHECK(view.isTried());
  CHECK(view.occupancyText().startsWith(u"What if: "));
  CHECK(view.occupancyText().contains(u"6 programs of 4 warps"));
  CHECK(view.occupancyText().contains(u"7 programs fit at 72 registers"));
  view.registers().field().setValue(128);
  CHECK(view.occupancyText().contains(u"4 programs of 4 warps"));
  // A compile does not take away what is tried.
  view.setContent(makeRegistersContent(resultWith(true), kSource));
  CHECK(view.registers().value() == 128);
  view.showCompiled();
  CHECK_FALSE(view.isTried());
  CHECK(view.registers().value() == 80);
}

TEST_CASE("the picture is exported, and a broken text leaves it", "[registers]") {
  Shown shown;
  QTemporaryDir folder;
  const QString svg = folder.filePath(QStringLiteral("registers.svg"));
  REQUIRE(shown.view.exportSvg(svg));
  REQUIRE(shown.view.exportPng(folder.filePath(QStringLiteral("registers.png"))));
  QFile file(svg);
  REQUIRE(file.open(QIODevice::ReadOnly));
  const QByteArray text = file.readAll();
  CHECK(text.contains("80 reserved"));
  CHECK(text.contains("peak 7"));
  shown.view.clear(QStringLiteral("nothing"));
  CHECK_FALSE(shown.view.canExport());
}

TEST_CASE("the strip draws the most of what a pixel stands for", "[registers]") {
  const RegistersContentPointer content = makeRegistersContent(resultWith(true), kSource);
  const auto &code = content->sass.liveness;
  CHECK(stripColumns(code, 8) == std::vector<int>{1, 3, 5, 6, 7, 5, 4, 1});
  CHECK(stripColumns(code, 2) == std::vector<int>{6, 7});
  CHECK(stripColumns(code, 16).size() == 16);
}

TEST_CASE("branches get lanes, short ones next to the text", "[registers]") {
  const std::vector<LineArrow> lanes =
      assignLanes({{10, 2, 0}, {6, 4, 0}, {8, 12, 0}, {20, 22, 0}});
  CHECK(lanes == std::vector<LineArrow>{{6, 4, 0}, {8, 12, 0}, {10, 2, 1}, {20, 22, 0}});
  CHECK(assignLanes({{0, 9, 0}, {1, 8, 0}, {2, 7, 0}}, 2).size() == 2);
}
