// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Kernels that compute each element by itself: one after another, in tiles where they are read along one axis and
// written along another one, or by planes where they share a channel's numbers.
#include "compiler/dialects/tm/ir/NodeName.h"
#include "compiler/model/emit/Elements.h"
#include "compiler/model/emit/Formulas.h"
#include "compiler/model/emit/GroupName.h"
#include "compiler/model/emit/MovedViews.h"

using namespace mlir;

namespace tilescope::model {

static int64_t numElements(Value value) { return tensorType(value).getNumElements(); }

/// A store's addresses have the shape of its values, also where a coordinate of the block, of one place, is not needed for them.
static std::string placeText(const std::string &text, const Space &places) {
  const bool hasAll = llvm::all_of(places.coordinates, [&](const Coordinate &each) {
    return each.isOne || text.find(each.text) != std::string::npos;
  });
  return hasAll ? text : text + " + 0 * (" + places.index + ")";
}

bool storeOutputs(const Group &group, Expressions &expressions, size_t space, const Space &places,
                  EmittedKernel &kernel, Value anchor) {
  std::string stores;
  unsigned number = 0;
  const std::vector<Value> outputs = group.outputs();
  for (const Value output : outputs) {
    const std::optional<ElementView> moved =
        anchor ? viewFrom(group, anchor, output, expressions.whole(space, places.extents))
               : std::nullopt;
    const ElementView view =
        moved ? *moved : expressions.whole(space, tensorType(output).getShape());
    if (numElements(output) != numElements(outputs.front())) {
      expressions.refuse("its results have different numbers of elements");
      return false;
    }
    const std::string value = expressions.evaluate(output, view);
    if (value.empty())
      return false;
    const std::string name = number++ == 0 ? "out" : "out" + std::to_string(number);
    const bool isInOrder = view.map.isIdentity();
    const std::string place =
        isInOrder
            ? places.index
            : placeText(view.map.text(name, kernel, places.index, places.coordinates), places);
    stores += "tl.store(" + name + "_ptr + " + place + ", " + value +
              (places.mask.empty() ? ")\n" : ", mask=" + places.mask + ")\n");
    // Another block of the program may have written it already.
    if (llvm::none_of(kernel.tensors,
                      [&](const EmittedTensor &each) { return each.name == name + "_ptr"; }))
      kernel.write(name + "_ptr", output, tensorType(output).getShape(),
                   isInOrder ? expressions.numpyOf(output) : "");
  }
  for (const StringRef line : llvm::split(StringRef(stores).rtrim('\n'), '\n'))
    expressions.line(line.str());
  return true;
}

/// A last line `relu = …` and its only use in the store become one line.
static std::string withoutLastName(const std::string &lines) {
  const size_t store = lines.rfind("    tl.store(");
  if (store == std::string::npos || store < 2)
    return lines;
  const size_t begin = lines.rfind('\n', store - 2) + 1;
  const std::string line = lines.substr(begin, store - begin - 1);
  const size_t sign = line.find(" = ");
  if (sign == std::string::npos || line.find("tl.load(") != std::string::npos)
    return lines;
  const std::string name = line.substr(4, sign - 4), text = line.substr(sign + 3);
  const std::string rest = lines.substr(store);
  const size_t use = rest.find(", " + name + ", mask");
  if (use == std::string::npos || rest.find('\n') != rest.size() - 1)
    return lines;
  return lines.substr(0, begin) + rest.substr(0, use + 2) + text +
         rest.substr(use + 2 + name.size());
}

/// How many matrices of what a group makes are transposed, and of how many columns and rows, a row's elements being
/// furthest from each other where they are read.
struct TransposedMatrices {
  int64_t batch = 1, columns = 1, rows = 1;
};

/// Nothing: no transposition exchanges the axis along which elements lie, or tiles would be mostly empty.
static std::optional<TransposedMatrices> transposedIn(const Group &group, Value output) {
  static constexpr int64_t kLeastExtent = 16;
  for (Operation *operation : group.operations) {
    auto op = dyn_cast<tm::TransposeOp>(operation);
    if (!op || tensorType(op.getResult()).getShape() != tensorType(output).getShape())
      continue;
    const std::vector<int64_t> strides = rowStrides(tensorType(op.getOperand()).getShape());
    IndexMap map{tensorType(output).getShape().vec(), {}, 0};
    for (const int64_t axis : op.getOrder())
      map.strides.push_back(strides[size_t(axis)]);
    const std::vector<Run> runs = map.runs();
    if (runs.size() < 2 || runs.size() > 3 || runs[0].inner != 1 || runs[1].stride != 1 ||
        runs[1].inner != runs[0].extent || std::min(runs[0].extent, runs[1].extent) < kLeastExtent)
      continue;
    return TransposedMatrices{runs.size() == 3 ? runs[2].extent : 1, runs[1].extent,
                              runs[0].extent};
  }
  return std::nullopt;
}

/// Elements are read along one axis and written along another one, so programs go through tiles of both.
static GroupKernel emitTransposed(const Group &group, const TransposedMatrices &matrices) {
  const Value output = group.outputs().front();
  EmittedKernel kernel;
  kernel.name = groupName(group);
  kernel.number("rows", matrices.rows);
  kernel.number("columns", matrices.columns);
  Expressions expressions(group, kernel);
  const int64_t ofMatrix = matrices.rows * matrices.columns;
  const Space places{tensorType(output).getShape().vec(),
                     "at",
                     "mask",
                     {{1, matrices.rows, "row", false, "row < rows"},
                      {matrices.rows, matrices.columns, "column", false, "column < columns"},
                      {ofMatrix, matrices.batch, "batch", true}}};
  const size_t space = expressions.add(places);
  if (!storeOutputs(group, expressions, space, places, kernel, {}))
    return {std::nullopt, expressions.reason()};
  kernel.constexprs = {{"ROWS", 64}, {"COLUMNS", 64}};
  kernel.grid = {"\"cdiv(rows, ROWS) * cdiv(columns, COLUMNS)\"", std::to_string(matrices.batch)};
  kernel.body =
      "    # Read along columns and written along rows.\n"
      "    tiles = tl.cdiv(rows, ROWS)\n"
      "    row = tl.program_id(0) % tiles * ROWS + tl.arange(0, ROWS)[None, :]\n"
      "    column = tl.program_id(0) // tiles * COLUMNS + tl.arange(0, COLUMNS)[:, None]\n"
      "    batch = tl.program_id(1)\n"
      "    mask = (row < rows) & (column < columns)\n"
      "    at = (batch * columns + column) * rows + row\n" +
      withoutLastName(expressions.takeLines());
  return {std::move(kernel), ""};
}

/// Elements that lie side by side and have the same channel, for which numbers of other operands are the same.
struct Planes {
  int64_t extent, channels, count;
};

/// Nothing: no operand is repeated along the last axes, or planes are too small for programs of their own.
static std::optional<Planes> planesIn(const Group &group, Value output) {
  static constexpr int64_t kLeastExtent = 1024;
  const ArrayRef<int64_t> shape = tensorType(output).getShape();
  std::optional<size_t> axes;
  for (Operation *operation : group.operations) {
    if (tensorType(operation->getResult(0)).getShape() != shape)
      return std::nullopt;
    for (unsigned i = 0; i < operation->getNumOperands(); ++i) {
      const std::vector<int64_t> own = operandShape(operation, i);
      if (llvm::product_of(own) == 1)
        continue;
      // The axes at the end along which it has one element.
      size_t repeated = 0;
      while (repeated < own.size() && own[own.size() - 1 - repeated] == 1)
        ++repeated;
      if (repeated > 0 && axes.value_or(repeated) != repeated)
        return std::nullopt;
      if (repeated > 0)
        axes = repeated;
    }
  }
  if (!axes || *axes >= shape.size())
    return std::nullopt;
  const Planes planes{llvm::product_of(shape.take_back(*axes)), shape[shape.size() - *axes - 1],
                      llvm::product_of(shape.drop_back(*axes))};
  return planes.extent >= kLeastExtent ? std::optional(planes) : std::nullopt;
}

/// Programs go along planes, so what is the same throughout one is computed once.
static GroupKernel emitPlanes(const Group &group, const Planes &planes) {
  const Value output = group.outputs().front();
  EmittedKernel kernel;
  kernel.name = groupName(group);
  kernel.number("plane", planes.extent);
  kernel.number("channels", planes.channels);
  Expressions expressions(group, kernel);
  const Space places{tensorType(output).getShape().vec(),
                     "at",
                     "mask",
                     {{1, planes.extent, "place"},
                      {planes.extent, planes.channels, "channel", true},
                      {planes.extent, planes.count, "row", true}}};
  const size_t space = expressions.add(places);
  if (!storeOutputs(group, expressions, space, places, kernel, {}))
    return {std::nullopt, expressions.reason()};
  kernel.constexprs = {{"BLOCK", blockFor(planes.extent, 2048)}};
  kernel.grid = {"\"" + std::to_string(planes.count) + " * cdiv(plane, BLOCK)\""};
  kernel.body = "    blocks = tl.cdiv(plane, BLOCK)\n"
                "    row = tl.program_id(0) // blocks\n"
                "    channel = row % channels\n"
                "    place = tl.program_id(0) % blocks * BLOCK + tl.arange(0, BLOCK)\n"
                "    mask = place < plane\n"
                "    at = row * plane + place\n" +
                withoutLastName(expressions.takeLines());
  return {std::move(kernel), ""};
}

/// With elements of two bytes, a thread of a larger block has as many bytes under way as with those of four.
static bool isLargeAndNarrow(const EmittedKernel &kernel) {
  return bytesMoved(kernel) >= kLargeLaunch &&
         llvm::all_of(kernel.tensors, [](const EmittedTensor &each) {
           return tensorType(each.value).getElementTypeBitWidth() <= 16;
         });
}

GroupKernel emitElements(const Group &group) {
  const std::vector<Value> outputs = group.outputs();
  if (const auto matrices = transposedIn(group, outputs.front()))
    if (GroupKernel made = emitTransposed(group, *matrices); made.kernel)
      return made;
  if (const auto planes = planesIn(group, outputs.front()))
    if (GroupKernel made = emitPlanes(group, *planes); made.kernel)
      return made;
  EmittedKernel kernel;
  kernel.name = groupName(group);
  Expressions expressions(group, kernel);
  const Space places{tensorType(outputs.front()).getShape().vec(), "at", "mask"};
  const size_t space = expressions.add(places);
  if (!storeOutputs(group, expressions, space, places, kernel, {}))
    return {std::nullopt, expressions.reason()};
  kernel.walkElements(numElements(outputs.front()));
  if (isLargeAndNarrow(kernel))
    kernel.constexprs = {{"BLOCK", 2048}};
  kernel.body = kElementLines + withoutLastName(expressions.takeLines());
  return {std::move(kernel), ""};
}

} // namespace tilescope::model
