// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/lesson/LessonText.h"

#include "profiler/package/LaunchBlock.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope::app;
using tilescope::profiler::LaunchBlock;
using tilescope::profiler::parseLaunchBlocks;

static constexpr const char *kOwn = R"toml(import triton

# /// tilescope
# kernel = "add"
# grid = [
#   "cdiv(n, BLOCK)",
# ]
# name = "mine"
# [sizes]
# n = 8
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"] }
# [constexprs]
# BLOCK = 256
# ///
def add(x_ptr): pass
)toml";

static LaunchBlock onlyBlock(const std::string &text) {
  const auto read = parseLaunchBlocks(text);
  REQUIRE(read.problems.empty());
  REQUIRE(read.blocks.size() == 1);
  return read.blocks.front();
}

TEST_CASE("A launch of the lesson replaces what it states and leaves the learner's choices") {
  const LessonLaunch launch{
      "odd", "name = \"odd\"\n[sizes]\nn = 1000\n[args]\nx_ptr = { dtype = \"fp16\", shape = "
             "[\"n\"] }\nn = \"n\"\n"};
  const std::string text = withLaunch(kOwn, launch);
  const LaunchBlock block = onlyBlock(text);
  CHECK(block.name == "odd");
  CHECK(block.kernel == "add");
  REQUIRE(block.grid.size() == 1);
  CHECK(block.grid[0].text == "cdiv(n, BLOCK)");
  REQUIRE(block.sizes.size() == 1);
  CHECK(block.sizes[0].value.text == "1000");
  REQUIRE(block.args.size() == 2);
  CHECK(block.args[0].dtype.text == "fp16");
  REQUIRE(block.constexprs.size() == 1);
  CHECK(block.constexprs[0].value.text == "256");
}

TEST_CASE("Lines keep their numbers when the lesson's launch is put in") {
  const std::string text = withLaunch(kOwn, {"", "[sizes]\nn = 1\n"});
  const auto lineOf = [](const std::string &in, const std::string &what) {
    return std::count(in.begin(), in.begin() + static_cast<long>(in.find(what)), '\n');
  };
  CHECK(lineOf(text, "def add") == lineOf(kOwn, "def add"));
  CHECK(onlyBlock(text).range.begin.line > lineOf(text, "def add"));
}

TEST_CASE("A grid that the lesson states is the one that counts") {
  const std::string text = withLaunch(kOwn, {"", "grid = [7]\n"});
  const LaunchBlock block = onlyBlock(text);
  REQUIRE(block.grid.size() == 1);
  CHECK(block.grid[0].text == "7");
}

TEST_CASE("A text without a launch block, or with Windows' line ends, gets the lesson's launch") {
  CHECK(onlyBlock(withLaunch("def add(x_ptr): pass", {"", "kernel = \"add\"\n"})).kernel == "add");
  std::string windows = kOwn;
  for (size_t at = 0; (at = windows.find('\n', at)) != std::string::npos; at += 2)
    windows.insert(at, "\r");
  CHECK(onlyBlock(withLaunch(windows, {"", "[sizes]\nn = 5\n"})).sizes[0].value.text == "5");
}

TEST_CASE("All launch blocks of a file are found, with their names") {
  const std::string two = "# /// tilescope\n# name = \"a\"\n# grid = [1]\n# ///\n\n"
                          "# /// tilescope\n# grid = [2]\n# ///\n";
  const std::vector<LessonLaunch> found = launchesIn(two);
  REQUIRE(found.size() == 2);
  CHECK(found[0].name == "a");
  CHECK(found[1].name.empty());
  CHECK(found[1].toml == "grid = [2]\n");
}

TEST_CASE("A launch is that of another kernel, too") {
  const LessonLaunch launch{"rows", "kernel = \"fast\"\ngrid = [1]\n[sizes]\nn = 8"};
  CHECK(launchOf("naive", launch) ==
        LessonLaunch{"rows", "kernel = \"naive\"\ngrid = [1]\n[sizes]\nn = 8\n"});
  CHECK(launchOf("naive", {"", "grid = [1]"}).toml == "kernel = \"naive\"\ngrid = [1]\n");
}
