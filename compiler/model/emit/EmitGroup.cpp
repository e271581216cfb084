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

static GroupKernel emitElements(const Group &group) {
  const std::vector<Value> outputs = group.outputs();
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
  const Space places{tensorType(anchor->result).getShape().vec(), "out", "mask",
                     anchor->coordinates};
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
  kernel.body += expressions.takeLines();
  return {std::move(kernel), ""};
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
  if (anchor)
    return withKnownTypes(emitBehind(group, emitAnchor(anchor, group), {anchor}));
  return withKnownTypes(isRows ? emitRows(group) : emitElements(group));
}

} // namespace tilescope::model
