// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Files that outputs are compared with, and that other programs write.
#include "profiler/data/Npy.h"
#include "tests/gui/RunWorkerFixture.h"
#include "tests/support/FakeResult.h"
#include "views/problems/ProblemsView.h"

#include <algorithm>
#include <filesystem>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

TEST_CASE("results are outdated as soon as a file that they were compared with is another one",
          "[gui][worker][run]") {
  const std::string body = "    x = tl.load(x_ptr + offs, mask=offs < n)\n"
                           "    tl.store(out_ptr + offs, x, mask=offs < n)";
  RunFixture test(kernelWith(body));
  const QString path = test.fixture.folder.filePath(QStringLiteral("ref.npy"));
  const auto write = [&](double first) {
    profiler::Tensor tensor = profiler::makeTensor(profiler::Dtype::Fp32, {40},
                                                   {.kind = profiler::TensorInit::Kind::Arange});
    tensor.set(0, first);
    // As most programs save.
    const std::string beside = path.toStdString() + ".new";
    REQUIRE(profiler::writeNpy(beside, tensor));
    std::filesystem::rename(beside, path.toStdString());
  };
  write(0);
  const Position end = rangeOf(test.fixture.editor().utf8Text(), "shape = [40] }").end;
  test.fixture.editor().goTo({end.line, end.column - 2});
  test.fixture.type(", expected = \"ref.npy\"");
  test.run();
  const views::ResultsView &results = test.view.results();
  INFO(test.view.statusText().toStdString());
  CHECK(test.view.statusText().contains(u"as expected"));
  CHECK(results.outdatedReason().isEmpty());
  const auto becomes = [&](const char *reason) {
    return QTest::qWaitFor([&] { return results.outdatedReason() == QString::fromLatin1(reason); },
                           kPatienceMs);
  };
  write(7);
  CHECK(becomes("`ref.npy` has changed"));
  CHECK(results.stampText().contains(u"Outdated: "));
  // The same numbers, written anew.
  write(0);
  CHECK(becomes(""));
  std::filesystem::remove(path.toStdString());
  CHECK(becomes("`ref.npy` is no longer there"));
  write(7);
  CHECK(becomes("`ref.npy` has changed"));
  test.run();
  INFO(test.view.statusText().toStdString());
  CHECK(results.outdatedReason().isEmpty());
  CHECK_FALSE(test.view.statusText().contains(u"as expected"));
}

TEST_CASE("a file that was missing is noticed as soon as it is there", "[gui][worker][run]") {
  RunFixture test(kernelWith("    x = tl.load(x_ptr + offs, mask=offs < n)\n"
                             "    tl.store(out_ptr + offs, x, mask=offs < n)"));
  const Position end = rangeOf(test.fixture.editor().utf8Text(), "shape = [40] }").end;
  test.fixture.editor().goTo({end.line, end.column - 2});
  test.fixture.type(", expected = \"late.npy\"");
  const auto saysMissing = [&] {
    const auto &problems = test.fixture.window->problems()->model().diagnostics();
    return std::ranges::any_of(problems, [](const compiler::Diagnostic &each) {
      return each.message.find("could not be checked: there is no file") != std::string::npos;
    });
  };
  REQUIRE(QTest::qWaitFor(saysMissing, kPatienceMs));
  const profiler::Tensor tensor = profiler::makeTensor(
      profiler::Dtype::Fp32, {40}, {.kind = profiler::TensorInit::Kind::Arange});
  REQUIRE(profiler::writeNpy(test.fixture.folder.filePath(QStringLiteral("late.npy")).toStdString(),
                             tensor));
  CHECK(QTest::qWaitFor([&] { return !saysMissing(); }, kPatienceMs));
}
