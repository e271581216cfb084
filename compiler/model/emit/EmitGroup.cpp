// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Kernels that compute each element by itself, and those that do so behind an anchor.
#include "compiler/dialects/tm/ir/NodeName.h"
#include "compiler/model/emit/AttentionPattern.h"
#include "compiler/model/emit/Formulas.h"
#include "compiler/model/emit/Group.h"
#include "compiler/model/emit/GroupFacts.h"
#include "compiler/model/emit/GroupName.h"
#include "compiler/model/emit/MovedViews.h"

using namespace mlir;

namespace tilescope::model {

bool Group::contains(Operation *operation) const {
  return llvm::is_contained(operations, operation);
}

/// The value whose elements in order it is.
static Value withoutReshapes(Value value) {
  while (auto reshape = value.getDefiningOp<tm::ReshapeOp>())
    value = reshape.getOperand();
  return value;
}

std::vector<Value> Group::outputs() const {
  std::vector<Value> values;
  for (Operation *operation : operations)
    for (const Value result : operation->getResults()) {
      const bool isUsed =
          llvm::any_of(result.getUsers(), [&](Operation *user) { return !contains(user); });
      const Value value = withoutReshapes(result);
      Operation *maker = value.getDefiningOp();
      if (isUsed && maker && contains(maker) && !llvm::is_contained(values, value))
        values.push_back(value);
    }
  return values;
}

static bool isMovement(Operation *operation) {
  return isa<tm::ReshapeOp, tm::TransposeOp, tm::SliceOp, tm::ExpandOp>(operation);
}

static std::optional<Anchor> emitAnchor(Operation *operation, const Group &group) {
  for (const auto emit : {emitProduct, emitPad})
    if (std::optional<Anchor> anchor = emit(operation, group))
      return anchor;
  for (const auto emit : {emitChannelsLast, emitConvolution, emitGathering, emitIndexed,
                          emitPooling, emitResize, emitScatter, emitTopPlaces})
    if (std::optional<Anchor> anchor = emit(operation))
      return anchor;
  return std::nullopt;
}

std::string groupName(const Group &group) {
  static constexpr size_t kMostNames = 4;
  std::vector<std::string> names;
  for (Operation *operation : group.operations) {
    std::string name = operation->getName().stripDialect().str();
    if (auto reduce = dyn_cast<tm::ReduceOp>(operation))
      name += "_" + stringifyReduceKind(reduce.getKind()).str();
    if (!isa<tm::ReshapeOp>(operation))
      names.push_back(std::move(name));
  }
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kMostNames); ++i)
    text += (text.empty() ? "" : "_") + names[i];
  if (names.size() > kMostNames)
    text += "_and_" + std::to_string(names.size() - kMostNames);
  return text;
}

static int64_t numElements(Value value) { return tensorType(value).getNumElements(); }

/// A store's addresses have the shape of its values, also where a coordinate of the block, of one place, is not needed for them.
static std::string placeText(const std::string &text, const Space &places) {
  const bool hasAll = llvm::all_of(places.coordinates, [&](const Coordinate &each) {
    return each.isOne || text.find(each.text) != std::string::npos;
  });
  return hasAll ? text : text + " + 0 * (" + places.index + ")";
}

/// Stores all outputs at the places of the space; false: `reason` says why not.
static bool storeOutputs(const Group &group, Expressions &expressions, size_t space,
                         const Space &places, EmittedKernel &kernel, Value anchor) {
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

static GroupKernel emitElements(const Group &group) {
  const std::vector<Value> outputs = group.outputs();
  if (const auto matrices = transposedIn(group, outputs.front()))
    if (GroupKernel made = emitTransposed(group, *matrices); made.kernel)
      return made;
  EmittedKernel kernel;
  kernel.name = groupName(group);
  Expressions expressions(group, kernel);
  const Space places{tensorType(outputs.front()).getShape().vec(), "at", "mask"};
  const size_t space = expressions.add(places);
  if (!storeOutputs(group, expressions, space, places, kernel, {}))
    return {std::nullopt, expressions.reason()};
  kernel.walkElements(numElements(outputs.front()));
  kernel.body = kElementLines + withoutLastName(expressions.takeLines());
  return {std::move(kernel), ""};
}

/// What the anchor reads has to be in memory already.
static std::string findBefore(const Group &group, const Anchor &anchor) {
  for (const EmittedTensor &tensor : anchor.kernel.tensors)
    if (Operation *maker = tensor.value.getDefiningOp(); maker && group.contains(maker))
      return "`" + tm::nodeName(anchor.result.getDefiningOp()) +
             "` reads elements many times: they are computed before it";
  return "";
}

/// What the operations of the anchor, the last of which makes its result, need, and what comes behind them.
static GroupKernel emitBehind(const Group &group, std::optional<Anchor> anchor,
                              ArrayRef<Operation *> anchorOperations) {
  if (!anchor)
    return {std::nullopt, "there is no kernel for this operation yet"};
  if (const std::string reason = findBefore(group, *anchor); !reason.empty())
    return {std::nullopt, reason};
  EmittedKernel &kernel = anchor->kernel;
  const std::vector<Value> outputs = group.outputs();
  const bool isAlone = outputs.size() == 1 && outputs.front() == anchor->result;
  if (isAlone) {
    kernel.write("out_ptr", anchor->result, anchor->shape, anchor->expected);
    kernel.body += "    tl.store(out_ptr + " + anchor->place + ", " + anchor->value +
                   ", mask=" + anchor->mask + ")\n";
    return {std::move(kernel), ""};
  }
  for (const Value output : outputs)
    if (numElements(output) != numElements(anchor->result))
      return {std::nullopt, "`" + tm::nodeName(output.getDefiningOp()) +
                                "` has other elements than `" +
                                tm::nodeName(anchorOperations.back()) + "`"};
  Expressions expressions(group, kernel);
  const Space places{tensorType(anchor->result).getShape().vec(),
                     "out",
                     "mask",
                     anchor->coordinates,
                     false,
                     anchor->beforeLoop != 0};
  const size_t space = expressions.add(places);
  expressions.line("out = " + anchor->place);
  if (anchor->mask != "mask")
    expressions.line("mask = " + anchor->mask);
  expressions.provide(anchor->result, expressions.whole(space, places.extents),
                      anchor->value + (anchor->isOfResultType ? widened(anchor->result) : ""));
  if (!storeOutputs(group, expressions, space, places, kernel, anchor->result))
    return {std::nullopt, expressions.reason()};
  Group behind;
  // What makes the factors of several operations is a part of them.
  const auto isBehind = [&](Operation *each) {
    return anchorOperations.size() == 1 || anchorOperations.back()->isBeforeInBlock(each);
  };
  for (Operation *each : group.operations)
    if (!llvm::is_contained(anchorOperations, each) && isBehind(each))
      behind.operations.push_back(each);
  kernel.name += "_" + groupName(behind);
  kernel.body.insert(anchor->beforeLoop, expressions.takeEarlyLines());
  kernel.body += expressions.takeLines();
  return {std::move(kernel), ""};
}

/// A launch that moves this much is worth code of its own, in which divisions by sizes are multiplications and shifts.
static constexpr uint64_t kLargeLaunch = uint64_t(32) << 20;

static GroupKernel withKnownSizes(GroupKernel made) {
  if (!made.kernel || bytesMoved(*made.kernel) < kLargeLaunch)
    return made;
  EmittedKernel &kernel = *made.kernel;
  std::vector<std::pair<std::string, int64_t>> sizes;
  llvm::erase_if(kernel.numbers, [&](const std::pair<std::string, std::string> &number) {
    int64_t value = 0;
    if (StringRef(number.second).getAsInteger(10, value))
      return false;
    sizes.emplace_back(number.first, value);
    return true;
  });
  kernel.constexprs.insert(kernel.constexprs.begin(), sizes.begin(), sizes.end());
  return made;
}

/// The tensors' types are those that kernels have.
static GroupKernel withKnownTypes(GroupKernel made) {
  if (!made.kernel)
    return made;
  for (const EmittedTensor &tensor : made.kernel->tensors)
    if (const Type element = tensorType(tensor.value).getElementType();
        tritonType(element).empty()) {
      std::string name;
      llvm::raw_string_ostream(name) << element;
      return {std::nullopt, "there are no kernels with elements of type `" + name + "` yet"};
    }
  return made;
}

static bool needsOwnKernel(Operation *operation) {
  return !isMovement(operation) && !isReduction(operation) && formulaOf(operation).triton.empty();
}

static GroupKernel bothNeedKernels(Operation *first, Operation *second) {
  return {std::nullopt, "`" + tm::nodeName(first) + "` and `" + tm::nodeName(second) +
                            "` each need a kernel of their own"};
}

static GroupKernel emitAround(const Group &group, const AttentionPattern &attention) {
  const std::vector<Operation *> operations = attention.operations();
  for (Operation *operation : group.operations)
    if (needsOwnKernel(operation) && !llvm::is_contained(operations, operation))
      return bothNeedKernels(operation, attention.scores);
  return withKnownTypes(emitBehind(group, emitAttention(attention, group), operations));
}

GroupKernel emitGroup(const Group &group) {
  const std::vector<Value> outputs = group.outputs();
  if (outputs.empty())
    return {};
  if (const auto attention = attentionIn(group))
    return emitAround(group, *attention);
  Operation *anchor = nullptr;
  bool isRows = false;
  for (Operation *operation : group.operations) {
    isRows |= isReduction(operation);
    if (!needsOwnKernel(operation))
      continue;
    if (anchor)
      return bothNeedKernels(anchor, operation);
    anchor = operation;
  }
  const auto isEmpty = [](Value output) { return numElements(output) == 0; };
  if (llvm::all_of(outputs, isEmpty))
    return {};
  if (llvm::any_of(outputs, isEmpty))
    return {std::nullopt, "some of its results have no elements"};
  if (anchor && isRows)
    return {std::nullopt,
            "a kernel does not hold the whole rows of `" + tm::nodeName(anchor) + "`"};
  if (anchor) {
    GroupKernel made = withKnownTypes(emitBehind(group, emitAnchor(anchor, group), {anchor}));
    return isa<tm::PadOp, tm::GatherOp>(anchor) ? withKnownSizes(std::move(made)) : made;
  }
  return withKnownSizes(withKnownTypes(isRows ? emitRows(group) : emitElements(group)));
}

} // namespace tilescope::model
