// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
// What calls say of their arguments: the language's own, and those of functions of the file.
#include "compiler/inference/UseAnalyzer.h"

#include <algorithm>

namespace tilescope::compiler::inference {

using namespace ast;

void UseAnalyzer::readForwarded(const Call &call) {
  static constexpr int kMaxDepth = 3;
  auto *callee = as<Name>(call.func);
  if (!callee || m_depth >= kMaxDepth)
    return;
  ImportedFunctions::Found called{&m_index, m_index.findFunction(callee->id), m_imports};
  if (!called.function && m_imports)
    called = m_imports->find(callee->id);
  if (!called.function || called.function == &m_kernel)
    return;
  auto uses =
      UseAnalyzer(*called.index, *called.function, called.imports, m_takesBlocks, m_depth + 1)
          .run();
  for (size_t i = 0; i < called.function->parameters.size(); ++i) {
    const std::string &name = called.function->parameters[i].name;
    const Expr *value = argument(call, i, name);
    const ParameterUse &inner = uses[name];
    if (!value)
      continue;
    if (inner.isPointer()) {
      if (ParameterUse *use = pointerOf(value))
        merge(*use, inner);
      continue;
    }
    if (ParameterUse *use = parameterOf(value))
      merge(*use, inner);
    combineForwarded(call, value, inner, *called.function);
    if (inner.isBits)
      markLoaded(value, &ParameterUse::yieldsBits);
    if (inner.isMask)
      markLoaded(value, &ParameterUse::yieldsBools);
    if (inner.inIndexMath)
      markIndexMath(value);
    if (inner.feedsDot)
      markLoaded(value, &ParameterUse::feedsDot);
  }
}

void UseAnalyzer::merge(ParameterUse &into, const ParameterUse &from) {
  bool ParameterUse::*flags[] = {&ParameterUse::isLoaded,       &ParameterUse::isStored,
                                 &ParameterUse::isLock,         &ParameterUse::yieldsIndices,
                                 &ParameterUse::yieldsBools,    &ParameterUse::yieldsBits,
                                 &ParameterUse::feedsDot,       &ParameterUse::feedsIntDot,
                                 &ParameterUse::feedsScaledDot, &ParameterUse::inIndexMath,
                                 &ParameterUse::inDataMath,     &ParameterUse::isShape,
                                 &ParameterUse::isDType,        &ParameterUse::isCondition,
                                 &ParameterUse::isCalled,       &ParameterUse::isComparedWithNone,
                                 &ParameterUse::isNumber,       &ParameterUse::isMask,
                                 &ParameterUse::isBits,         &ParameterUse::isUnrolled,
                                 &ParameterUse::isFactor,       &ParameterUse::isUnitStride,
                                 &ParameterUse::isIndexed,      &ParameterUse::isArray,
                                 &ParameterUse::isSummedUp,     &ParameterUse::isTakenApart,
                                 &ParameterUse::isIterated,     &ParameterUse::isSliced,
                                 &ParameterUse::isAddressed,    &ParameterUse::isReal,
                                 &ParameterUse::isUnbounded,    &ParameterUse::isOuterStride,
                                 &ParameterUse::isMovedBy,      &ParameterUse::isExtentOrFactor,
                                 &ParameterUse::isCountedTo};
  for (bool ParameterUse::*flag : flags)
    into.*flag |= from.*flag;
  into.isDescriptor |= from.isDescriptor;
  into.blockExtents.resize(std::max(into.blockExtents.size(), from.blockExtents.size()));
  into.rank = std::max(into.rank, from.rank);
  into.numItems = std::max(into.numItems, from.numItems);
  if (into.storedAs.empty())
    into.storedAs = from.storedAs;
  if (!into.comparedNumber)
    into.comparedNumber = from.comparedNumber;
  if (into.keyword.empty())
    into.keyword = from.keyword;
  if (into.comparedString.empty())
    into.comparedString = from.comparedString;
}

void UseAnalyzer::combineForwarded(const Call &call, const Expr *value, const ParameterUse &inner,
                                   const JitFunction &called) {
  for (size_t i = 0; i < called.parameters.size(); ++i) {
    const std::string &name = called.parameters[i].name;
    if (std::ranges::find(inner.partners, name) != inner.partners.end())
      if (const Expr *other = argument(call, i, name))
        combine(value, other);
  }
}

void UseAnalyzer::markCounted(const Expr *values) {
  auto *name = as<Name>(values);
  if (auto found = name ? m_definitions.find(name->id) : m_definitions.end();
      found != m_definitions.end() && found->second.size() == 1)
    values = found->second.front();
  auto *cast = as<Call>(values);
  auto *method = cast ? as<Attribute>(cast->func) : nullptr;
  if (method && method->attr == "to" && languageCall(*cast).empty())
    values = method->value;
  auto *call = as<Call>(values);
  if (call && languageCall(*call) == "load")
    markLoaded(call, &ParameterUse::yieldsBits);
}

void UseAnalyzer::readCall(const Call &call) {
  std::string name = languageCall(call);
  if (ParameterUse *use = parameterOf(call.func))
    use->isCalled = true;
  auto *method = as<Attribute>(call.func);
  bool isCast = name == "cast" || (name.empty() && method && method->attr == "to");
  const Expr *dtype = argument(call,
                               isCast            ? (name.empty() ? 0 : 1)
                               : name == "zeros" ? 1
                               : name == "full"  ? 2
                                                 : call.args.size(),
                               "dtype");
  if (ParameterUse *use = parameterOf(name == "pointer_type" ? argument(call, 0, "") : dtype))
    use->isDType = true;
  if (name == "arange")
    for (const Expr *arg : call.args)
      mark(arg, &ParameterUse::isShape);
  else if (name == "zeros" || name == "full" || name == "reshape" || name == "broadcast_to")
    mark(argument(call, name == "zeros" || name == "full" ? 0 : 1, "shape"),
         &ParameterUse::isShape);
  else if (name == "make_block_ptr")
    mark(argument(call, 4, "block_shape"), &ParameterUse::isShape);
  else if (name.ends_with("make_tensor_descriptor")) {
    mark(argument(call, 3, "block_shape"), &ParameterUse::isShape);
    const Seq<Expr> strides = itemsOf(argument(call, 2, "strides"));
    if (ParameterUse *use = strides.empty() ? nullptr : parameterOf(strides.back()))
      use->isUnitStride = true;
  }
  if (name == "dot")
    markFactors(argument(call, 0, "input"), argument(call, 1, "other"),
                sumsIntegers(call) ? &ParameterUse::feedsIntDot : &ParameterUse::feedsDot);
  if (name == "histogram")
    markCounted(argument(call, 0, "input"));
  readBlockUse(call, name);
  if (name == "dot_scaled")
    for (auto [position, keyword] : {std::pair(0, "lhs"), std::pair(1, "lhs_scale"),
                                     std::pair(3, "rhs"), std::pair(4, "rhs_scale")})
      markLoaded(argument(call, position, keyword), &ParameterUse::feedsScaledDot);
  if (name == "load" || name == "store" || name.starts_with("atomic_"))
    markLoaded(argument(call, name == "load" ? 1 : 2, "mask"), &ParameterUse::yieldsBools);
  if (name == "load")
    readFiller(argument(call, 2, "other"), &call);
  if (name == "where") {
    markLoaded(argument(call, 0, "condition"), &ParameterUse::yieldsBools);
    readFiller(argument(call, 1, "x"), argument(call, 2, "y"));
    readFiller(argument(call, 2, "y"), argument(call, 1, "x"));
  }
  if (isCast && isPointerType(argument(call, name.empty() ? 0 : 1, "dtype")))
    markLoaded(name.empty() ? method->value : argument(call, 0, "input"),
               &ParameterUse::yieldsIndices);
  bool isRange = name == "range" || name == "static_range" ||
                 (as<Name>(call.func) && as<Name>(call.func)->id == "range");
  readIntegers(call, name, isRange);
  static constexpr std::pair<std::string_view, std::string_view> kKeywords[] = {
      {"eviction_policy", "''"},  {"cache_modifier", "''"}, {"input_precision", "'tf32'"},
      {"padding_option", "''"},   {"allow_tf32", "True"},   {"sem", "'relaxed'"},
      {"scope", "'gpu'"},         {"lhs_format", "'e4m3'"}, {"rhs_format", "'e4m3'"},
      {"num_stages", "2"},        {"flatten", "False"},     {"warp_specialize", "False"},
      {"loop_unroll_factor", "1"}};
  for (const Keyword *keyword : call.keywords)
    for (auto [parameter, value] : kKeywords)
      if (ParameterUse *use = keyword->arg == parameter ? parameterOf(keyword->value) : nullptr)
        use->keyword = value;
  if (name == "static_range")
    for (const Expr *arg : call.args)
      mark(arg, &ParameterUse::isUnrolled);
  if (isRange || name == "cdiv")
    for (const Expr *arg : call.args)
      markLoaded(arg, &ParameterUse::yieldsIndices);
  // Python's own, which a kernel has for blocks, too; of indices they say nothing.
  const auto *plain = as<Name>(call.func);
  const bool isExtreme =
      plain && (plain->id == "min" || plain->id == "max") && !call.args.empty() &&
      std::ranges::any_of(call.args, [this](const Expr *arg) { return flowOf(arg) == Flow::Data; });
  for (const Expr *arg : call.args)
    if (ParameterUse *use = parameterOf(arg)) {
      use->isNumber = true;
      use->isExtentOrFactor = true;
      use->inDataMath |= isExtreme;
      use->inIndexMath |= isRange || name == "cdiv";
      bool isElementwise = name == "maximum" || name == "minimum" || name == "where" ||
                           name == "clamp" || name == "fma" || name == "full";
      use->inDataMath |= isElementwise && flowOf(call.args[0]) != Flow::Index;
    }
}

void UseAnalyzer::readIntegers(const Call &call, const std::string &name, bool isRange) {
  bool isAccess = name == "load" || name == "store" || name.starts_with("atomic_");
  bool isBlock = name == "make_block_ptr" || name.ends_with("make_tensor_descriptor");
  bool isCounting = isRange || name == "cdiv" || name == "arange" || name == "advance";
  if (isAccess)
    markIndexMath(argument(call, 0, "pointer"));
  if (isBlock || isCounting) {
    for (const Expr *argument : call.args)
      markIndexMath(argument);
    for (const Keyword *keyword : call.keywords)
      markIndexMath(keyword->value);
  }
}

} // namespace tilescope::compiler::inference
