// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ForgottenFactor.h"

#include "compiler/artifacts/AppliedFix.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;
using compiler::Diagnostic;
using compiler::DiagnosticKind;

static std::string kernelOf(const std::string &grid, const std::string &body) {
  return "import triton\nimport triton.language as tl\n\n# /// tilescope\n# grid = [" + grid +
         "]\n# ///\n@triton.jit\ndef k(x, out, n, B: tl.constexpr):\n" + body;
}

/// A run of four programs with blocks of 256 that found this.
static LaunchRun runOf(std::vector<Diagnostic> found) {
  LaunchRun run;
  profiler::OutputResult output;
  output.name = "out";
  output.shape = {1000};
  run.measurement = profiler::Measurement();
  run.measurement->outputs = {output};
  run.plan = profiler::LaunchPlan();
  run.plan->kernel = "k";
  run.plan->grid = {4, 1, 1};
  run.plan->constexprs = {{"B", "256"}};
  run.diagnostics = std::move(found);
  return run;
}

static LaunchRequest requestOf(const std::string &text) {
  LaunchRequest request;
  request.input.path = "k.py";
  request.input.text = text;
  return request;
}

static Diagnostic mismatch() {
  Diagnostic found;
  found.kind = DiagnosticKind::RunMismatch;
  return found;
}

TEST_CASE("the factor that a program's number lacks is the first fix of what differs", "[app]") {
  const std::string text = kernelOf("4", "    p = tl.program_id(0)\n"
                                         "    i = tl.arange(0, B)\n"
                                         "    m = p + i < n\n"
                                         "    v = tl.load(x + p + i, mask=m)\n"
                                         "    tl.atomic_add(out + p + i, v, mask=m)\n");
  Diagnostic differs = mismatch();
  differs.fixes = {{{{0, 0}, {0, 0}, 0}, "", "something else"}};
  LaunchRun run = runOf({differs});
  const std::optional<ForgottenFactor> factor = offerFactor(requestOf(text), run);
  REQUIRE(factor);
  Diagnostic &finding = run.diagnostics.front();
  CHECK(finding.notes.front() ==
        "programs 0 and 1 both reach elements 1 to 255: `p` counts programs, and each has `B` "
        "elements; multiply the program's number by `B`");
  REQUIRE(finding.fixes.size() == 3);
  CHECK(finding.fixes[0].title == "write `p * B`");
  const std::string fixed = compiler::fixedText(text, finding.fixes[0]);
  CHECK(fixed.find("m = p * B + i < n\n") != std::string::npos);
  CHECK(fixed.find("x + p * B + i, mask=m)\n") != std::string::npos);
  CHECK(fixed.find("out + p * B + i, v") != std::string::npos);
  CHECK(finding.fixes[1].title == "write `p * B`, and `grid = [\"cdiv(4, B)\"]`");
  CHECK(finding.fixes[2].title == "something else");
  // Once it has proven itself, nothing that would hide the fault stands beside it.
  settleFactor(*factor, run);
  CHECK(finding.fixes.size() == 2);
}

TEST_CASE("an access outside gets the factor together with its mask", "[app]") {
  const std::string text = kernelOf("\"n\"", "    i = tl.program_id(0) + tl.arange(0, B)\n"
                                             "    tl.store(out + i, 1.0)\n");
  Diagnostic outside;
  outside.kind = DiagnosticKind::RunAccessOutside;
  outside.range = {{9, 4}, {9, 26}, 0};
  outside.message = "writes past its last element; add `mask=i < n`";
  outside.fixes = {{{{9, 25}, {9, 25}, 0}, ", mask=i < n", "add `mask=i < n`"}};
  LaunchRun run = runOf({outside});
  const std::optional<ForgottenFactor> factor = offerFactor(requestOf(text), run);
  REQUIRE(factor);
  Diagnostic &finding = run.diagnostics.front();
  REQUIRE(finding.fixes.size() == 3);
  CHECK(finding.fixes[1].title ==
        "write `tl.program_id(0) * B`, `grid = [\"cdiv(n, B)\"]`, and add `mask=i < n`");
  const std::string fixed = compiler::fixedText(text, finding.fixes[1]);
  CHECK(fixed.find("# grid = [\"cdiv(n, B)\"]\n") != std::string::npos);
  CHECK(fixed.find("i = tl.program_id(0) * B + tl.arange(0, B)\n") != std::string::npos);
  CHECK(fixed.find("tl.store(out + i, 1.0, mask=i < n)\n") != std::string::npos);
  finding.fixes.erase(finding.fixes.begin());
  settleFactor(*factor, run);
  CHECK(finding.fixes.size() == 1);
  CHECK(finding.message == "writes past its last element");
}

TEST_CASE("blocks that lie one over another are told where nothing else tells it", "[app]") {
  const std::string text = kernelOf("4", "    i = tl.program_id(0) + tl.arange(0, B)\n"
                                         "    tl.store(out + i, 1.0, mask=i < n)\n");
  LaunchRun run = runOf({});
  run.measurement->outputs.front().neverWritten = 741;
  const std::optional<ForgottenFactor> factor = offerFactor(requestOf(text), run);
  REQUIRE(factor);
  REQUIRE(run.diagnostics.size() == 1);
  CHECK(run.diagnostics.front().message ==
        "programs 0 and 1 both write elements 1 to 255 of `out`");
  CHECK(run.diagnostics.front().range.begin == Position{9, 4});
  // What was not proven is not said.
  run.diagnostics.front().fixes.clear();
  settleFactor(*factor, run);
  CHECK(run.diagnostics.empty());
}

TEST_CASE("windows that overlap, and blocks that do not, are as they should be", "[app]") {
  const auto isOffered = [](const std::string &body, std::vector<Diagnostic> found) {
    LaunchRun run = runOf(std::move(found));
    run.measurement->outputs.front().neverWritten = 10;
    return offerFactor(requestOf(kernelOf("4", body)), run).has_value();
  };
  const std::string blocks = "    i = tl.program_id(0) * B + tl.arange(0, B)\n"
                             "    tl.store(out + i, tl.load(x + i))\n";
  CHECK_FALSE(isOffered(blocks, {mismatch()}));
  const std::string rows = "    p = tl.program_id(0)\n    j = tl.arange(0, B)\n"
                           "    tl.store(out + p * n + j, tl.load(x + p + j * n))\n";
  CHECK_FALSE(isOffered(rows, {mismatch()}));
  Diagnostic outside;
  outside.kind = DiagnosticKind::RunAccessOutside;
  outside.range = {{9, 19}, {9, 33}, 0};
  const std::string windows = "    p = tl.program_id(0)\n    i = p + tl.arange(0, B)\n"
                              "    tl.store(out + p, tl.sum(tl.load(x + i)))\n";
  CHECK_FALSE(isOffered(windows, {outside}));
  // A filter that spreads each element.
  const std::string spread = "    p = tl.program_id(0)\n    i = p + tl.arange(0, B)\n"
                             "    tl.atomic_add(out + i, tl.load(x + p))\n";
  CHECK_FALSE(isOffered(spread, {}));
}

TEST_CASE("nothing is said of a factor where something else mends the output", "[app]") {
  const std::string text = kernelOf("4", "    p = tl.program_id(0)\n"
                                         "    i = tl.arange(0, B)\n"
                                         "    v = tl.load(x + p * n + i, mask=i < n)\n"
                                         "    tl.store(out + p + i, v, mask=i < n)\n");
  LaunchRun run = runOf({mismatch()});
  const std::optional<ForgottenFactor> factor = offerFactor(requestOf(text), run);
  REQUIRE(factor);
  Diagnostic &finding = run.diagnostics.front();
  REQUIRE(finding.notes.size() == 1);
  LaunchRun unmended = run;
  unmended.diagnostics.front().fixes.clear();
  settleFactor(*factor, unmended);
  CHECK(unmended.diagnostics.front().notes.size() == 1);
  finding.fixes = {{{{11, 22}, {11, 23}, 0}, "p * n", "write `p * n`"}};
  settleFactor(*factor, run);
  CHECK(finding.notes.empty());
}
