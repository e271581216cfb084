// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/LaunchBlock.h"
#include "tests/unit/profiler/package/TinyEvaluator.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::profiler;
using test::kFile;

/// `kFile` with one line replaced.
static std::string replaced(const std::string &from, const std::string &to) {
  std::string text = kFile;
  size_t place = text.find(from);
  REQUIRE(place != std::string::npos);
  return text.replace(place, from.size(), to);
}

static void check(const LaunchEdit &edit, const std::string &expected) {
  Result<std::string> text = editLaunchBlock(kFile, 0, {edit});
  REQUIRE(text);
  CHECK(*text == expected);
  CHECK(parseLaunchBlocks(*text).problems.empty());
}

TEST_CASE("an edited value replaces the old one and nothing else", "[profiler]") {
  check({{"sizes", "n"}, "4096"}, replaced("# n = 1000", "# n = 4096"));
  check({{"kernel"}, "\"other\""}, replaced("\"scale\"  # which", "\"other\"  # which"));
  check({{"grid"}, "[1, 2]"}, replaced("[\"cdiv(n, BLOCK)\"]", "[1, 2]"));
  check({{"args", "x_ptr", "dtype"}, "\"bf16\""}, replaced("\"fp16\"", "\"bf16\""));
  check({{"args", "eps"}, "0.5"}, replaced("1e-5", "0.5"));
}

TEST_CASE("a key that is not there is added to its table", "[profiler]") {
  check({{"sizes", "k"}, "1"}, replaced("# m = \"n * 2\"\n", "# m = \"n * 2\"\n# k = 1\n"));
  check({{"args", "y_ptr", "init"}, "\"ones\""},
        replaced("shape = \"m\" }", "shape = \"m\", init = \"ones\" }"));
  check({{"launch", "name"}, "\"x\""},
        replaced("# ///\ndef", "# [launch]\n# name = \"x\"\n# ///\ndef"));
}

TEST_CASE("several edits are made one after the other", "[profiler]") {
  auto text = editLaunchBlock(
      kFile + kFile, 1, {{{"sizes", "n"}, "123456"}, {{"sizes", "m"}, "3"}, {{"sizes", "n"}, "5"}});
  REQUIRE(text);
  LaunchBlocks blocks = parseLaunchBlocks(*text);
  CHECK(blocks.blocks.at(0).sizes.at(0).value.text == "1000");
  CHECK(blocks.blocks.at(1).sizes.at(0).value.text == "5");
  CHECK(blocks.blocks.at(1).sizes.at(1).value.text == "3");
}

TEST_CASE("edits that make no sense are refused", "[profiler]") {
  CHECK_FALSE(editLaunchBlock(kFile, 0, {{{"sizes", "n"}, "4 4"}}));
  CHECK_FALSE(editLaunchBlock(kFile, 0, {{{"sizes", "n"}, "1\nx = 2"}}));
  CHECK_FALSE(editLaunchBlock(kFile, 1, {{{"sizes", "n"}, "4"}}));
  CHECK_FALSE(editLaunchBlock(kFile, 0, {{{"args", "zz", "dtype"}, "4"}}));
  CHECK_FALSE(editLaunchBlock("", 0, {{{"kernel"}, "4"}}));
}

TEST_CASE("a written block reads back as it was", "[profiler]") {
  LaunchBlock block = parseLaunchBlocks(kFile).blocks.at(0);
  std::string text = formatLaunchBlock(block);
  LaunchBlocks again = parseLaunchBlocks(text);
  REQUIRE(again.problems.empty());
  CHECK(formatLaunchBlock(again.blocks.at(0)) == text);
  CHECK(again.blocks[0].args[0].shape[0].text == "n");
  CHECK(text.find(
            "# x_ptr = { dtype = \"fp16\", shape = [\"n\", 3], init = \"randn\", seed = 7 }\n") !=
        std::string::npos);
  CHECK(text.find("# flag  = true\n") != std::string::npos);
  CHECK(tomlString("a\"b\\c") == "\"a\\\"b\\\\c\"");
}

TEST_CASE("text with a comment mark behind a number stays text", "[profiler]") {
  const LaunchBlock block =
      parseLaunchBlocks("# /// tilescope\n# grid = \"8# x\"\n# ///\n").blocks.at(0);
  const LaunchBlocks again = parseLaunchBlocks(formatLaunchBlock(block));
  REQUIRE(again.blocks.size() == 1);
  CHECK(again.blocks[0].grid.at(0).text == "8# x");
}

TEST_CASE("a new key is lined up with the others of its table", "[profiler]") {
  const std::string text = "# /// tilescope\n# kernel = \"f\"\n# [args]\n# x_ptr   = 1\n"
                           "# out_ptr = 2\n# ///\n";
  const auto added = [&](const std::string &name) {
    const Result<std::string> edited = editLaunchBlock(text, 0, {{{"args", name}, "3"}});
    REQUIRE(edited);
    return *edited;
  };
  CHECK(added("n").find("\n# n       = 3\n") != std::string::npos);
  CHECK(added("a_long_name").find("\n# a_long_name = 3\n") != std::string::npos);
}
