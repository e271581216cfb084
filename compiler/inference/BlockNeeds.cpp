// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/BlockNeeds.h"

#include "compiler/syntax/LanguageReference.h"

#include <algorithm>
#include <iterator>

namespace tilescope::compiler::inference {

using namespace ast;

bool BlockNeeds::needsRank(const Expr *expr, int rank, int depth) {
  static constexpr int kMaxDepth = 5;
  if (!expr || depth > kMaxDepth)
    return false;
  if (ParameterUse *use = parameterOf(expr)) {
    // Adding a block to a pointer makes the pointer a block.
    if (use->isPointer() && depth > 0)
      return false;
    use->rank = std::max(use->rank, rank);
    return true;
  }
  if (!m_takesBlocks || isBlock(*expr))
    return false;
  auto follow = [&](const Expr *part) { return needsRank(part, rank, depth + 1); };
  if (auto *name = as<Name>(expr)) {
    auto found = m_definitions.find(name->id);
    return found != m_definitions.end() &&
           std::any_of(found->second.begin(), found->second.end(), follow);
  }
  if (auto *operation = as<BinOp>(expr))
    return follow(operation->left) || follow(operation->right);
  if (auto *operation = as<UnaryOp>(expr))
    return follow(operation->operand);
  if (auto *operation = as<BoolOp>(expr))
    return std::any_of(operation->values.begin(), operation->values.end(), follow);
  if (auto *compare = as<Compare>(expr))
    return follow(compare->left) || follow(compare->comparators[0]);
  auto *call = as<Call>(expr);
  return call && followsCall(*call, follow);
}

void BlockNeeds::needsArray(const Expr *expr, int rank) {
  ParameterUse *use = expr && !m_takesBlocks ? parameterOf(expr) : nullptr;
  if (use)
    use->isArray = true;
  else
    needsRank(expr, rank);
}

bool BlockNeeds::isBlock(const Expr &expr) {
  static constexpr std::string_view kMakers[] = {"arange", "broadcast_to", "dot",   "expand_dims",
                                                 "full",   "load",         "zeros", "zeros_like"};
  bool isFound = false;
  walk(expr, [&](const Node &node) {
    if (auto *call = as<Call>(&node))
      isFound |= std::ranges::find(kMakers, languageCall(*call)) != std::end(kMakers);
    else if (auto *part = as<Subscript>(&node))
      isFound |= is<Tuple>(part->slice);
    else if (auto *name = as<Name>(&node))
      isFound |= namesBlock(name->id);
    return !isFound;
  });
  return isFound;
}

bool BlockNeeds::namesBlock(std::string_view name) {
  auto found = m_definitions.find(name);
  if (found == m_definitions.end())
    return false;
  // While it is being looked up a name is none.
  auto [known, isNew] = m_blocks.emplace(name, false);
  if (isNew)
    known->second = std::ranges::any_of(
        found->second, [&](const Expr *definition) { return isBlock(*definition); });
  return known->second;
}

bool BlockNeeds::keepsRank(const Node &node) const {
  static constexpr std::string_view kSources[] = {"arange", "load", "program_id"};
  if (is<Subscript>(&node))
    return false;
  const auto *attribute = as<Attribute>(&node);
  if (attribute && attribute->attr == "T")
    return false;
  const auto *call = as<Call>(&node);
  const auto *method = call ? as<Attribute>(call->func) : nullptr;
  if (!call || (method && method->attr == "to"))
    return true;
  const std::string name = languageCall(*call);
  return hasLanguageTrait(name, language_trait::Elementwise) ||
         std::ranges::find(kSources, name) != std::end(kSources);
}

bool BlockNeeds::isVector(const Expr &expr) {
  bool hasRange = false, isKept = true;
  std::set<std::string_view> seen;
  std::vector<const Expr *> open{&expr};
  while (isKept && !open.empty()) {
    const Expr *next = open.back();
    open.pop_back();
    walk(*next, [&](const Node &node) {
      const auto *call = as<Call>(&node);
      hasRange |= call && languageCall(*call) == "arange";
      isKept &= keepsRank(node);
      const auto *name = as<Name>(&node);
      if (name && seen.insert(name->id).second) {
        isKept &= !(m_takesBlocks && m_kernel.findParameter(name->id));
        if (auto found = m_definitions.find(name->id); found != m_definitions.end())
          open.insert(open.end(), found->second.begin(), found->second.end());
      }
      return isKept;
    });
  }
  return hasRange && isKept;
}

bool BlockNeeds::followsCall(const Call &call, const std::function<bool(const Expr *)> &follow) {
  const std::string name = languageCall(call);
  auto *method = as<Attribute>(call.func);
  if (name.empty() && method)
    return (method->attr == "to" || method->attr == "cast") && follow(method->value);
  auto *callee = as<Name>(call.func);
  bool isOwn = name.empty() && callee && m_index.findFunction(callee->id);
  bool isElementwise = hasLanguageTrait(name, language_trait::Elementwise);
  return (isOwn || isElementwise) && std::any_of(call.args.begin(), call.args.end(), follow);
}

void BlockNeeds::readBlockUse(const Call &call, const std::string &name) {
  if (name == "dot")
    for (const Expr *factor : {argument(call, 0, "input"), argument(call, 1, "other")}) {
      needsArray(factor, 2);
      if (ParameterUse *use = parameterOf(factor))
        use->feedsDot = true;
    }
  auto *method = as<Attribute>(call.func);
  bool isMethod = name.empty() && method;
  std::string_view called = isMethod ? method->attr : std::string_view(name);
  const Expr *self = isMethod ? method->value : argument(call, 0, "input");
  if (hasLanguageTrait(called, language_trait::AlongAxis)) {
    const Expr *axis = argument(call, isMethod ? 0 : 1, "axis");
    auto *number = as<Constant>(axis);
    needsArray(self, number && number->intValue == 1 ? 2 : 1);
  } else if (called == "trans" || called == "split") {
    needsArray(self, 2);
  } else if (called == "reshape" || called == "ravel" || called == "view") {
    needsArray(self, 1);
  } else if (isMethod) {
    readArrayCall(call, *method);
  }
  bool isAccess = name == "load" || name == "store" || name.starts_with("atomic_");
  if (isAccess)
    markMask(argument(call, name == "load" ? 1 : 2, "mask"));
}

/// `x.mean()`, which no block has, and `np.mean(x)`
void BlockNeeds::readArrayCall(const Call &call, const Attribute &method) {
  static constexpr std::string_view kMethods[] = {"astype", "mean", "std", "transpose", "var"};
  if (ParameterUse *use = parameterOf(method.value))
    use->isArray |= std::ranges::find(kMethods, method.attr) != std::end(kMethods);
  const std::string path = m_index.resolve(method);
  if (m_takesBlocks || (!path.starts_with("numpy.") && !path.starts_with("torch.")))
    return;
  // The bounds of a clip are numbers.
  const size_t numArrays = method.attr == "clip" || method.attr == "clamp" ? 1 : call.args.size();
  for (size_t i = 0; i < std::min(numArrays, call.args.size()); ++i)
    if (ParameterUse *use = parameterOf(call.args[i]))
      use->isArray = true;
}

void BlockNeeds::markMask(const Expr *expr, int depth) {
  static constexpr int kMaxDepth = 5;
  if (!expr || depth > kMaxDepth)
    return;
  if (ParameterUse *use = parameterOf(expr)) {
    use->isMask = true;
  } else if (auto *part = as<Subscript>(expr)) {
    markMask(part->value, depth + 1);
  } else if (auto *both = as<BinOp>(expr); both && both->op == BinaryOpKind::BitAnd) {
    markMask(both->left, depth + 1);
    markMask(both->right, depth + 1);
  } else if (auto *name = as<Name>(expr); name && m_definitions.contains(name->id)) {
    for (const Expr *definition : m_definitions.find(name->id)->second)
      markMask(definition, depth + 1);
  }
}

} // namespace tilescope::compiler::inference
