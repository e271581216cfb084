// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Samples of a recording as heat: in the editor's margin, beside stages, and its switch.
#include "views/common/Heat.h"

#include "app/ide/profile/ProfileController.h"
#include "tests/gui/RecordedProfile.h"
#include "tests/gui/RunWindow.h"
#include "views/common/CodeView.h"
#include "views/common/PictureCanvas.h"
#include "views/common/Theme.h"
#include "views/editor/HoverCard.h"
#include "views/editor/KernelEditor.h"
#include "views/profile/ProfileView.h"
#include "views/stages/HeatAside.h"
#include "views/stages/StageColumn.h"

using namespace tilescope;
using namespace tilescope::tests;
using namespace tilescope::views;
using compiler::StageId;

static SampleHeat heatOf(const char *name) {
  profiler::ProfileDocument profile = recordedProfile(name);
  return {*profile.measurement.samples, profile.measurement.kernel, profile.machineCode};
}

TEST_CASE("shares are short, and none that is there is zero", "[heat]") {
  CHECK(shareText(0.264) == u"26 %");
  CHECK(shareText(0.0412) == u"4.1 %");
  CHECK(shareText(0.00002) == u"<0.1 %");
  CHECK(shareText(1) == u"100 %");
}

TEST_CASE("heat can be told apart without seeing colors, in both themes", "[heat]") {
  for (const char *name : {"dark", "light"}) {
    applyTheme(loadTheme(QString::fromLatin1(name)));
    INFO(name);
    const bool isDark = theme().dark;
    double before = isDark ? 0 : 1;
    for (double warmth = 0; warmth <= 1; warmth += 0.1) {
      const QColor color = warmColor(warmth);
      const double lightness = qGray(color.rgb()) / 255.0;
      // It only gets lighter on dark, and darker on light.
      CHECK((isDark ? lightness >= before : lightness <= before));
      before = lightness;
      CHECK(contrastRatio(color, inkOn(color)) >= 4.5);
    }
    CHECK(contrastRatio(warmColor(1), theme()[ColorRole::Base]) > 2.5);
  }
}

TEST_CASE("lines of a document have their share and the reasons in words", "[heat]") {
  const SampleHeat heat = heatOf("matmul");
  const std::map<uint32_t, LineHeat> lines = documentHeat(heat);
  CHECK(lines.size() == heat.samples.lines.size());
  const LineHeat &hottest = lines.at(79);
  CHECK(hottest.warmth == 1);
  CHECK(hottest.share == Approx(64512.0 / 244202).epsilon(1e-6));
  CHECK(heatWords(hottest).startsWith(u"26 % of the samples: "));
  double sum = 0;
  for (const auto &[line, each] : lines)
    sum += each.share;
  CHECK(sum == Approx(*heat.samples.mappedShare));
  CHECK(mappedWords(heat) == u"100 % of the samples belong to a line of the source.");
}

TEST_CASE("machine code has the samples of its instructions, if it is the code that was sampled",
          "[heat]") {
  const std::string sass = "\t.section .text.k,\"ax\"\n.text.k:\n"
                           "        /*0000*/ LDG.E R2, desc[UR4][R2.64] ;\n"
                           "        /*0010*/ FADD R2, R2, R3 ;\n"
                           "        /*0020*/ EXIT ;\n"
                           "//--------------------- .text.other\n.text.other:\n"
                           "        /*0010*/ EXIT ;\n";
  SampleHeat heat;
  heat.kernel = "k";
  heat.machineCode = profiler::textDigest(sass);
  heat.samples.reasons = {"long_scoreboard", "wait"};
  heat.samples.stalls = {{0x00, 1, 10, 0}, {0x10, 0, 30, 20}};
  heat.samples.total = 40;
  const std::map<uint32_t, LineHeat> lines = sassHeat(heat, sass);
  REQUIRE(lines.size() == 2);
  CHECK(lines.at(2).share == Approx(0.25));
  CHECK(lines.at(3).share == Approx(0.75));
  CHECK(heatWords(lines.at(3)) == u"75 % of the samples: Waits for global memory 100 %");
  CHECK(sassHeat(heat, sass + " ").empty());
  heat.machineCode.clear();
  CHECK(sassHeat(heat, sass).empty());
}

TEST_CASE("instructions say what was counted there, also those without samples", "[heat]") {
  const std::string sass = "\t.section .text.k,\"ax\"\n.text.k:\n"
                           "        /*0000*/ LDG.E R2, desc[UR4][R2.64] ;\n"
                           "        /*0010*/ FADD R2, R2, R3 ;\n"
                           "        /*0020*/ EXIT ;\n";
  SampleHeat heat;
  heat.kernel = "k";
  heat.machineCode = profiler::textDigest(sass);
  heat.samples.reasons = {"wait"};
  heat.samples.stalls = {{0x10, 0, 30, 20}};
  heat.samples.lines = {{4, 30, 20, {{"wait", 30}}}};
  heat.executions.emplace();
  heat.executions->instructions = {{0x00, {4096, 131072, 131072, 32768, 8192, {}, {}}},
                                   {0x10, {4096, 131072, 65536, {}, {}, {}, {}}}};
  heat.executions->lines = {{4, {8192, 262144, 196608, 32768, 8192, {}, {}}}};
  const std::map<uint32_t, LineHeat> lines = sassHeat(heat, sass);
  REQUIRE(lines.size() == 2);
  CHECK(heatWords(lines.at(2)) ==
        u"4,096 executions by warps, 32,768 sectors where 8,192 would do");
  CHECK(heatWords(lines.at(3)) == u"100 % of the samples: Fixed latency 100 %; 4,096 executions by "
                                  u"warps, 50 % of the threads off by predicate");
  const auto marks = heatMarks(heat, StageId::Sass, sass, {});
  CHECK_FALSE(marks.at(2).hasNumber);
  CHECK(marks.at(3).hasNumber);
  CHECK(heatWords(documentHeat(heat).at(4)).endsWith(u"32,768 sectors where 8,192 would do"));
}

TEST_CASE("a stage's lines have the heat of the source line that they came from", "[heat]") {
  SampleHeat heat;
  heat.samples.reasons = {"wait"};
  heat.samples.stalls = {{0, 0, 100, 0}};
  heat.samples.total = 100;
  heat.samples.lines = {{4, 60, 0, {{"wait", 60}}}, {6, 40, 0, {{"wait", 40}}}};
  compiler::SourceMap map;
  for (const auto &[line, source] : {std::pair(0u, 4u), {1u, 4u}, {2u, 5u}, {3u, 4u}, {4u, 6u}})
    map.lines.push_back({line, {SourceRange{{source, 0}, {source, 9}, 0}}});
  const auto marks = heatMarks(heat, StageId::Ptx, "a\nb\nc\nd\ne\n", map);
  REQUIRE(marks.size() == 4);
  CHECK(marks.at(0).heat.share == Approx(0.6));
  CHECK(marks.at(0).hasNumber);
  // Of all lines from one line, the first of the longest run has the number.
  CHECK_FALSE(marks.at(1).hasNumber);
  CHECK_FALSE(marks.at(3).hasNumber);
  CHECK(marks.at(4).sourceLine == 6);
  const HeatAside aside(marks, nullptr);
  CHECK(aside.description(4) ==
        u"Line 7 of the source has 40 % of the samples: Fixed latency 100 %");
  CHECK(aside.description(2).isEmpty());
}

TEST_CASE("the number stands at the longest run, and never at a constant", "[heat]") {
  SampleHeat heat;
  heat.samples.reasons = {"wait"};
  heat.samples.stalls = {{0, 0, 100, 0}};
  heat.samples.total = 100;
  heat.samples.lines = {{4, 60, 0, {{"wait", 60}}}};
  compiler::SourceMap map;
  for (const uint32_t line : {0u, 1u, 3u, 5u})
    map.lines.push_back({line, {SourceRange{{4, 0}, {4, 9}, 0}}});
  map.lines.push_back({2, {SourceRange{{7, 0}, {7, 9}, 0}}});
  const auto marks = heatMarks(heat, StageId::Ttir,
                               "%c0_i32 = arith.constant 0 : i32\n%0 = tt.load %p : !tt.ptr<f32>\n"
                               "%1 = tt.load %q : !tt.ptr<f32>\n%2 = tt.load %r : !tt.ptr<f32>\n\n"
                               "%3 = tt.load %s : !tt.ptr<f32>\n",
                               map);
  REQUIRE(marks.size() == 3);
  CHECK_FALSE(marks.contains(0));
  CHECK_FALSE(marks.at(1).hasNumber);
  CHECK(marks.at(3).hasNumber);
  CHECK_FALSE(marks.at(5).hasNumber);
}

namespace {
struct HeatWindow : RunWindow {
  KernelEditor &editor() { return fixture.editor(); }
  /// The sample's kernel, with samples in two of its lines.
  void openProfile() {
    profiler::ProfileDocument profile = recordedProfile("matmul");
    profile.measurement.kernel = "vector_add";
    profile.sourceText = editor().utf8Text();
    const uint32_t load = rangeOf(sampleSource(), "x = tl.load").begin.line;
    profile.measurement.samples->lines = {{load, 90000, 0, {{"long_scoreboard", 90000}}},
                                          {load + 1, 9000, 0, {{"wait", 9000}}}};
    window.profiles()->keepOpened(window.currentPage(), std::move(profile),
                                  {QStringLiteral("a.json"), 0});
  }
  const HeatAside *aside(StageId stage) {
    return dynamic_cast<const HeatAside *>(window.stageColumn(stage)->codeView().aside());
  }
};
} // namespace

TEST_CASE("heat is beside the lines of editor and columns, and moves with the text", "[heat]") {
  HeatWindow test;
  test.open();
  CHECK(test.editor().heat().empty());
  test.openProfile();
  const uint32_t load = rangeOf(sampleSource(), "x = tl.load").begin.line;
  std::map<uint32_t, LineHeat> heat = test.editor().heat();
  REQUIRE(heat.size() == 2);
  CHECK(heat.at(load).warmth == 1);
  CHECK(test.editor().heatText(load).contains(u"37 % of the samples: Waits for global memory"));
  CHECK(test.editor().heatText(load).contains(u"belong to a line of the source"));
  REQUIRE(test.aside(StageId::Ttir));
  CHECK_FALSE(test.aside(StageId::Ttir)->marks().empty());
  // A line above takes it along, gray, and the columns are of another text.
  test.editor().goTo({0, 0});
  QTest::keyClick(&test.editor(), Qt::Key_Return);
  CHECK(QTest::qWaitFor([&] { return test.editor().isHeatOutdated(); }));
  heat = test.editor().heat();
  REQUIRE(heat.size() == 2);
  CHECK(heat.contains(load + 1));
  CHECK(test.editor().heatText(load + 1).startsWith(u"Outdated: 37 %"));
  CHECK_FALSE(test.aside(StageId::Ttir));
  QTest::keyClick(&test.editor(), Qt::Key_Z, Qt::ControlModifier);
  CHECK(QTest::qWaitFor([&] { return !test.editor().isHeatOutdated(); }));
  CHECK(QTest::qWaitFor([&] { return test.aside(StageId::Ttir) != nullptr; }));
}

TEST_CASE("a key switches heat off and on", "[heat]") {
  HeatWindow test;
  test.open();
  test.openProfile();
  REQUIRE_FALSE(test.editor().heat().empty());
  test.press(Qt::Key_Q, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(test.editor().heat().empty());
  CHECK_FALSE(test.aside(StageId::Ttir));
  test.press(Qt::Key_Q, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(test.editor().heat().size() == 2);
  CHECK(test.aside(StageId::Ttir));
}

TEST_CASE("the heat of a line is drawn and said where the pointer rests", "[heat]") {
  HeatWindow test;
  test.open();
  test.openProfile();
  QCoreApplication::processEvents();
  const uint32_t load = rangeOf(sampleSource(), "x = tl.load").begin.line;
  test.editor().goTo({load, 0});
  const QImage image = test.editor().viewport()->grab().toImage();
  int hot = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < std::min(image.width(), 200); ++x)
      hot += image.pixel(x, y) == warmColor(1).rgb() ? 1 : 0;
  CHECK(hot > 100);
}
