// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/LaunchBlock.h"

#include "tests/unit/profiler/package/TinyEvaluator.h"

#include <catch2/catch.hpp>
#include <sstream>

using namespace tilescope;
using namespace tilescope::profiler;
using test::kFile;

/// The characters of a one-line range.
static std::string at(const std::string &text, SourceRange range) {
  std::istringstream lines(text);
  std::string line;
  for (uint32_t i = 0; i <= range.begin.line; ++i)
    std::getline(lines, line);
  REQUIRE(range.begin.line == range.end.line);
  return line.substr(range.begin.column, range.end.column - range.begin.column);
}

TEST_CASE("a block is read with everything in the file's order", "[profiler]") {
  LaunchBlocks blocks = parseLaunchBlocks(kFile);
  REQUIRE(blocks.problems.empty());
  REQUIRE(blocks.blocks.size() == 1);
  const LaunchBlock &block = blocks.blocks[0];
  CHECK(block.kernel == "scale");
  CHECK(block.name == "small");
  REQUIRE(block.grid.size() == 1);
  CHECK(block.grid[0].text == "cdiv(n, BLOCK)");
  REQUIRE(block.sizes.size() == 2);
  CHECK(block.sizes[0].name == "n");
  CHECK(block.sizes[0].value.text == "1000");
  REQUIRE(block.args.size() == 7);
  CHECK(block.args[0].name == "x_ptr");
  CHECK(block.args[0].isTensor);
  CHECK(block.args[0].shape.size() == 2);
  CHECK(block.args[0].init.text == "randn");
  CHECK(block.args[0].initOptions[0].value.text == "7");
  CHECK(block.args[1].shape.size() == 1);
  CHECK_FALSE(block.args[3].isTensor);
  CHECK(block.args[3].value.text == "1e-5");
  CHECK(block.args[4].type.text == "fp64");
  CHECK(block.args[5].value.text == "True");
  CHECK(block.options[0].value.text == "8");
  CHECK(block.flops->text == "n");
  CHECK(block.sweep[0].values[1].text == "1024");
  CHECK(block.range.begin.line == 1);
  CHECK(block.range.end.line == 27);
}

TEST_CASE("everything read keeps its place in the file", "[profiler]") {
  LaunchBlock block = parseLaunchBlocks(kFile).blocks.at(0);
  CHECK(at(kFile, block.kernelRange) == "\"scale\"");
  CHECK(at(kFile, block.args[0].nameRange) == "x_ptr");
  CHECK(at(kFile, block.args[0].shape[0].range) == "\"n\"");
  CHECK(at(kFile, block.args[3].value.range) == "1e-5");
  CHECK(at(kFile, block.constexprs[0].value.range) == "\"256\"");
  REQUIRE(block.constexprs[0].value.textBegin);
  CHECK(block.constexprs[0].value.textBegin->column ==
        block.constexprs[0].value.range.begin.column + 1);
  LaunchBlocks odd = parseLaunchBlocks("# /// tilescope\n# kernel = \"\u00e9\" # \n# ///");
  CHECK(odd.blocks.at(0).kernelRange.end.column == 11 + 4);
}

TEST_CASE("a file may hold several blocks, and files without one are fine", "[profiler]") {
  CHECK(parseLaunchBlocks("import x\n").blocks.empty());
  CHECK(parseLaunchBlocks("").problems.empty());
  CHECK(parseLaunchBlocks(kFile + "\n" + kFile).blocks.size() == 2);
  std::string crlf = "# /// tilescope\r\n# kernel = \"k\"\r\n#\r\n# grid = 4\r\n# ///\r\n";
  LaunchBlocks blocks = parseLaunchBlocks(crlf);
  CHECK(blocks.problems.empty());
  CHECK(blocks.blocks.at(0).grid.at(0).text == "4");
}

static void checkProblem(const std::string &content, const std::string &message, uint32_t line,
                         uint32_t column) {
  LaunchBlocks blocks = parseLaunchBlocks("# /// tilescope\n" + content);
  INFO(content);
  REQUIRE(blocks.problems.size() == 1);
  CHECK(blocks.problems[0].message.find(message) != std::string::npos);
  CHECK(blocks.problems[0].range.begin.line == line);
  CHECK(blocks.problems[0].range.begin.column == column);
}

TEST_CASE("a line without the mark of its launch block can be given it", "[profiler]") {
  const LaunchBlocks blocks =
      parseLaunchBlocks("# /// tilescope\n# grid = 1\n  n = 2\n#m = 3\n# ///\n");
  REQUIRE(blocks.problems.size() == 1);
  CHECK(blocks.problems[0].replacement == "# n = 2");
  CHECK(blocks.problems[0].range == SourceRange{{2, 0}, {2, 7}, 0});
}

TEST_CASE("several misspelled keys of one argument leave it a tensor", "[profiler]") {
  const LaunchBlocks blocks = parseLaunchBlocks(
      "# /// tilescope\n# [args]\n"
      "# x = { dtpye = \"fp32\", shpe = [4], init = \"randn\", seed = 0 }\n# ///\n");
  REQUIRE(blocks.problems.size() == 2);
  CHECK(blocks.problems[0].replacement == "dtype");
  CHECK(blocks.problems[1].replacement == "shape");
  REQUIRE(blocks.blocks.at(0).args.size() == 1);
  CHECK(blocks.blocks[0].args[0].isTensor);
  CHECK(blocks.blocks[0].args[0].init.text == "randn");
  // A number's own keys, misspelled, do not make a tensor of it.
  const LaunchBlocks number =
      parseLaunchBlocks("# /// tilescope\n# [args]\n# n = { value = 4, tpye = \"i32\" }\n# ///\n");
  REQUIRE(number.problems.size() == 1);
  CHECK(number.problems[0].replacement == "type");
}

TEST_CASE("a first line that nearly begins a launch block is told of", "[profiler]") {
  for (const std::string line :
       {"# // tilescope", "# //// tilescope", "#/// tilescope", "# ///tilescope", "# /// Tilescope",
        "# /// tilescpoe", "#  /// tilescope"}) {
    const LaunchBlocks blocks = parseLaunchBlocks("import x\n" + line + "\n# grid = 1\n# ///\n");
    INFO(line);
    CHECK(blocks.blocks.empty());
    REQUIRE(blocks.problems.size() == 1);
    CHECK(blocks.problems[0].replacement == "# /// tilescope");
    CHECK(blocks.problems[0].range ==
          SourceRange{{1, 0}, {1, static_cast<uint32_t>(line.size())}, 0});
  }
  for (const std::string line : {"# tilescope", "# /// script", "# see // tilescope", "# ///",
                                 "# // tilescope runs this kernel"})
    CHECK(parseLaunchBlocks(line + "\n# grid = 1\n# ///\n").problems.empty());
  CHECK(parseLaunchBlocks("# // tilescope\n\nx = 1\n").problems.empty());
}

TEST_CASE("what is wrong with a block is told with its place", "[profiler]") {
  checkProblem("# kernel = \"k\"\n", "not closed", 0, 0);
  checkProblem("# kernel = \"k\"\nimport x\n# ///\n", "not closed", 0, 0);
  checkProblem("# grid = 1\nscale = 2\n# ///\n", "begins with `# `", 2, 0);
  checkProblem("# grid = 1\n#scale = 2\n# [args]\n# ///\n", "begins with `# `", 2, 0);
  checkProblem("# grid = 1\nscale = 2\ndef f():\n# ///\n", "not closed", 0, 0);
  checkProblem("# grid = 1\n# krnel = \"k\"\n# ///\n", "unknown key `krnel`", 2, 2);
  checkProblem("# grid = [1, 2, 3, 4]\n# ///\n", "one to three", 1, 9);
  checkProblem("# [sizes]\n# n = 2024-01-01\n# ///\n", "expected a number", 2, 6);
  checkProblem("# [args]\n# x = { dtype = \"fp32\" }\n# ///\n", "no `shape`", 2, 2);
  checkProblem("# [args]\n# x = { dtyp = \"fp32\", shape = 1, dtype = \"i8\" }\n# ///\n",
               "unknown key `dtyp`", 2, 8);
  checkProblem("# [args]\n# x = {}\n# ///\n", "neither", 2, 2);
  checkProblem("# [args]\n# B = 1\n# [constexprs]\n# B = 2\n# ///\n", "under `args` and", 2, 2);
  checkProblem("# n = = 1\n# ///\n", "`= 1` is neither a number nor a string", 1, 6);
  checkProblem("# sizes = 3\n# ///\n", "must be a table", 1, 10);
}
