// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The form of a group's kernel, and kernels that compute elements behind an anchor.
#include "compiler/dialects/tm/ir/NodeName.h"
#include "compiler/model/emit/AttentionPattern.h"
#include "compiler/model/emit/Elements.h"
#include "compiler/model/emit/Formulas.h"
#include "compiler/model/emit/Group.h"
#include "compiler/model/emit/GroupFacts.h"
#include "compiler/model/emit/GroupName.h"
#include "compiler/model/emit/ProductTile.h"

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

/// What the anchor reads has to be in memory already.
static std::string findBefore(const Group &group, const Anchor &anchor) {
  for (const EmittedTensor &tensor : anchor.kernel.tensors)
    if (Operation *maker = tensor.value.getDefiningOp(); maker && group.contains(maker))
      return "`" + tm::nodeName(anchor.result.getDefiningOp()) +
             "` reads elements many times: they are computed before it";
  return "";
}

static std::vector<AnchorPart> partsOf(const Anchor &anchor) {
  std::vector<AnchorPart> parts{anchor};
  parts.insert(parts.end(), anchor.others.begin(), anchor.others.end());
  return parts;
}

/// Computes what comes behind a block of the anchor's elements, and stores it.
static bool emitPart(const Group &group, Anchor &anchor, const AnchorPart &part,
                     Expressions &expressions) {
  expressions.forget();
  const Space places{tensorType(anchor.result).getShape().vec(),
                     "out",
                     "mask",
                     part.coordinates,
                     false,
                     anchor.beforeLoop != 0};
  const size_t space = expressions.add(places);
  expressions.line("out = " + part.place);
  if (part.mask != "mask")
    expressions.line("mask = " + part.mask);
  expressions.provide(anchor.result, expressions.whole(space, places.extents),
                      part.value + (anchor.isOfResultType ? widened(anchor.result) : ""));
  return storeOutputs(group, expressions, space, places, anchor.kernel, anchor.result);
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
    for (const AnchorPart &part : partsOf(*anchor))
      kernel.body += "    tl.store(out_ptr + " + part.place + ", " + part.value +
                     ", mask=" + part.mask + anchor->storeOptions + ")\n";
    return {std::move(kernel), ""};
  }
  for (const Value output : outputs)
    if (tensorType(output).getNumElements() != tensorType(anchor->result).getNumElements())
      return {std::nullopt, "`" + tm::nodeName(output.getDefiningOp()) +
                                "` has other elements than `" +
                                tm::nodeName(anchorOperations.back()) + "`"};
  Expressions expressions(group, kernel);
  for (const AnchorPart &part : partsOf(*anchor))
    if (!emitPart(group, *anchor, part, expressions))
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

/// An anchor whose sizes are worth knowing: it takes as long as its tensors take to move or, with images of three axes, as long
/// as its indices take to compute.
static bool wantsKnownSizes(Operation *operation) {
  if (auto conv = dyn_cast<tm::ConvOp>(operation)) {
    const ArrayRef<int64_t> shape = tensorType(conv.getOperand()).getShape();
    return shape.size() == 5 ||
           conv.getGroups() == uint64_t(conv.getChannelsLast() ? shape.back() : shape[1]);
  }
  return isa<tm::PadOp, tm::GatherOp, tm::MaxPoolOp, tm::AvgPoolOp, tm::ResizeOp>(operation);
}

/// A product that tensor cores compute, whose programs begin with divisions by its sizes and whose loads are steps of them
/// apart: with sizes that are known, 512 × 1024 × 4096 takes a tenth less.
static bool isLargeProduct(Operation *operation) {
  int64_t depth = 0;
  if (auto op = dyn_cast<tm::MatmulOp>(operation))
    depth = tensorType(op.getLhs()).getShape().back();
  else if (auto op = dyn_cast<tm::GemmOp>(operation))
    depth = tensorType(op.getLhs()).getDimSize(op.getTransposeLhs() ? 0 : 1);
  else
    return false;
  const RankedTensorType type = tensorType(operation->getResult(0));
  return type.getElementTypeBitWidth() == 16 &&
         !ProductExtents{1, type.getNumElements(), 1, depth}.isSmall();
}

static GroupKernel withKnownSizes(GroupKernel made, bool isAlways = false) {
  if (!made.kernel || (!isAlways && bytesMoved(*made.kernel) < kLargeLaunch))
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
  const auto isEmpty = [](Value output) { return tensorType(output).getNumElements() == 0; };
  if (llvm::all_of(outputs, isEmpty))
    return {};
  if (llvm::any_of(outputs, isEmpty))
    return {std::nullopt, "some of its results have no elements"};
  if (anchor && isRows)
    return {std::nullopt,
            "a kernel does not hold the whole rows of `" + tm::nodeName(anchor) + "`"};
  if (anchor) {
    GroupKernel made = withKnownTypes(emitBehind(group, emitAnchor(anchor, group), {anchor}));
    const bool isProduct = isLargeProduct(anchor);
    return isProduct || wantsKnownSizes(anchor) ? withKnownSizes(std::move(made), isProduct) : made;
  }
  return withKnownSizes(withKnownTypes(isRows ? emitRows(group) : emitElements(group)));
}

} // namespace tilescope::model
