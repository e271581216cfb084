// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/arrays/PastEnd.h"

#include <algorithm>
#include <map>

namespace tilescope::compiler::access {

/// From the first to the last of them, in bytes.
static int64_t lengthOf(std::span<const TouchDim> dims) {
  int64_t length = 0;
  for (const TouchDim &dim : dims)
    length += (dim.extent - 1) * dim.strideBytes;
  return length;
}

static int64_t numElements(std::span<const TouchDim> dims) {
  int64_t count = 1;
  for (const TouchDim &dim : dims)
    count *= dim.extent;
  return count;
}

/// All slices one below the other, and rows behind them up to an element.
static ArrayShape tallShape(const ArrayShape &shape, int64_t last) {
  ArrayShape tall = shape;
  tall.rows = std::max(shape.slices * shape.rows, last / shape.columns + 1);
  tall.slices = 1;
  tall.numElements = tall.rows * tall.columns;
  return tall;
}

/// The part of a box from a place of an axis on.
static std::optional<ElementBox> partFrom(ElementBox box, size_t axis, int64_t place) {
  const int64_t missing = std::max<int64_t>(0, place - box.first[axis]);
  const int64_t skipped = (missing + box.step[axis] - 1) / box.step[axis];
  if (skipped >= box.count[axis])
    return std::nullopt;
  box.first[axis] += skipped * box.step[axis];
  box.count[axis] -= skipped;
  return box;
}

/// The only row of a box that is `row`.
static std::optional<ElementBox> rowOf(const ElementBox &box, int64_t row) {
  std::optional<ElementBox> part = partFrom(box, 1, row);
  if (!part || part->first[1] != row)
    return std::nullopt;
  part->count[1] = 1;
  return part;
}

/// Of a tall shape's box what lies behind the array's last element.
static void addPast(const ArrayShape &shape, const ElementBox &box,
                    std::vector<ElementBox> &boxes) {
  const int64_t above = (shape.slices - 1) * shape.rows;
  std::vector<std::optional<ElementBox>> parts{partFrom(box, 1, shape.slices * shape.rows)};
  if (const int64_t inLast = shape.numElements % shape.columns; inLast != 0)
    if (const auto last = rowOf(box, shape.rows - 1))
      parts.push_back(partFrom(*last, 2, inLast));
  for (std::optional<ElementBox> &part : parts)
    if (part) {
      part->first[0] = shape.slices - 1;
      part->first[1] -= above;
      boxes.push_back(*part);
    }
}

std::vector<ElementBox> boxesPastEnd(const TouchedArrays &arrays, size_t array, uint64_t program,
                                     const StepRange &steps) {
  const ArrayShape &shape = arrays.shape(array);
  const int64_t unit = shape.elementBytes;
  std::vector<ElementBox> boxes;
  for (const TouchedArrays::ArrayRun &each : arrays.runs(array, {program, program + 1})) {
    const TouchRun &run = arrays.trace().runs[each.run];
    const auto elements = elementsOf(run, steps);
    if (!elements)
      continue;
    const int64_t offset = elements->address - arrays.argument(array).address;
    const int64_t last = floorDivide(offset + lengthOf(elements->dims), unit);
    if (last < shape.numElements)
      continue;
    const int32_t accessBytes = arrays.access(run.access).elementBytes;
    for (const ElementBox &box :
         boxesOf(tallShape(shape, last), offset, elements->dims, accessBytes))
      addPast(shape, box, boxes);
  }
  return boxes;
}

/// A block of a matrix by its rows and columns; nothing where it has other steps.
static std::optional<ElementBox> matrixBlock(const ArrayShape &shape, int64_t first,
                                             const std::vector<TouchDim> &dims) {
  if (first < 0 || first >= shape.numElements)
    return std::nullopt;
  const ArrayElement at = elementAt(shape, first);
  ElementBox box;
  box.first = {at.slice, at.row, at.column};
  for (const TouchDim &dim : dims) {
    const int64_t stride = dim.strideBytes / shape.elementBytes;
    const size_t axis = stride == shape.columns ? 1 : 2;
    if (dim.strideBytes % shape.elementBytes != 0 || (axis == 2 && stride != 1) ||
        box.count[axis] > 1)
      return std::nullopt;
    box.count[axis] = dim.extent;
  }
  return box;
}

/// A block in one step, as boxes; nothing where it cannot be told.
static std::vector<ElementBox> blockIn(const TouchedArrays &arrays, size_t array,
                                       const TouchRun &block, uint32_t step) {
  const ArrayShape &shape = arrays.shape(array);
  const int64_t unit = shape.elementBytes;
  const auto elements = elementsOf(block, {step, step + 1});
  if (!elements)
    return {};
  const int64_t offset = elements->address - arrays.argument(array).address;
  if (shape.extents.size() <= 1) {
    const int64_t last = floorDivide(offset + lengthOf(elements->dims), unit);
    return boxesOf(tallShape(shape, std::max<int64_t>(0, last)), offset, elements->dims,
                   arrays.access(block.access).elementBytes);
  }
  const auto box = matrixBlock(shape, floorDivide(offset, unit), elements->dims);
  return box ? std::vector{*box} : std::vector<ElementBox>();
}

/// Of a matrix, a block without an element that is on may lie anywhere beyond an edge.
static bool isPlaced(const TouchedArrays &arrays, size_t array, const TouchRun &block,
                     uint32_t step) {
  if (arrays.shape(array).extents.size() <= 1)
    return true;
  return std::ranges::any_of(arrays.runs(array, {block.program, block.program + 1}),
                             [&](const TouchedArrays::ArrayRun &each) {
                               const TouchRun &run = arrays.trace().runs[each.run];
                               return run.access == block.access && run.firstStep <= step &&
                                      step < run.firstStep + run.numSteps;
                             });
}

std::vector<ElementBox> maskedBlocks(const TouchedArrays &arrays, size_t array, uint64_t program,
                                     const StepRange &steps) {
  constexpr uint32_t kMostSteps = 256;
  std::vector<ElementBox> boxes;
  for (const TouchedArrays::ArrayRun &each : arrays.blocks(array, {program, program + 1})) {
    const TouchRun &block = arrays.trace().blocks[each.run];
    const uint32_t first = std::max(block.firstStep, steps.first);
    const uint32_t last = std::min(block.firstStep + block.numSteps, steps.last);
    for (uint32_t step = first; step < std::min(last, first + kMostSteps); ++step)
      if (isPlaced(arrays, array, block, step))
        for (const ElementBox &box : blockIn(arrays, array, block, step))
          if (std::ranges::find(boxes, box) == boxes.end())
            boxes.push_back(box);
  }
  return boxes;
}

/// The address of the last element of all steps.
static int64_t lastOf(const TouchRun &run) {
  return run.address + lengthOf(run.dims) +
         std::max<int64_t>(0, (int64_t{run.numSteps} - 1) * run.stepBytes);
}

PastEnd pastEnd(const TouchedArrays &arrays, size_t array) {
  constexpr int64_t kLeast = 4;
  const ArrayShape &shape = arrays.shape(array);
  const int64_t begin = arrays.argument(array).address;
  PastEnd past;
  const auto cover = [&](int64_t rows, int64_t columns) {
    past.rows = std::clamp(rows - shape.rows, past.rows, std::max(kLeast, shape.rows));
    past.columns =
        std::clamp(columns - shape.columns, past.columns, std::max(kLeast, shape.columns));
  };
  const auto coverTo = [&](int64_t address) {
    const int64_t last = floorDivide(address - begin, shape.elementBytes);
    if (last >= shape.numElements)
      cover(last / shape.columns + 1 - (shape.slices - 1) * shape.rows, 0);
  };
  const ProgramRange all{0, UINT64_MAX};
  for (const TouchedArrays::ArrayRun &each : arrays.runs(array, all))
    coverTo(lastOf(arrays.trace().runs[each.run]));
  for (const TouchedArrays::ArrayRun &each : arrays.blocks(array, all)) {
    const TouchRun &block = arrays.trace().blocks[each.run];
    if (shape.extents.size() <= 1) {
      coverTo(lastOf(block));
      continue;
    }
    for (const uint32_t turn : {0u, block.numSteps - 1}) {
      const int64_t first =
          floorDivide(block.address + turn * block.stepBytes - begin, shape.elementBytes);
      const auto box = matrixBlock(shape, first, block.dims);
      if (box && isPlaced(arrays, array, block, block.firstStep + turn))
        cover(box->end(1), box->end(2));
    }
  }
  return past;
}

/// How many elements begin before a byte; `dims` have positive strides, the largest first.
static int64_t countBefore(int64_t address, std::span<const TouchDim> dims, int64_t limit) {
  if (address >= limit)
    return 0;
  if (address + lengthOf(dims) < limit)
    return numElements(dims);
  if (dims.size() == 1)
    return (limit - address - 1) / dims.front().strideBytes + 1;
  int64_t before = 0;
  for (int64_t i = 0; i < dims.front().extent; ++i)
    before += countBefore(address + i * dims.front().strideBytes, dims.subspan(1), limit);
  return before;
}

/// The steps that two runs have in common.
static StepRange common(const TouchRun &a, const TouchRun &b, const StepRange &steps) {
  return {std::max({a.firstStep, b.firstStep, steps.first}),
          std::min({a.firstStep + a.numSteps, b.firstStep + b.numSteps, steps.last})};
}

OutsideCounts countOutside(const TouchedArrays &arrays, size_t array, uint64_t program,
                           const StepRange &steps) {
  const ArrayShape &shape = arrays.shape(array);
  const int64_t begin = arrays.argument(array).address;
  const int64_t end = begin + shape.numElements * shape.elementBytes;
  const ProgramRange own{program, program + 1};
  std::map<uint32_t, OutsideCounts> byAccess;
  for (const TouchedArrays::ArrayRun &each : arrays.runs(array, own)) {
    const TouchRun &run = arrays.trace().runs[each.run];
    const auto elements = elementsOf(run, steps);
    if (!elements)
      continue;
    const int64_t inFrontOfEnd = countBefore(elements->address, elements->dims, end);
    byAccess[run.access].before += countBefore(elements->address, elements->dims, begin);
    byAccess[run.access].past += numElements(elements->dims) - inFrontOfEnd;
  }
  for (const TouchedArrays::ArrayRun &each : arrays.blocks(array, own)) {
    const TouchRun &block = arrays.trace().blocks[each.run];
    int64_t &masked = byAccess[block.access].masked;
    if (const auto elements = elementsOf(block, steps))
      masked += numElements(elements->dims);
    for (const TouchedArrays::ArrayRun &other : arrays.runs(array, own)) {
      const TouchRun &run = arrays.trace().runs[other.run];
      const auto on =
          run.access == block.access ? elementsOf(run, common(run, block, steps)) : std::nullopt;
      masked -= on ? numElements(on->dims) : 0;
    }
  }
  OutsideCounts most;
  for (const auto &[access, counts] : byAccess)
    most = {std::max(most.masked, counts.masked), std::max(most.before, counts.before),
            std::max(most.past, counts.past)};
  return most;
}

std::string outsideText(const OutsideCounts &counts) {
  std::string text;
  const auto add = [&](int64_t count, const char *what) {
    if (count > 0)
      text += (text.empty() ? "" : ", ") + std::to_string(count) + what;
  };
  add(counts.masked, " masked");
  add(counts.before, " before its first element");
  add(counts.past, " past its end");
  return text;
}

} // namespace tilescope::compiler::access
