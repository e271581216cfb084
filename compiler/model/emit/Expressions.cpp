// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/Expressions.h"

#include "compiler/dialects/tm/ir/NodeName.h"
#include "compiler/model/emit/Formulas.h"
#include "compiler/model/emit/MovedViews.h"

using namespace mlir;

namespace tilescope::model {

/// Longer ones are not worked out.
static constexpr size_t kMostNumpy = 600;

Expressions::Expressions(const Group &group, EmittedKernel &kernel, std::string indent)
    : m_group(group), m_kernel(kernel), m_indent(std::move(indent)),
      m_hasLetters(!kernel.tensors.empty()) {
  for (const EmittedTensor &tensor : kernel.tensors) {
    m_parameters.try_emplace(tensor.value, tensor.name);
    m_ofAnchor.insert(tensor.value);
    m_used[StringRef(tensor.name).drop_back(4).str()] = 1;
  }
}

size_t Expressions::add(Space space) {
  m_spaces.push_back(std::move(space));
  return m_spaces.size() - 1;
}

ElementView Expressions::view(size_t space, ArrayRef<int64_t> shape,
                              std::vector<ElementView::Axis> axes) const {
  return viewOf(space, m_spaces[space].extents, shape, std::move(axes));
}

ElementView Expressions::whole(size_t space, ArrayRef<int64_t> shape) const {
  return viewInOrder(space, shape);
}

Expressions::Key Expressions::keyOf(Value value, const ElementView &view) {
  return {value.getAsOpaquePointer(), view.space, view.map.offset, view.map.runs()};
}

void Expressions::provide(Value value, const ElementView &view, const std::string &name) {
  m_names[keyOf(value, view)] = name;
}

void Expressions::refuse(const std::string &reason) {
  if (m_reason.empty())
    m_reason = reason;
}

std::string Expressions::unusedName(const std::string &wanted) {
  unsigned &number = m_used[wanted];
  std::string name = wanted;
  // `side2` may be another value already.
  do
    if (number++ > 0)
      name = wanted + std::to_string(number);
  while (name != wanted && m_used.contains(name));
  m_used.try_emplace(name, 1);
  return name;
}

/// `a`, `b`, …, or `side`, where an anchor has the letters.
std::string Expressions::parameterOf(Value value, ArrayRef<int64_t> shape) {
  const auto [known, isNew] = m_parameters.try_emplace(value, "");
  if (!isNew)
    return known->second;
  std::string name;
  for (char letter = 'a'; letter <= 'n' && name.empty() && !m_hasLetters; ++letter)
    if (!m_used.contains(std::string(1, letter)))
      name = std::string(1, letter);
  known->second = unusedName(name.empty() ? "side" : name) + "_ptr";
  m_kernel.read(known->second, value, shape.vec());
  return known->second;
}

/// A load along one coordinate. What a row or a column of a tile has is loaded as a vector, which becomes one afterwards:
/// so the compiler brings it into the tile's layout at once, and not behind the loop.
static std::string vectorLoad(const std::string &parameter, std::string index, std::string mask) {
  for (const std::string axis : {"[None, :]", "[:, None]"}) {
    const std::string other = axis == "[None, :]" ? "[:, None]" : "[None, :]";
    if (index.find(axis) == std::string::npos || (index + mask).find(other) != std::string::npos)
      continue;
    for (std::string *text : {&index, &mask})
      for (size_t at = text->find(axis); at != std::string::npos; at = text->find(axis))
        text->erase(at, axis.size());
    return "tl.load(" + parameter + " + " + index + ", mask=" + mask + ")" + axis;
  }
  return "tl.load(" + parameter + " + " + index + ", mask=" + mask + ")";
}

std::string Expressions::load(Value value, const ElementView &view) {
  const std::string parameter = parameterOf(value, tensorType(value).getShape());
  std::string &name = m_names[keyOf(value, view)];
  // Another view of the same tensor has another name.
  const std::string stem = StringRef(parameter).drop_back(4).str();
  name = m_numpy.contains(value)      ? unusedName(stem)
         : m_ofAnchor.contains(value) ? unusedName(stem + "_again")
                                      : stem;
  m_numpy[value] = parameter;
  const Space &space = m_spaces[view.space];
  const std::string index = view.map.text(name, m_kernel, space.index, space.coordinates);
  const bool isOne = view.map.isOne(space.coordinates) || space.mask.empty();
  const std::string narrow = view.map.mask(space.coordinates);
  if (space.loadsEarly && !isOne && !narrow.empty()) {
    m_earlyLines += m_indent + name + " = " + vectorLoad(parameter, index, narrow) + "\n";
    // It is widened behind the loop, through which it takes half as many registers.
    return name += widened(value);
  }
  m_lines += m_indent + name + " = tl.load(" + parameter + (index.empty() ? "" : " + " + index) +
             (isOne ? "" : ", mask=" + (narrow.empty() ? space.mask : narrow)) + ")" +
             (space.staysNarrow ? "" : widened(value)) + "\n";
  return space.staysNarrow ? name += widened(value) : name;
}

std::string Expressions::evaluate(Value value, const ElementView &view) {
  if (!m_reason.empty())
    return "";
  if (const auto known = m_names.find(keyOf(value, view)); known != m_names.end())
    return known->second;
  Operation *operation = value.getDefiningOp();
  if (!operation || !m_group.contains(operation))
    return load(value, view);
  std::string name = evaluateInside(operation, value, view);
  if (!m_reason.empty())
    return "";
  return m_names[keyOf(value, view)] = name;
}

std::string Expressions::evaluateInside(Operation *operation, Value value,
                                        const ElementView &view) {
  if (const auto moved = movedView(operation, view)) {
    if (!moved->hasAxes && !view.hasAxes)
      refuse("`" + tm::nodeName(operation) + "` moves elements of another shape");
    const std::string name = evaluate(operation->getOperand(0), *moved);
    m_numpy[value] = movedNumpy(operation, numpyOf(operation->getOperand(0)));
    return name;
  }
  if (formulaOf(operation).triton.empty()) {
    refuse("the result of `" + tm::nodeName(operation) +
           "` is not wanted in the order in which "
           "its kernel computes it");
    return "";
  }
  return compute(operation, view);
}

/// A number of its own launch.
std::string Expressions::argumentFor(const std::string &literal) {
  const std::string name = unusedName("scalar");
  m_kernel.numbers.emplace_back(name, literal);
  return name;
}

std::string Expressions::operand(Operation *operation, unsigned i, const ElementView &view,
                                 bool isLiteralAllowed) {
  const Value value = operation->getOperand(i);
  if (const std::string literal = literalOf(value); isLiteralAllowed && !literal.empty()) {
    std::string &name = m_literals[value];
    if (name.empty())
      name = isPlainLiteral(literal) ? literal : argumentFor(literal);
    m_numpy[value] = literal;
    return name;
  }
  const std::vector<int64_t> shape = operandShape(operation, i);
  const auto repeated = repeatedView(view, tensorType(operation->getResult(0)).getShape(), shape);
  if (!repeated) {
    refuse("`" + tm::nodeName(operation) + "` repeats elements that are moved afterwards");
    return "";
  }
  // NumPy repeats the other axes.
  Operation *maker = value.getDefiningOp();
  if (ArrayRef(shape) != tensorType(value).getShape() && !(maker && m_group.contains(maker)))
    parameterOf(value, shape);
  return evaluate(value, *repeated);
}

bool Expressions::isRepeatedAtCost(Operation *operation, const ElementView &view) {
  const Space &space = m_spaces[view.space];
  const int64_t places = llvm::product_of(view.map.extents);
  int64_t own = 1;
  for (const Run &run : view.map.runs())
    own *= run.extent;
  const unsigned times = m_numComputed[operation]++;
  return (own < places && !space.mayRepeat && !isCheap(operation)) ||
         (times > 0 && !space.mayRepeat);
}

void Expressions::setNumpy(Operation *operation, StringRef formula, unsigned numRead) {
  SmallVector<std::string> names;
  bool isKnown = !formula.empty();
  for (unsigned i = 0; i < std::min(numRead, operation->getNumOperands()); ++i) {
    const std::string text = numpyOf(operation->getOperand(i));
    const bool isPlain = text.find_first_of(" (") == std::string::npos;
    isKnown &= !text.empty();
    names.push_back(isPlain && text[0] != '-' ? text : "(" + text + ")");
  }
  std::string &text = m_numpy[operation->getResult(0)];
  text = isKnown ? filledFormula(formula, names) : "";
  if (text.size() > kMostNumpy)
    text.clear();
}

/// Where the formula's type is not the one that the result is computed in.
static std::string conversion(Operation *operation) {
  const Type from = getElementTypeOrSelf(operation->getOperand(0));
  const Type to = tensorType(operation->getResult(0)).getElementType();
  const bool isWholePower = isa<tm::PowOp>(operation) && isa<IntegerType>(to);
  if (!isWholePower && (!isa<tm::CastOp>(operation) || from == to))
    return "";
  if (auto real = dyn_cast<FloatType>(to); real && real.getWidth() < 32)
    return std::string(to.isF16()                ? ".to(tl.float16)"
                       : to.isBF16()             ? ".to(tl.bfloat16)"
                       : isa<Float8E5M2Type>(to) ? ".to(tl.float8e5)"
                                                 : ".to(tl.float8e4nv)") +
           ".to(tl.float32)";
  if (to.isF32() || to.isF64())
    return to.isF32() ? ".to(tl.float32)" : ".to(tl.float64)";
  const auto integer = dyn_cast<IntegerType>(to);
  if (!integer || integer.getWidth() == 1)
    return integer ? " != 0" : "";
  return std::string(".to(tl.") + (integer.isUnsigned() ? "uint" : "int") +
         std::to_string(integer.getWidth()) + ")";
}

/// Names of operations that mean something else in Python.
static std::string pythonName(Operation *operation) {
  const std::string name = operation->getName().stripDialect().str();
  static constexpr StringRef kTaken[] = {"abs", "and", "max",   "min",  "not",
                                         "or",  "pow", "round", "tile", "range"};
  return llvm::is_contained(kTaken, name) ? "the_" + name : name;
}

std::string Expressions::compute(Operation *operation, const ElementView &view) {
  if (isRepeatedAtCost(operation, view)) {
    refuse("`" + tm::nodeName(operation) +
           "` would be computed anew for each element that uses it");
    return "";
  }
  const Formula formula = formulaOf(operation);
  if (!formula.helper.empty() && m_kernel.helper.find(formula.helper) == std::string::npos)
    m_kernel.helper += (m_kernel.helper.empty() ? "" : "\n\n") + formula.helper;
  const unsigned numRead = std::min(formula.numRead, operation->getNumOperands());
  bool hasTensor = false;
  for (unsigned i = 0; i < numRead; ++i)
    hasTensor |= literalOf(operation->getOperand(i)).empty();
  SmallVector<std::string> names;
  for (unsigned i = 0; i < numRead; ++i) {
    // Something must be a tensor, and a condition is one.
    const bool isLiteral = (hasTensor || i > 0) && !isa<tm::PowOp, tm::ModOp>(operation);
    names.push_back(operand(operation, i, view, isLiteral));
    if (!m_reason.empty())
      return "";
  }
  for (std::string &each : names)
    if (each[0] == '-')
      each = "(" + each + ")";
  std::string text = filledFormula(formula.triton, names);
  if (const std::string suffix = conversion(operation); !suffix.empty())
    text = (text.find(' ') == std::string::npos ? text : "(" + text + ")") + suffix;
  setNumpy(operation, formula.numpy, formula.numRead);
  const std::string name = unusedName(pythonName(operation));
  line(name + " = " + text);
  return name;
}

std::string Expressions::numpyOf(Value value) const {
  const auto known = m_numpy.find(value);
  return known == m_numpy.end() ? "" : known->second;
}

} // namespace tilescope::model
