// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
// What the flow of values says of indices.
#include "compiler/inference/Quotients.h"
#include "compiler/inference/ValueFlow.h"

namespace tilescope::compiler::inference {

using namespace ast;

void ValueFlow::markIndexMath(const Expr *expr, int depth) {
  static constexpr int kMaxDepth = 12;
  if (!expr || depth > kMaxDepth)
    return;
  walk(*expr, [&](const Node &node) {
    auto *call = as<Call>(&node);
    std::string called = call ? languageCall(*call) : "";
    if (called == "load" || called.starts_with("atomic_")) {
      if (ParameterUse *use = pointerOf(argument(*call, 0, "pointer")))
        use->yieldsIndices = true;
      return false;
    }
    // A condition that selects an integer need not be one, nor a quotient before its cast.
    if (is<Compare>(&node) || called == "argmax" || called == "argmin" || isCastQuotient(call) ||
        markBins(call))
      return false;
    auto *name = as<Name>(&node);
    if (!name || !m_integers.insert(name->id).second)
      return true;
    if (ParameterUse *use = parameterOf(name))
      use->inIndexMath = true;
    if (auto found = m_definitions.find(name->id); found != m_definitions.end())
      for (const Expr *definition : found->second)
        markIndexMath(definition, depth + 1);
    if (auto loop = m_loops.find(name->id); loop != m_loops.end())
      markIndexMath(loop->second->iter, depth + 1);
    return true;
  });
}

bool ValueFlow::markBins(const Call *call) {
  if (!isCastProduct(call))
    return false;
  auto *product = as<BinOp>(as<Attribute>(call->func)->value);
  bool isFraction = false;
  for (auto [one, other] :
       {std::pair(product->left, product->right), std::pair(product->right, product->left)}) {
    auto *name = as<Name>(one);
    ParameterUse *use = parameterOf(one);
    if (name && use && isNamedNumber(name->id) && flowOf(other) == Flow::Data)
      isFraction = use->inIndexMath = true;
  }
  return isFraction;
}

void ValueFlow::markIndices(const Expr *address) {
  if (auto *sum = as<BinOp>(address)) {
    markIndices(sum->left);
    markIndices(sum->right);
  } else if (auto *part = as<Subscript>(address)) {
    markIndices(part->value);
  } else if (auto *name = as<Name>(address)) {
    auto found = m_definitions.find(name->id);
    if (m_indexMarks.insert(name->id).second && found != m_definitions.end())
      for (const Expr *definition : found->second)
        markIndices(definition);
  } else if (auto *call = as<Call>(address)) {
    if (languageCall(*call) == "load")
      markLoaded(call, &ParameterUse::yieldsIndices);
    else if (auto *method = as<Attribute>(call->func);
             method && languageCall(*call).empty() && !isCastQuotient(call) && !markBins(call))
      markIndices(method->value);
  }
}

std::string ValueFlow::extentOf(const Expr *offset) {
  if (!offset)
    return {};
  auto isConstexpr = [&](const Expr *expr) {
    auto *name = as<Name>(expr);
    const ParameterInfo *parameter = name ? m_kernel.findParameter(name->id) : nullptr;
    return parameter && parameter->annotationKind == AnnotationKind::Constexpr;
  };
  if (auto *operation = as<BinOp>(offset)) {
    for (const Expr *side : {operation->right, operation->left})
      if (operation->op == BinaryOpKind::Mult && isConstexpr(side))
        return std::string(as<Name>(side)->id);
    std::string left = extentOf(operation->left);
    return left.empty() ? extentOf(operation->right) : left;
  }
  if (auto *call = as<Call>(offset)) {
    auto *method = as<Attribute>(call->func);
    if (method && method->attr == "to")
      return extentOf(method->value);
    // `range(0, K, BLOCK_K)`
    return call->args.size() == 3 && isConstexpr(call->args[2])
               ? std::string(as<Name>(call->args[2])->id)
               : std::string();
  }
  auto *name = as<Name>(offset);
  if (!name)
    return {};
  // While it is being looked up a name has none.
  auto [known, isNew] = m_extents.emplace(name->id, "");
  if (!isNew)
    return known->second;
  if (auto loop = m_loops.find(name->id); loop != m_loops.end())
    return known->second = extentOf(loop->second->iter);
  if (auto found = m_definitions.find(name->id); found != m_definitions.end())
    for (const Expr *definition : found->second)
      if (std::string extent = extentOf(definition); !extent.empty())
        return known->second = extent;
  return {};
}

} // namespace tilescope::compiler::inference
