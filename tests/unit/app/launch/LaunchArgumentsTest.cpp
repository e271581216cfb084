// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Values for what no key of a launch block fills, and blocks that are too large to be meant.
#include "app/launch/ResolveLaunch.h"
#include "tests/support/Sanitized.h"

#include <catch2/catch.hpp>
#include <ctime>
#include <sstream>

using namespace tilescope;
using namespace tilescope::app;
using compiler::Severity;

static ResolvedLaunch resolved(const std::string &block, const std::string &kernel,
                               compiler::StageId entry = compiler::StageId::Ast) {
  compiler::CompileRequest request;
  request.entry = entry;
  const char *mark = entry == compiler::StageId::Ast ? "# " : "// ";
  request.text = std::string(mark) + "/// tilescope\n";
  for (size_t begin = 0; begin < block.size();) {
    const size_t end = block.find('\n', begin);
    request.text += mark + block.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  request.text += std::string(mark) + "///\n" + kernel;
  return resolveLaunch(request);
}

static const char *const kKernel = "import triton\nimport triton.language as tl\n\n@triton.jit\n"
                                   "def k(x_ptr, n, scale=0.5, B: tl.constexpr = 64):\n    pass\n";

TEST_CASE("an argument that no key fills takes the size of its name, else its default", "[app]") {
  const ResolvedLaunch launch = resolved(
      "grid = [1]\n[sizes]\nn = 48\n[args]\nx_ptr = { dtype = \"fp32\", shape = [\"n\"] }\n",
      kKernel);
  CHECK(launch.diagnostics.empty());
  REQUIRE(launch.plan);
  REQUIRE(launch.plan->argument("n"));
  CHECK(*launch.plan->argument("n")->scalar() == profiler::PlanScalar{"i32", int64_t(48)});
  CHECK(*launch.plan->argument("scale")->scalar() == profiler::PlanScalar{"fp32", 0.5});
  CHECK(launch.selection.signature.at("n") == "i32:16");
}

TEST_CASE("a compile-time value takes the size of its name", "[app]") {
  const ResolvedLaunch launch = resolved("grid = [1]\n[sizes]\nB = 128\n[args]\nn = 1\n"
                                         "x_ptr = { dtype = \"fp32\", shape = [4] }\n",
                                         kKernel);
  REQUIRE(launch.plan);
  CHECK(launch.selection.constexprs.at("B") == "128");
}

TEST_CASE("any other argument without a value is an error at the launch block", "[app]") {
  const ResolvedLaunch launch =
      resolved("grid = [1]\n[args]\nx_ptr = { dtype = \"fp32\", shape = [4] }\n", kKernel);
  CHECK_FALSE(launch.plan);
  CHECK_FALSE(launch.ok());
  REQUIRE(launch.diagnostics.size() == 1);
  CHECK(launch.diagnostics[0].message == "the launch block has no value for the argument `n`");
  CHECK(launch.diagnostics[0].range.begin.line == 0);
}

TEST_CASE("in a document in IR every size may be an argument", "[app]") {
  const ResolvedLaunch launch =
      resolved("grid = [1]\n[sizes]\nn = 48\nname = \"'text'\"\n", "", compiler::StageId::Ttir);
  CHECK(launch.ok());
  REQUIRE(launch.plan);
  CHECK(launch.plan->argument("n"));
  CHECK_FALSE(launch.plan->argument("name"));
}

TEST_CASE("a launch runs with its own values, whatever its sweep has", "[app]") {
  const ResolvedLaunch launch =
      resolved("grid = [1]\n[sizes]\nn = 4\n[args]\nx_ptr = { dtype = \"fp32\", shape = [4] }\n"
               "[sweep]\nn = [8, \"16:64:*2\"]\nnum_warps = [4, 8]\n",
               kKernel);
  CHECK(launch.ok());
  CHECK(launch.diagnostics.empty());
  REQUIRE(launch.plan);
  CHECK(launch.plan->sizes.at("n") == "4");
}

TEST_CASE("a sweep over nothing of the launch is an error at its name", "[app]") {
  const ResolvedLaunch launch =
      resolved("grid = [1]\n[sizes]\nn = 4\n[args]\nx_ptr = { dtype = \"fp32\", shape = [4] }\n"
               "[sweep]\nn = [8]\n\"num_warps, wraps\" = [\"4, 8\"]\n",
               kKernel);
  CHECK_FALSE(launch.ok());
  REQUIRE(launch.diagnostics.size() == 1);
  CHECK(launch.diagnostics[0].message ==
        "sweep over `wraps`, which is not a size, constexpr, or option");
  CHECK(launch.diagnostics[0].range.begin.line == 8);
}

TEST_CASE("a block without a kernel's name is one of the file's first kernel", "[app]") {
  compiler::CompileRequest request;
  request.text =
      "import triton\n# /// tilescope\n# grid = [1]\n# ///\n@triton.jit\ndef a():\n    pass\n"
      "@triton.jit\ndef b(x_ptr):\n    pass\n";
  request.selection.kernel = "a";
  CHECK(resolveLaunch(request).block == 0);
  request.selection.kernel = "b";
  const ResolvedLaunch other = resolveLaunch(request);
  CHECK(other.block == -1);
  CHECK(other.ok());
}

static constexpr double kSecondOfWork = tests::kSlowdown;

/// A block with `lines` under `[sizes]`; fails when it takes more than a second of work.
static ResolvedLaunch resolvedInTime(const std::string &lines) {
  const std::clock_t start = std::clock();
  ResolvedLaunch launch = resolved("grid = [1]\n[sizes]\n" + lines, "");
  CHECK(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC < kSecondOfWork);
  return launch;
}

static bool saysTooLarge(const ResolvedLaunch &launch) {
  for (const compiler::Diagnostic &diagnostic : launch.diagnostics)
    if (diagnostic.message.find("too large to compute") != std::string::npos)
      return true;
  return false;
}

TEST_CASE("a launch block has one budget for all its expressions", "[app]") {
  std::string lists;
  for (int i = 0; i < 40; ++i)
    lists += "a" + std::to_string(i) + " = \"list(range(1000000))\"\n";
  CHECK(saysTooLarge(resolvedInTime(lists)));
  // A large value is looked at again at every use.
  std::string uses = "a = \"list(range(500000))\"\n";
  for (int i = 0; i < 400; ++i)
    uses += "b" + std::to_string(i) + " = \"len(a)\"\n";
  CHECK(saysTooLarge(resolvedInTime(uses)));
}

TEST_CASE("a literal of three million digits is refused at once", "[app]") {
  CHECK(saysTooLarge(resolvedInTime("a = \"" + std::string(7'000, '7') + "\"\n")));
  CHECK_FALSE(resolvedInTime("a = \"" + std::string(3'000'000, '7') + "\"\n").ok());
}

TEST_CASE("a block of 20,000 keys is answered within a second", "[app]") {
  std::ostringstream keys;
  for (int i = 0; i < 20'000; ++i)
    keys << "k" << std::hex << i << "=\"1\"\n";
  const ResolvedLaunch launch = resolvedInTime(keys.str());
  CHECK(launch.ok());
  REQUIRE(launch.plan);
  CHECK(launch.plan->sizes.size() == 20'000);
}
