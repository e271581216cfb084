// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/torch_export/AtenNode.h"

#include "compiler/model/import/ElementNames.h"
#include "compiler/model/import/ResultExtents.h"
#include "compiler/model/torch_export/ExportReader.h"
#include "compiler/model/torch_export/ScalarTypes.h"

using namespace mlir;

namespace tilescope::model {

using Kind = ExportedArgument::Kind;

AtenNode::AtenNode(const ExportedNode &node, const OperatorName &name, ExportReader &graph)
    : NodeBuilder(graph, node.name, name.shown, node.name), m_node(node), m_name(name),
      m_graph(graph) {}

/// The names of all tensors that the node makes.
static std::vector<std::string> resultNames(const ExportedNode &node) {
  std::vector<std::string> names;
  for (const ExportedArgument &output : node.outputs) {
    if (output.kind == Kind::Tensor)
      names.push_back(output.text);
    else if (output.kind == Kind::Tensors)
      names.insert(names.end(), output.texts.begin(), output.texts.end());
    else
      names.emplace_back();
  }
  return names;
}

size_t AtenNode::numResults() const { return resultNames(m_node).size(); }

Type AtenNode::resultElement(Type otherwise) {
  const std::vector<std::string> names = resultNames(m_node);
  const ExportedTensor *tensor = names.empty() ? nullptr : m_graph.described(names.front());
  if (!tensor)
    return otherwise;
  const Type element = elementTypeOf(context(), tensor->elementType);
  if (!element)
    fail("elements of type " + scalarTypeName(tensor->elementType) + " are not supported");
  return element ? element : otherwise;
}

Value AtenNode::cast(Value value, Type element) {
  if (!value || !element || elementOf(value) == element)
    return value;
  // A truth value of a number is whether it is not 0.
  if (element.isInteger(1)) {
    const Value zero = scalar(0, elementOf(value));
    const Value isZero = compare(tm::Comparison::Equal, value, zero);
    return unary<tm::NotOp>(isZero);
  }
  return emit<tm::CastOp>(tensorType(extentsOf(value), element), value);
}

Value AtenNode::reshaped(Value value, ArrayRef<tm::Extent> extents) {
  if (!value)
    return {};
  return emit<tm::ReshapeOp>(tensorType(extents, elementOf(value)), value, Value());
}

Value AtenNode::transposed(Value value, ArrayRef<int64_t> order) {
  if (!value)
    return {};
  const tm::ExtentList from = extentsOf(value);
  tm::ExtentList result;
  for (const int64_t axis : order)
    result.push_back(from[size_t(axis)]);
  return emit<tm::TransposeOp>(tensorType(result, elementOf(value)), value, order);
}

Value AtenNode::expanded(Value value, ArrayRef<tm::Extent> extents) {
  if (!value)
    return {};
  const RankedTensorType type = tensorType(extents, elementOf(value));
  return type == value.getType() ? value : emit<tm::ExpandOp>(type, value, Value());
}

Value AtenNode::filled(Value one, ArrayRef<tm::Extent> extents) {
  if (!one)
    return {};
  const RankedTensorType type = tensorType(extents, elementOf(one));
  auto constant = one.getDefiningOp<tm::ConstantOp>();
  if (!type || !constant)
    return type ? expanded(one, extents) : Value();
  // A small one may be what shapes are computed from.
  const auto number = mlir::cast<DenseElementsAttr>(constant.getValue()).getSplatValue<Attribute>();
  if (type.hasStaticShape() && type.getNumElements() <= kMostKnown)
    return emit<tm::ConstantOp>(type, ElementsAttr(DenseElementsAttr::get(type, number)));
  return emit<tm::FillOp>(type, mlir::cast<TypedAttr>(number), Value());
}

Value AtenNode::sliced(Value value, size_t axis, tm::Extent begin, tm::Extent size, int64_t step) {
  if (!value || failed())
    return {};
  tm::ExtentList extents = extentsOf(value), begins(extents.size(), number(0));
  if (!begin || !size) {
    fail("its bounds are out of range");
    return {};
  }
  extents[axis] = size;
  begins[axis] = begin;
  SmallVector<int64_t> steps(extents.size(), 1);
  steps[axis] = step;
  return emit<tm::SliceOp>(tensorType(extents, elementOf(value)), value, ValueRange(),
                           tm::ExtentsAttr::get(context(), begins),
                           builder().getDenseI64ArrayAttr(steps));
}

Value AtenNode::reduced(Value value, tm::ReduceKind kind, const std::vector<int64_t> &axes,
                        bool keeps) {
  if (!value || axes.empty())
    return value;
  return emit<tm::ReduceOp>(
      tensorType(reducedExtents(extentsOf(value), axes, keeps), elementOf(value)), kind, value,
      ArrayRef(axes));
}

Value AtenNode::compare(tm::Comparison predicate, Value a, Value b) {
  if (!a || !b)
    return {};
  return emit<tm::CompareOp>(broadcast({a, b}, builder().getI1Type()), predicate, a, b);
}

Value AtenNode::where(Value condition, Value a, Value b) {
  if (!condition || !a || !b)
    return {};
  return emit<tm::WhereOp>(broadcast({condition, a, b}, elementOf(a)), condition, a, b);
}

/// What a result should be is also in the file: a difference is a fault of the file or of a rule.
bool AtenNode::isDescribed(const std::string &name, Value value) {
  const ExportedTensor *tensor = m_graph.described(name);
  if (!tensor)
    return true;
  const Type element = elementTypeOf(context(), tensor->elementType);
  const tm::ExtentList extents = extentsOf(value);
  bool isSame = tensor->extents.size() == extents.size();
  for (size_t axis = 0; isSame && axis < extents.size(); ++axis) {
    const auto known = tm::numberOf(extents[axis]);
    isSame =
        !known || !tensor->extents[axis].symbol.empty() || *known == tensor->extents[axis].value;
  }
  if (isSame && element == elementOf(value))
    return true;
  std::string told;
  for (const ExportedSize &extent : tensor->extents)
    told += (told.empty() ? "" : ", ") +
            (extent.symbol.empty() ? std::to_string(extent.value) : extent.symbol);
  return fail("its result `" + name + "` is " + elementTypeName(elementOf(value)) + " " +
              tm::extentsText(extents) + ", and the file says " +
              scalarTypeName(tensor->elementType) + " [" + told + "]");
}

bool AtenNode::define(const std::string &name, Value value) {
  return isDescribed(name, value) &&
         (m_graph.define(name, value) ||
          fail("its output `" + name + "` has the name of another value"));
}

/// `changed`, what it is a slice of, what that is a slice of, up to the last one that is used later.
std::vector<std::string> AtenNode::changedNames(const std::string &changed) const {
  std::vector<std::string> names{changed};
  size_t count = 1;
  while (const ExportedNode *slice = m_graph.sliceMaker(names.back())) {
    names.push_back(slice->operands.front().value.text);
    if (m_graph.isUsedLater(names.back()))
      count = names.size();
  }
  names.resize(count);
  return names;
}

/// The first operand's name stands for the result from here on, and what it is a slice of has the result in its place.
bool AtenNode::changeInPlace(Value value) {
  const std::string &changed = m_node.operands.front().value.text;
  const std::vector<std::string> names = changedNames(changed);
  if (const std::string other = m_graph.aliasUsedLater(names); !other.empty())
    return fail(
        "it changes `" + changed + "` in place, of which `" + other +
        "` is a view that is used later: export with `.run_decompositions()`, which makes a "
        "program without such changes");
  m_graph.redefine(changed, value);
  for (size_t i = 1; i < names.size(); ++i) {
    // As if this node put the slice back.
    ExportedNode slice = *m_graph.sliceMaker(names[i - 1]);
    const OperatorName name(slice.target);
    slice.name = m_node.name;
    AtenNode maker(slice, name, m_graph);
    value = withSlice(maker, value);
    if (!value)
      return fail("it changes `" + changed + "` in place, a part of `" + names[i] +
                  "` that cannot be put back");
    m_graph.redefine(names[i], value);
  }
  return true;
}

bool AtenNode::finish(ArrayRef<Value> results) {
  if (failed())
    return false;
  const std::vector<std::string> names = resultNames(m_node);
  if (m_name.isInPlace && !results.empty() && results.front() && first()) {
    if (results.front().getType() != first().getType())
      return fail("it changes a tensor in place into one of another type");
    if (!changeInPlace(results.front()))
      return false;
  }
  for (const auto &[i, name] : llvm::enumerate(names)) {
    const bool isMade = i < results.size() && results[i];
    if (!name.empty() && isMade && !define(name, results[i]))
      return false;
    if (!name.empty() && !isMade)
      m_graph.defineNothing(name);
  }
  return true;
}

bool AtenNode::finish(tm::Extent size) {
  if (failed())
    return false;
  if (!size)
    return fail("its result is out of range");
  for (const ExportedArgument &output : m_node.outputs)
    if (output.kind == Kind::Size && !output.sizes.front().symbol.empty() &&
        !m_graph.define(output.sizes.front().symbol, size))
      return fail("its output `" + output.sizes.front().symbol + "` has the name of another value");
  return true;
}

bool AtenNode::finishWithout() {
  for (const ExportedArgument &output : m_node.outputs)
    for (const ExportedSize &size : output.sizes)
      m_graph.defineNothing(size.symbol);
  return true;
}

} // namespace tilescope::model
