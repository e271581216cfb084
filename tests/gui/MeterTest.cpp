// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/FakeResult.h"
#include "views/common/Theme.h"
#include "views/meter/CompileMeter.h"
#include "views/stages/StageFacts.h"

#include <QtTest/QtTest>

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::views;
using compiler::StageId;

static bool hasColor(const QImage &image, const QColor &color) {
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.pixel(x, y) == color.rgb())
        return true;
  return false;
}

TEST_CASE("only what keeps a typist waiting is amber", "[gui][meter]") {
  CompileMeter meter;
  meter.resize(meter.sizeHint());
  const auto isAmber = [&] {
    return hasColor(meter.grab().toImage(), theme()[ColorRole::Warning]);
  };
  meter.start();
  meter.stageShown(StageId::Ttir, 30'000'000);
  meter.stageShown(StageId::Ttgir, 240'000'000);
  CHECK_FALSE(isAmber());
  meter.stageShown(StageId::Ptx, 400'000'000);
  CHECK(isAmber());
  const QString text = meter.explanation();
  CHECK(text.contains(QStringLiteral("how fast the compiler is")));
  CHECK(text.contains(QStringLiteral("TTIR: 30 ms")));
  CHECK(text.contains(QStringLiteral("SASS: not made")));
  CHECK(text.contains(QStringLiteral("full at 250 ms")));
}

TEST_CASE("the times of the meter and of the columns have different names", "[gui][meter]") {
  CompileMeter meter;
  meter.resize(meter.sizeHint());
  const QImage whole = meter.grab().toImage();
  meter.resize(meter.sizeHint() - QSize(1, 0));
  // Where there is no room for what the times are, the tool tip says it.
  CHECK(hasColor(whole, theme()[ColorRole::TextFaint]));
  CHECK(whole.copy(0, 0, 60, whole.height()) !=
        meter.grab().toImage().copy(0, 0, 60, whole.height()));
  const QStringList facts = stageFacts(*tests::sampleResult(), StageId::Ttir);
  REQUIRE_FALSE(facts.isEmpty());
  CHECK(facts.front().startsWith(u"made in "));
}

TEST_CASE("a compile that took too long is no error of the syntax", "[gui][meter]") {
  compiler::CompileResult result;
  result.stages.push_back({});
  result.stages.back().id = StageId::Ast;
  const auto whyAfter = [&](compiler::DiagnosticKind kind) {
    compiler::Diagnostic error;
    error.kind = kind;
    result.diagnostics = {error};
    return whyFailed(result);
  };
  result.launch.ok = true;
  CHECK(whyAfter(compiler::DiagnosticKind::SyntaxExpectedToken) == u"syntax error");
  CHECK(whyAfter(compiler::DiagnosticKind::StageTimedOut) == u"the compile took too long");
  CHECK(whyAfter(compiler::DiagnosticKind::StageCrashed) == u"the compiler crashed");
  CHECK(whyAfter(compiler::DiagnosticKind::StageOutOfMemory) == u"the compiler ran out of memory");
}
