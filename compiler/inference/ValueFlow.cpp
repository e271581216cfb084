// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/ValueFlow.h"

#include "compiler/inference/Quotients.h"
#include "compiler/types/ScalarKind.h"

#include <algorithm>

namespace tilescope::compiler::inference {

using namespace ast;

ParameterUse *ValueFlow::parameterOf(const Expr *expr) {
  auto found = expr ? m_uses.find(m_kernel.nameMeantBy(*expr)) : m_uses.end();
  return found == m_uses.end() ? nullptr : &found->second;
}

std::string ValueFlow::languageCall(const Call &call) const {
  std::string path = m_index.resolve(*call.func);
  std::optional<std::string_view> member = languageMember(path);
  return member ? std::string(*member) : "";
}

const Expr *ValueFlow::argument(const Call &call, size_t position, std::string_view name) {
  for (const Keyword *keyword : call.keywords)
    if (keyword->arg == name)
      return keyword->value;
  return position < call.args.size() ? call.args[position] : nullptr;
}

void ValueFlow::define(const Expr *target, const Expr *value) {
  if (auto *name = as<Name>(target)) {
    if (value)
      m_definitions[name->id].push_back(value);
    else
      m_counters.insert(name->id);
    return;
  }
  auto *targets = as<Tuple>(target);
  auto *values = as<Tuple>(value);
  // `most, where = tl.max(x, axis=0, return_indices=True)`
  auto *reduction = as<Call>(value);
  if (targets && targets->elts.size() == 2 && reduction &&
      argument(*reduction, reduction->args.size(), "return_indices")) {
    define(targets->elts[0], value);
    define(targets->elts[1], nullptr);
    return;
  }
  for (size_t i = 0; targets && i < targets->elts.size(); ++i)
    if (values && values->elts.size() == targets->elts.size())
      define(targets->elts[i], values->elts[i]);
    else if (value)
      define(targets->elts[i], value);
}

void ValueFlow::collectDefinition(const Node &node) {
  if (auto *assign = as<Assign>(&node))
    for (const Expr *target : assign->targets)
      define(target, assign->value);
  else if (auto *annotated = as<AnnAssign>(&node)) {
    if (annotated->value)
      define(annotated->target, annotated->value);
  } else if (auto *augmented = as<AugAssign>(&node)) {
    define(augmented->target, augmented->value);
    m_sums.push_back(augmented);
  } else if (auto *loop = as<For>(&node)) {
    define(loop->target, nullptr);
    if (auto *name = as<Name>(loop->target))
      m_loops[name->id] = loop;
  }
}

void ValueFlow::addressTerms(const Expr *expr, std::vector<std::string_view> &terms) {
  if (auto *sum = as<BinOp>(expr)) {
    if (sum->op == BinaryOpKind::Add || sum->op == BinaryOpKind::Sub) {
      addressTerms(sum->left, terms);
      addressTerms(sum->right, terms);
    }
  } else if (auto *part = as<Subscript>(expr)) {
    addressTerms(part->value, terms);
  } else if (auto *choice = as<IfExp>(expr)) {
    addressTerms(choice->body, terms);
  } else if (auto *call = as<Call>(expr)) {
    // `p.to(…)`, `tl.multiple_of(p, 16)`, `tl.make_block_ptr(base=p, …)`, `tl.advance(p, …)`
    auto *method = as<Attribute>(call->func);
    std::string name = languageCall(*call);
    if (name == "multiple_of" || name == "max_contiguous" || name == "advance" || name == "cast" ||
        name == "make_block_ptr" || name.ends_with("make_tensor_descriptor"))
      addressTerms(argument(*call, 0, "base"), terms);
    else if (name == "where")
      for (size_t i = 1; i < call->args.size(); ++i)
        addressTerms(call->args[i], terms);
    else if (method && name.empty() && (method->attr == "to" || method->attr == "advance"))
      addressTerms(method->value, terms);
  } else if (auto *name = as<Name>(expr)) {
    if (m_uses.contains(name->id))
      terms.push_back(name->id);
    if (!m_addressed.insert(name->id).second)
      return;
    if (auto found = m_definitions.find(name->id); found != m_definitions.end())
      for (const Expr *definition : found->second)
        addressTerms(definition, terms);
  }
}

bool ValueFlow::soundsLikePointer(std::string_view name) {
  return name.ends_with("ptr") || name.ends_with("Ptr") || name.ends_with("PTR") ||
         name.ends_with("pointer") || name.ends_with("ptrs") || name.starts_with("ptr_");
}

ParameterUse *ValueFlow::pointerOf(const Expr *address) {
  std::vector<std::string_view> terms;
  m_addressed.clear();
  addressTerms(address, terms);
  auto named = std::find_if(terms.begin(), terms.end(), soundsLikePointer);
  if (named == terms.end())
    named = terms.begin();
  return named == terms.end() ? nullptr : &m_uses.find(*named)->second;
}

const Expr *ValueFlow::lastDefinition(const Name &use) const {
  const auto found = m_definitions.find(use.id);
  if (found == m_definitions.end())
    return nullptr;
  const Expr *last = nullptr;
  for (const Expr *definition : found->second)
    if (definition->range.begin < use.range.begin)
      last = definition;
  const bool isAdded =
      std::ranges::any_of(m_sums, [&](const AugAssign *sum) { return sum->value == last; });
  return isAdded ? nullptr : last;
}

std::string ValueFlow::castTypeOf(const Expr *expr) const {
  if (auto *name = as<Name>(expr))
    expr = lastDefinition(*name);
  auto *call = as<Call>(expr);
  if (call && countsElements(languageCall(*call)))
    return "i32";
  auto *method = call ? as<Attribute>(call->func) : nullptr;
  if (!method || method->attr != "to" || call->args.empty())
    return {};
  const std::string path = m_index.resolve(*call->args[0]);
  const std::optional<std::string_view> member = languageMember(path);
  const auto scalar = member ? scalarFromLanguageName(*member) : std::nullopt;
  return scalar ? std::string(scalarInfo(*scalar).signatureName) : "";
}

Flow ValueFlow::flowOfCall(const Call &call) {
  std::string name = languageCall(call);
  if (name == "program_id" || name == "num_programs" || name == "arange" || name == "cdiv" ||
      name == "swizzle2d")
    return Flow::Index;
  if (name == "multiple_of" || name == "max_contiguous" || name == "where")
    return call.args.empty() ? Flow::Unknown : flowOf(call.args.back());
  if (!name.empty() || libdeviceMember(m_index.resolve(*call.func)))
    return Flow::Data;
  auto *method = as<Attribute>(call.func);
  return method ? flowOf(method->value) : Flow::Unknown;
}

Flow ValueFlow::flowOf(const Expr *expr) {
  if (auto *name = as<Name>(expr)) {
    if (auto use = m_uses.find(name->id); use != m_uses.end())
      return use->second.isPointer() ? Flow::Address : Flow::Unknown;
    if (m_counters.contains(name->id))
      return Flow::Index;
    if (auto known = m_flows.find(name->id); known != m_flows.end())
      return known->second;
    m_flows[name->id] = Flow::Unknown;
    Flow flow = Flow::Unknown;
    if (auto found = m_definitions.find(name->id); found != m_definitions.end())
      for (const Expr *definition : found->second)
        flow = std::max(flow, flowOf(definition));
    return m_flows[name->id] = flow;
  }
  if (auto *operation = as<BinOp>(expr))
    return std::max(flowOf(operation->left), flowOf(operation->right));
  if (auto *operation = as<UnaryOp>(expr))
    return flowOf(operation->operand);
  if (auto *part = as<Subscript>(expr))
    return flowOf(part->value);
  if (auto *choice = as<IfExp>(expr))
    return std::max(flowOf(choice->body), flowOf(choice->orelse));
  if (auto *call = as<Call>(expr))
    return flowOfCall(*call);
  auto *constant = as<Constant>(expr);
  return constant && constant->constantKind == ConstantKind::Float ? Flow::Data : Flow::Unknown;
}

bool ValueFlow::Marks::add(std::string_view name, bool ParameterUse::*flag) {
  std::vector<bool ParameterUse::*> &flags = m_flags[name];
  if (std::find(flags.begin(), flags.end(), flag) != flags.end())
    return false;
  flags.push_back(flag);
  return true;
}

void ValueFlow::markLoaded(const Expr *expr, bool ParameterUse::*flag) {
  if (!expr)
    return;
  if (auto *call = as<Call>(expr)) {
    auto *method = as<Attribute>(call->func);
    const std::string called = languageCall(*call);
    // Where the largest number is says nothing about what it is.
    if (called == "argmax" || called == "argmin")
      return;
    if (called == "load") {
      if (ParameterUse *use = pointerOf(argument(*call, 0, "pointer")))
        use->*flag = true;
    } else if (method && languageCall(*call).empty()) {
      ParameterUse *descriptor = method->attr == "load" ? parameterOf(method->value) : nullptr;
      if (descriptor)
        descriptor->*flag = true;
      markLoaded(method->value, flag);
    } else if (!call->args.empty()) {
      markLoaded(call->args[0], flag);
    }
  } else if (auto *name = as<Name>(expr)) {
    if (!m_loadedMarks.add(name->id, flag))
      return;
    if (auto found = m_definitions.find(name->id); found != m_definitions.end())
      for (const Expr *definition : found->second)
        markLoaded(definition, flag);
  } else if (auto *operation = as<BinOp>(expr)) {
    markLoaded(operation->left, flag);
    markLoaded(operation->right, flag);
  } else if (auto *part = as<Subscript>(expr)) {
    markLoaded(part->value, flag);
  }
}

void ValueFlow::mark(const Expr *expr, bool ParameterUse::*flag) {
  if (!expr)
    return;
  walk(*expr, [&](const Node &node) {
    const std::string_view name = m_kernel.nameMeantBy(node);
    if (name.empty() || !m_computedMarks.add(name, flag))
      return true;
    if (auto use = m_uses.find(name); use != m_uses.end())
      use->second.*flag = true;
    if (auto found = m_definitions.find(name); found != m_definitions.end())
      for (const Expr *definition : found->second)
        mark(definition, flag);
    return true;
  });
}

bool ValueFlow::isBoolean(const Expr *expr) {
  if (!expr)
    return false;
  if (is<Compare>(expr) || is<BoolOp>(expr))
    return true;
  if (auto *operation = as<BinOp>(expr))
    return isBoolean(operation->left) || isBoolean(operation->right);
  if (auto *operation = as<UnaryOp>(expr))
    return operation->op == UnaryOpKind::Not || isBoolean(operation->operand);
  if (auto *part = as<Subscript>(expr))
    return isBoolean(part->value);
  auto *name = as<Name>(expr);
  auto found = name ? m_definitions.find(name->id) : m_definitions.end();
  if (found == m_definitions.end())
    return false;
  // While it is being looked up a name adds nothing.
  auto [known, isNew] = m_booleans.emplace(name->id, false);
  if (isNew)
    known->second = std::any_of(found->second.begin(), found->second.end(),
                                [&](const Expr *definition) { return isBoolean(definition); });
  return known->second;
}

bool ValueFlow::isLanguageType(const Expr *expr, std::string_view name) const {
  return expr && languageMember(m_index.resolve(*expr)) == name;
}

bool ValueFlow::isInt32Sum(const Expr *expr) const {
  auto *name = as<Name>(expr);
  auto found = name ? m_definitions.find(name->id) : m_definitions.end();
  return found != m_definitions.end() &&
         std::any_of(found->second.begin(), found->second.end(), [&](const Expr *definition) {
           auto *zeros = as<Call>(definition);
           return zeros && languageCall(*zeros) == "zeros" &&
                  isLanguageType(argument(*zeros, 1, "dtype"), "int32");
         });
}

bool ValueFlow::startsAsInteger(const Expr *expr) const {
  auto *name = as<Name>(expr);
  auto found = name ? m_definitions.find(name->id) : m_definitions.end();
  if (found == m_definitions.end())
    return false;
  auto *first = as<Constant>(found->second.front());
  return isInt32Sum(expr) || (first && first->constantKind == ConstantKind::Int);
}

bool ValueFlow::sumsIntegers(const Call &dot) const {
  if (isLanguageType(argument(dot, 6, "out_dtype"), "int32") || isInt32Sum(argument(dot, 2, "acc")))
    return true;
  // `acc += tl.dot(a, b)`
  return std::any_of(m_sums.begin(), m_sums.end(), [&](const AugAssign *sum) {
    return sum->value == &dot && isInt32Sum(sum->target);
  });
}

bool ValueFlow::isPointerType(const Expr *expr) const {
  auto *call = as<Call>(expr);
  return call && languageCall(*call) == "pointer_type";
}

} // namespace tilescope::compiler::inference
