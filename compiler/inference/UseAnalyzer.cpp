// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/UseAnalyzer.h"

#include "compiler/constant/DType.h"
#include "compiler/inference/LaunchedKernel.h"
#include "compiler/syntax/CaretPower.h"

#include <algorithm>

namespace tilescope::compiler::inference {

using namespace ast;

std::map<std::string, ParameterUse, std::less<>> UseAnalyzer::run() {
  for (const ParameterInfo &parameter : m_kernel.parameters)
    m_uses[parameter.name];
  forEachNode([&](const Node &node) { collectDefinition(node); });
  forEachNode([&](const Node &node) {
    if (auto *call = as<Call>(&node))
      readAccess(*call);
  });
  forEachNode([&](const Node &node) {
    if (auto *compare = as<Compare>(&node))
      markComparedIndices(*compare);
  });
  forEachNode([&](const Node &node) { readUse(node); });
  return std::move(m_uses);
}

void UseAnalyzer::markComparedIndices(const Compare &compare) {
  const Expr *right = compare.comparators[0];
  for (auto [one, other] : {std::pair(compare.left, right), std::pair(right, compare.left)})
    if (flowOf(other) == Flow::Index)
      markLoaded(one, &ParameterUse::yieldsIndices);
}

void UseAnalyzer::combine(const Expr *one, const Expr *other) {
  ParameterUse *use = parameterOf(one);
  if (!use)
    return;
  use->isNumber = true;
  Flow flow = flowOf(other);
  use->inIndexMath |= flow == Flow::Index || flow == Flow::Address;
  use->inDataMath |= flow == Flow::Data;
  if (auto *name = as<Name>(other); name && parameterOf(other))
    use->partners.emplace_back(name->id);
}

void UseAnalyzer::markFactors(const Expr *left, const Expr *right, bool ParameterUse::*flag) {
  const bool isOfVectors = (left && isVector(*left)) || (right && isVector(*right));
  if (isOfVectors && flag == &ParameterUse::feedsDot)
    return;
  markLoaded(left, flag);
  markLoaded(right, flag);
}

void UseAnalyzer::readOperator(BinaryOpKind op, const Expr *left, const Expr *right) {
  using enum BinaryOpKind;
  // Who writes `x ^ 2` means a power, unless something else makes `x` an integer.
  const bool isBits = op == BitAnd || op == BitOr || (op == BitXor && !isPowerExponent(right));
  if (op == MatMult)
    markFactors(left, right, &ParameterUse::feedsDot);
  for (auto [one, other] : {std::pair(left, right), std::pair(right, left)}) {
    if (isBits && isBoolean(other))
      markLoaded(one, &ParameterUse::yieldsBools);
    else if (isBits || op == LShift || op == RShift) {
      markLoaded(one, &ParameterUse::yieldsBits);
      if (ParameterUse *use = parameterOf(one))
        use->isBits = true;
    }
    if (ParameterUse *use = parameterOf(one); use && !is<Constant>(other)) {
      const bool isSum = op == Add || op == Sub;
      const Flow flow = flowOf(other);
      // `x_ptr + i - P` moves back, `x_ptr + HALF + i` goes on behind so many elements.
      const bool isBehind = op == Add && flow == Flow::Address;
      use->isMovedBy |= isSum && !isBehind && (flow == Flow::Index || flow == Flow::Address);
      use->isExtentOrFactor |= !isSum || isBehind;
    }
    if (op == LShift || op == Pow)
      mark(right, &ParameterUse::isUnrolled);
    if (op == FloorDiv && one == right && isExtent(left))
      if (ParameterUse *use = parameterOf(right))
        use->isFactor = true;
    // Kernels take remainders of positions and hashes, hardly ever of floats.
    if (op == FloorDiv || (op == Mod && !isFloat(other) && !isExtentOfBlock(one))) {
      markLoaded(one, &ParameterUse::yieldsIndices);
      markIndexMath(one);
    }
  }
}

bool UseAnalyzer::isExtentOfBlock(const Expr *expr) {
  auto *part = as<Subscript>(expr);
  return part && is<Attribute>(part->value);
}

bool UseAnalyzer::isFloat(const Expr *expr) {
  auto *constant = as<Constant>(expr);
  return constant && constant->constantKind == ConstantKind::Float;
}

bool UseAnalyzer::isUnbounded(const Expr *expr) {
  if (auto *negated = as<UnaryOp>(expr))
    return isUnbounded(negated->operand);
  auto *call = as<Call>(expr);
  auto *called = call ? as<Name>(call->func) : nullptr;
  return called && called->id == "float" && call->args.size() == 1 && is<Constant>(call->args[0]);
}

void UseAnalyzer::readFiller(const Expr *filler, const Expr *loaded) {
  auto *negated = as<UnaryOp>(filler);
  if (isUnbounded(filler))
    markFilled(loaded, &ParameterUse::isUnbounded);
  else if (isFloat(negated ? negated->operand : filler))
    markFilled(loaded, &ParameterUse::isReal);
}

void UseAnalyzer::markFilled(const Expr *loaded, bool ParameterUse::*flag, int depth) {
  static constexpr int kMaxDepth = 4;
  auto *name = as<Name>(loaded);
  // Where a name also stands for what is computed, it may be that which is meant.
  const auto isAsLoaded = [&](const Expr *definition) {
    auto *call = as<Call>(definition);
    const std::string called = call ? languageCall(*call) : std::string();
    return is<Name>(definition) || called == "load" || called == "where";
  };
  if (auto found = name ? m_definitions.find(name->id) : m_definitions.end();
      found != m_definitions.end() && depth < kMaxDepth &&
      std::ranges::all_of(found->second, isAsLoaded))
    for (const Expr *definition : found->second)
      markFilled(definition, flag, depth + 1);
  auto *call = as<Call>(loaded);
  const std::string called = call ? languageCall(*call) : std::string();
  if (called == "where" && depth < kMaxDepth) {
    markFilled(argument(*call, 1, "x"), flag, depth + 1);
    markFilled(argument(*call, 2, "y"), flag, depth + 1);
  } else if (ParameterUse *use =
                 called == "load" ? pointerOf(argument(*call, 0, "pointer")) : nullptr) {
    use->*flag = true;
  }
}

bool UseAnalyzer::isLoadedIndex(const Expr *expr, int depth) {
  static constexpr int kMaxDepth = 4;
  if (auto *part = as<Subscript>(expr))
    return isLoadedIndex(part->value, depth);
  auto *name = as<Name>(expr);
  if (auto found = name ? m_definitions.find(name->id) : m_definitions.end();
      found != m_definitions.end() && depth < kMaxDepth)
    return std::ranges::all_of(found->second, [&](const Expr *definition) {
      return isLoadedIndex(definition, depth + 1);
    });
  auto *call = as<Call>(expr);
  if (!call || languageCall(*call) != "load")
    return false;
  const ParameterUse *source = pointerOf(argument(*call, 0, "pointer"));
  return source && source->yieldsIndices;
}

bool UseAnalyzer::isExtent(const Expr *expr) const {
  auto *name = as<Name>(expr);
  const ParameterInfo *parameter = name ? m_kernel.findParameter(name->id) : nullptr;
  return parameter && parameter->annotationKind == AnnotationKind::Constexpr &&
         parameter->name.starts_with("BLOCK");
}

bool UseAnalyzer::takesElements(const Expr *part) {
  if (auto *slice = as<Slice>(part))
    return slice->lower || slice->upper || slice->step;
  auto *constant = as<Constant>(part);
  return !constant || constant->constantKind != ConstantKind::None;
}

bool UseAnalyzer::isPassedAtRunTime(std::string_view name) const {
  const ParameterInfo *parameter = m_kernel.findParameter(name);
  return parameter && !parameter->defaultValue &&
         parameter->annotationKind != AnnotationKind::Constexpr &&
         isSurelyLaunched(m_index, m_kernel);
}

bool UseAnalyzer::isRunTimeIndex(const Expr *index) {
  auto *name = as<Name>(index);
  auto loop = name ? m_loops.find(name->id) : m_loops.end();
  auto *steps = loop != m_loops.end() ? as<Call>(loop->second->iter) : nullptr;
  if (steps && languageCall(*steps) == "static_range")
    return false;
  return flowOf(index) != Flow::Unknown || (name && isPassedAtRunTime(name->id));
}

bool UseAnalyzer::indexesArray(const Subscript &subscript) {
  if (subscript.ctx == ExprContext::Store)
    return true;
  if (auto *parts = as<Tuple>(subscript.slice))
    return std::ranges::any_of(parts->elts, takesElements);
  return isRunTimeIndex(subscript.slice);
}

void UseAnalyzer::readSubscript(const Subscript &subscript) {
  ParameterUse *indexed = parameterOf(subscript.value);
  if (indexed && indexesArray(subscript)) {
    indexed->isIndexed = true;
    indexed->isStored |= subscript.ctx == ExprContext::Store;
    return;
  }
  if (auto *parts = as<Tuple>(subscript.slice)) {
    int kept = 0;
    for (const Expr *part : parts->elts)
      kept += is<Slice>(part);
    needsRank(subscript.value, kept);
  }
  auto *shape = as<Attribute>(subscript.value);
  // `x[-2]` has two items at least, as `x[1]` has.
  auto *negated = as<UnaryOp>(subscript.slice);
  const bool isNegative = negated && negated->op == UnaryOpKind::USub;
  auto *number = as<Constant>(isNegative ? negated->operand : subscript.slice);
  // A larger index says nothing about the number of items.
  constexpr int64_t kLargestIndex = 63;
  const bool isNumber = number && number->intValue && *number->intValue <= kLargestIndex;
  const int wanted =
      isNumber ? static_cast<int>(*number->intValue) + (isNegative ? 0 : 1) : kManyItems;
  const bool isItem = isNumber || is<Name>(subscript.slice);
  if (ParameterUse *use = isItem ? parameterOf(subscript.value) : nullptr) {
    use->numItems = std::max(use->numItems, wanted);
    use->isTakenApart |= !isNumber;
  }
  if (ParameterUse *use = is<Slice>(subscript.slice) ? parameterOf(subscript.value) : nullptr)
    use->isSliced = true;
  if (shape && shape->attr == "shape" && isNumber)
    needsRank(shape->value, wanted);
}

void UseAnalyzer::readCompare(const Compare &compare) {
  const Expr *right = compare.comparators[0];
  for (auto [one, other] : {std::pair(compare.left, right), std::pair(right, compare.left)}) {
    ParameterUse *use = parameterOf(one);
    auto *constant = as<Constant>(other);
    const bool isUpper = (one == right) == (compare.ops[0] == CompareOpKind::Lt ||
                                            compare.ops[0] == CompareOpKind::LtE);
    if (use && isUpper)
      use->isExtentOrFactor = true;
    if (use && constant && constant->constantKind == ConstantKind::Str)
      use->comparedString = constant->text;
    else if (use && constant && constant->constantKind == ConstantKind::None)
      use->isComparedWithNone = true;
    else if (use && isLoadedIndex(other))
      use->inIndexMath = use->isNumber = true;
    else
      combine(one, other);
    if (use && isDType(other))
      use->isDType = true;
    bool isEqual = compare.ops[0] == CompareOpKind::Eq;
    if (use && isEqual && constant && constant->intValue && !use->comparedNumber)
      use->comparedNumber = *constant->intValue;
  }
}

bool UseAnalyzer::isDType(const Expr *expr) const {
  // `tl.constexpr(tl.float16)`
  if (auto *call = as<Call>(expr); call && languageCall(*call) == "constexpr")
    return !call->args.empty() && isDType(call->args[0]);
  const std::string path = m_index.resolve(*expr);
  std::optional<std::string_view> member = languageMember(path);
  return member && constant::dtypeFromLanguageName(*member).has_value();
}

void UseAnalyzer::readCondition(const Expr *test) {
  if (auto *negated = as<UnaryOp>(test))
    return readCondition(negated->operand);
  if (auto *many = as<BoolOp>(test)) {
    for (const Expr *value : many->values)
      readCondition(value);
    return;
  }
  if (ParameterUse *use = parameterOf(test))
    use->isCondition = true;
}

void UseAnalyzer::readArraySum(const Assign &assign) {
  auto *sum = as<BinOp>(assign.value);
  auto *target = as<Name>(assign.targets[0]);
  if (m_takesBlocks || !sum || !target || !m_kernel.findParameter(target->id))
    return;
  ParameterUse *left = parameterOf(sum->left), *right = parameterOf(sum->right);
  auto *one = as<Name>(sum->left), *other = as<Name>(sum->right);
  if (!left || !right || !one || !other || one->id == target->id || other->id == target->id)
    return;
  ParameterUse &written = m_uses.find(target->id)->second;
  const bool storesNothing = std::ranges::none_of(
      m_uses, [](const auto &use) { return use.second.isStored || use.second.isLoaded; });
  // Without any access the arrays are taken for numbers, and their sum goes nowhere.
  if (!written.isPointer() && !storesNothing)
    return;
  left->isArray = right->isArray = true;
  written.isArray |= storesNothing;
}

void UseAnalyzer::markSummedUp(const Expr *sum, const Expr *value) {
  if (isInt32Sum(sum))
    markLoaded(value, &ParameterUse::yieldsBits);
  else if (isOfLoads(value))
    markLoaded(value, &ParameterUse::isSummedUp);
}

bool UseAnalyzer::isOfLoads(const Expr *value, int depth) const {
  static constexpr int kMaxDepth = 4;
  auto *name = as<Name>(value);
  auto found = name ? m_definitions.find(name->id) : m_definitions.end();
  if (found != m_definitions.end() && depth < kMaxDepth)
    return std::ranges::all_of(
        found->second, [&](const Expr *definition) { return isOfLoads(definition, depth + 1); });
  if (auto *operation = as<BinOp>(value); operation && depth < kMaxDepth)
    return isOfLoads(operation->left, depth + 1) && isOfLoads(operation->right, depth + 1);
  auto *call = as<Call>(value);
  const std::string callee = call ? languageCall(*call) : std::string();
  const bool isReduction = callee == "sum" || callee == "max" || callee == "min";
  return callee == "load" || (isReduction && depth < kMaxDepth && !call->args.empty() &&
                              isOfLoads(call->args.front(), depth + 1));
}

void UseAnalyzer::readCounter(const For &loop) {
  auto *counter = as<Name>(loop.target);
  auto *range = as<Call>(loop.iter);
  const auto *called = range ? as<Name>(range->func) : nullptr;
  const bool isByOne =
      called && called->id == "range" && !range->args.empty() && range->args.size() < 3;
  if (!counter || !isByOne)
    return;
  // `range(K)`, `range(-R, R + 1)`
  const Expr *end = range->args[range->args.size() - 1];
  auto *sum = as<BinOp>(end);
  ParameterUse *use = parameterOf(sum && is<Constant>(sum->right) ? sum->left : end);
  if (!use)
    return;
  for (const Stmt *statement : loop.body)
    walk(*statement, [&](const Node &node) {
      auto *name = as<Name>(&node);
      use->isCountedTo |= name && name->id == counter->id;
      return true;
    });
}

void UseAnalyzer::readUse(const Node &node) {
  if (auto *operation = as<BinOp>(&node)) {
    combine(operation->left, operation->right);
    combine(operation->right, operation->left);
    readOperator(operation->op, operation->left, operation->right);
  } else if (auto *assign = as<AugAssign>(&node)) {
    combine(assign->value, assign->target);
    if (startsAsInteger(assign->target))
      markSummedUp(assign->target, assign->value);
  } else if (auto *assign = as<Assign>(&node)) {
    readArraySum(*assign);
    if (auto *targets = as<Tuple>(assign->targets[0]))
      if (ParameterUse *use = parameterOf(assign->value)) {
        use->numItems = std::max(use->numItems, static_cast<int>(targets->elts.size()));
        use->isTakenApart = true;
      }
    // `n = n + tl.load(p)`
    auto *sum = as<BinOp>(assign->value);
    auto *target = as<Name>(assign->targets[0]);
    auto *left = sum ? as<Name>(sum->left) : nullptr;
    if (left && target && left->id == target->id && startsAsInteger(target))
      markSummedUp(target, sum->right);
  } else if (auto *compare = as<Compare>(&node)) {
    readCompare(*compare);
  } else if (auto *call = as<Call>(&node)) {
    readCall(*call);
  } else if (auto *subscript = as<Subscript>(&node)) {
    readSubscript(*subscript);
  } else if (auto *access = as<Attribute>(&node); access && access->attr == "T") {
    needsArray(access->value, 2);
  } else if (auto *loop = as<For>(&node)) {
    if (ParameterUse *use = parameterOf(loop->iter))
      use->isIterated = true;
    readCounter(*loop);
  } else if (auto *branch = as<If>(&node)) {
    readCondition(branch->test);
  } else if (auto *choice = as<IfExp>(&node)) {
    readCondition(choice->test);
  }
}

} // namespace tilescope::compiler::inference
