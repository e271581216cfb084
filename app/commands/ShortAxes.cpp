// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ShortAxes.h"

#include "app/commands/SideBySide.h"
#include "compiler/support/Counted.h"
#include "profiler/data/Tensor.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace tilescope::app {

using profiler::LaunchBlock;
using profiler::LaunchPlan;
using profiler::OutputResult;

std::optional<int64_t> blockSize(const LaunchPlan &plan) {
  std::optional<int64_t> size;
  for (const auto &[name, text] : plan.constexprs) {
    const bool isNumber =
        !text.empty() && text.size() < 8 && text.find_first_not_of("0123456789") == text.npos;
    if (size || !isNumber)
      return std::nullopt;
    size = std::stoll(text);
  }
  return size;
}

/// The only constexpr that multiplies the number of a program along an axis; nothing: there is none, or it is not alone.
static std::optional<SideBySide> blockAlong(const std::vector<SideBySide> &all, size_t axis) {
  std::optional<SideBySide> found;
  for (const SideBySide &each : all) {
    if (each.axis != axis)
      continue;
    if (!each.isAlone || (found && found->block != each.block))
      return std::nullopt;
    found = each;
  }
  return found;
}

/// "3 programs along axis 0 of the grid, each with `BM` = 16, reach 48 of 70".
static std::string reachText(const LaunchPlan &plan, const SideBySide &block, int64_t extent) {
  const int64_t programs = plan.grid[block.axis];
  return counted(programs, "program") + " along axis " + std::to_string(block.axis) +
         " of the grid, each with `" + block.block + "` = " + std::to_string(block.size) +
         ", reach " + std::to_string(programs * block.size) + " of " + std::to_string(extent);
}

static int64_t programsFor(int64_t extent, const SideBySide &block) {
  return (extent + block.size - 1) / block.size;
}

/// That an axis of the grid has too few programs: their blocks, side by side, end before the output does along one of
/// its axes, whatever its index along the others. False: it is not so.
static bool addShortAxis(const KernelText &kernel, const LaunchBlock &block, const LaunchPlan &plan,
                         const OutputResult &output, compiler::Diagnostic &diagnostic) {
  const std::vector<int64_t> &shape = output.shape, &first = output.firstNeverWritten;
  const auto argument = std::ranges::find(block.args, output.name, &profiler::LaunchArgument::name);
  if (argument == block.args.end() || argument->shape.size() != shape.size() ||
      first.size() != shape.size() || shape.size() < 2 ||
      std::ranges::count_if(first, [](int64_t index) { return index != 0; }) != 1)
    return false;
  const auto axis = static_cast<size_t>(
      std::ranges::find_if(first, [](int64_t index) { return index != 0; }) - first.begin());
  const int64_t end = first[axis];
  if (*output.neverWritten != profiler::numElements(shape) / shape[axis] * (shape[axis] - end))
    return false;
  for (const SideBySide &each : sideBySide(kernel, plan)) {
    if (!each.isAlone || each.axis >= block.grid.size() || plan.grid[each.axis] * each.size != end)
      continue;
    const std::string code = "cdiv(" + argument->shape[axis].text + ", " + each.block + ")";
    const auto &extent = block.grid[each.axis];
    diagnostic.range = extent.range;
    diagnostic.labels.clear();
    diagnostic.notes.push_back(reachText(plan, each, shape[axis]) + ": it takes " +
                               std::to_string(programsFor(shape[axis], each)) + ", `" + code + "`");
    if (extent.text != code)
      diagnostic.fixes.push_back({extent.range, "\"" + code + "\"", "write `\"" + code + "\"`"});
    return true;
  }
  return false;
}

namespace {
/// A matrix of which a grid of two axes writes a rectangle: by axis of the matrix, the blocks along it.
struct Rectangle {
  std::array<SideBySide, 2> blocks;
  std::array<int64_t, 2> ends;
};
} // namespace

static std::optional<Rectangle> writtenRectangle(const KernelText &kernel, const LaunchPlan &plan,
                                                 const OutputResult &output) {
  const std::vector<SideBySide> all = sideBySide(kernel, plan);
  const std::optional<SideBySide> first = blockAlong(all, 0), second = blockAlong(all, 1);
  if (!first || !second || output.shape.size() != 2)
    return std::nullopt;
  const int64_t written = profiler::numElements(output.shape) - *output.neverWritten;
  for (const auto &blocks : {std::array{*first, *second}, std::array{*second, *first}}) {
    Rectangle found{blocks, {}};
    for (const size_t axis : {size_t{0}, size_t{1}})
      found.ends[axis] =
          std::min(output.shape[axis], plan.grid[blocks[axis].axis] * blocks[axis].size);
    const bool isWide = found.ends[1] < output.shape[1];
    const std::vector<int64_t> behind =
        isWide ? std::vector<int64_t>{0, found.ends[1]} : std::vector<int64_t>{found.ends[0], 0};
    if (found.ends[0] * found.ends[1] == written && output.firstNeverWritten == behind)
      return found;
  }
  return std::nullopt;
}

/// That both axes of the grid have too few programs, or as many as the other one takes. False: it is not so.
static bool addBothAxes(const KernelText &kernel, const LaunchBlock &block, const LaunchPlan &plan,
                        const OutputResult &output, compiler::Diagnostic &diagnostic) {
  const auto argument = std::ranges::find(block.args, output.name, &profiler::LaunchArgument::name);
  const std::optional<Rectangle> written = writtenRectangle(kernel, plan, output);
  if (!written || block.grid.size() != 2 || argument == block.args.end() ||
      argument->shape.size() != 2)
    return false;
  std::array<int64_t, 2> needed{};
  std::array<std::string, 2> codes;
  std::vector<size_t> shortOnes;
  for (const size_t axis : {size_t{0}, size_t{1}}) {
    const SideBySide &each = written->blocks[axis];
    needed[each.axis] = programsFor(output.shape[axis], each);
    codes[each.axis] = "cdiv(" + argument->shape[axis].text + ", " + each.block + ")";
    if (written->ends[axis] < output.shape[axis])
      shortOnes.push_back(axis);
  }
  const bool areExchanged =
      plan.grid[0] != plan.grid[1] && plan.grid[0] == needed[1] && plan.grid[1] == needed[0];
  if (shortOnes.empty() || (!areExchanged && shortOnes.size() != 2))
    return false;
  diagnostic.range = {block.grid[0].range.begin, block.grid[1].range.end};
  diagnostic.labels.clear();
  for (const size_t axis : shortOnes) {
    const SideBySide &each = written->blocks[axis];
    const std::string reach = reachText(plan, each, output.shape[axis]);
    diagnostic.notes.push_back(areExchanged
                                   ? reach + ", and axis " + std::to_string(1 - each.axis) +
                                         " has " + std::to_string(plan.grid[1 - each.axis]) +
                                         ": the axes are exchanged, in `grid` or in the kernel"
                                   : reach + ": it takes " + std::to_string(needed[each.axis]) +
                                         ", `" + codes[each.axis] + "`");
  }
  const std::string code = areExchanged ? profiler::tomlValue(block.grid[1].text) + ", " +
                                              profiler::tomlValue(block.grid[0].text)
                                        : "\"" + codes[0] + "\", \"" + codes[1] + "\"";
  diagnostic.fixes.push_back({diagnostic.range, code, "write `" + code + "`"});
  return true;
}

/// That the two axes of the grid are exchanged: blocks of one side end before the output does along one of
/// its axes, and as many programs as there are along the other axis of the grid would reach its end. False:
/// it is not so.
static bool addExchangedAxes(const LaunchBlock &block, const LaunchPlan &plan,
                             const OutputResult &output, compiler::Diagnostic &diagnostic) {
  const std::optional<int64_t> side = blockSize(plan);
  const std::vector<int64_t> &shape = output.shape, &first = output.firstNeverWritten;
  if (!side || shape.size() != 2 || first.size() != 2 || block.grid.size() != 2)
    return false;
  const size_t axis = first[0] == 0 ? 1 : 0, other = 1 - axis;
  const int64_t end = first[axis];
  if (first[other] != 0 || *output.neverWritten != (shape[axis] - end) * shape[other])
    return false;
  for (const size_t along : {size_t{0}, size_t{1}}) {
    const int64_t has = plan.grid[along], others = plan.grid[1 - along];
    if (has * *side != end || others * *side < shape[axis] || has * *side < shape[other])
      continue;
    const std::string exchanged =
        profiler::tomlValue(block.grid[1].text) + ", " + profiler::tomlValue(block.grid[0].text);
    diagnostic.range = {block.grid[0].range.begin, block.grid[1].range.end};
    diagnostic.labels.clear();
    diagnostic.notes.push_back(
        counted(has, "program") + " along axis " + std::to_string(along) +
        " of the grid, each with " + std::to_string(*side) + ", reach " + std::to_string(end) +
        " of " + std::to_string(shape[axis]) + ", and axis " + std::to_string(1 - along) + " has " +
        std::to_string(others) + ": the axes are exchanged, in `grid` or in the kernel");
    diagnostic.fixes.push_back({diagnostic.range, exchanged, "write `" + exchanged + "`"});
    return true;
  }
  return false;
}

bool explainShortAxes(const KernelText &kernel, const LaunchBlock &block, const LaunchPlan &plan,
                      const OutputResult &output, compiler::Diagnostic &diagnostic) {
  return addBothAxes(kernel, block, plan, output, diagnostic) ||
         addExchangedAxes(block, plan, output, diagnostic) ||
         addShortAxis(kernel, block, plan, output, diagnostic);
}

} // namespace tilescope::app
