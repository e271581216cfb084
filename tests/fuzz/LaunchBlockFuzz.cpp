// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Any text as a kernel file: its launch blocks are read, problems are at places in the text, and
// what was read can be written, read again and edited.
#include "profiler/package/LaunchBlock.h"
#include "tests/fuzz/Check.h"

#include <algorithm>
#include <string_view>

using namespace tilescope::profiler;
using tilescope::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  const LaunchBlocks read = parseLaunchBlocks(text);
  const auto numLines = uint32_t(std::ranges::count(text, '\n')) + 1;
  for (const LaunchProblem &problem : read.problems) {
    require(!problem.message.empty(), "a problem has a message");
    require(problem.range.begin.line < numLines, "a problem is at a place of the text");
  }
  for (const LaunchBlock &block : read.blocks) {
    require(block.range.end.line < numLines, "a block lies inside the text");
    const LaunchBlocks again = parseLaunchBlocks(formatLaunchBlock(block));
    if (read.problems.empty())
      require(again.blocks.size() == 1, "what is written can be read");
  }
  // It may be refused, with any reason.
  const auto edited = editLaunchBlock(text, 0, {{{"sizes", "n"}, "4096"}, {{"grid"}, "[1, 2]"}});
  require(edited || !edited.error().message.empty(), "a refusal has a message");
  return 0;
}
